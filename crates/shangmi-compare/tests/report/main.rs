//! The renderings of a report: complete, well-formed, self-contained, and a function of the data alone.

mod browser;
mod fixture;
mod markup;

use shangmi_compare::report::{Language, html, json, markdown, terminal, write_all};
use shangmi_compare::result::{Group, Report};

#[test]
fn the_page_is_well_formed() {
    for report in [fixture::full(), fixture::empty()] {
        markup::assert_well_formed(&html(&report));
    }
}
#[test]
fn tmp_write() {
    write_all(std::path::Path::new("/tmp/rep"), &fixture::full()).unwrap();
    write_all(std::path::Path::new("/tmp/rep-empty"), &fixture::empty()).unwrap();
    std::fs::write(
        "/tmp/rep/term.txt",
        terminal(&fixture::full(), Language::Chinese, Some(120)),
    )
    .unwrap();
}
