//! What the user sees of measurements: a line for each data set, below a line for its program.

use norn::bench::show::{show_bytes, show_time};
use norn::bench::{DataSet, Event, Measured, Results};
use norn::engine::Backend;
use std::path::Path;

pub struct Report {
    backend: Backend,
    pub results: Results,
    pub has_failures: bool,
    /// The entry point and the data set that are being measured.
    open: Option<(String, String)>,
    /// The program and entry point whose line was printed last.
    heading: String,
}

impl Report {
    pub fn new(backend: Backend) -> Report {
        let (results, heading) = (Results::default(), String::new());
        Report { backend, results, has_failures: false, open: None, heading }
    }

    /// Whether nothing was measured, and nothing went wrong either.
    pub fn is_empty(&self) -> bool {
        self.results.programs.is_empty() && !self.has_failures
    }

    /// Takes note of what happened to a program, and returns what there is to say about it.
    pub fn add(&mut self, path: &Path, event: Event) -> String {
        let path = path.to_string_lossy();
        match event {
            Event::Started { entry, data_set } => {
                self.open = Some((entry, data_set));
                String::new()
            }
            Event::Finished(data_set) => {
                let Some((entry, name)) = self.open.take() else { return String::new() };
                let text = match &data_set {
                    DataSet::Measured(measured) => format!("  {name}: {}\n", describe(measured)),
                    DataSet::Failed(why) => format!("  {name}: FAILED\n{}", indented(why)),
                };
                self.has_failures |= matches!(data_set, DataSet::Failed(_));
                let heading = format!("{path}:{entry} ({})\n", self.backend.name());
                self.results.add(&path, &entry, self.backend.name(), name, data_set);
                self.below(heading, text)
            }
            Event::Unfit(why) => {
                self.has_failures = true;
                self.below(format!("{path}: FAILED\n"), indented(&why))
            }
            Event::Noted(note) => format!("{path}: note: {note}\n"),
            Event::Profiled(table) => indented(&table),
            Event::Progress(_) | Event::Ended => String::new(),
        }
    }

    /// Text below a heading, which is printed once.
    fn below(&mut self, heading: String, text: String) -> String {
        if self.heading == heading {
            return text;
        }
        let all = heading.clone() + &text;
        self.heading = heading;
        all
    }
}

/// `8.012 ms (95 % from 7.990 to 8.100 ms, mean 8.030 ms, 114 runs, peak 80.00 MiB)`
fn describe(measured: &Measured) -> String {
    let Some(summary) = measured.summary() else { return "no runs".into() };
    let (low, high) = summary.confidence;
    let runs = if summary.runs == 1 { "1 run".into() } else { format!("{} runs", summary.runs) };
    let mut details = vec![
        format!("95 % from {} to {}", show_time(low), show_time(high)),
        format!("mean {}", show_time(summary.mean)),
        runs,
    ];
    details.extend(measured.peak_bytes.map(|bytes| format!("peak {}", show_bytes(bytes))));
    if !measured.verified {
        details.push("result not compared".into());
    }
    format!("{} ({})", show_time(summary.median), details.join(", "))
}

fn indented(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".into() } else { format!("    {line}\n") };
    text.trim_end().lines().map(line).collect()
}
