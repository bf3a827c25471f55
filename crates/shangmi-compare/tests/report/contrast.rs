//! Colours of both themes against their paper, by the formula of the web's accessibility guidelines.

use std::collections::HashMap;

const STYLE: &str = include_str!("../../src/report/style.css");

/// The least contrast for text of ordinary size.
const LEAST: f64 = 4.5;

/// The colours of each rule that defines a theme.
fn themes() -> Vec<HashMap<&'static str, [u8; 3]>> {
    let rules = STYLE
        .split('{')
        .map(|rest| rest.split('}').next().unwrap_or(""));
    rules
        .filter(|rule| rule.contains("--page:"))
        .map(|rule| {
            rule.split(';')
                .filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"))
                .map(|(name, hex)| {
                    (
                        name,
                        [0, 2, 4].map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()),
                    )
                })
                .collect()
        })
        .collect()
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.039_28 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_formula_is_right() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    assert!((contrast([119; 3], [255; 3]) - 4.48).abs() < 0.01);
}

#[test]
fn everything_is_readable_in_both_themes() {
    let themes = themes();
    assert_eq!(themes.len(), 3, "light, dark by the system, dark by choice");
    assert_eq!(themes[1], themes[2]);
    for theme in &themes {
        for (name, colour) in theme {
            if ["page", "paper", "rule", "faint"].contains(name) || name.ends_with("-paper") {
                continue;
            }
            let found = contrast(*colour, theme["paper"]);
            assert!(found >= LEAST, "--{name} on paper: {found:.2}");
        }
        for name in ["wins", "loses", "even"] {
            let paper = theme[format!("{name}-paper").as_str()];
            assert!(
                contrast(theme[name], paper) >= LEAST,
                "--{name} on its paper"
            );
        }
        for ground in ["page", "faint"] {
            assert!(
                contrast(theme["soft"], theme[ground]) >= LEAST,
                "--soft on --{ground}"
            );
            assert!(
                contrast(theme["link"], theme[ground]) >= LEAST,
                "--link on --{ground}"
            );
        }
    }
}
