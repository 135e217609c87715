//! Reading models from files that are missing, damaged or too large.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crisol::lang::{SourceError, SourceFile, limits, parse};

fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("crisol-{}-{name}", std::process::id()));
    let mut file = fs::File::create(&path).expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    path
}

#[test]
fn bytes_that_are_not_text_are_told_with_their_place() {
    let path = temporary("utf8", b"system A;\n// \xc3\xa4\xff bad\n");
    let error = SourceFile::read(&path).expect_err("not UTF-8");
    fs::remove_file(&path).expect("it was there");
    assert!(
        error
            .to_string()
            .ends_with("utf8:2:5: this byte is not UTF-8"),
        "{error}"
    );
}

#[test]
fn files_that_can_not_be_read_are_told() {
    let missing = SourceFile::read(Path::new("/no/such/file.csm"));
    assert!(matches!(missing, Err(SourceError::Missing { .. })));
    let folder = SourceFile::read(&std::env::temp_dir());
    assert!(matches!(folder, Err(SourceError::Directory { .. })));
    let path = temporary("large", &vec![b' '; limits::SOURCE_BYTES + 1]);
    let large = SourceFile::read(&path);
    fs::remove_file(&path).expect("it was there");
    assert!(matches!(large, Err(SourceError::TooLarge { .. })));
    let endless = Path::new("/dev/zero");
    if endless.exists() {
        assert!(matches!(
            SourceFile::read(endless),
            Err(SourceError::TooLarge { .. })
        ));
    }
}

#[test]
fn the_largest_file_is_read() {
    let text = "const A = 1;\n".repeat(limits::SOURCE_BYTES / 13);
    let path = temporary("largest", text.as_bytes());
    let source = SourceFile::read(&path).expect("just small enough");
    fs::remove_file(&path).expect("it was there");
    assert_eq!(parse(source.text()).1, []);
}
