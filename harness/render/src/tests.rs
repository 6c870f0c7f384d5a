//! The report of a made-up run, and what must not change about it.

mod battery;
mod first_screen;
mod fixture;
mod forty;
mod low_rates;
mod removals;
mod report;
mod sentences;
mod verdicts;
