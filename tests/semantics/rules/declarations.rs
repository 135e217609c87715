//! Constants, enumerations, arrays, objects and references.

use super::*;

#[test]
fn constants_can_be_given_from_outside_and_size_things() {
    let text = "
        const N = 2, M = 3;";
    assert!(!errors(text).is_empty(), "one constant each");
    let text = "
        const N = 2;
        const LAST = N * 2 - 1;
        const FAST = true;
        enum Colour { Red, Green }
        const PAINT = Red;
        signal m;
        class C {
          int(0..LAST)[N] a = N; bool fast = FAST; Colour colour = PAINT;
          initial -> S; quiescent state S; S -> S : m; }
        object pool[N]: C;
        inbox pool capacity N + 1;
        property in_range : always forall(i in 0..LAST : i <= 3);";
    let plain = model(text);
    let id = object(&plain, "pool[1]");
    assert_eq!(plain.objects.len(), 2);
    assert_eq!(plain.object(id).inbox.capacity, 3);
    let at = start(&plain);
    assert_eq!(shown(&plain, &at, "pool[0]", "a"), "2 2");
    assert_eq!(shown(&plain, &at, "pool[0]", "fast"), "true");
    assert!(holds(&plain, "in_range"));
    let define = [("N", "3"), ("FAST", "false"), ("PAINT", "Green")];
    let changed = model_with(text, &define);
    let at = start(&changed);
    assert_eq!(changed.objects.len(), 3);
    assert_eq!(changed.objects[0].inbox.capacity, 4);
    assert_eq!(shown(&changed, &at, "pool[2]", "a"), "3 3 3");
    assert_eq!(shown(&changed, &at, "pool[2]", "fast"), "false");
    assert_eq!(shown(&changed, &at, "pool[2]", "colour"), "Green");
    assert!(!holds(&changed, "in_range"), "LAST follows N");
}

#[test]
fn enumerations_start_at_their_first_literal_and_are_compared_only_with_their_own() {
    let colours = "enum Colour { Red, Green, Blue } enum Size { Small, Large }";
    let effect = "assert c == Red; c = Blue; assert c != Green; Colour d = c; assert d == Blue;";
    passes(colours, "Colour c; Size s = Large;", effect);
    let mixed = program(colours, "Colour c; Size s;", "assert c == s;");
    assert_eq!(codes(&mixed), ["E124"]);
    let ordered = program(colours, "Colour c;", "assert c < Green;");
    assert_eq!(codes(&ordered), ["E120"]);
}

#[test]
fn arrays_are_numbered_from_0_and_start_as_they_are_told() {
    let variables = "int[3] a = { 4, 5, 6 }; int[2] b = 7; bool[2] c; int i = 1;";
    let effect = "assert a[0] == 4 && a[1] == 5 && a[2] == 6; assert b[0] == 7 && b[1] == 7;
                  assert !c[0] && !c[1]; a[i] = a[i + 1] + a[0]; assert a[1] == 10;
                  g[2] = 3; assert g[0] + g[2] == 4;";
    passes("int[3] g = { 1, 1, 1 };", variables, effect);
}

#[test]
fn objects_of_an_array_know_their_index() {
    let model = model(
        "class Worker { int id, twice; Worker next; int[2] pair;
           initial -> S; quiescent state S; }
         object pool[4]: Worker {
           id = index; next = pool[(index + 1) % 4]; twice = index * 2; pair = { index, 9 }; }
         object lone: Worker { id = 7; next = pool[2]; }
         property ring : always forall(w in pool : w.next.next.next.next == w && w.next != w);
         property numbered : always forall(i in 0..3 : pool[i].id == i && pool[i].twice == 2 * i);
         property others : always lone.next.id == 2 && lone.next == pool[2] && lone.id == 7;",
    );
    for property in ["ring", "numbered", "others"] {
        assert!(holds(&model, property), "{property}");
    }
    assert_eq!(shown(&model, &start(&model), "pool[3]", "next"), "pool[0]");
    assert_eq!(shown(&model, &start(&model), "pool[3]", "pair"), "3 9");
}

#[test]
fn references_are_followed_compared_stored_and_set_through_a_chain() {
    let model = model(
        "class Node { Node next; int x; int[2] a; initial -> S; quiescent state S; }
         class User { Node first, found; Node[2] all;
           initial -> S; state S; final Done;
           S -> Done / {
             first.next.x = 5; first.next.next.a[1] = 6;
             found = first.next; assert found == two; assert found != first;
             assert found.next.a[1] == 6 && three.a[1] == 6 && two.x == 5;
             assert three.next == null; three.next = one; assert first.next.next.next == first;
             all[1] = three; all[1].x = 8; assert three.x == 8; assert all[0] == null;
             found = null; assert found == null; assert null == found;
           } }
         object one: Node { next = two; }
         object two: Node { next = three; }
         object three: Node;
         object u: User { first = one; }
         property unfinished : never u in Done;",
    );
    assert_eq!(violated(&model), ["unfinished"]);
}

#[test]
fn objects_are_sent_in_messages_and_answered() {
    let model = model(
        "signal Ask(Client from, int(0..9) what), Answer(int v);
         class Client { Server server; int got; int(0..9) question;
           initial -> Idle; state Idle, Waiting; final Done;
           Idle -> Waiting / { send server.Ask(self, question); }
           Waiting -> Done : Answer(got); }
         class Server { initial -> S; quiescent state S;
           S -> S : Ask(who, what) / { send who.Answer(what * 10); } }
         object clients[2]: Client { server = server; question = index + 1; }
         object server: Server;
         property served : never clients[0] in Done && clients[1] in Done;
         property own_answer : always forall(c in clients : c in Done -> c.got == 10 * c.question);",
    );
    assert_eq!(violated(&model), ["served"]);
    assert_eq!(trace(&model, "served").length(), 6);
}

#[test]
fn null_is_sent_and_stored_like_any_reference() {
    let model = model(
        "signal m(C other);
         class C { C other; bool told; initial -> S / { send self.m(null); } state S; final Done;
           S -> Done : m(other) / { told = other == null; } }
         object o: C { other = o; }
         property told : never o.told;",
    );
    assert_eq!(violated(&model), ["told"]);
}

#[test]
fn self_is_the_object_that_acts() {
    passes(
        "",
        "C me; int x;",
        "me = self; me.x = 4; assert x == 4 && self.x == 4 && me == o;",
    );
}

#[test]
fn a_state_is_named_by_as_much_of_its_path_as_it_needs() {
    let model = model(
        "class C {
           initial -> Open;
           state Open;
           state Working {
             region desk { initial -> Open; state Open; final Closed; Open -> Closed; }
             region phone { initial -> Open; state Open; }
           }
           Open -> Working; }
         object o: C;
         allow deadlock;
         property top : never o in Open;
         property desk : never o in Working.desk.Open;
         property phone : never o in phone.Open;
         property closed : never o in Closed;",
    );
    assert_eq!(trace(&model, "top").length(), 0);
    assert_eq!(trace(&model, "desk").length(), 1);
    assert_eq!(trace(&model, "phone").length(), 1);
    let at = reached(&model, "closed");
    assert_eq!(
        active(&model, &at, object(&model, "o")),
        ["Working", "Closed", "Open"]
    );
    let unclear = "class C { initial -> S; state S { region r { initial -> A; state A; }
                     region s { initial -> A; state A; } } }
                   object o: C; property p : never o in A;";
    assert_eq!(codes(unclear), ["E151"]);
}

#[test]
fn a_class_variable_hides_an_array_of_objects_in_loops_as_it_does_elsewhere() {
    let model = model(
        "class C { int[2] pool = { 3, 4 }; int sum; initial -> S; state S; final Done;
           S -> Done / { for (x in pool) { sum += x; } assert pool[1] == 4; assert sum == 7; } }
         object o: C;
         object pool[2]: D;
         class D { initial -> S; quiescent state S; }
         property unfinished : never o in Done;",
    );
    assert_eq!(violated(&model), ["unfinished"]);
}
