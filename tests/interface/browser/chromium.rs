//! A headless Chromium, spoken to over its debugging pipe: one JSON object after another, each ended
//! by a zero byte. So nothing listens on a port, and no driver is needed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the pipe where Chromium looks for it: it reads from 3 and writes to 4.
const ON_THE_PIPE: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"#;

const FLAGS: [&str; 13] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox", // continuous integration runs as root
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

pub struct Browser {
    process: Child,
    commands: ChildStdin,
    answers: Receiver<Json>,
    profile: PathBuf,
    session: String,
    last_id: u64,
    /// What happened while an answer was waited for.
    events: Vec<Json>,
}

/// The browser of this machine; nothing, with a word to whoever reads, where there is none.
pub fn browser() -> Option<Browser> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find(|name| {
        let mut version = Command::new(name);
        let version = version.arg("--version").stderr(Stdio::null());
        version
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    let required = std::env::var("CRISOL_BROWSER").is_ok_and(|value| value == "required");
    assert!(
        found.is_some() || !required,
        "CRISOL_BROWSER=required, and there is no Chromium"
    );
    if found.is_none() {
        println!("skipped: there is no Chromium on this machine");
    }
    found.map(|name| Browser::start(name))
}

impl Browser {
    fn start(program: &str) -> Browser {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("crisol-browser-{}-{number}", std::process::id());
        let profile = std::env::temp_dir().join(name);
        let mut process = Command::new("sh")
            .args(["-c", ON_THE_PIPE, program])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let commands = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON from Chromium");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser {
            process,
            commands,
            answers,
            profile,
            session: String::new(),
            last_id: 0,
            events: Vec::new(),
        };
        browser.open_page();
        browser
    }

    /// One page, watched from its first moment on.
    fn open_page(&mut self) {
        let target = self.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let target = &target["targetId"];
        let attached = self.ask(
            "Target.attachToTarget",
            json!({ "targetId": target, "flatten": true }),
        );
        self.session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.ask(&format!("{domain}.enable"), json!({}));
        }
        // Time in which the page's thread really worked, not in which others did.
        self.ask("Performance.enable", json!({ "timeDomain": "threadTicks" }));
    }

    /// A command of the protocol and its answer.
    pub fn ask(&mut self, method: &str, parameters: Json) -> Json {
        self.last_id += 1;
        let id = self.last_id;
        let mut command = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            command["sessionId"] = Json::from(self.session.as_str());
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).expect("Chromium listens");
        loop {
            let answer = self.receive(PATIENCE);
            let answer = answer.unwrap_or_else(|| panic!("no answer to {method}"));
            if answer["id"] != id {
                self.events.push(answer);
                continue;
            }
            assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
            return answer["result"].clone();
        }
    }

    fn receive(&mut self, patience: Duration) -> Option<Json> {
        match self.answers.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("Chromium has gone"),
        }
    }

    /// Goes to an address and waits until the page is loaded.
    pub fn open(&mut self, address: &str) {
        self.ask("Page.navigate", json!({ "url": "about:blank" }));
        self.wait_for("document.readyState === 'complete' && location.href === 'about:blank'");
        self.events.clear();
        self.ask("Page.navigate", json!({ "url": address }));
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// How long the page's thread has worked so far, however busy the machine is.
    pub fn worked(&mut self) -> Duration {
        let metrics = self.ask("Performance.getMetrics", json!({}));
        let metrics = metrics["metrics"].as_array().expect("metrics");
        let found = metrics.iter().find(|m| m["name"] == "TaskDuration");
        let seconds = found.and_then(|m| m["value"].as_f64()).expect("a time");
        Duration::from_secs_f64(seconds)
    }

    pub fn open_file(&mut self, path: &Path) {
        // Every byte that could mean something in an address is written as its number.
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
        let bytes = path.to_str().expect("a name").bytes();
        let address: String = bytes
            .map(|byte| match plain(&byte) {
                true => char::from(byte).to_string(),
                false => format!("%{byte:02X}"),
            })
            .collect();
        self.open(&format!("file://{address}"));
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Json {
        let asked =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.ask("Runtime.evaluate", asked);
        let failed = &result["exceptionDetails"];
        assert!(failed.is_null(), "{expression}: {failed}");
        result["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let expression = format!(
            "document.querySelector({})?.textContent ?? ''",
            json!(selector)
        );
        self.value(&expression)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn count(&mut self, selector: &str) -> u64 {
        let expression = format!("document.querySelectorAll({}).length", json!(selector));
        self.value(&expression).as_u64().expect("a number")
    }

    pub fn wait_for(&mut self, condition: &str) {
        let start = Instant::now();
        while self.value(&format!("Boolean({condition})")) != true {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {condition}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A real click in the middle of an element, after it was scrolled to.
    pub fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const node = document.querySelector({});
               if (!node) return null;
               node.scrollIntoView({{ block: 'center', inline: 'nearest' }});
               const box = node.getBoundingClientRect();
               return [box.x + Math.min(box.width / 2, 60), box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        assert!(place.is_array(), "there is no {selector} to click");
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            self.ask(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": place[0], "y": place[1], "button": button, "clickCount": 1 }),
            );
        }
    }

    /// A real key, by its name: `ArrowRight`.
    pub fn press(&mut self, key: &str) {
        let number = match key {
            "Tab" => 9,
            "Enter" => 13,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("no number is known for {other}"),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            self.ask(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": number }),
            );
        }
    }

    /// Types into what has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Chooses an option of a `select`, as a person with the keyboard would.
    pub fn choose(&mut self, selector: &str, option: &str) {
        let done = self.value(&format!(
            "(() => {{ const node = document.querySelector({});
               const found = [...node.options].find((option) => option.text.includes({}));
               if (!found) return false;
               node.value = found.value;
               node.dispatchEvent(new Event('change', {{ bubbles: true }}));
               return true; }})()",
            json!(selector),
            json!(option)
        ));
        assert_eq!(done, true, "{selector} has no option {option}");
    }

    pub fn resize(&mut self, width: u32, height: u32, scale: f64) {
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500 }),
        );
    }

    /// `light` or `dark`, as the system would say.
    pub fn prefer(&mut self, scheme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask("Emulation.setEmulatedMedia", json!({ "features": feature }));
    }

    /// What is seen, as a PNG.
    pub fn screenshot(&mut self) -> Vec<u8> {
        use base64::Engine;
        let shot = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        let text = shot["data"].as_str().expect("a picture");
        base64::engine::general_purpose::STANDARD
            .decode(text)
            .expect("base64")
    }

    /// What the page complained about, and every address it asked for beyond its own.
    pub fn complaints(&mut self) -> Vec<String> {
        self.value("1"); // whatever happened before has been told by now
        let own = self
            .value("location.href")
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let origin = own.split('#').next().unwrap_or_default();
        let mut found = Vec::new();
        for event in &self.events {
            let what = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => found.push(what["exceptionDetails"].to_string()),
                "Log.entryAdded" => found.push(what["entry"]["text"].to_string()),
                "Runtime.consoleAPICalled" if what["type"] == "error" => {
                    found.push(what.to_string())
                }
                "Network.requestWillBeSent" => {
                    let address = what["request"]["url"].as_str().unwrap_or_default();
                    if !address.starts_with(origin) && address != "about:blank" {
                        found.push(format!("asked for {address}"));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
