//! Files that the program writes: whole, or not at all.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::Failure;

/// Replaces a file at once: whoever reads it sees the old one or the new one. What is no plain file
/// (a pipe, `/dev/stdout`) is written as it is.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Failure> {
    replace(path, content).map_err(|error| unwritable(path, &error))
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link stays a link to the file that is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, content);
    }
    let beside = beside(&path);
    let written = write_like(&path, &beside, content);
    let written = written.and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside); // it may not even be there
    }
    written
}

/// Whoever may read and write the old file may do so with the new one.
fn write_like(old: &Path, new: &Path, content: &[u8]) -> io::Result<()> {
    std::fs::write(new, content)?;
    match old.metadata() {
        Ok(found) => std::fs::set_permissions(new, found.permissions()),
        Err(_) => Ok(()), // there was none
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

/// Whether there is a folder for the file.
pub fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match folder.metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(unwritable(path, &io::ErrorKind::NotADirectory.into())),
        Err(error) => Err(unwritable(path, &error)),
    }
}

pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!(
        "error: {} can't be written: {error}",
        path.display()
    ))
}
