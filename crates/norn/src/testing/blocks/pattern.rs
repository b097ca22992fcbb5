//! Regular expressions that messages should have a match of.
//!
//! As in Futhark the dot matches line breaks too, and `^` and `$` are the ends of the whole text, so
//! that `^$` says that there is no message at all.

use regex_lite::Regex;

/// What a message should contain.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As it was written. Empty: any message will do.
    pub text: String,
    regex: Option<Regex>,
}

impl Pattern {
    /// The pattern, or in a few words what is wrong with it.
    pub fn new(text: &str) -> Result<Pattern, String> {
        let regex = match text {
            "" => None,
            _ => Some(Regex::new(&format!("(?s){text}")).map_err(|e| e.to_string())?),
        };
        Ok(Pattern { text: text.into(), regex })
    }

    pub fn matches(&self, message: &str) -> bool {
        self.regex.as_ref().is_none_or(|regex| regex.is_match(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_anywhere() {
        let matches = |pattern: &str, message| Pattern::new(pattern).unwrap().matches(message);
        assert!(matches("out of.*array", "Index 3 is out of\nbounds for an array."));
        assert!(!matches("out of array", "Index 3 is out of bounds."));
        assert!(matches("", "anything"));
        assert!(matches("^$", ""));
        assert!(!matches("^$", "one\n\ntwo"));
        assert!(Pattern::new("(").is_err());
    }
}
