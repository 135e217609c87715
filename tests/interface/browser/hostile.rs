//! Whatever stands in a model or in the name of its file is shown, and never run.

use crate::browser::chromium::browser;
use crate::browser::reports::{Folder, check};

/// Would set a mark if anything of it were taken for markup.
const ATTACK: &str = "</script></template></style><img src=x onerror=\"window.hit=1\"><script>window.hit=1</script><svg onload=window.hit=1>";

#[test]
fn names_and_comments_that_look_like_markup_are_text() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("hostile");
    let model = format!(
        "// {ATTACK} <!-- <script>\nexternal signal Go; class C {{ int(0..9) x; initial -> A; quiescent state A; state B;
         A -> B : Go [x < 5 && x >= 0] / {{ x += 1; }} /* {ATTACK} */ }} object o: C; property p : never o.x > 0 && 3 < 4;"
    );
    let name = "<img src=x onerror=window.hit=1>&lt;'\"`${1}.csm";
    browser.resize(1280, 800, 1.0);
    browser.open_file(&check(&folder, name, &model, &[]));
    assert_eq!(browser.value("window.hit ?? null"), serde_json::Value::Null);
    assert!(browser.text(".source-box").contains(ATTACK));
    assert!(
        browser.text(".path").contains(name),
        "{}",
        browser.text(".path")
    );
    assert!(
        browser
            .text(".transition-label")
            .contains("[x < 5 && x >= 0]")
    );
    assert_eq!(browser.count("img"), 0);
    assert_eq!(browser.count("script"), 2);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_script_that_came_in_all_the_same_would_not_run() {
    let Some(mut browser) = browser() else { return };
    let folder = Folder::new("policy");
    let file = check(
        &folder,
        "p.csm",
        "class C { initial -> A; quiescent state A; } object o: C;",
        &[],
    );
    browser.open_file(&file);
    browser.value(
        "(() => { const script = document.createElement('script'); script.textContent = 'window.hit = 1'; document.body.append(script);
          const image = document.createElement('div'); image.innerHTML = '<img src=x onerror=\"window.hit=1\">'; document.body.append(image); })()",
    );
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(browser.value("window.hit ?? null"), serde_json::Value::Null);
}
