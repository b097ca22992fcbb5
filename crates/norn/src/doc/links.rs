//! Where names lead.

use super::Page;
use crate::literate::escape;
use norn_base::Span;
use norn_check::Analysis;
use regex_lite::{Captures, Regex};
use std::collections::HashMap;

pub struct Links {
    /// By the file of a declaration and the place of its name.
    places: HashMap<(String, u32), String>,
    /// By page, name space and path, for names in texts.
    names: HashMap<(String, &'static str, String), String>,
    reference: Regex,
}

impl Links {
    pub fn new(pages: &[Page]) -> Links {
        let mut places = HashMap::new();
        let mut names = HashMap::new();
        for page in pages {
            let path = &page.analysis.sources().file(page.analysis.file).name;
            for item in &page.items {
                item.each(&mut |item| {
                    let address = format!("{}#{}", page.file, item.anchor());
                    places.insert((path.clone(), item.name.lo), address.clone());
                    for known in [&item.path, item.own_name()] {
                        names
                            .entry((page.file.clone(), item.name_space(), known.to_string()))
                            .or_insert_with(|| address.clone());
                    }
                });
            }
        }
        let reference =
            Regex::new("`([^`\n]+)`@(term|type|mtype)(\"[^\"\n]*\")?").expect("a regular expression");
        Links { places, names, reference }
    }

    /// Code as HTML, with names that lead somewhere.
    pub fn code(&self, analysis: &Analysis, span: Span) -> String {
        let sources = analysis.sources();
        let mut out = String::new();
        let mut done = span.lo;
        let piece = |lo: u32, hi: u32| escape(sources.text(Span { lo, hi, ..span }));
        let inside = |at: Span| at.file == span.file && span.lo <= at.lo && at.hi <= span.hi;
        for found in analysis.places().uses().iter().filter(|u| inside(u.at)) {
            if found.at.lo < done {
                continue;
            }
            let target = &sources.file(found.of.file).name;
            if let Some(address) =
                self.places.get(&(target.clone(), found.of.lo)).filter(|_| found.at != found.of)
            {
                out.push_str(&piece(done, found.at.lo));
                out.push_str(&format!("<a href=\"{address}\">{}</a>", piece(found.at.lo, found.at.hi)));
                done = found.at.hi;
            }
        }
        out + &piece(done, span.hi)
    }

    /// Text in which names are written as Futhark's documentation has them (`` `name`@term ``): they become links.
    pub fn text(&self, page: &str, text: &str) -> String {
        let replaced = self.reference.replace_all(text, |found: &Captures| {
            let name = &found[1];
            let space = ["type", "mtype"].into_iter().find(|space| *space == &found[2]).unwrap_or("term");
            match self.names.get(&(page.to_string(), space, name.to_string())) {
                Some(address) => format!("[`{name}`]({address})"),
                None => format!("`{name}`"),
            }
        });
        replaced.into_owned()
    }
}
