//! The page of `crisol explore`: forwards, back, sideways, filters, traces, and who is refused.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::browser::chromium::{Browser, browser};
use crate::browser::reports::Folder;

const PUMP: &str = "models/pump/impatient.csm";

/// A server of its own, ended with the test.
struct Explore {
    process: Child,
    address: String,
}

impl Explore {
    fn start(arguments: &[&str]) -> Explore {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
        let command = command.arg("explore").args(arguments);
        let command = command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped());
        let mut process = command.spawn().expect("crisol");
        let mut address = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output)
            .read_line(&mut address)
            .expect("an address");
        let address = address.trim().to_owned();
        Explore { process, address }
    }

    /// Host and port, and the path with the token.
    fn parts(&self) -> (&str, &str) {
        let rest = self.address.strip_prefix("http://").expect("an address");
        let slash = rest.find('/').expect("a path");
        (&rest[..slash], &rest[slash..])
    }

    /// The status of a request as it is written here.
    fn status(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.parts().0).expect("a connection");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }
}

impl Drop for Explore {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The result of a check, as a file.
fn result(folder: &Folder) -> PathBuf {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let command = command.args(["check", PUMP, "--json", "--quiet"]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let file = folder.path("result.json");
    std::fs::write(&file, output.expect("a run").stdout).expect("a file");
    file
}

fn open(browser: &mut Browser, explore: &Explore) {
    browser.resize(1280, 900, 1.0);
    browser.open(&explore.address);
    browser.wait_for("document.querySelector('.choice')");
}

fn wait_for_place(browser: &mut Browser, place: &str) {
    browser.wait_for(&format!(
        "document.querySelector('.place').textContent === '{place}'"
    ));
}

fn active(browser: &mut Browser, object: &str) -> String {
    browser.text(&format!(".card[aria-label='{object}'] .active-state"))
}

#[test]
fn a_run_is_made_forwards_and_gone_back() {
    let Some(mut browser) = browser() else { return };
    let explore = Explore::start(&[PUMP]);
    open(&mut browser, &explore);
    assert_eq!(browser.text(".place"), "step 0 of 0");
    assert_eq!(
        browser.text(".choice .summary"),
        "control receives Button from the environment"
    );
    browser.click(".choice");
    wait_for_place(&mut browser, "step 1 of 1");
    assert_eq!(active(&mut browser, "control"), "Busy");
    assert_eq!(browser.text(".card[aria-label=motor] .chip"), "Start");
    assert_eq!(browser.count(".choice"), 2);
    browser.click("li:nth-child(2) .choice");
    wait_for_place(&mut browser, "step 2 of 2");
    assert_eq!(browser.count(".chart .row"), 3);
    browser.press("ArrowLeft");
    wait_for_place(&mut browser, "step 1 of 2");
    assert_eq!(active(&mut browser, "control"), "Busy");
    assert_eq!(
        browser.count(".choice.taken"),
        1,
        "the way that was gone is marked"
    );
    browser.press("ArrowRight");
    wait_for_place(&mut browser, "step 2 of 2");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn sideways_is_another_step_from_the_same_place() {
    let Some(mut browser) = browser() else { return };
    let explore = Explore::start(&[PUMP]);
    open(&mut browser, &explore);
    browser.click(".choice");
    wait_for_place(&mut browser, "step 1 of 1");
    browser.click(".choice");
    wait_for_place(&mut browser, "step 2 of 2");
    let before = browser.text("#step-2 .summary");
    browser.click("[data-mode=instead]");
    assert_eq!(browser.text("[data-mode=instead]"), "Instead of step 2 (1)");
    browser.click(".choice:not(.taken)");
    browser.wait_for(&format!(
        "document.querySelector('#step-2 .summary').textContent !== {}",
        json!(before)
    ));
    assert_eq!(browser.text(".place"), "step 2 of 2");
}

#[test]
fn steps_are_filtered_by_text_object_and_property() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("filter");
    let file = result(&folder);
    let explore = Explore::start(&[PUMP, "--trace", file.to_str().expect("a name")]);
    open(&mut browser, &explore);
    wait_for_place(&mut browser, "step 0 of 6");
    browser.click("#step-5");
    wait_for_place(&mut browser, "step 5 of 6");
    let all = browser.count(".choice");
    assert!(all > 1);
    browser.value("document.querySelector('#filter').focus()");
    browser.type_text("motor receives");
    assert_eq!(browser.count(".choice"), 1);
    assert!(
        browser
            .text(".panel .note")
            .contains(&format!("1 of {all} steps"))
    );
    browser.value("document.querySelector('#filter').select()");
    browser.type_text("nothing like it");
    assert_eq!(browser.count(".choice"), 0);
    browser.value("(() => { const box = document.querySelector('#filter'); box.value = ''; box.dispatchEvent(new Event('input')); })()");
    browser.choose("#object", "control");
    let of_control = browser.count(".choice");
    assert!(0 < of_control && of_control < all);
    browser.choose("#object", "All objects");
    browser.choose("#violation", "violates rests_when_off");
    assert_eq!(browser.count(".choice"), 1);
    assert_eq!(browser.text(".choice .badge"), "rests_when_off");
    browser.click(".choice");
    wait_for_place(&mut browser, "step 6 of 6");
    assert!(browser.text(".violations").starts_with("rests_when_off"));
}

#[test]
fn a_trace_is_loaded_and_branched_off() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("branch");
    let file = result(&folder);
    let explore = Explore::start(&[PUMP]);
    open(&mut browser, &explore);
    let node = browser.ask(
        "Runtime.evaluate",
        json!({ "expression": "document.querySelector('#file')" }),
    );
    let id = &node["result"]["objectId"];
    browser.ask(
        "DOM.setFileInputFiles",
        json!({ "files": [file], "objectId": id }),
    );
    wait_for_place(&mut browser, "step 0 of 6");
    assert_eq!(browser.count("#runs option"), 3);
    browser.click("#step-2");
    wait_for_place(&mut browser, "step 2 of 6");
    assert_eq!(browser.count(".choice.taken"), 1);
    browser.click("#step-4");
    wait_for_place(&mut browser, "step 4 of 6");
    browser.click(".choice:not(.taken)");
    wait_for_place(&mut browser, "step 5 of 5");
    browser.choose("#runs", "overflow");
    wait_for_place(&mut browser, "step 0 of 17");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_is_no_trace_of_the_model_is_said() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("wrong");
    let file = folder.path("wrong.json");
    std::fs::write(&file, "{ \"steps\": [] ").expect("a file");
    let explore = Explore::start(&[PUMP]);
    open(&mut browser, &explore);
    let node = browser.ask(
        "Runtime.evaluate",
        json!({ "expression": "document.querySelector('#file')" }),
    );
    let id = &node["result"]["objectId"];
    browser.ask(
        "DOM.setFileInputFiles",
        json!({ "files": [file], "objectId": id }),
    );
    browser.wait_for("!document.querySelector('.error').hidden");
    assert!(
        browser.text(".error").contains("EOF"),
        "{}",
        browser.text(".error")
    );
    assert_eq!(browser.text(".place"), "step 0 of 0");
}

#[test]
fn explore_fits_a_phone() {
    let Some(mut browser) = browser() else { return };
    let explore = Explore::start(&[PUMP]);
    browser.resize(360, 740, 1.0);
    browser.open(&explore.address);
    browser.wait_for("document.querySelector('.choice')");
    browser.click(".choice");
    wait_for_place(&mut browser, "step 1 of 1");
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 360);
}

#[test]
fn only_its_own_name_and_token_are_answered() {
    let explore = Explore::start(&[PUMP]);
    let (host, path) = explore.parts();
    let get = |host: &str, path: &str| {
        explore.status(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    };
    assert_eq!(get(host, path), "200");
    assert_eq!(get("evil.example", path), "403");
    assert_eq!(get(host, "/"), "403");
    assert_eq!(get(host, "/00000000000000000000000000000000/"), "403");
    assert_eq!(get(host, &format!("{path}secret")), "404");
    let post = |path: &str, body: &str| {
        let length = body.len();
        explore.status(&format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"))
    };
    assert_eq!(post(&format!("{path}run"), "{}"), "200");
    assert_eq!(post(&format!("{path}run"), "{"), "400");
    assert_eq!(
        post(
            &format!("{path}run"),
            r#"{"steps":[{"event":"fire","object":"nobody"}]}"#
        ),
        "400"
    );
    assert_eq!(
        post(
            &format!("{path}run"),
            r#"{"steps":[{"event":"fire","object":"motor","transitions":[99]}]}"#
        ),
        "400"
    );
    assert_eq!(
        post(
            &format!("{path}run"),
            r#"{"steps":[{"event":"start"},{"event":"fire","object":"motor","transitions":[99]}]}"#
        ),
        "400"
    );
    assert_eq!(post("/run", "{}"), "403");
}

#[test]
fn a_port_that_is_taken_is_bad_input() {
    let explore = Explore::start(&[PUMP]);
    let port = explore.parts().0.rsplit(':').next().expect("a port");
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let command = command.args(["explore", PUMP, "--port", port]);
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains(port));
}

#[test]
fn ctrl_c_ends_it() {
    let mut explore = Explore::start(&[PUMP]);
    let number = explore.process.id().to_string();
    let mut kill = Command::new("kill");
    let sent = kill.args(["-INT", &number]).status().expect("a signal");
    assert!(sent.success());
    let status = explore.process.wait().expect("an end");
    assert_eq!(status.code(), Some(0));
}
