//! A ring: every node begins with a token, passes on what it gets, and counts or does not.

use super::{Language, Model, fill, list, shift};

const CSM: &str = "\
// Tokens go round a ring. Who passes one on may count in one of its variables, in turn.
system Ring;

const N = $N;
const V = $V;
const M = $M; // a variable counts up to this

signal Token(int(0..M - 1) value);

class Node {
  Node next;
  int(0..M - 1)[V] v;
  int(0..V - 1) at;

  initial -> Start;
  state Start, Pass;

  Start -> Pass / { send next.Token(at % M); }
  Pass -> Pass : Token(value) / {
    v[at] = (v[at] + value + 1) % M;
    at = (at + 1) % V;
    send next.Token(v[at]);
  }
  Pass -> Pass : Token(value) / { at = (at + 1) % V; send next.Token(value); }
}

object node[N]: Node { next = node[(index + 1) % N]; at = index % V; }

inbox node capacity $K on_full block;

allow nondeterminism;
";

const PROMELA: &str = "\
/* Tokens go round a ring. Who passes one on may count in one of its variables, in turn. */
#define N $N
#define V $V
#define M $M
#define K $K
#define NEXT q[(_pid + 1) % N]

chan q[N] = [K] of { byte };
byte value; /* 0 between steps */

active [N] proctype Node() {
  byte v[V];
  byte at = _pid % V;

  d_step { len(NEXT) < K -> NEXT!at % M };
  do
  :: d_step {
       len(q[_pid]) > 0 && len(NEXT) < K -> q[_pid]?value;
       v[at] = (v[at] + value + 1) % M;
       at = (at + 1) % V;
       value = 0;
       NEXT!v[at]
     }
  :: d_step {
       len(q[_pid]) > 0 && len(NEXT) < K -> q[_pid]?value;
       at = (at + 1) % V;
       NEXT!value;
       value = 0
     }
  od
}
";

const NODE: &str = "
process node_$I {
byte v[$V], at = $AT;
state start, pass;
init start;
trans
 start -> pass { guard n$NEXT < $K; effect q$NEXT[n$NEXT] = at % $M, n$NEXT = n$NEXT + 1; },
 pass -> pass { guard n$I > 0 && n$NEXT < $K; effect v[at] = (v[at] + q$I[0] + 1) % $M, $SHIFT, at = (at + 1) % $V, q$NEXT[n$NEXT] = v[at], n$NEXT = n$NEXT + 1; },
 pass -> pass { guard n$I > 0 && n$NEXT < $K; effect at = (at + 1) % $V, q$NEXT[n$NEXT] = q$I[0], n$NEXT = n$NEXT + 1, $SHIFT; };
}
";

pub(super) fn text(model: &Model, language: Language) -> String {
    match language {
        Language::Csm => whole(model, CSM),
        Language::Promela => whole(model, PROMELA),
        Language::Dve => dve(model),
    }
}

fn whole(model: &Model, template: &str) -> String {
    let Model {
        objects: n,
        variables: v,
        values: m,
        capacity: k,
        ..
    } = model;
    fill(template, &[("N", n), ("V", v), ("M", m), ("K", k)])
}

fn dve(model: &Model) -> String {
    let (objects, capacity) = (model.objects, model.capacity);
    let queue = |i| format!("byte q{i}[{capacity}], n{i};\n");
    let node = |i| {
        let (next, at) = ((i + 1) % objects, i % model.variables);
        let shift = shift(&format!("q{i}"), &format!("n{i}"), capacity);
        let template = fill(
            NODE,
            &[("I", &i), ("NEXT", &next), ("AT", &at), ("SHIFT", &shift)],
        );
        whole(model, &template)
    };
    let queues = list(0..objects, "", queue);
    let nodes = list(0..objects, "", node);
    format!("{queues}{nodes}\nsystem async;\n")
}
