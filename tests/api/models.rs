//! Models in files, of both languages.

use crisol::{Abstraction, Checker, Error, Model, Reason, Unknown, Verdict};

fn parse(name: &str, text: &str) -> Model {
    Model::parse(name, text).unwrap_or_else(|error| panic!("{error}"))
}

const COUNTER: &str = "
    system Counter;
    const N = 3;
    class C {
      int n;
      initial -> S;
      quiescent state S;
      S -> S : [n < N] / { n += 1; }
    }
    object c : C;
    property small : always c.n < 3;
";

#[test]
fn a_model_is_checked_with_another_value_of_a_constant() {
    let model = parse("counter.csm", COUNTER);
    let states = |model: &Model| {
        let report = Checker::new(model).threads(1).run().expect("a report");
        let verdict = report.verdict("small").expect("it is checked").to_string();
        (report.figures().states, verdict)
    };
    assert_eq!(states(&model), (4, "violated in 3 steps".to_owned()));
    let smaller = model.define("N", 2).expect("a constant");
    assert_eq!(states(&smaller), (3, "holds".to_owned()));
    let error = smaller.define("M", 2).expect_err("no constant");
    assert!(matches!(error, Error::Model { .. }), "{error}");
}

#[test]
fn a_loop_of_two_milliards_is_proved_by_an_abstraction_only() {
    let model = Model::open("models/counters/loop.csm").expect("a shipped model");
    let report = Checker::new(&model).run().expect("a report");
    assert!(report.holds());
    assert!(report.figures().rounds > 1 || report.figures().states < 100);
    let concrete = Checker::new(&model).abstraction(Abstraction::Concrete);
    let report = concrete.max_states(1000).run().expect("a report");
    assert!(!report.holds());
    let verdict = &report.properties()[0].verdict;
    let Verdict::Unknown(Unknown::Stopped(Reason::StateLimit(1000))) = verdict else {
        panic!("there are far more states: {verdict}");
    };
}

#[test]
fn domains_in_words_take_the_place_of_what_the_model_declares() {
    let model = parse("counter.csm", COUNTER);
    let with = |domains: &str| {
        let domains = Abstraction::Domains(domains.to_owned());
        Checker::new(&model).abstraction(domains).run()
    };
    let report = with("C.n : sign;").expect("a report");
    let verdict = report.verdict("small").expect("it is checked");
    assert_eq!(verdict.trace().map(crisol::Trace::len), Some(3));
    let error = with("C.m : sign;").expect_err("no variable");
    assert!(matches!(error, Error::Model { .. }), "{error}");
}

#[test]
fn what_is_wrong_with_a_model_has_its_place() {
    let wrong = COUNTER.replace("n < N", "n < M");
    let error = Model::parse("counter.csm", &wrong).expect_err("M is not declared");
    let Error::Model { problems, shown } = &error else {
        panic!("{error}");
    };
    let place = (problems[0].line, problems[0].column, problems[0].code);
    assert_eq!(place, (8, 21, "E101"), "{}", problems[0]);
    assert!(shown.contains("--> counter.csm:8:21"), "{shown}");
    assert!(parse("counter.csm", COUNTER).warnings().is_empty());
    let unused = format!("{COUNTER} signal Unused;");
    assert_eq!(parse("counter.csm", &unused).warnings()[0].code, "W201");
}

/// Both go to the wall, where the second one hits an assertion.
const RACE: &str = "
    byte n; int unread;
    process P { state s, t; init s; trans s -> t { effect n = n + 1, unread = n; }; }
    process Q { state s, t; init s; trans s -> t { effect n = n + 1; }; assert t: n < 2; }
    system async;";

#[test]
fn a_dve_model_has_the_same_reports() {
    let model = parse("race.dve", RACE);
    assert_eq!(
        model.properties(),
        ["assertion_failure", "deadlock", "arithmetic_fault"]
    );
    let report = Checker::new(&model).threads(2).run().expect("a report");
    let trace = report.verdict("assertion_failure").and_then(Verdict::trace);
    let told = trace.expect("it is violated").to_string();
    assert_eq!(
        told,
        "   0  the system starts
        P in s
        Q in s
        n = 0
        unread = 0
   1  P: s -> t
        P in t
        Q in s
        n = 1
        unread = 1
   2  Q: s -> t
        P in t
        Q in t
        n = 2
        unread = 1
"
    );
    assert!(report.verdict("arithmetic_fault").expect("checked").holds());
    let (name, _) = report.shortest().expect("something is violated");
    assert_eq!(name, "assertion_failure");
}

#[test]
fn what_a_dve_model_can_not_have_is_refused() {
    let model = parse("race.dve", RACE);
    let abstracted = Checker::new(&model).abstraction(Abstraction::Auto).run();
    let error = abstracted.expect_err("nothing is abstracted");
    assert_eq!(error.to_string(), "no DVE model can be abstracted");
    let error = model.define("n", 3).expect_err("it is no constant");
    assert!(matches!(error, Error::Model { .. }), "{error}");
    assert!(matches!(
        Model::parse("x.dve", "process"),
        Err(Error::Model { .. })
    ));
}

#[test]
fn a_constant_of_a_dve_model_gets_another_value() {
    let model = parse(
        "constant.dve",
        "const int N = 2; int n;
         process P { state s; init s; trans s -> s { guard n < N; effect n = n + 1; }; }
         system async;",
    );
    let states = |model: &Model| {
        let report = Checker::new(model).run().expect("a report");
        report.figures().states
    };
    assert_eq!(states(&model), 3);
    assert_eq!(states(&model.define("N", 5).expect("a constant")), 6);
}

#[test]
fn what_can_not_go_together_is_refused() {
    let model = parse("counter.csm", COUNTER);
    let kept = Checker::new(&model).keep_dead_variables();
    let whole = Checker::new(&model).whole_space();
    for checker in [kept, whole] {
        let error = checker.abstraction(Abstraction::Auto).run();
        let error = error.expect_err("an abstraction can't do that");
        assert!(matches!(error, Error::NotApplicable(_)), "{error}");
    }
}

#[test]
fn a_space_without_dead_variables_is_smaller() {
    let model = parse("race.dve", RACE);
    let states = |checker: Checker<'_, Model>| {
        checker
            .whole_space()
            .run()
            .expect("a report")
            .figures()
            .states
    };
    let reset = states(Checker::new(&model));
    let kept = states(Checker::new(&model).keep_dead_variables());
    assert!(reset < kept, "{reset} and {kept}");
}
