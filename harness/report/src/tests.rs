//! Tests of the report of a made-up run.

mod battery;
mod explore;
mod first_screen;
mod fixture;
mod report;
mod sentences;
mod speed;
mod titles;
mod verdicts;
