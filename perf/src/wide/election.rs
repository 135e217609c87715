//! Chang and Roberts elect the node with the highest number. Numbers fall in the direction of the messages, which
//! makes the most states.

use super::{Language, Model, fill, list, shift};

const CSM: &str = "\
// Chang and Roberts: a ring elects the node with the highest number.
system Election;

const N = $N;

signal Candidacy(int(1..N) number), Elected(int(1..N) number);

class Node {
  int(1..N) id = 1;
  Node next;

  initial -> Asleep;
  state Asleep, Candidate, Relay, Leader, Done;

  Asleep -> Candidate / { send next.Candidacy(id); }
  Asleep -> Candidate : Candidacy(number) [number < id] / { send next.Candidacy(id); }
  Asleep -> Relay : Candidacy(number) [number > id] / { send next.Candidacy(number); }
  Candidate -> Candidate : Candidacy(number) [number < id];
  Candidate -> Relay : Candidacy(number) [number > id] / { send next.Candidacy(number); }
  Candidate -> Leader : Candidacy(number) [number == id] / { send next.Elected(id); }
  Relay -> Relay : Candidacy(number) [number < id];
  Relay -> Relay : Candidacy(number) [number > id] / { send next.Candidacy(number); }
  Relay -> Done : Elected(number) / { send next.Elected(number); }
  Leader -> Done : Elected(number);
}

object node[N]: Node { id = N - index; next = node[(index + 1) % N]; }

inbox node capacity N;
";

const PROMELA: &str = "\
/* Chang and Roberts: a ring elects the node with the highest number. */
#define N $N
#define ID (N - _pid)
#define ME node[_pid]
#define NEXT node[(_pid + 1) % N]

mtype = { Candidacy, Elected };
mtype = { Asleep, Candidate, Relay, Leader, Done };

chan node[N] = [N] of { mtype, byte };
byte number; /* 0 between steps */

active [N] proctype Node() {
  mtype phase = Asleep;

  do
  :: d_step { phase == Asleep -> NEXT!Candidacy(ID); phase = Candidate }
  :: d_step {
       ME?Candidacy(number);
       if
       :: number < ID && phase == Asleep -> NEXT!Candidacy(ID); phase = Candidate
       :: number < ID && phase != Asleep
       :: number == ID -> NEXT!Elected(ID); phase = Leader
       :: number > ID -> NEXT!Candidacy(number); phase = Relay
       fi;
       number = 0
     }
  :: d_step {
       ME?Elected(number);
       if
       :: phase == Relay -> NEXT!Elected(number)
       :: phase == Leader
       fi;
       number = 0;
       phase = Done
     }
  od
}
";

/// A candidacy is its number, the news of who was elected that number and `$N`.
const NODE: &str = "
process node_$I {
state asleep, candidate, relay, leader, done;
init asleep;
trans
 asleep -> candidate { effect $SEND $ID, $SENT; },
 asleep -> candidate { guard $HAS && $HEAD < $ID; effect $SEND $ID, $SENT, $SHIFT; },
 asleep -> relay { guard $HAS && $HEAD > $ID && $HEAD <= $N; effect $SEND $HEAD, $SENT, $SHIFT; },
 candidate -> candidate { guard $HAS && $HEAD < $ID; effect $SHIFT; },
 candidate -> relay { guard $HAS && $HEAD > $ID && $HEAD <= $N; effect $SEND $HEAD, $SENT, $SHIFT; },
 candidate -> leader { guard $HAS && $HEAD == $ID; effect $SEND $ID + $N, $SENT, $SHIFT; },
 relay -> relay { guard $HAS && $HEAD < $ID; effect $SHIFT; },
 relay -> relay { guard $HAS && $HEAD > $ID && $HEAD <= $N; effect $SEND $HEAD, $SENT, $SHIFT; },
 relay -> done { guard $HAS && $HEAD > $N; effect $SEND $HEAD, $SENT, $SHIFT; },
 leader -> done { guard $HAS && $HEAD > $N; effect $SHIFT; };
}
";

pub(super) fn text(model: &Model, language: Language) -> String {
    match language {
        Language::Csm => fill(CSM, &[("N", &model.objects)]),
        Language::Promela => fill(PROMELA, &[("N", &model.objects)]),
        Language::Dve => dve(model.objects),
    }
}

fn dve(nodes: usize) -> String {
    let queues = list(0..nodes, "", |i| format!("byte q{i}[{nodes}], n{i};\n"));
    let nodes = list(0..nodes, "", |i| node(i, nodes));
    format!("{queues}{nodes}\nsystem async;\n")
}

fn node(index: usize, nodes: usize) -> String {
    let next = (index + 1) % nodes;
    fill(
        NODE,
        &[
            ("SENT", &format!("n{next} = n{next} + 1")),
            ("SEND", &format!("q{next}[n{next}] =")),
            (
                "SHIFT",
                &shift(&format!("q{index}"), &format!("n{index}"), nodes),
            ),
            ("HEAD", &format!("q{index}[0]")),
            ("HAS", &format!("n{index} > 0")),
            ("ID", &(nodes - index)),
            ("I", &index),
            ("N", &nodes),
        ],
    )
}
