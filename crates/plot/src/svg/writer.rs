//! SVG as text: elements, numbers, escapes.

use std::fmt::Write;

/// What is written so far.
#[derive(Default)]
pub struct Writer {
    pub out: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A place in pixels, from the upper left corner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub x: f64,
    pub y: f64,
}

impl Writer {
    /// A line of SVG.
    pub fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub fn rect(&mut self, class: &str, at: Place, width: f64, height: f64) {
        let (x, y, width, height) = (px(at.x), px(at.y), px(width), px(height));
        let class = attribute("class", class);
        self.line(&format!("<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"));
    }

    /// Text with its anchor at a place, turned by some degrees around it.
    pub fn text(&mut self, class: &str, at: Place, anchor: Anchor, turned: f64, text: &str) {
        let (x, y) = (px(at.x), px(at.y));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn = if turned == 0.0 { String::new() } else { format!("rotate({} {x} {y})", px(turned)) };
        let attributes =
            [attribute("class", class), attribute("text-anchor", anchor), attribute("transform", &turn)]
                .concat();
        self.line(&format!("<text x=\"{x}\" y=\"{y}\"{attributes}>{}</text>", escape(text)));
    }

    /// A line through places.
    pub fn path(&mut self, class: &str, places: &[Place]) {
        self.paths(class, std::slice::from_ref(&places));
    }

    /// Several lines as one element. Places that fall together are one.
    pub fn paths<P: AsRef<[Place]>>(&mut self, class: &str, lines: &[P]) {
        let mut data = String::new();
        for line in lines {
            let mut last = (String::new(), String::new());
            for (i, place) in line.as_ref().iter().enumerate() {
                let here = (px(place.x), px(place.y));
                if here == last {
                    continue;
                }
                // Writing to a text does not fail.
                let _ = write!(data, "{}{} {}", if i == 0 { "M" } else { "L" }, here.0, here.1);
                last = here;
            }
        }
        if !data.is_empty() {
            self.line(&format!("<path{} d=\"{data}\"/>", attribute("class", class)));
        }
    }
}

/// An attribute, unless there is nothing to say.
fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{value}\"") }
}

/// A number of pixels with one decimal, which is as fine as anybody sees.
pub fn px(x: f64) -> String {
    let text = format!("{x:.1}");
    let short = text.strip_suffix(".0").unwrap_or(&text);
    if short == "-0" { "0".into() } else { short.into() }
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How wide a text is, about: the reader's font is not known.
pub fn text_width(text: &str, size: f64) -> f64 {
    let narrow =
        |c: char| matches!(c, 'i' | 'l' | 'j' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | '\'' | '|');
    let widths = text.chars().map(|c| match c {
        '⁰' | '¹' | '²' | '³' | '⁴' | '⁵' | '⁶' | '⁷' | '⁸' | '⁹' | '⁻' => 0.4,
        _ if narrow(c) => 0.34,
        'm' | 'w' | 'M' | 'W' => 0.86,
        _ if c.is_uppercase() => 0.68,
        _ => 0.57,
    });
    widths.sum::<f64>() * size
}
