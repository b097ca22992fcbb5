//! Alternative texts: what a page gives in place of a picture to those who cannot see it.
//!
//! A directive may give one (`alt: words`), and the title of a plot is one. Every other picture has the first
//! sentence of the paragraph above it, which usually introduces the picture, or the heading if there is no paragraph:
//!
//! ```text
//! -- The hull of 2000 points.
//!
//! entry picture ..
//!
//! -- > :img picture 2000          ![The hull of 2000 points.](..)
//! ```

use super::html::markdown::plain_text;
use super::summary::sentence;

/// The alternative text that a text of the page, in Markdown, suggests for the pictures below it. A text without words suggests none.
pub fn suggested(text: &str) -> Option<String> {
    let paragraph = text.split("\n\n").filter(|part| !part.trim().is_empty()).last()?;
    let words = plain_text(paragraph.trim());
    Some(sentence(words.trim())).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_of_the_last_paragraph_is_suggested() {
        assert_eq!(
            suggested("# A\n\nOne.\n\nThe *hull*\nof `n` points. It is.").unwrap(),
            "The hull of n points."
        );
        assert_eq!(suggested("# Shades of grey\n").unwrap(), "Shades of grey");
        assert_eq!(suggested("\n"), None);
    }
}
