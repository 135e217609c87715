/* Twin of models/leader_election/leader_election.csm: each step of an object is one d_step. What a node does with a
   number depends on the number, so that its state is a variable: a d_step has one way out. */
#ifndef N
#define N 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif

mtype = { Candidacy, Elected };
mtype = { Asleep, Candidate, Relay, Leader, Done };

#define ID   (_pid * STRIDE % N + 1)
#define NEXT node[(_pid + 1) % N]

chan node[N] = [N] of { mtype, byte };
byte number; /* 0 between steps: SPIN's breadth-first search can't hide it */

active [N] proctype Node() {
  mtype phase = Asleep;
  byte leader;

  do
  :: d_step { phase == Asleep; NEXT!Candidacy(ID); phase = Candidate; }
  :: d_step {
       node[_pid]?Candidacy(number);
       if
       :: number < ID && phase == Asleep -> NEXT!Candidacy(ID); phase = Candidate
       :: number < ID && phase != Asleep
       :: number == ID -> leader = ID; NEXT!Elected(ID); phase = Leader
       :: number > ID -> NEXT!Candidacy(number); phase = Relay
       fi;
       number = 0
     }
  :: d_step {
       node[_pid]?Elected(number);
       if
       :: phase == Relay -> leader = number; NEXT!Elected(number)
       :: phase == Leader -> assert(number == ID)
       fi;
       number = 0;
       phase = Done
     }
  od
}
