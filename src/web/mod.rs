//! The page of `crisol explore`: a server on this machine, for whoever knows its address.
//!
//! Invariant: it answers only to this machine (it listens on the loopback interface), only to whoever
//! knows the token in the address, and only under its own name, so that no other site can have a
//! browser ask it (DNS rebinding). It keeps nothing: each question brings its whole run along.

mod api;
mod choices;

use std::io::Read;
use std::sync::Arc;

use tiny_http::{Header, Method, Request, Response, Server as Http};

pub use api::{Start, start_of};

use crate::lang::{Model, SourceFile};
use crate::report::{Page, Scene, escape};
use api::Api;

const PARTS: [&str; 2] = [include_str!("panel.js"), include_str!("explore.js")];

/// Longer questions are not read: a run of a million steps is shorter.
const MOST_BYTES: u64 = 256 << 20;

pub struct Server {
    http: Arc<Http>,
    host: String,
    token: String,
}

/// Why there is no server.
#[derive(Debug)]
pub struct ServeError(pub String);

type Answer = Response<std::io::Cursor<Vec<u8>>>;

impl Server {
    /// Port 0: any that is free.
    pub fn open(port: u16) -> Result<Server, ServeError> {
        let refused = |error| ServeError(format!("port {port} of this machine: {error}"));
        let http = Http::http(("127.0.0.1", port)).map_err(refused)?;
        let port = http
            .server_addr()
            .to_ip()
            .map_or(port, |address| address.port());
        Ok(Server {
            http: Arc::new(http),
            host: format!("127.0.0.1:{port}"),
            token: random_token()?,
        })
    }

    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// What ends `run` from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let http = Arc::clone(&self.http);
        move || http.unblock()
    }

    /// Answers until it is stopped.
    pub fn run(&self, source: &SourceFile, model: &Model, start: Start) {
        let api = Api::new(source, model, start);
        for request in self.http.incoming_requests() {
            self.answer(&api, request);
        }
    }

    fn answer(&self, api: &Api<'_>, mut request: Request) {
        let answer = match self.route(&request) {
            Ok(path) => respond(api, &path, &mut request),
            Err(why) => plain(403, why),
        };
        let _ = request.respond(answer); // whoever asked may have gone
    }

    /// The path behind the token, if the request may be answered.
    fn route(&self, request: &Request) -> Result<String, &'static str> {
        let named = request
            .headers()
            .iter()
            .find(|header| header.field.equiv("Host"));
        if named.is_none_or(|header| header.value.as_str() != self.host) {
            return Err("this server has another name\n");
        }
        let path = request.url().strip_prefix('/').unwrap_or_default();
        match path.split_once('/') {
            Some((token, rest)) if token == self.token => Ok(rest.to_owned()),
            _ => Err("the address lacks the token that crisol has printed\n"),
        }
    }
}

fn random_token() -> Result<String, ServeError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ServeError(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn respond(api: &Api<'_>, path: &str, request: &mut Request) -> Answer {
    match (request.method(), path) {
        (Method::Get, "") => page(api),
        (Method::Post, "run") => asked(request, |body| api.run(body)),
        (Method::Post, "traces") => asked(request, |body| api.traces(body)),
        _ => plain(404, "there is nothing here\n"),
    }
}

/// The answer to a question in JSON; what is wrong with it is an answer, too.
fn asked(request: &mut Request, answer: impl Fn(&str) -> Result<String, String>) -> Answer {
    let mut body = String::new();
    let read = request
        .as_reader()
        .take(MOST_BYTES)
        .read_to_string(&mut body);
    let answered = match read {
        Ok(_) => answer(&body),
        Err(error) => Err(error.to_string()),
    };
    match answered {
        Ok(text) => typed(200, "application/json", text),
        Err(why) => {
            let error = serde_json::json!({ "error": why });
            typed(400, "application/json", error.to_string())
        }
    }
}

fn page(api: &Api<'_>) -> Answer {
    let scene = Scene::of(api.source, api.model);
    let file = escape(&scene.file);
    let page = Page {
        title: &format!("{}: explore", scene.file),
        heading: format!(
            "<header class=\"hero slim\" id=\"hero\"><h1>Explore</h1><p class=\"file\"><span class=\"path\">{file}</span></p></header>"
        ),
        script: &PARTS,
        asks: true,
    };
    let data = serde_json::json!({ "scene": scene, "start": api.start });
    match page.with(api.model, &data) {
        Ok(text) => typed(200, "text/html; charset=utf-8", text),
        Err(error) => plain(500, &error.to_string()),
    }
}

fn plain(code: u16, text: &str) -> Answer {
    typed(code, "text/plain; charset=utf-8", text.to_owned())
}

fn typed(code: u16, kind: &str, text: String) -> Answer {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "frame-ancestors 'none'"),
    ];
    let mut answer = Response::from_string(text).with_status_code(code);
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            answer.add_header(header);
        }
    }
    answer
}
