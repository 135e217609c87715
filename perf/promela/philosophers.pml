/* Twin of models/philosophers/messages.csm: each step of an object is one d_step. */
#ifndef N
#define N 3
#endif

mtype = { Ask, Give, Return };

#define FIRST(i)  (i < N - 1 -> i : 0)
#define SECOND(i) (i < N - 1 -> i + 1 : i)
#define NOBODY    255

chan philosopher[N] = [1] of { mtype };
chan asked[N] = [3] of { mtype, byte };
byte who; /* 0 between steps: SPIN's breadth-first search can't hide it */

active [N] proctype Philosopher() {
  do
  :: d_step { asked[FIRST(_pid)]!Ask(_pid); }
     d_step { philosopher[_pid]?Give; asked[SECOND(_pid)]!Ask(_pid); }
     philosopher[_pid]?Give;
     d_step { asked[FIRST(_pid)]!Return(0); }
     d_step { asked[SECOND(_pid)]!Return(0); }
  od
}

#define ME       (_pid - N)
#define RETURNED asked[ME]?[Return, 0]

active [N] proctype Fork() {
  byte next = NOBODY;

Free:
  if
  :: d_step { asked[ME]?Ask(who); philosopher[who]!Give; who = 0; }
  fi;
Taken:
  if
  :: d_step { asked[ME]?Ask(who); next = who; who = 0; } goto Taken
  :: d_step { next != NOBODY && RETURNED; asked[ME]?Return(0); philosopher[next]!Give; next = NOBODY; } goto Taken
  :: d_step { next == NOBODY && RETURNED; asked[ME]?Return(0); } goto Free
  fi
}
