//! What GitHub, code hosts and CI servers show.

use serde_json::Value as Json;

use super::*;

#[test]
fn annotations_stay_one_command_each_whatever_files_are_called() {
    let models = one_of_each("annotations");
    let text = stdout(&with_all(&["--format", "github"], &models));
    let levels = ["::error file=", "::warning file=", "::notice file="];
    for line in text.lines() {
        assert!(levels.iter().any(|level| line.starts_with(level)), "{line}");
        assert!(!line.contains('\u{1b}'));
    }
    let violated = "::error file=models/pump/impatient.csm,line=35,endLine=35,col=1,endColumn=65,\
                    title=rests_when_off violated::`always control in Idle -> motor in Off` does not \
                    hold here (models/pump/impatient.csm:35:1); in 6 steps:%0A   0  the system starts%0A";
    assert!(text.contains(violated), "{text}");
    assert!(text.contains("::notice file=models/pump/pump.csm,title=holds::"));
    assert!(text.contains("::warning file=models/bakery/a_unbounded.csm,"));
    assert!(
        text.contains("bad%2C one%25%3A \"<&>'.csm,line=2,endLine=2,col=49,"),
        "{text}"
    );
    assert!(text.contains("title=W201::"), "{text}");
}

#[test]
fn a_violation_in_sarif_has_its_place_and_its_way() {
    let log = json(&["check", VIOLATED, "--format", "sarif"]);
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3, "only what is violated");
    let last = &results[2];
    let rule = last["ruleIndex"].as_u64().expect("a rule") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "always");
    let region = &last["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"]),
        (&Json::from(35), &Json::from(1))
    );
    let steps = last["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    let steps = steps.expect("a way");
    assert_eq!(steps.len(), 7);
    let first = &steps[1]["location"];
    assert_eq!(first["physicalLocation"]["region"]["startLine"], 15);
    let told = "control receives Button from the environment\ncontrol: Idle -> Busy";
    assert_eq!(first["message"]["text"], told);
}

#[test]
fn what_is_not_known_does_not_look_well_anywhere() {
    let limited = [
        "check",
        UNKNOWN,
        "--max-states",
        "50",
        "--quiet",
        "--format",
    ];
    let log = json(&[&limited[..], &["sarif"]].concat());
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(!results.is_empty());
    for result in results {
        assert_eq!(
            (&result["kind"], &result["level"]),
            (&"open".into(), &"none".into())
        );
    }
    let notified = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notified[0]["level"], "warning");
    let suite = stdout(&[&limited[..], &["junit"]].concat());
    assert!(suite.contains("<error type=\"unknown\" message=\"the abstract model was not"));
    assert!(!suite.contains("<skipped"), "{suite}");
}
