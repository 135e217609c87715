//! A pipeline: each stage takes an item, works on it, and gives it to the next. Variables stand alone here, each
//! with a transition of its own, where the other families have arrays.

use super::{Language, Model, fill, list, shift};

const CSM: &str = "\
// Items go through stages. A stage works on an item with one of its variables, in turn, and gives it on.
system Pipeline;

const N = $N;
const V = $V;
const M = $M; // a variable counts up to this

signal Item(int(0..M - 1) value);

class Stage {
  Stage next;
  bool source, sink;
  int(0..M - 1) $NAMES;
  int(0..V - 1) at;
  int(0..M - 1) item;

  initial -> Work;
  state Work, Give, Idle;

$WORK
  Give -> Idle : [!sink] / { send next.Item(item); item = 0; }
  Give -> Idle : [sink] / { item = 0; }
  Idle -> Work : [source] / { item = at % M; }
  Idle -> Work : Item(value) / { item = value; }
}

object stage[N]: Stage {
  next = stage[(index + 1) % N];
  source = index == 0;
  sink = index == N - 1;
  at = index % V;
  item = index % M;
}

inbox stage capacity $K on_full block;
";

const CSM_WORK: &str = "  Work -> Give : [at == $THIS] / { v$THIS = (v$THIS + item + 1) % M; item = v$THEN; at = $THEN; }";

const PROMELA: &str = "\
/* Items go through stages. A stage works on an item with one of its variables, in turn, and gives it on. */
#define N $N
#define V $V
#define M $M
#define K $K
#define NEXT q[_pid + 1]

chan q[N] = [K] of { byte };

active [N] proctype Stage() {
  byte $NAMES;
  byte at = _pid % V;
  byte item = _pid % M;

  do
  :: if
$WORK
     fi;
     if
     :: d_step { _pid < N - 1 && len(NEXT) < K -> NEXT!item; item = 0 }
     :: d_step { _pid == N - 1 -> item = 0 }
     fi;
     if
     :: d_step { _pid > 0 && len(q[_pid]) > 0 -> q[_pid]?item }
     :: d_step { _pid == 0 -> item = at % M }
     fi
  od
}
";

const PROMELA_WORK: &str =
    "     :: d_step { at == $THIS -> v$THIS = (v$THIS + item + 1) % M; item = v$THEN; at = $THEN }";

const PROCESS: &str = "
process stage_$I {
byte $NAMES, at = $AT, item = $ITEM;
state work, give, idle;
init work;
trans
$WORK,
 give -> idle { $GIVE },
 idle -> work { $TAKE };
}
";

const DVE_WORK: &str = " work -> give { guard at == $THIS; effect v$THIS = (v$THIS + item + 1) % $M, item = v$THEN, at = $THEN; }";

pub(super) fn text(model: &Model, language: Language) -> String {
    match language {
        Language::Csm => whole(model, CSM, CSM_WORK, "\n"),
        Language::Promela => whole(model, PROMELA, PROMELA_WORK, "\n"),
        Language::Dve => dve(model),
    }
}

fn whole(model: &Model, template: &str, work: &str, between: &str) -> String {
    let Model {
        objects: n,
        variables: v,
        values: m,
        capacity: k,
        ..
    } = model;
    // It counts, and the variable after it becomes the item.
    let work = list(0..*v, between, |i| {
        let then = (i + 1) % v;
        fill(work, &[("THIS", &i), ("THEN", &then)])
    });
    let names = list(0..*v, ", ", |i| format!("v{i}"));
    fill(
        template,
        &[
            ("WORK", &work),
            ("NAMES", &names),
            ("N", n),
            ("V", v),
            ("M", m),
            ("K", k),
        ],
    )
}

fn dve(model: &Model) -> String {
    let (objects, capacity) = (model.objects, model.capacity);
    let queues = list(1..objects, "", |i| {
        format!("byte q{i}[{capacity}], n{i};\n")
    });
    let stage = |i| {
        let (at, item) = (i % model.variables, i % model.values);
        let process = fill(
            PROCESS,
            &[
                ("I", &i),
                ("AT", &at),
                ("ITEM", &item),
                ("GIVE", &give(model, i)),
                ("TAKE", &take(model, i)),
            ],
        );
        whole(model, &process, DVE_WORK, ",\n")
    };
    let stages = list(0..objects, "", stage);
    format!("{queues}{stages}\nsystem async;\n")
}

fn give(model: &Model, stage: usize) -> String {
    let (next, capacity) = (stage + 1, model.capacity);
    if next == model.objects {
        return "effect item = 0;".to_owned();
    }
    format!(
        "guard n{next} < {capacity}; effect q{next}[n{next}] = item, n{next} = n{next} + 1, item = 0;"
    )
}

fn take(model: &Model, stage: usize) -> String {
    if stage == 0 {
        return format!("effect item = at % {};", model.values);
    }
    let (queue, length) = (format!("q{stage}"), format!("n{stage}"));
    let shift = shift(&queue, &length, model.capacity);
    format!("guard {length} > 0; effect item = {queue}[0], {shift};")
}
