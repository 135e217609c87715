//! Hand-coded explorations of single systems, written without the product, as judges of its counts.

mod alternating_bit;
mod bounded_retransmission;
mod dishwasher;
mod expected;
mod figure_2_1;
mod leader_election;
mod level_crossing;
mod lock_manager;
mod par;
mod run_to_completion;
mod search;
mod server_client;
mod ticket_ordering;
mod two_phase_commit;
mod walk;
