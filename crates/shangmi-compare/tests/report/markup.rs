//! A small checker of HTML as this project writes it: every element closed in order, ids unique.

use std::collections::HashSet;

/// Elements that have no end.
const VOID: [&str; 2] = ["meta", "br"];

/// A start tag.
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    pub(crate) attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Element<'a> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| *value)
    }
}

/// The elements of `page` in order; panics where they are not nested well.
pub(crate) fn elements(page: &str) -> Vec<Element<'_>> {
    let mut rest = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a document type");
    let mut open: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "a bare > in {text:?}");
        assert!(is_escaped(text), "a bare & in {text:?}");
        let tag_end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..tag_end];
        rest = &rest[tag_end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "end tag out of order");
            continue;
        }
        let (tag, closed) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let element = element(tag);
        let name = element.name;
        all.push(element);
        if closed || VOID.contains(&name) {
            continue;
        }
        open.push(name);
        if name == "style" || name == "script" {
            let end = rest.find(&format!("</{name}>")).expect("it ends");
            rest = &rest[end..];
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "elements left open");
    all
}

fn is_escaped(text: &str) -> bool {
    text.split('&').skip(1).all(|entity| {
        ["amp;", "lt;", "gt;", "quot;", "#39;"]
            .iter()
            .any(|known| entity.starts_with(known))
    })
}

fn element(tag: &str) -> Element<'_> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()),
        "name {name:?}"
    );
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    while let Some((key, after)) = rest.trim_start().split_once("=\"") {
        let (value, after) = after.split_once('"').expect("the value ends");
        assert!(is_escaped(value), "a bare & in {value:?}");
        assert!(
            !attributes.iter().any(|(other, _)| *other == key),
            "{key} twice in {tag:?}"
        );
        attributes.push((key, value));
        rest = after;
    }
    assert!(rest.trim().is_empty(), "left over in <{tag}>: {rest:?}");
    Element { name, attributes }
}

/// Panics unless `page` is nested well, has unique ids, and refers only to ids that it has.
pub(crate) fn assert_well_formed(page: &str) {
    let all = elements(page);
    let mut ids = HashSet::new();
    for id in all.iter().filter_map(|element| element.attribute("id")) {
        assert!(ids.insert(id), "id {id:?} twice");
    }
    for element in &all {
        let labels = ["aria-labelledby", "aria-describedby"];
        let labels = labels.iter().filter_map(|name| element.attribute(name));
        for id in labels.flat_map(|ids| ids.split(' ')) {
            assert!(ids.contains(id), "no element with the id {id:?}");
        }
        if let Some(id) = element
            .attribute("href")
            .and_then(|href| href.strip_prefix('#'))
        {
            assert!(ids.contains(id), "a link to {id:?}, which is not there");
        }
    }
}
