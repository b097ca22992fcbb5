//! The measurement of a program in a process of its own.

use super::event::Event;
use super::results::DataSet;
use crate::child::{ChildCommand, ChildEnd, run_child};
use std::path::Path;
use std::time::Duration;

/// Measures a program in a process that `child` starts, and reports what happens. Whatever becomes of the
/// process, what began also ends.
pub fn run_isolated(
    child: &ChildCommand,
    path: &Path,
    timeout: Option<Duration>,
    report: &mut dyn FnMut(Event),
) {
    let (mut is_open, mut has_ended) = (false, false);
    let end = run_child(child, path, timeout, &mut |line| {
        let Some(event) = Event::from_line(line) else { return };
        match &event {
            Event::Started { .. } => is_open = true,
            Event::Finished(_) => is_open = false,
            Event::Ended => has_ended = true,
            Event::Progress(_) | Event::Noted(_) | Event::Profiled(_) | Event::Unfit(_) => {}
        }
        if event != Event::Ended {
            report(event);
        }
    });
    let why = match end {
        ChildEnd::Exited { .. } if has_ended => None,
        ChildEnd::Exited { status, said } => Some(format!("It crashed ({status}).\n{said}")),
        ChildEnd::NotStarted(why) => Some(format!("It cannot be started: {why}.\n")),
        ChildEnd::TimedOut { said } => {
            let seconds = timeout.unwrap_or_default().as_secs_f64();
            Some(format!("It did not end within {seconds} s.\n{said}"))
        }
    };
    if let Some(why) = why {
        report(if is_open { Event::Finished(DataSet::Failed(why)) } else { Event::Unfit(why) });
    }
    report(Event::Ended);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsString;

    /// What is reported of a process that runs this script.
    fn events(script: &str) -> Vec<Event> {
        let args = ["-c", script, "sh"].map(OsString::from).to_vec();
        let child = ChildCommand { command: "/bin/sh".into(), args };
        let mut events = Vec::new();
        run_isolated(&child, Path::new("a.fut"), Some(Duration::from_millis(500)), &mut |event| {
            events.push(event)
        });
        assert_eq!(events.pop(), Some(Event::Ended));
        events
    }

    const START: &str = r#"echo '{"started": ["main", "one"]}';"#;

    #[test]
    fn all_events_are_passed_on() {
        let reported =
            events(&format!(r#"{START} echo noise; echo '{{"failed": "x"}}'; echo '{{"ended": true}}'"#));
        let started = Event::Started { entry: "main".into(), data_set: "one".into() };
        assert_eq!(reported, [started, Event::Finished(DataSet::Failed("x".into()))]);
    }

    #[test]
    fn a_crash_is_reported_where_it_happened() {
        let reported = events(&format!("{START} echo dying >&2; kill -9 $$"));
        let Some(Event::Finished(DataSet::Failed(why))) = reported.last() else { panic!("{reported:?}") };
        assert!(why.contains("signal: 9") && why.contains("dying"), "{why}");
        assert!(matches!(&events("exit 101")[..], [Event::Unfit(_)]));
    }

    #[test]
    fn a_process_that_does_not_end_is_stopped() {
        let reported = events(&format!("{START} exec sleep 60"));
        let why = "It did not end within 0.5 s.\n".to_string();
        assert_eq!(reported.last(), Some(&Event::Finished(DataSet::Failed(why))));
    }
}
