//! What happens while a program is tested.
//!
//! Events go from the process that tests a program to the one that asked for it as lines of JSON.

use serde_json::{Value, json};
use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A test begins; the words say which.
    Started(String),
    /// The test that began last has ended.
    Finished(Verdict),
    /// Something that the user should know of all tests, in a line.
    Noted(String),
    /// A value that the program showed, with its tag, if that was asked for.
    Shown(String),
    /// A number in the test blocks that is not the right one, by its place in the file, and the right one.
    Miscounted { at: Range<usize>, right: usize },
    /// All is done.
    Ended,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// In a few words, why.
    Skipped(String),
    /// What is wrong: one or more lines.
    Failed(String),
}

impl Event {
    /// One line, without a line break.
    pub fn to_line(&self) -> String {
        match self {
            Event::Started(what) => json!({ "started": what }),
            Event::Finished(Verdict::Passed) => json!({ "passed": true }),
            Event::Finished(Verdict::Skipped(why)) => json!({ "skipped": why }),
            Event::Finished(Verdict::Failed(why)) => json!({ "failed": why }),
            Event::Noted(note) => json!({ "noted": note }),
            Event::Shown(value) => json!({ "shown": value }),
            Event::Miscounted { at, right } => json!({ "miscounted": [at.start, at.end, right] }),
            Event::Ended => json!({ "ended": true }),
        }
        .to_string()
    }

    pub fn from_line(line: &str) -> Option<Event> {
        let Value::Object(object) = serde_json::from_str(line).ok()? else { return None };
        let (key, value) = object.into_iter().next()?;
        let text = || value.as_str().map(String::from);
        match key.as_str() {
            "started" => Some(Event::Started(text()?)),
            "passed" => Some(Event::Finished(Verdict::Passed)),
            "skipped" => Some(Event::Finished(Verdict::Skipped(text()?))),
            "failed" => Some(Event::Finished(Verdict::Failed(text()?))),
            "noted" => Some(Event::Noted(text()?)),
            "shown" => Some(Event::Shown(text()?)),
            "miscounted" => {
                let number = |i: usize| value.get(i)?.as_u64()?.try_into().ok();
                Some(Event::Miscounted { at: number(0)?..number(1)?, right: number(2)? })
            }
            "ended" => Some(Event::Ended),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_back() {
        for event in [
            Event::Started("main, \"é\"\n".into()),
            Event::Finished(Verdict::Passed),
            Event::Finished(Verdict::Skipped("tag x".into())),
            Event::Finished(Verdict::Failed("a\nb".into())),
            Event::Noted("x".into()),
            Event::Shown("y: 1".into()),
            Event::Miscounted { at: 3..5, right: 7 },
            Event::Ended,
        ] {
            let line = event.to_line();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(Event::from_line(&line), Some(event));
        }
        for line in ["", "{}", "[]", "{\"x\": 1}", "{\"started\": 1}"] {
            assert_eq!(Event::from_line(line), None);
        }
    }
}
