//! What a page is about, in a line: for the index of many pages.

use super::html::markdown::plain_text;
use super::page::{Block, Page};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The first heading, or the name of the file.
    pub title: String,
    /// The first sentence of the first paragraph, which may be empty.
    pub sentence: String,
}

pub fn summary(page: &Page) -> Summary {
    let texts = page.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::Code(_) | Block::Directive { .. } => None,
    });
    let lines: Vec<&str> = texts.flat_map(|text| text.lines().chain([""])).collect();
    let title = lines.iter().find_map(|line| line.strip_prefix("# ")).map(|title| plain_text(title.trim()));
    let is_words =
        |line: &&&str| line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_' | '`' | '['));
    let paragraph: Vec<&str> = lines
        .iter()
        .skip_while(|line| !is_words(line))
        .take_while(|line| !line.is_empty())
        .copied()
        .collect();
    Summary {
        title: title.unwrap_or_else(|| page.name.clone()),
        sentence: sentence(&plain_text(&paragraph.join(" "))),
    }
}

/// The first sentence: up to a full stop with a space behind it.
pub(super) fn sentence(text: &str) -> String {
    match text.find(". ") {
        Some(end) => text[..=end].into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_heading_and_its_first_sentence() {
        let page = |text: &str| Page { name: "x.fut".into(), blocks: vec![Block::Text(text.into())] };
        let found = summary(&page("# Sums of *rows*\n\nEach row has\n[a sum](url). It is `0` at first."));
        assert_eq!(found, Summary { title: "Sums of rows".into(), sentence: "Each row has a sum.".into() });
        assert_eq!(summary(&page("")), Summary { title: "x.fut".into(), sentence: String::new() });
    }
}
