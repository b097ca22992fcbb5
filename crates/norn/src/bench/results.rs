//! What was measured, and as a file.
//!
//! The file has the format of Futhark's own tool, so that what reads the one reads the other:
//!
//! ```json
//! { "dot.fut:main": { "backend": "cpu", "datasets": {
//!     "input 10000000i64": { "runtimes": [8012.5, 7990.1], "bytes": { "peak": 83886080 }, "verified": true },
//!     "input 0i64": "error: Index 0 is out of bounds"
//! } } }
//! ```
//!
//! Times are in microseconds. `backend` and `verified`, and a median, a mean and an interval beside the
//! times, are ours; reading a file needs the times only.

use super::stats::{Summary, summarise};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Results by program and entry point, as `dot.fut:main`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    pub programs: BTreeMap<String, Program>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// What ran it; empty if the file does not say.
    pub backend: String,
    /// By name; in the order of the block, unless they were read from a file.
    pub data_sets: Vec<(String, DataSet)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum DataSet {
    Measured(Measured),
    /// What is wrong: one or more lines.
    Failed(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// In microseconds.
    pub runtimes: Vec<f64>,
    /// The most memory that was in use, where that is known.
    pub peak_bytes: Option<u64>,
    /// Whether the result was compared with an expected one, and was the same.
    pub verified: bool,
}

impl Measured {
    pub fn summary(&self) -> Option<Summary> {
        summarise(&self.runtimes)
    }

    pub(super) fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("runtimes".into(), json!(self.runtimes));
        if let Some(bytes) = self.peak_bytes {
            object.insert("bytes".into(), json!({ "peak": bytes }));
        }
        object.insert("verified".into(), json!(self.verified));
        if let Some(summary) = self.summary() {
            object.insert("median".into(), json!(summary.median));
            object.insert("mean".into(), json!(summary.mean));
            object.insert("confidence".into(), json!([summary.confidence.0, summary.confidence.1]));
        }
        Value::Object(object)
    }

    pub(super) fn from_json(value: &Value) -> Option<Measured> {
        let runtimes = value.get("runtimes")?.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
        let peak_bytes = value.get("bytes").and_then(|bytes| bytes.get("peak")).and_then(Value::as_u64);
        let verified = value.get("verified").and_then(Value::as_bool).unwrap_or(false);
        Some(Measured { runtimes, peak_bytes, verified })
    }
}

impl Results {
    pub fn add(&mut self, program: &str, entry: &str, backend: &str, name: String, data_set: DataSet) {
        let program = self.programs.entry(format!("{program}:{entry}")).or_default();
        program.backend = backend.into();
        program.data_sets.push((name, data_set));
    }

    pub fn to_json(&self) -> String {
        let programs: Map<String, Value> = self
            .programs
            .iter()
            .map(|(name, program)| {
                let data_set = |(name, data_set): &(String, DataSet)| match data_set {
                    DataSet::Measured(measured) => (name.clone(), measured.to_json()),
                    DataSet::Failed(why) => (name.clone(), json!(why)),
                };
                let data_sets: Map<String, Value> = program.data_sets.iter().map(data_set).collect();
                (name.clone(), json!({ "backend": program.backend, "datasets": data_sets }))
            })
            .collect();
        format!("{:#}\n", Value::Object(programs))
    }

    /// The error describes what is wrong with the text.
    pub fn from_json(text: &str) -> Result<Results, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let Value::Object(programs) = value else { return Err("it is no object".into()) };
        let programs = programs
            .into_iter()
            .map(|(name, program)| {
                let read = Program::from_json(&program).ok_or(format!("`{name}` has no data sets"))?;
                Ok((name, read))
            })
            .collect::<Result<_, String>>()?;
        Ok(Results { programs })
    }
}

impl Program {
    fn from_json(value: &Value) -> Option<Program> {
        let backend = value.get("backend").and_then(Value::as_str).unwrap_or_default().into();
        let data_set = |(name, value): (&String, &Value)| {
            let data_set = match value.as_str() {
                Some(why) => DataSet::Failed(why.into()),
                None => DataSet::Measured(Measured::from_json(value)?),
            };
            Some((name.clone(), data_set))
        };
        let data_sets = value.get("datasets")?.as_object()?.iter().map(data_set).collect::<Option<_>>()?;
        Some(Program { backend, data_sets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_back() {
        let mut results = Results::default();
        let measured = Measured { runtimes: vec![3.0, 1.5], peak_bytes: Some(10), verified: true };
        results.add("a.fut", "main", "cpu", "\"quoted\"".into(), DataSet::Measured(measured));
        results.add("a.fut", "main", "cpu", "zero".into(), DataSet::Failed("no\nway".into()));
        results.add("a.fut", "other", "cpu", "zero".into(), DataSet::Failed("no".into()));
        assert_eq!(Results::from_json(&results.to_json()), Ok(results));
    }

    #[test]
    fn files_of_the_other_tool_can_be_read() {
        let text = r##"{"b.fut:main": {"datasets": {
            "#0": {"bytes": {"device": 1}, "runtimes": [5, 7], "stderr": ""}}}}"##;
        let results = Results::from_json(text).unwrap();
        let DataSet::Measured(measured) = &results.programs["b.fut:main"].data_sets[0].1 else { panic!() };
        assert_eq!((measured.runtimes.clone(), measured.verified), (vec![5.0, 7.0], false));
    }

    #[test]
    fn a_file_without_results_is_reported() {
        assert!(Results::from_json("{").is_err());
        assert_eq!(Results::from_json("[]"), Err("it is no object".into()));
        assert_eq!(Results::from_json("{\"x\": 1}"), Err("`x` has no data sets".into()));
    }
}
