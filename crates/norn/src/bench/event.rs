//! What happens while a program is measured.
//!
//! Events go from the process that runs a program to the one that asked for it as lines of JSON.

use super::results::{DataSet, Measured};
use serde_json::{Value, json};

#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The program cannot be measured; one or more lines say why.
    Unfit(String),
    /// Something that the user should know of all measurements, in a line.
    Noted(String),
    /// An entry point with an input begins.
    Started { entry: String, data_set: String },
    /// Which share of what began last is done, from 0 to 1.
    Progress(f64),
    /// What began last has ended.
    Finished(DataSet),
    /// Where the time of what ended last goes, as a table.
    Profiled(String),
    /// All is done.
    Ended,
}

impl Event {
    /// One line, without a line break.
    pub fn to_line(&self) -> String {
        match self {
            Event::Unfit(why) => json!({ "unfit": why }),
            Event::Noted(note) => json!({ "noted": note }),
            Event::Started { entry, data_set } => json!({ "started": [entry, data_set] }),
            Event::Progress(share) => json!({ "progress": share }),
            Event::Finished(DataSet::Measured(measured)) => json!({ "measured": measured.to_json() }),
            Event::Finished(DataSet::Failed(why)) => json!({ "failed": why }),
            Event::Profiled(table) => json!({ "profiled": table }),
            Event::Ended => json!({ "ended": true }),
        }
        .to_string()
    }

    pub fn from_line(line: &str) -> Option<Event> {
        let Value::Object(object) = serde_json::from_str(line).ok()? else { return None };
        let (key, value) = object.into_iter().next()?;
        let text = |value: &Value| value.as_str().map(String::from);
        match key.as_str() {
            "unfit" => Some(Event::Unfit(text(&value)?)),
            "noted" => Some(Event::Noted(text(&value)?)),
            "started" => {
                let [entry, data_set] = &value.as_array()?[..] else { return None };
                Some(Event::Started { entry: text(entry)?, data_set: text(data_set)? })
            }
            "progress" => Some(Event::Progress(value.as_f64()?)),
            "measured" => Some(Event::Finished(DataSet::Measured(Measured::from_json(&value)?))),
            "failed" => Some(Event::Finished(DataSet::Failed(text(&value)?))),
            "profiled" => Some(Event::Profiled(text(&value)?)),
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
        let measured = Measured { runtimes: vec![1.5, 2.25], peak_bytes: Some(7), verified: true };
        for event in [
            Event::Unfit("a\nb".into()),
            Event::Started { entry: "main".into(), data_set: "\"é\"\n".into() },
            Event::Progress(0.5),
            Event::Finished(DataSet::Measured(measured.clone())),
            Event::Finished(DataSet::Measured(Measured { peak_bytes: None, ..measured })),
            Event::Finished(DataSet::Failed("no".into())),
            Event::Profiled("a  b\nc".into()),
            Event::Ended,
        ] {
            let line = event.to_line();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(Event::from_line(&line), Some(event));
        }
        for line in ["", "{}", "[]", "{\"x\": 1}", "{\"started\": [1]}", "{\"measured\": {}}"] {
            assert_eq!(Event::from_line(line), None);
        }
    }
}
