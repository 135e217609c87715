//! Data that nobody here wrote, which lies beside the project and is no part of it.
//!
//! Where `../shared` is, it must be complete: a test that passes without its data says nothing.

use std::path::{Path, PathBuf};

/// The BEEM models: in the folder that `CRISOL_BEEM` names, or in `../shared/data/beem`. None, and a word,
/// where there is no `../shared`.
pub fn beem() -> Option<PathBuf> {
    let named = std::env::var_os("CRISOL_BEEM").map(PathBuf::from);
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");
    beem_in(named, Path::new(shared)).unwrap_or_else(|missing| panic!("{missing}"))
}

fn beem_in(named: Option<PathBuf>, shared: &Path) -> Result<Option<PathBuf>, String> {
    let is_required = named.is_some() || shared.exists();
    let folder = named.unwrap_or_else(|| shared.join("data/beem"));
    let missing = format!("there are no BEEM models in {}", folder.display());
    match (folder.join("counts.tsv").exists(), is_required) {
        (true, _) => Ok(Some(folder)),
        (false, true) => Err(missing),
        (false, false) => {
            eprintln!("skipped: {missing}");
            Ok(None)
        }
    }
}

#[test]
fn where_shared_data_is_all_of_it_must_be() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-data");
    let _ = std::fs::remove_dir_all(&root); // there may be none
    assert_eq!(beem_in(None, &root), Ok(None));
    assert!(beem_in(Some(root.clone()), &root).is_err(), "it was named");
    let beem = root.join("data/beem");
    std::fs::create_dir_all(&beem).expect("a folder");
    assert!(beem_in(None, &root).is_err(), "there is no BEEM in it");
    std::fs::write(beem.join("counts.tsv"), "").expect("a file");
    assert_eq!(beem_in(None, &root), Ok(Some(beem)));
}
