//! The first model of every folder has a page that works, whatever its kind.

use std::path::Path;

use crate::browser::chromium::browser;
use crate::browser::reports::{Folder, report};

fn models() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = std::fs::read_dir(root.join("models")).expect("models");
    let first = |folder: std::fs::DirEntry| {
        let files = std::fs::read_dir(folder.path()).ok()?.flatten();
        let paths = files.map(|file| file.path());
        let models = paths.filter(|path| path.extension().is_some_and(|e| e == "csm"));
        let first = models.min()?;
        let inside = first.strip_prefix(root).ok()?;
        Some(inside.display().to_string())
    };
    let mut found: Vec<String> = folders.flatten().filter_map(first).collect();
    found.sort();
    found
}

#[test]
fn every_folder_of_models_has_pages_without_complaints() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("models");
    browser.resize(1280, 800, 1.0);
    let models = models();
    assert!(models.len() > 25, "{models:?}");
    for model in models {
        let options = ["--max-states", "20000", "--quiet"];
        browser.open_file(&report(&folder, &model, &options));
        assert!(browser.count("section") >= 2, "{model}");
        assert!(browser.count("svg.draw [data-state]") > 0, "{model}");
        if browser.count("#counterexample") > 0 {
            browser.click(".stepper .first");
            browser.press("ArrowRight");
            let active = browser.count(".card [data-state].active");
            assert!(active >= browser.count(".card[data-object]"), "{model}");
        }
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{model}");
    }
}
