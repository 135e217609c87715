//! The examples do what they say.

#[path = "../../examples/ferry.rs"]
#[allow(dead_code)] // its `main`
mod ferry;
#[path = "../../examples/model.rs"]
#[allow(dead_code)]
mod model;

#[test]
fn the_ferry_finds_the_shortest_way() {
    let way = ferry::solve().expect("a report");
    assert_eq!(
        way,
        "   0  all are on this bank
        across: 
   1  the farmer takes the goat
        across: farmer, goat
   2  the farmer crosses alone
        across: goat
   3  the farmer takes the wolf
        across: farmer, wolf, goat
   4  the farmer takes the goat
        across: wolf
   5  the farmer takes the cabbage
        across: farmer, wolf, cabbage
   6  the farmer crosses alone
        across: wolf, cabbage
   7  the farmer takes the goat
        across: farmer, wolf, goat, cabbage
"
    );
}

#[test]
fn the_model_is_told_with_its_shortest_trace() {
    let text = model::check("models/pump/impatient.csm").expect("a report");
    let (verdicts, story) = text.split_once("\n\n").expect("two parts");
    assert_eq!(
        verdicts,
        "assertion_failure: holds
implicit_consumption: violated in 8 steps
overflow: violated in 17 steps
deadlock: holds
arithmetic_fault: holds
reference_fault: holds
rests_when_off: violated in 6 steps"
    );
    assert_eq!(
        story,
        "rests_when_off, step by step:
   0  the system starts
        control in Idle
        motor in Off
   1  control receives Button from the environment
        control in Busy
        motor in Off, inbox: Start
   2  control receives Button from the environment
        control in Hurried
        motor in Off, inbox: Start Start
   3  motor receives Start
        control in Hurried
        motor in On, inbox: Start
   4  motor moves
        control in Hurried, inbox: Done
        motor in Off, inbox: Start
   5  control receives Done
        control in Idle
        motor in Off, inbox: Start
   6  motor receives Start
        control in Idle
        motor in On
"
    );
}

#[test]
fn a_model_that_is_not_there_is_an_error() {
    let error = model::check("models/nowhere.csm").expect_err("it is not there");
    assert_eq!(
        error.to_string(),
        "models/nowhere.csm: there is no such file"
    );
}
