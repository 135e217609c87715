//! The report of a check: stepping, choosing, looking.

use crate::browser::chromium::{Browser, browser};
use crate::browser::reports::{Folder, check, report};

const PUMP: &str = "models/pump/impatient.csm";
/// Needs refinement, and its first counterexamples are not real.
const REFINED: &str = "models/controller/valve.csm";

fn active(browser: &mut Browser, object: &str) -> String {
    browser.text(&format!(".card[aria-label='{object}'] .active-state"))
}

/// The numbers of the states that are highlighted in an object's diagram.
fn highlighted(browser: &mut Browser, object: &str) -> Vec<u64> {
    let script = format!(
        "[...document.querySelectorAll(\".card[aria-label='{object}'] [data-state].active\")].map((s) => Number(s.dataset.state))"
    );
    let found = browser.value(&script);
    let found = found.as_array().expect("a list").iter();
    found
        .map(|number| number.as_u64().expect("a number"))
        .collect()
}

fn marked_lines(browser: &mut Browser) -> String {
    let lines = browser
        .value("[...document.querySelectorAll('.line.marked')].map((l) => l.dataset.line).join()");
    lines.as_str().expect("text").to_owned()
}

#[test]
fn the_verdict_and_its_cause_are_seen_first() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("first");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    assert_eq!(
        browser.text("h1"),
        "3 of 7 properties are violated; the first, rests_when_off, after 6 steps."
    );
    assert!(
        browser
            .text(".cause")
            .contains("`always control in Idle -> motor in Off` does not hold")
    );
    assert_eq!(browser.count(".properties tr"), 7);
    assert_eq!(browser.count(".properties .badge.violated"), 3);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn arrow_keys_and_clicks_step_through_states_variables_and_source() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("steps");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    assert_eq!(browser.text(".place"), "step 6 of 6");
    assert_eq!(
        (
            active(&mut browser, "control"),
            active(&mut browser, "motor")
        ),
        ("Idle".into(), "On".into())
    );
    assert_eq!(highlighted(&mut browser, "motor"), [1]);
    assert_eq!(marked_lines(&mut browser), "28");
    assert_eq!(browser.text(".line.blamed .line-number"), "35");

    browser.press("ArrowLeft");
    assert_eq!(browser.text(".place"), "step 5 of 6");
    assert_eq!(active(&mut browser, "motor"), "Off");
    assert_eq!(highlighted(&mut browser, "motor"), [0]);
    assert_eq!(marked_lines(&mut browser), "18");
    assert_eq!(browser.count(".card[aria-label=control].acting"), 1);

    browser.click("#step-2");
    assert_eq!(browser.text(".place"), "step 2 of 6");
    assert_eq!(active(&mut browser, "control"), "Hurried");
    assert_eq!(browser.text(".card[aria-label=motor] .queues .room"), "2/4");
    assert_eq!(browser.count(".card[aria-label=motor] .chip"), 2);
    assert_eq!(browser.count(".card[aria-label=motor] .chip.changed"), 1);
    assert_eq!(
        browser.count(".card[aria-label=control] [data-transition].taken"),
        1
    );

    browser.click(".stepper .forth");
    assert_eq!(browser.text(".step-title"), "3motor receives Start");
    browser.click(".stepper .first");
    assert_eq!(browser.text(".place"), "step 0 of 6");
    assert_eq!(marked_lines(&mut browser), "");
    browser.press("ArrowLeft");
    assert_eq!(
        browser.text(".place"),
        "step 0 of 6",
        "there is nothing before the start"
    );
}

#[test]
fn a_link_leads_from_a_step_to_its_line() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("line");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    browser.click("#step-1");
    assert_eq!(browser.text(".line-link"), "line 15");
    browser.value("document.querySelector('.source-box').scrollTop = 9999");
    browser.click(".line-link");
    let seen = browser.value(
        "(() => { const [box, line] = ['.source-box', '.line.flash'].map((s) => document.querySelector(s).getBoundingClientRect());
          return line.top >= box.top && line.bottom <= box.bottom; })()",
    );
    assert_eq!(seen, true);
    assert_eq!(browser.text(".line.flash .line-number"), "15");
}

#[test]
fn the_chart_shows_messages_from_sending_to_receipt() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("chart");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    let names = browser.value(
        "[...document.querySelectorAll('.life-names span')].map((s) => s.textContent).join()",
    );
    assert_eq!(names, "environment,control,motor");
    assert_eq!(browser.count(".chart .message.from-environment"), 2);
    let sent = browser.value("[...document.querySelectorAll('.chart .message:not(.from-environment) .message-name')].map((t) => t.firstChild.data).join()");
    assert_eq!(sent, "Start,Start,Done");
    assert_eq!(browser.count(".chart .ending .cross"), 1);
    // The second Start waits from step 2 to step 6, where it is taken.
    let ends = browser.value(
        "(() => { const wait = document.querySelectorAll('.row[data-row=\"2\"] .wait')[0].getBBox();
          const row = (n) => Number(document.querySelectorAll('.steps [role=option]')[n].offsetTop) - document.querySelector('.steps').offsetTop;
          return [wait.y > row(2), wait.y + wait.height > row(6)]; })()",
    );
    assert_eq!(ends, serde_json::json!([true, true]));
}

#[test]
fn another_property_is_another_run() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("properties");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    browser.value("document.querySelector('#property').focus()");
    browser.press("ArrowDown");
    assert_eq!(browser.text(".place"), "step 8 of 8");
    assert!(
        browser
            .text(".verdict-line")
            .starts_with("implicit_consumption")
    );
    browser.click(".properties tr:nth-child(3) button");
    assert_eq!(browser.text(".place"), "step 17 of 17");
    assert!(browser.text(".verdict-line").starts_with("overflow"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn changed_variables_are_marked() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("variables");
    let model = "external signal Add; class C { int(0..9) sum; int(0..9) idle; initial -> A; quiescent state A;
        A -> A : Add / { sum += 3; } } object o: C; property small : never o.sum > 5;";
    browser.resize(1280, 800, 1.0);
    browser.open_file(&check(&folder, "sum.csm", model, &["--property", "small"]));
    assert_eq!(browser.text(".card .variables .changed .value"), "6");
    assert_eq!(browser.text(".card .variables .changed .was"), "was 3");
    assert_eq!(browser.count(".card .variables .changed"), 1);
    browser.click(".stepper .first");
    assert_eq!(browser.count(".card .variables .changed"), 0);
}

#[test]
fn lost_messages_are_crossed_out() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("lost");
    let model = "signal Ping; class A { B b; initial -> S; state S, T; final End;
          S -> T / { send b.Ping; } T -> End / { send b.Ping; } }
        class B { initial -> Wait; quiescent state Wait { defer Ping; } }
        object a: A { b = b; } object b: B; inbox b capacity 1 on_full lose;
        property goes_on : never a in End;";
    browser.resize(1280, 800, 1.0);
    browser.open_file(&check(
        &folder,
        "lost.csm",
        model,
        &["--property", "goes_on"],
    ));
    assert_eq!(browser.count(".chart .message.lost"), 1);
    assert!(browser.text(".facts").contains("which is lost"));
}

#[test]
fn rounds_of_refinement_show_where_the_runs_part() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("rounds");
    browser.resize(1280, 800, 1.0);
    let options = ["--domain", "* : any"];
    browser.open_file(&report(&folder, REFINED, &options));
    assert!(browser.count("#rounds .figures tbody tr") > 1);
    assert!(browser.count(".round .parallel .parting") >= 1);
    assert!(browser.text(".round .why").contains("at step"));
    assert!(browser.count(".round .splits li") >= 1);
    assert!(browser.text("#rounds").contains("Told apart at the end"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_proof_and_an_unknown_have_a_page_without_a_run() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("proof");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, "models/philosophers/asymmetric.csm", &[]));
    assert!(browser.text("h1").contains("hold in all"));
    assert_eq!(browser.count("#counterexample"), 0);
    assert!(browser.count("#machines svg") >= 1);
    assert!(browser.count(".plot") >= 1, "states by level");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let options = ["--max-states", "100"];
    browser.open_file(&report(&folder, "models/bakery/a_unbounded.csm", &options));
    assert_eq!(browser.text(".hero .badge"), "unknown");
    assert!(
        browser
            .text("h1")
            .contains("the limit of 100 states was reached")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn light_and_dark_follow_the_system_and_the_button() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("theme");
    browser.resize(1280, 800, 1.0);
    let file = report(&folder, PUMP, &[]);
    let background = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("light");
    browser.open_file(&file);
    assert_eq!(browser.value(background), "rgb(246, 247, 249)");
    browser.prefer("dark");
    assert_eq!(browser.value(background), "rgb(17, 21, 28)");
    browser.click(".theme");
    assert_eq!(browser.text(".theme"), "Theme: light");
    assert_eq!(browser.value(background), "rgb(246, 247, 249)");
    browser.prefer("light");
    browser.click(".theme");
    assert_eq!(browser.value(background), "rgb(17, 21, 28)");
}

#[test]
fn a_phone_needs_no_scrolling_sideways() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("phone");
    browser.resize(360, 740, 1.0);
    for (model, options) in [(PUMP, vec![]), (REFINED, vec!["--domain", "* : any"])] {
        browser.open_file(&report(&folder, model, &options));
        let width = browser.value("document.documentElement.scrollWidth");
        assert_eq!(width, 360, "{model}");
    }
    browser.open_file(&report(&folder, PUMP, &[]));
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('.chart')).display"),
        "none"
    );
    browser.click(".switch [data-view=chart]");
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('.chart')).display"),
        "block"
    );
    browser.click(".stepper .back");
    assert_eq!(browser.text(".place"), "step 5 of 6");
}

#[test]
fn all_can_be_reached_by_keyboard() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("keyboard");
    browser.resize(1280, 800, 1.0);
    browser.open_file(&report(&folder, PUMP, &[]));
    let mut reached = std::collections::BTreeSet::new();
    for _ in 0..40 {
        browser.press("Tab");
        let what = browser.value("document.activeElement.className || document.activeElement.id || document.activeElement.tagName");
        reached.insert(what.as_str().unwrap_or_default().to_owned());
    }
    for wanted in [
        "quiet theme",
        "link mono",
        "property",
        "first",
        "steps",
        "line-link",
        "source-box",
    ] {
        assert!(
            reached.contains(wanted),
            "{wanted} is not among {reached:?}"
        );
    }
    browser.value("document.querySelector('.steps').focus()");
    browser.press("Home");
    assert_eq!(browser.text(".place"), "step 0 of 6");
    browser.press("ArrowDown");
    assert_eq!(browser.text(".place"), "step 1 of 6");
    browser.press("End");
    assert_eq!(browser.text(".place"), "step 6 of 6");
}

#[test]
fn what_has_no_report_is_refused_before_the_work() {
    let refused = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crisol"));
        let command = command.arg("check").args(arguments);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output();
        let output = output.expect("a run");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&[PUMP, REFINED, "--html", "both.html"]);
    assert!(said.contains("--html is for one model at a time"), "{said}");
    let said = refused(&[PUMP, "--html", "no/such/folder/report.html"]);
    assert!(said.contains("no/such/folder/report.html"), "{said}");
}

#[test]
fn processes_of_dve_models_have_their_machines_variables_and_lines() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("dve");
    browser.resize(1280, 800, 1.0);
    let model = "byte x;\nchannel c; channel q[2];\nprocess S {\n  byte n = 3;\n  state a, b; init a;\n  trans a -> b { sync c!n; },\n    b -> b { guard n < 4; sync q!n; effect n = n + 1; }; }\nprocess R {\n  state a, b; init a;\n  trans a -> b { sync c?x; }; }\nsystem async;\n";
    browser.open_file(&check(&folder, "meet.dve", model, &[]));
    assert_eq!(browser.text("h1"), "deadlock is violated after 2 steps.");
    assert!(browser.text(".cause").contains("no process can move"));
    assert_eq!(browser.text(".place"), "step 2 of 2");
    assert_eq!(active(&mut browser, "S"), "b");
    assert_eq!(highlighted(&mut browser, "R"), [1]);
    assert_eq!(marked_lines(&mut browser), "7");
    assert!(browser.text(".card[aria-label=S] .variables").contains('4'));
    assert_eq!(browser.count(".card[aria-label=S] .queues dt"), 0);
    browser.press("ArrowLeft");
    assert_eq!(marked_lines(&mut browser), "6,10");
    assert_eq!(
        browser.count(".card[aria-label=S] [data-transition].taken"),
        1
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
