//! The page in a real browser: laid out, in both languages, without scrolling sideways on a phone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::fixture;
use shangmi_compare::report::html;

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Widths of the frame, and the size of the charts that the page should show there.
const WIDTHS: [(u32, &str); 4] = [
    (360, "narrow"),
    (390, "narrow"),
    (820, "narrow"),
    (1280, "wide"),
];

const LANGUAGES: [(&str, &str); 2] = [("en", "en"), ("zh", "zh-CN")];

/// Notes down how the page in a frame is laid out.
const PROBE: &str = r"
function probe(frame) {
  var page = frame.contentDocument, root = page.documentElement;
  if (root.getAttribute('data-lang') !== frame.dataset.language) { page.getElementById('language').click(); }
  page.querySelectorAll('details').forEach(function (fold) { fold.open = true; });
  var shown = ['wide', 'narrow'].filter(function (size) {
    return frame.contentWindow.getComputedStyle(page.querySelector('svg.' + size)).display !== 'none';
  });
  document.getElementById('found').textContent +=
    [frame.width, root.clientWidth, root.scrollWidth, root.lang, shown.join('+')].join(' ') + ';';
}";

/// A browser on the search path.
fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    PROGRAMS
        .iter()
        .flat_map(|name| places.iter().map(move |place| place.join(name)))
        .find(|file| file.is_file())
}

/// A page that shows `page` in a frame for each width and language. Frames, because a browser's own window
/// has a least width greater than a phone's; their content is given inline, because a page from a file may
/// not look into a frame from another file.
fn probe(page: &str) -> String {
    let content = page.replace('&', "&amp;").replace('"', "&quot;");
    let mut out =
        format!("<!DOCTYPE html><html><body><p id=\"found\"></p><script>{PROBE}</script>");
    for (width, _) in WIDTHS {
        for (language, _) in LANGUAGES {
            out += &format!(
                "<iframe width=\"{width}\" height=\"900\" data-language=\"{language}\" \
                 onload=\"probe(this)\" srcdoc=\"{content}\"></iframe>"
            );
        }
    }
    out + "</body></html>"
}

/// What the probe found in the browser: a line for each frame.
fn findings(browser: &Path, page: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("probe.html");
    fs::write(&file, probe(page)).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            directory.path().join("profile").display()
        ))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let found = dom
        .rsplit_once("<p id=\"found\">")
        .expect("the probe's paragraph")
        .1;
    found.split_once("</p>").expect("its end").0.to_owned()
}

#[test]
fn no_sideways_scrolling_at_any_width() {
    let Some(browser) = browser() else {
        assert!(
            env::var_os("CI").is_none(),
            "no browser: apt-get install chromium"
        );
        println!("skipped: no browser here. To run this test: apt-get install chromium");
        return;
    };
    let found = findings(&browser, &html(&fixture::full()));
    println!("{found}");
    for (width, charts) in WIDTHS {
        for (_, tag) in LANGUAGES {
            // Frame, room, content: content wider than the room would scroll.
            let expected = format!("{width} {width} {width} {tag} {charts};");
            assert!(
                found.contains(&expected),
                "{expected:?} is not in {found:?}"
            );
        }
    }
}
