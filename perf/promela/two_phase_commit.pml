/* Twin of models/two_phase_commit/two_phase_commit.csm: each step of an object is one d_step. */
#ifndef N
#define N 3
#endif

mtype = { Prepare, Commit, Abort, Yes, No };

#define ALL       ((1 << N) - 1)
#define MISSING   (ALL & ~agreed)
#define LAST_ONE  ((MISSING & (MISSING - 1)) == 0) /* in Collecting at least one is missing */
#define BROADCAST(order) for (who : 0 .. N - 1) { participant[who]!order; } who = 0

chan coordinator = [N] of { mtype, byte };
chan participant[N] = [2] of { mtype };
byte who; /* 0 between steps: SPIN's breadth-first search can't hide it */

active [N] proctype Participant() {
Working:
  if
  :: d_step { participant[_pid]?Prepare; coordinator!Yes(_pid); } goto Prepared
  :: true; goto Aborted
  fi;
Prepared:
  if
  :: participant[_pid]?Commit; goto Committed
  :: participant[_pid]?Abort; goto Aborted
  fi;
Aborted:
  if
  :: d_step { participant[_pid]?Prepare; coordinator!No(_pid); } goto Aborted
  :: participant[_pid]?Abort; goto Aborted
  fi;
Committed:
  false
}

active proctype Coordinator() {
  byte agreed; /* a bit for each participant */

Start:
  d_step { BROADCAST(Prepare); }
Collecting:
  if
  :: d_step { !LAST_ONE && coordinator?[Yes, _]; coordinator?Yes(who); agreed = agreed | (1 << who); who = 0; } goto Collecting
  :: d_step { LAST_ONE && coordinator?[Yes, _]; coordinator?Yes(who); agreed = agreed | (1 << who); BROADCAST(Commit); } goto Committed
  :: d_step { coordinator?No(who); BROADCAST(Abort); } goto Aborted
  :: d_step { BROADCAST(Abort); } goto Aborted
  fi;
Aborted:
  coordinator?_,_;
  goto Aborted;
Committed:
  false
}
