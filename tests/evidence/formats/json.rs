//! JSON documents: the published schema, and the screen.

use serde_json::Value as Json;

use super::*;

fn shipped_models() -> Vec<String> {
    let mut pending = vec![root().join("models")];
    let mut found = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => pending.push(path),
                Some(extension) if extension == "csm" => {
                    let path = path.strip_prefix(root()).expect("a shipped model");
                    found.push(path.display().to_string());
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The published schema; `strict` also refuses fields that it does not name.
fn schema(strict: bool) -> jsonschema::Validator {
    let text = std::fs::read_to_string(root().join("docs/result.schema.json")).expect("the schema");
    let mut schema: Json = serde_json::from_str(&text).expect("JSON");
    if strict {
        for definition in schema["$defs"].as_object_mut().expect("parts").values_mut() {
            definition["additionalProperties"] = Json::Bool(false);
        }
    }
    jsonschema::validator_for(&schema).expect("a schema")
}

fn hold_to_schema(document: &Json) {
    for strict in [false, true] {
        let validator = schema(strict);
        let errors = validator.iter_errors(document);
        let errors: Vec<String> = errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [] as [String; 0], "strict: {strict}");
    }
}

#[test]
fn every_json_document_keeps_to_the_published_schema() {
    let models = shipped_models();
    assert!(models.len() >= 80, "only {} models found", models.len());
    let several = json(&with_all(
        &["--format", "json", "--max-states", "500"],
        &models,
    ));
    assert_eq!(several["schema"], "crisol/results/1");
    assert_eq!(
        several["results"].as_array().map(Vec::len),
        Some(models.len())
    );
    hold_to_schema(&several);
    hold_to_schema(&json(&with_all(&["--json"], &one_of_each("schema"))));
    hold_to_schema(&json(&["check", VIOLATED, "--json"]));
    hold_to_schema(&json(&["count", VIOLATED, "--json"]));
    hold_to_schema(&json(&["check", "/no/such/model.csm", "--json"]));
}

#[test]
fn the_schema_refuses_what_is_not_a_result() {
    let mut wrong = json(&["check", VIOLATED, "--json"]);
    assert!(schema(true).is_valid(&wrong));
    wrong["verdict"] = Json::from("perhaps");
    assert!(!schema(false).is_valid(&wrong));
    let mut wrong = json(&["check", VIOLATED, "--json"]);
    wrong["trace"]["steps"][0]["surprise"] = Json::from(1);
    assert!(schema(false).is_valid(&wrong), "fields may be added");
    assert!(!schema(true).is_valid(&wrong));
}

/// A trace of the document in the words of the screen.
fn retold(trace: &Json) -> Vec<String> {
    let mut lines = Vec::new();
    let texts = |list: &Json| -> Vec<Json> { list.as_array().cloned().unwrap_or_default() };
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    for step in texts(&trace["steps"]) {
        lines.push(format!("{} {}", step["number"], text(&step["summary"])));
        lines.extend(texts(&step["labels"]).iter().map(text));
        let chosen: Vec<String> = texts(&step["chosen"]).iter().map(text).collect();
        if !chosen.is_empty() {
            lines.push(format!("chooses {}", chosen.join(", ")));
        }
        for sent in texts(&step["sent"]) {
            let arguments = texts(&sent["message"]["arguments"]);
            let arguments = arguments.iter().map(|a| match a {
                Json::String(name) => name.clone(),
                other => other.to_string(),
            });
            let arguments: Vec<String> = arguments.collect();
            let shown = match arguments.is_empty() {
                true => text(&sent["message"]["signal"]),
                false => format!(
                    "{}({})",
                    text(&sent["message"]["signal"]),
                    arguments.join(", ")
                ),
            };
            let lost = match sent["lost"] == true {
                true => ", which is lost: the inbox is full",
                false => "",
            };
            lines.push(format!("sends {shown} to {}{lost}", text(&sent["to"])));
        }
        for change in texts(&step["states"]) {
            let (name, after) = (text(&change["name"]), text(&change["after"]));
            lines.push(match &change["before"] {
                Json::String(before) => format!("{name}: {before} -> {after}"),
                _ => format!("{name} in {after}"),
            });
        }
        for change in texts(&step["variables"]) {
            if let Json::String(before) = &change["before"] {
                let (name, after) = (text(&change["name"]), text(&change["after"]));
                lines.push(format!("{name} = {after} (was {before})"));
            }
        }
    }
    lines
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_trace_for_programs_is_the_trace_on_the_screen() {
    let models = [
        VIOLATED,
        "models/deos/refund_all.csm",
        "models/par/par_short_timer.csm",
        "models/philosophers/deadlocking.csm",
    ];
    for model in models {
        let screen = stdout(&["check", model]);
        let document = json(&["check", model, "--json"]);
        let name = document["trace"]["property"].as_str().expect("a violation");
        let told = screen.split_once(&format!("{name}, step by step:\n"));
        let told = told
            .expect("a trace")
            .1
            .split("\n\n")
            .next()
            .expect("steps");
        let mut start = retold(&document["trace"]);
        // The first step of the document has all variables, which the screen leaves out.
        start.retain(|line| !line.is_empty());
        assert_eq!(words(told), words(&start.join(" ")), "{model}");
        let message = document["properties"]
            .as_array()
            .expect("properties")
            .iter();
        let message = message.filter(|p| p["name"] == name).map(|p| &p["message"]);
        let message = message.filter_map(Json::as_str).next().expect("a message");
        assert!(
            words(&screen).contains(&words(message)),
            "{model}: {message}"
        );
    }
}

#[test]
fn queues_and_places_are_in_the_document() {
    let document = json(&["check", VIOLATED, "--json"]);
    let step = &document["trace"]["steps"][1];
    assert_eq!(step["inboxes"][0]["object"], "motor");
    assert_eq!(step["inboxes"][0]["queued"][0], "Start");
    let model = std::fs::read_to_string(root().join(VIOLATED)).expect("the model");
    let region = &step["regions"][0];
    let line = region["line"].as_u64().expect("a line") as usize;
    let line = model.lines().nth(line - 1).expect("that line");
    let label = step["labels"][0].as_str().expect("a label");
    assert_eq!(line.trim(), label);
    let column = region["column"].as_u64().expect("a column") as usize;
    assert!(line[column - 1..].starts_with(label));
}
