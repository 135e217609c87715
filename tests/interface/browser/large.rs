//! A long counterexample of many objects: the file stays small and opens at once.

use std::time::Duration;

use crate::browser::chromium::browser;
use crate::browser::reports::{Folder, check};

/// A token goes round twelve objects until one has seen the number 199: 200 steps.
const TOKEN_RING: &str = "system Ring;
const OBJECTS = 12;
const MOST = 199;
signal Token(int(0..MOST) number);
class Node {
  Node next;
  bool first;
  int(0..MOST) seen;
  int(0..MOST)[4] latest;
  initial -> Boot;
  quiescent state Boot;
  state Ring {
    initial -> Even;
    quiescent state Even;
    quiescent state Odd;
    Even -> Odd : Token(n) [n < MOST] / { seen = n; latest[n % 4] = n; send next.Token(n + 1); }
    Odd -> Even : Token(n) [n < MOST] / { seen = n; latest[n % 4] = n; send next.Token(n + 1); }
    on Token(n) [n == MOST] / { seen = n; }
  }
  Boot -> Ring : [first] / { send next.Token(1); }
  Boot -> Ring : Token(n) [n < MOST] / { seen = n; latest[n % 4] = n; send next.Token(n + 1); }
}
object node[OBJECTS]: Node { next = node[(index + 1) % OBJECTS]; first = index == 0; }
property rests : never exists(n in node : n.seen == MOST);
";

#[test]
fn two_hundred_steps_of_twelve_objects_are_below_a_megabyte_and_open_within_a_second() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("large");
    let file = check(&folder, "ring.csm", TOKEN_RING, &["--property", "rests"]);
    let size = std::fs::metadata(&file).expect("a report").len();
    assert!(size < 1_000_000, "{size} bytes");
    browser.resize(1440, 900, 1.0);
    browser.open_file(&file);
    assert!(browser.text(".place").contains("step 200 of 200"));
    assert_eq!(browser.count(".card[data-object]"), 12);
    assert_eq!(browser.count(".steps [role=option]"), 201);
    let drawn = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
    browser.value(drawn);
    let time = browser.worked();
    assert!(time > Duration::from_millis(1), "{time:?}");
    assert!(time < Duration::from_secs(1), "{time:?}");
    println!("{size} bytes, {time:?} of work until it is drawn");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
