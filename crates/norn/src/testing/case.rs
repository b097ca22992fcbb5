//! Runs one call of an entry point, from its input to a verdict: whether its outcome (values or an error) is the expected one.
//!
//! - Without expected values, the result is compared with that of the reference: the program as it was lowered, interpreted.
//! - With `structure run`, launches and waits are counted on a GPU that is assumed to be small (`TESTED_GROUPS`), so that small inputs choose the versions of large ones.
//! - A call may run twice (`check_again`): it must yield the same bits, with the constants of the program already computed.

use super::TestOptions;
use super::blocks::{Case, Expect, Literals};
use super::data::read_data;
use super::difference::{Difference, SHOWN_ELEMENTS, describe};
use super::event::{Event, Verdict};
use super::input::{CaseSource, read_items};
use super::run::judge_message;
use super::subject::Subject;
use super::traffic::{TrafficVerdict, check_traffic};
use crate::engine::{
    Argument, Backend, CallOptions, Engine, Item, ItemType, compare_items, show, write_text,
};
use norn_runtime::gpu::Traffic;
use norn_values::Value;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Tests are small, so what they ask of a GPU is counted as if it were small, too: a nest that has threads for a large one only with large
/// data would be another version. And it is the same for all GPUs then.
const TESTED_GROUPS: i64 = 2;
/// A GPU that holds so many has other ways to do the same. They are tried where a call takes no longer than this.
const OTHER_GROUPS: i64 = 97;
const QUICK: Duration = Duration::from_millis(100);

/// What surrounds a case.
pub(super) struct Context<'a> {
    pub subject: &'a Subject,
    /// Of the main file.
    pub text: &'a str,
    pub options: &'a TestOptions,
    /// Whether the call is made twice.
    pub twice: bool,
    /// Compiles the program for the reference backend, if that is another.
    pub load_reference: &'a mut dyn FnMut() -> Result<Option<Engine>, String>,
    /// What came of it, once it was needed.
    pub reference: &'a mut Option<Option<Engine>>,
}

pub(super) fn run_case(
    mut context: Context,
    engine: &Engine,
    entry: &str,
    case: &Case,
    report: &mut dyn FnMut(Event),
) -> Verdict {
    match context.outcome(engine, entry, case, report) {
        Ok(()) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    }
}

impl Context<'_> {
    /// The error is what the user should see.
    fn outcome(
        &mut self,
        engine: &Engine,
        entry: &str,
        case: &Case,
        report: &mut dyn FnMut(Event),
    ) -> Result<(), String> {
        let items = self.place().case_input(engine, entry, case)?;
        let tolerance = self.options.tolerance;
        let called = engine.call(entry, &items);
        if let Ok(item) = &called {
            self.check_again(engine, entry, case, &items, item, report)?;
        }
        match (&case.expect, called) {
            (Expect::Failure(pattern), Err(error)) => judge_message(
                "It fails as it should, but not with the expected message.",
                pattern,
                &error.rendered,
                self.options,
            ),
            (_, Err(error)) => Err(error.rendered),
            (Expect::Failure(_), Ok(item)) => {
                let found = show(engine, &item, SHOWN_ELEMENTS);
                Err(format!("It should fail, but has a result.\nfound {found}\n"))
            }
            (Expect::Success, Ok(_)) => Ok(()),
            (Expect::Values(expected), Ok(item)) => compare_result(engine, expected, item, tolerance),
            (Expect::File(name), Ok(item)) => {
                let expected = read_data(self.place().folder(), name, engine.memory_limit())?;
                compare_result(engine, &expected, item, tolerance)
            }
            (Expect::Auto, Ok(item)) if self.is_reference() => {
                let values = Rc::new(literals(engine, item));
                self.subject.keep_reference(entry, case.at.start, &values);
                Ok(())
            }
            (Expect::Auto, Ok(item)) => match self.reference_values(entry, case)? {
                Some(expected) => compare_result(engine, &expected, item, tolerance),
                None => Ok(()),
            },
        }
    }

    /// What holds of other calls, which find the constants of the program computed: they yield the same bits, and ask of a GPU what they
    /// should.
    fn check_again(
        &self,
        engine: &Engine,
        entry: &str,
        case: &Case,
        items: &[Item],
        first: &Item,
        report: &mut dyn FnMut(Event),
    ) -> Result<(), String> {
        if self.twice {
            let began = Instant::now();
            let second = engine.call(entry, items).map_err(|error| error.rendered)?;
            let is_quick = began.elapsed() < QUICK;
            if bits(engine, first) != bits(engine, &second) {
                return Err("A second call yields other bits.\n".into());
            }
            if is_quick && self.options.backend.api().is_some() {
                let other = with_groups(engine, OTHER_GROUPS, |engine| engine.call(entry, items));
                let expected = literals(engine, first.clone());
                compare_result(
                    engine,
                    &expected,
                    other.map_err(|error| error.rendered)?,
                    self.options.tolerance,
                )
                .map_err(|why| {
                    format!("A GPU that holds {OTHER_GROUPS} groups yields something else.\n{why}")
                })?;
            }
        }
        let is_alone = self.options.context.options().others.is_empty();
        let is_counted = self.options.backend.api().is_some() && self.options.tune.is_none() && is_alone;
        let Some(run) = case.run.as_ref().filter(|_| is_counted) else { return Ok(()) };
        let traffic = traffic(engine, entry, items)?;
        match check_traffic(&traffic, run, report) {
            Ok(TrafficVerdict::AsExpected) => Ok(()),
            Ok(TrafficVerdict::Different(lines)) => {
                Err(format!("The run asks something else of the GPU.\n{lines}"))
            }
            Err(error) => Err(error.render(&self.subject.path().to_string_lossy(), self.text)),
        }
    }

    fn place(&self) -> CaseSource<'_> {
        CaseSource { path: self.subject.path(), text: self.text }
    }

    /// Whether what is tested is the reference itself: the program as it was lowered, interpreted.
    fn is_reference(&self) -> bool {
        self.options.backend == Backend::Interp && !self.options.improve
    }

    /// What the reference yields, if that was computed before or another backend is tested.
    fn reference_values(&mut self, entry: &str, case: &Case) -> Result<Option<Rc<Literals>>, String> {
        if let Some(values) = self.subject.reference(entry, case.at.start) {
            return Ok(Some(values));
        }
        let mut reference = match self.reference.take() {
            Some(reference) => reference,
            None => (self.load_reference)()?,
        };
        let values = match &mut reference {
            None => Ok(None),
            Some(engine) => {
                let computed = self.place().case_input(engine, entry, case).and_then(|items| {
                    let failed = |rendered: &str| format!("The reference fails.\n{rendered}");
                    let item = engine.call(entry, &items).map_err(|error| failed(&error.rendered))?;
                    Ok(Rc::new(literals(engine, item)))
                });
                computed.map(Some)
            }
        };
        *self.reference = Some(reference);
        if let Ok(Some(values)) = &values {
            self.subject.keep_reference(entry, case.at.start, values);
        }
        values
    }
}

/// What a call asks of a GPU that is taken to hold `TESTED_GROUPS` groups.
fn traffic(engine: &Engine, entry: &str, items: &[Item]) -> Result<Traffic, String> {
    let args: Vec<Argument> = items.iter().map(Argument::Item).collect();
    let how = CallOptions::default();
    let called = with_groups(engine, TESTED_GROUPS, |engine| engine.invoke_item(entry, &args, &how));
    let called = called.map_err(|error| engine.run_error(error).rendered)?;
    Ok(called.traffic.unwrap_or_default())
}

/// What is done while the GPU is taken to hold so many groups.
fn with_groups<T>(engine: &Engine, groups: i64, make: impl FnOnce(&Engine) -> T) -> T {
    let set_groups = |groups| {
        if let Some(exec) = engine.exec() {
            exec.set_gpu_groups(groups);
        }
    };
    set_groups(Some(groups));
    let made = make(engine);
    set_groups(None);
    made
}

/// Compares a result with the expected values. The error is what the user should see.
pub(crate) fn compare_result(
    engine: &Engine,
    expected: &Literals,
    item: Item,
    tolerance: f64,
) -> Result<(), String> {
    let found = engine.untuple(item);
    let plain: Option<Vec<Value>> = found.iter().map(plain_value).collect();
    if let (Some(found), Some(expected)) = (plain, &expected.plain) {
        let difference = norn_values::compare_all(expected, &found, tolerance);
        return difference.map_err(|mismatch| describe(&Difference { mismatch, expected, found: &found }));
    }
    if let Some(item) = found.iter().find(|item| !engine.has_text(item.ty())) {
        return Err(format!(
            "The result is of type {}, which has no form in a test.\nfound {}\n",
            engine.type_name(item.ty()),
            show(engine, item, SHOWN_ELEMENTS)
        ));
    }
    let types: Vec<ItemType> = found.iter().map(Item::ty).collect();
    let expected = read_items(engine, expected, &types)
        .map_err(|why| format!("The expected output is not of the type of the result.\n{why}"))?;
    for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
        compare_items(engine, expected, found, tolerance).map_err(|difference| {
            let which = if types.len() == 1 { String::new() } else { format!("result {i}: ") };
            let [expected, found] = [expected, found].map(|item| show(engine, item, SHOWN_ELEMENTS));
            format!("{which}{difference}\nexpected {expected}\n   found {found}\n")
        })?;
    }
    Ok(())
}

fn plain_value(item: &Item) -> Option<Value> {
    match item {
        Item::Value(value) => Some(value.clone()),
        Item::Opaque(_) => None,
    }
}

/// What a result is made of, but for the parts that have no bytes of their own.
fn bits(engine: &Engine, item: &Item) -> Vec<u8> {
    literals(engine, item.clone()).bytes
}

/// A result as a test would write it: the parts of a tuple one by one.
fn literals(engine: &Engine, item: Item) -> Literals {
    let items = engine.untuple(item);
    let mut bytes = Vec::new();
    for item in &items {
        if engine.store(item, &mut bytes).is_err() {
            let written = write_text(engine, item, &mut bytes);
            written.unwrap_or_else(|e| panic!("bytes can be written to: {e}"));
            // What begins a value in binary would be part of a word.
            bytes.push(b'\n');
        }
    }
    let plain = items.iter().map(plain_value).collect();
    Literals { bytes, plain }
}
