//! SARIF and JUnit files before validators of others.

use super::*;

/// The folder of the validators; none where they are not installed and need not be.
fn validators() -> Option<PathBuf> {
    let folder = root().join("target/validators");
    let required = std::env::var("CRISOL_VALIDATORS").is_ok_and(|value| value == "required");
    if folder.join("node_modules").is_dir() {
        return Some(folder);
    }
    assert!(!required, "no validators in {}", folder.display());
    eprintln!(
        "skipped: no validators in {} (.ci/run installs them)",
        folder.display()
    );
    None
}

/// The result of one call on a model of each kind, written to a file.
fn written(format: &str, name: &str) -> PathBuf {
    let mut models = one_of_each(name);
    models.push(VIOLATED.to_owned()); // given twice
    let text = stdout(&with_all(&["--format", format], &models));
    PathBuf::from(write(folder(name).join(format!("result.{format}")), &text))
}

/// What a validator says of a file, and whether it is content.
fn judged_junit(validators: &Path, file: &Path) -> (bool, String) {
    let script = root().join("tests/evidence/formats/validators/junit.cjs");
    let output = Command::new("node")
        .arg(script)
        .arg(validators)
        .arg(file)
        .output();
    let output = output.expect("node");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), told)
}

#[test]
fn junit_files_are_what_jenkins_accepts() {
    let Some(validators) = validators() else {
        return;
    };
    let file = written("junit", "junit");
    let (accepted, told) = judged_junit(&validators, &file);
    assert!(accepted, "{told}");
    let broken = std::fs::read_to_string(&file).expect("the file");
    let broken = broken.replacen("<testcase name=", "<testcase title=", 1);
    let broken = write(folder("junit").join("broken.xml"), &broken);
    let (accepted, told) = judged_junit(&validators, Path::new(&broken));
    assert!(!accepted && told.contains("title"), "{told}");
}

/// The errors that the validator of the SARIF SDK has found; it also gives advice, which is none.
fn judged_sarif(validators: &Path, file: &Path) -> Vec<String> {
    let package = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";
    let output = Command::new(validators.join(package))
        .arg("validate")
        .arg(file)
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output();
    let told = String::from_utf8(output.expect("the validator").stdout).expect("text");
    assert!(told.contains("1 files scanned"), "{told}");
    let is_error = |line: &&str| line.contains(": error ");
    told.lines().filter(is_error).map(str::to_owned).collect()
}

#[test]
fn sarif_files_are_what_the_sdk_accepts() {
    let Some(validators) = validators() else {
        return;
    };
    let file = written("sarif", "sarif");
    assert_eq!(judged_sarif(&validators, &file), [] as [String; 0]);
    let broken = std::fs::read_to_string(&file).expect("the file");
    let broken = broken.replacen("\"ruleId\": \"", "\"ruleId\": 7, \"rule\": \"", 1);
    let broken = write(folder("sarif").join("broken.sarif"), &broken);
    assert!(!judged_sarif(&validators, Path::new(&broken)).is_empty());
}
