//! Tests of the report of a made-up run.

mod battery;
mod first_screen;
mod fixture;
mod forty;
mod report;
mod sentences;
mod verdicts;
