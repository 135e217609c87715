//! A star: leaves count, ask the hub, and wait for its answer. As a leaf waits, there is room for the answer.

use super::{Language, Model, fill, list, shift};

const CSM: &str = "\
// Leaves count, ask the hub, and wait for its answer. The hub counts what it is asked.
system Star;

const LEAVES = $LEAVES;
const V = $V;
const M = $M; // a variable counts up to this

signal Request(Leaf from, int(0..M - 1) value), Grant(int(0..M - 1) value);

class Hub {
  int(0..M - 1)[V] v;
  int(0..V - 1) at;

  initial -> Serve;
  state Serve;

  Serve -> Serve : Request(from, value) / {
    v[at] = (v[at] + value + 1) % M;
    at = (at + 1) % V;
    send from.Grant(v[at]);
  }
}

class Leaf {
  int(0..M - 1)[V] v;
  int(0..V - 1) at;

  initial -> Idle;
  state Idle, Ready, Waiting;

  Idle -> Ready / { v[at] = (v[at] + at) % M; at = (at + 1) % V; }
  Ready -> Waiting / { send hub.Request(self, v[at]); }
  Waiting -> Idle : Grant(value) / { v[at] = (v[at] + value) % M; }
}

object hub: Hub;
object leaf[LEAVES]: Leaf { at = index % V; }

inbox hub capacity $K on_full block;
inbox leaf capacity 1 on_full block;
";

const PROMELA: &str = "\
/* Leaves count, ask the hub, and wait for its answer. The hub counts what it is asked. */
#define LEAVES $LEAVES
#define V $V
#define M $M
#define K $K
#define ME grant[_pid - 1]

chan request = [K] of { byte, byte };
chan grant[LEAVES] = [1] of { byte };
byte from, value; /* 0 between steps */

active proctype Hub() {
  byte v[V];
  byte at;

  do
  :: d_step {
       len(request) > 0 -> request?from, value;
       v[at] = (v[at] + value + 1) % M;
       at = (at + 1) % V;
       grant[from]!v[at];
       from = 0;
       value = 0
     }
  od
}

active [LEAVES] proctype Leaf() {
  byte v[V];
  byte at = (_pid - 1) % V;

  do
  :: d_step { v[at] = (v[at] + at) % M; at = (at + 1) % V };
     d_step { len(request) < K -> request!_pid - 1, v[at] };
     d_step { len(ME) > 0 -> ME?value; v[at] = (v[at] + value) % M; value = 0 }
  od
}
";

const HUB: &str = "
process hub {
byte v[$V], at;
state serve;
init serve;
trans
$SERVE;
}
";

/// DVE has no queues in an array: for each leaf a transition of its own answers it.
const SERVE: &str = " serve -> serve { guard nq > 0 && from[0] == $I; effect v[at] = (v[at] + q[0] + 1) % $M, at = (at + 1) % $V, g$I[ng$I] = v[at], ng$I = ng$I + 1, $SHIFT; }";

const LEAF: &str = "
process leaf_$I {
byte v[$V], at = $AT;
state idle, ready, waiting;
init idle;
trans
 idle -> ready { effect v[at] = (v[at] + at) % $M, at = (at + 1) % $V; },
 ready -> waiting { guard nq < $K; effect from[nq] = $I, q[nq] = v[at], nq = nq + 1; },
 waiting -> idle { guard ng$I > 0; effect v[at] = (v[at] + g$I[0]) % $M, $SHIFT; };
}
";

pub(super) fn text(model: &Model, language: Language) -> String {
    match language {
        Language::Csm => whole(model, CSM),
        Language::Promela => whole(model, PROMELA),
        Language::Dve => dve(model),
    }
}

fn leaves(model: &Model) -> usize {
    model.objects - 1
}

fn whole(model: &Model, template: &str) -> String {
    let Model {
        variables: v,
        values: m,
        capacity: k,
        ..
    } = model;
    let leaves = leaves(model);
    fill(
        template,
        &[("LEAVES", &leaves), ("V", v), ("M", m), ("K", k)],
    )
}

fn dve(model: &Model) -> String {
    let (leaves, capacity) = (leaves(model), model.capacity);
    let requests = format!("byte from[{capacity}], q[{capacity}], nq;\n");
    let grants = list(0..leaves, "", |i| format!("byte g{i}[1], ng{i};\n"));
    let hub = HUB.replace("$SERVE", &list(0..leaves, ",\n", |i| serve(i, capacity)));
    let leaf = |i| {
        let shift = shift(&format!("g{i}"), &format!("ng{i}"), 1);
        let at = i % model.variables;
        fill(LEAF, &[("I", &i), ("AT", &at), ("SHIFT", &shift)])
    };
    let processes = hub + &list(0..leaves, "", leaf);
    format!(
        "{requests}{grants}{}\nsystem async;\n",
        whole(model, &processes)
    )
}

fn serve(leaf: usize, capacity: usize) -> String {
    let up = |queue: &str| {
        let moved = list(0..capacity - 1, "", |i| {
            format!("{queue}[{i}] = {queue}[{}], ", i + 1)
        });
        format!("{moved}{queue}[{}] = 0", capacity - 1)
    };
    let shift = format!("{}, {}, nq = nq - 1", up("from"), up("q"));
    fill(SERVE, &[("I", &leaf), ("SHIFT", &shift)])
}
