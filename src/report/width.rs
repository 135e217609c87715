//! How wide a text for the terminal may be.
//!
//! Invariant: whoever says nothing gets 80 columns, so that what is written to files does not depend
//! on the terminal.

use std::cell::Cell;

/// The width of everything that is not for a terminal of its own width.
pub(super) const STANDARD: usize = 80;

thread_local! {
    static COLUMNS: Cell<usize> = const { Cell::new(STANDARD) };
}

/// What this thread tells from now on is for a terminal of so many columns.
pub fn set_columns(columns: usize) {
    COLUMNS.set(columns);
}

pub(super) fn columns() -> usize {
    COLUMNS.get()
}

/// Tells something for a file.
pub fn at_standard_width<T>(tell: impl FnOnce() -> T) -> T {
    let columns = COLUMNS.replace(STANDARD);
    let told = tell();
    COLUMNS.set(columns);
    told
}
