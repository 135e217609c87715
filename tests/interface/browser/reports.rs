//! Reports of models, made by the program.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of a test's own, gone when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let name = format!("crisol-report-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The report of a shipped model.
pub fn report(folder: &Folder, model: &str, options: &[&str]) -> PathBuf {
    let file = folder.path("report.html");
    write(Path::new(model), &file, options);
    file
}

/// The report of a model of the test's own, in a file of this name.
pub fn check(folder: &Folder, name: &str, model: &str, options: &[&str]) -> PathBuf {
    let (source, file) = (folder.path(name), folder.path("report.html"));
    std::fs::write(&source, model).expect("a model");
    write(&source, &file, options);
    file
}

fn write(model: &Path, file: &Path, options: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crisol"));
    let command = command.arg("check").arg(model).arg("--html").arg(file);
    let command = command
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().expect("a run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 3), "{said}");
}
