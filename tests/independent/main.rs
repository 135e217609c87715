//! Hand-coded explorations of single systems, written without the product, as judges of its counts.

mod expected;
mod search;
mod walk;

mod bakery;
mod bounded_buffer;
mod dekker;
mod deos;
mod elevator;
mod nested_monitor;
mod ojala;
mod pasareanu;
mod peterson;
mod philosophers;
mod pipeline;
mod rax;
mod readers_writers;
mod replicated_workers;
mod szymanski;
