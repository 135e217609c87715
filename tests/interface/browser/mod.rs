//! The pages in a real browser: headless Chromium, real clicks and keys.
//!
//! Where no Chromium is installed the tests say so and pass; with `CRISOL_BROWSER=required` they fail.

mod chromium;
mod explore;
mod hostile;
mod large;
mod models;
mod report;
mod reports;
mod screenshots;
