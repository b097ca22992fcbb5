//! Tests one program against its test blocks, and reports each verdict as an event.
//!
//! The order is: the program is accepted or refused as the block requires; warnings are the expected ones; `structure` counts hold; then each input is one case (`case`), and each
//! property one search for counterexamples (`property`). A program that is refused where it should be accepted has no further tests.

use super::blocks::{Case, Pattern, Spec, Structure, parse_blocks};
use super::case::run_case;
use super::event::{Event, Verdict};
use super::property::{check_property, find_attribute};
use super::structure::{StructureVerdict, check_structure};
use super::subject::Subject;
use super::{Backend, TestOptions, Twice};
use crate::engine::{Engine, Options, Shown};
use crate::load_source;
use crate::tune::TuneFile;
use norn_base::SourceMap;
use norn_ir::nest::Prog;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the test that is the program itself.
const PROGRAM: &str = "the program";

/// Tests the program whose main file is at `path`, and reports what happens. Deeply nested programs need
/// much stack: see [`with_large_stack`](crate::with_large_stack).
pub fn run_program(path: &Path, options: &TestOptions, report: &mut dyn FnMut(Event)) {
    run_subject(&Subject::new(path), options, report);
}

/// The same for a program that may have been compiled before.
pub fn run_subject(subject: &Subject, options: &TestOptions, report: &mut dyn FnMut(Event)) {
    let mut runner = Runner { subject, options, report, text: String::new(), tune: None };
    runner.run();
    (runner.report)(Event::Ended);
}

struct Runner<'a> {
    subject: &'a Subject,
    options: &'a TestOptions,
    report: &'a mut dyn FnMut(Event),
    /// Of the main file.
    text: String,
    /// The tunables that its blocks name.
    tune: Option<Arc<TuneFile>>,
}

impl Runner<'_> {
    fn run(&mut self) {
        let mut sources = SourceMap::default();
        match load_source(&mut sources, self.subject.path()) {
            Ok((file, _)) => self.text = sources.file(file).text.to_string(),
            Err(e) => return self.program(Verdict::Failed(format!("error: {e}\n"))),
        }
        let spec = match parse_blocks(&self.text) {
            Ok(spec) => spec,
            Err(e) => {
                let rendered = e.render(&self.subject.path().to_string_lossy(), &self.text);
                return self.program(Verdict::Failed(format!("A test block is faulty.\n{rendered}")));
            }
        };
        if let Some(tag) = self.options.excluding_tag(&spec.tags) {
            return self.program(Verdict::Skipped(format!("tag `{tag}`")));
        }
        if let Some(name) = &spec.tune {
            match TuneFile::read(&self.subject.path().with_file_name(name)) {
                Ok(file) => self.tune = Some(Arc::new(file)),
                Err(error) => return self.program(Verdict::Failed(error.render())),
            }
        }
        match &spec.rejection {
            Some(pattern) => self.check_rejection(pattern),
            None if self.options.check_only => self.check_acceptance(&spec),
            None => self.run_tests(&spec),
        }
    }

    /// The verdict about the program itself.
    fn program(&mut self, verdict: Verdict) {
        self.test(PROGRAM.into(), |_| verdict);
    }

    fn test(&mut self, what: String, run: impl FnOnce(&mut Self) -> Verdict) {
        (self.report)(Event::Started(what));
        let verdict = run(self);
        (self.report)(Event::Finished(verdict));
    }

    fn check_rejection(&mut self, pattern: &Pattern) {
        self.test("the program, which should be rejected".into(), |runner| {
            let outcome = match runner.subject.outcome() {
                Ok(outcome) => outcome,
                Err(why) => return Verdict::Failed(why.into()),
            };
            if !outcome.diagnostics.has_errors() {
                return Verdict::Failed("It is accepted.\n".into());
            }
            match judge_message(
                "The program is rejected, but not with the expected message.",
                pattern,
                &runner.subject.rendered(),
                runner.options,
            ) {
                Ok(()) => Verdict::Passed,
                Err(why) => Verdict::Failed(why),
            }
        });
    }

    fn check_acceptance(&mut self, spec: &Spec) {
        self.test(PROGRAM.into(), |runner| match runner.subject.outcome() {
            Err(why) => Verdict::Failed(why.into()),
            Ok(outcome) if outcome.diagnostics.has_errors() => Verdict::Failed(runner.subject.rendered()),
            Ok(_) => runner.compare_warnings(spec),
        });
    }

    fn run_tests(&mut self, spec: &Spec) {
        let tune = self.options.tune.clone().or_else(|| self.tune.clone());
        let engine = match load(self.subject, self.options, self.options.backend, tune) {
            Ok(engine) => engine,
            Err(rendered) => return self.program(Verdict::Failed(rendered)),
        };
        let shown = Arc::new(Mutex::new(Vec::new()));
        if self.options.observe {
            let shown = shown.clone();
            engine.observe(move |Shown { tag, value, .. }| {
                shown.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{tag}: {value}"));
            });
        } else if self.subject.prog().is_ok_and(Prog::observes) {
            (self.report)(Event::Noted("traces are not shown by `norn test`, but by `norn run`".into()));
        }
        if !spec.warnings.is_empty() || spec.runs_nothing() {
            self.test(PROGRAM.into(), |runner| runner.compare_warnings(spec));
        }
        if self.options.structure && self.options.entry.is_none() {
            self.check_structures(&spec.structures);
        }
        self.run_cases(spec, &engine);
        if self.options.entry.is_none() {
            self.check_properties(spec, &engine);
        }
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.drain(..).for_each(|value| (self.report)(Event::Shown(value)));
    }

    fn compare_warnings(&self, spec: &Spec) -> Verdict {
        let rendered = self.subject.rendered();
        let missing = spec.warnings.iter().find(|pattern| !pattern.matches(&rendered));
        match missing {
            Some(pattern) if self.options.match_messages => {
                Verdict::Failed(mismatch("A warning is missing.", pattern, &rendered))
            }
            Some(_) | None => Verdict::Passed,
        }
    }

    fn check_structures(&mut self, structures: &[Structure]) {
        // An engine may have the program at any stage.
        let Ok(stages) = self.subject.stages() else { return };
        for structure in structures {
            let stage = structure.stage.as_ref().map_or("nest", |stage| &stage.text);
            self.test(format!("structure of {stage}"), |runner| match check_structure(stages, structure) {
                Ok(StructureVerdict::AsExpected) => Verdict::Passed,
                Ok(StructureVerdict::Foreign) => Verdict::Skipped("a stage of another compiler".into()),
                Ok(StructureVerdict::Different(lines)) => Verdict::Failed(lines),
                Err(e) => Verdict::Failed(e.render(&runner.subject.path().to_string_lossy(), &runner.text)),
            });
        }
    }

    fn run_cases(&mut self, spec: &Spec, engine: &Engine) {
        let mut reference = None;
        for group in &spec.groups {
            for entry in &group.entries {
                if self.options.entry.as_ref().is_some_and(|only| *only != entry.text) {
                    continue;
                }
                let used = |case: &&Case| self.options.excluding_tag(&case.tags).is_none();
                let count = group.cases.iter().filter(used).count();
                let middle = group.cases.iter().filter(used).nth(count / 2).map(|case| case.at.start);
                for case in &group.cases {
                    self.test(format!("{}, input {}", entry.text, case.name), |runner| {
                        if let Some(tag) = runner.options.excluding_tag(&case.tags) {
                            return Verdict::Skipped(format!("tag `{tag}`"));
                        }
                        let Runner { subject, options, text, report, tune: _ } = runner;
                        let mut load_reference = || {
                            // What the reference computes needs no comparison with itself.
                            if options.backend == Backend::Interp {
                                return Ok(None);
                            }
                            load(subject, options, Backend::Interp, None).map(Some)
                        };
                        let context = super::case::Context {
                            subject,
                            text,
                            options,
                            twice: match options.twice {
                                Twice::None => false,
                                Twice::One => middle == Some(case.at.start),
                                Twice::All => true,
                            },
                            load_reference: &mut load_reference,
                            reference: &mut reference,
                        };
                        run_case(context, engine, &entry.text, case, report)
                    });
                }
            }
        }
    }

    fn check_properties(&mut self, spec: &Spec, engine: &Engine) {
        for property in &spec.properties {
            self.test(format!("property {}", property.text), |runner| {
                match check_property(engine, &property.text, runner.options.property) {
                    Ok(()) => Verdict::Passed,
                    Err(why) => Verdict::Failed(why),
                }
            });
        }
        // A property that no block names would never be tested, which nobody wants.
        let is_property = |attrs: &[String]| !matches!(find_attribute(attrs), Ok(None));
        let forgotten: Vec<String> = engine
            .entries()
            .iter()
            .filter(|entry| is_property(&entry.attrs) && spec.properties.iter().all(|p| p.text != entry.name))
            .map(|entry| entry.name.clone())
            .collect();
        for name in forgotten {
            let why = format!("No block tests it; add the line `-- property: {name}`.\n");
            self.test(format!("property {name}"), |_| Verdict::Failed(why));
        }
    }
}

/// Compiles the program. The error is what the user should see.
fn load(
    subject: &Subject,
    options: &TestOptions,
    backend: Backend,
    tune: Option<Arc<TuneFile>>,
) -> Result<Engine, String> {
    let TestOptions { improve, quick, observe, strict_device, ref context, .. } = *options;
    let context = context.clone();
    subject.engine(Options {
        improve,
        context,
        quick,
        observe,
        strict_device,
        tune,
        ..Options::from(backend)
    })
}

/// Whether a message is the one that was to be expected where a test asks for an error.
pub(super) fn judge_message(
    what: &str,
    pattern: &Pattern,
    rendered: &str,
    options: &TestOptions,
) -> Result<(), String> {
    if !options.match_messages || pattern.matches(rendered) {
        return Ok(());
    }
    Err(mismatch(what, pattern, rendered))
}

/// What should match a pattern and does not.
fn mismatch(what: &str, pattern: &Pattern, rendered: &str) -> String {
    let said = if rendered.is_empty() { "There is no message.\n" } else { rendered };
    format!("{what}\npattern: {}\n{said}help: `--no-regex` accepts every message.\n", pattern.text)
}
