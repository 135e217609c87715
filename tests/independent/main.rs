//! Hand-coded explorations of single systems, written without the product, as judges of its counts.

mod search;
