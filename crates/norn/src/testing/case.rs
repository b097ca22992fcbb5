//! One call of an entry point: its input, its outcome, and whether that is the expected one.

use super::TestOptions;
use super::blocks::{BlockError, Case, Expect, Input};
use super::data::{read_data, read_file};
use super::difference::{Difference, describe};
use super::event::Verdict;
use super::random::random_inputs;
use super::run::judge_message;
use super::script::{Evaluator, parse_script};
use crate::engine::{Engine, Item};
use norn_values::Value;
use std::path::Path;

/// What surrounds a case.
pub(super) struct Context<'a> {
    pub path: &'a Path,
    /// Of the main file.
    pub text: &'a str,
    pub options: &'a TestOptions,
    /// Compiles the program for the reference backend, if that is another.
    pub load_reference: &'a mut dyn FnMut() -> Result<Option<Engine>, String>,
    /// What came of it, once it was needed.
    pub reference: &'a mut Option<Option<Engine>>,
}

pub(super) fn run_case(mut context: Context, engine: &mut Engine, entry: &str, case: &Case) -> Verdict {
    match context.outcome(engine, entry, case) {
        Ok(()) => Verdict::Passed,
        Err(why) => Verdict::Failed(why),
    }
}

impl Context<'_> {
    /// The error is what the user should see.
    fn outcome(&mut self, engine: &mut Engine, entry: &str, case: &Case) -> Result<(), String> {
        let items = self.input(engine, entry, case)?;
        match (&case.expect, engine.call(entry, items)) {
            (Expect::Failure(pattern), Err(error)) => judge_message(
                "It fails as it should, but not with the expected message.",
                pattern,
                &error.rendered,
                self.options,
            ),
            (_, Err(error)) => Err(error.rendered),
            (Expect::Failure(_), Ok(item)) => {
                let found = crate::engine::show(engine, &item, super::difference::SHOWN_ELEMENTS);
                Err(format!("It should fail, but has a result.\nfound {found}\n"))
            }
            (Expect::Success, Ok(_)) => Ok(()),
            (Expect::Values(expected), Ok(item)) => self.compare(engine, expected, item),
            (Expect::File(name), Ok(item)) => {
                let expected = read_data(self.folder(), name)?;
                self.compare(engine, &expected, item)
            }
            (Expect::Auto, Ok(item)) => match self.reference_values(entry, case)? {
                Some(expected) => self.compare(engine, &expected, item),
                None => Ok(()),
            },
        }
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn input(&self, engine: &mut Engine, entry: &str, case: &Case) -> Result<Vec<Item>, String> {
        let Some(found) = engine.entry(entry) else {
            let names: Vec<&str> = engine.entries().iter().map(|entry| entry.name.as_str()).collect();
            let there_are = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(format!("There is no entry point `{entry}`; there are {there_are}.\n"));
        };
        let values = match &case.input {
            Input::Values(values) => values.clone(),
            Input::File(name) => read_data(self.folder(), name)?,
            Input::Random(inputs) => {
                random_inputs(inputs).ok_or_else(|| "The input is too large.\n".to_string())?
            }
            Input::Script(exp) => {
                let mut evaluator = Evaluator { engine, folder: self.folder() };
                let place = |e: BlockError| e.render(&self.path.to_string_lossy(), self.text);
                return evaluator.eval_arguments(exp, entry).map_err(place);
            }
            Input::ScriptFile(name) => {
                let bytes = read_file(self.folder(), name)?;
                let text = String::from_utf8_lossy(&bytes);
                let place = |e: BlockError| e.render(name, &text);
                let exp = parse_script(&text).map_err(place)?;
                let mut evaluator = Evaluator { engine, folder: self.folder() };
                return evaluator.eval_arguments(&exp, entry).map_err(place);
            }
        };
        let expected: Vec<String> =
            found.params.iter().map(|param| engine.type_name(engine.item_type(param.ty))).collect();
        let given: Vec<String> = values.iter().map(|value| value.unsized_type().to_string()).collect();
        if expected == given {
            return Ok(values.into_iter().map(Item::Value).collect());
        }
        let join = |types: &[String]| if types.is_empty() { "nothing".into() } else { types.join(", ") };
        let mut why =
            format!("The input does not fit.\nexpected: {}\n   found: {}\n", join(&expected), join(&given));
        if expected.iter().zip(&given).any(|(e, g)| e.ends_with("i64") && e.replace("i64", "i32") == *g) {
            why += "help: A number without suffix is an i32; write `5i64`.\n";
        }
        Err(why)
    }

    /// What the reference backend computes, if it is not the one that is tested.
    fn reference_values(&mut self, entry: &str, case: &Case) -> Result<Option<Vec<Value>>, String> {
        let mut reference = match self.reference.take() {
            Some(reference) => reference,
            None => (self.load_reference)()?,
        };
        let values = match &mut reference {
            None => Ok(None),
            Some(engine) => {
                let computed = self.input(engine, entry, case).and_then(|items| {
                    let failed = |rendered: &str| format!("The reference fails.\n{rendered}");
                    let item = engine.call(entry, items).map_err(|error| failed(&error.rendered))?;
                    plain_values(engine, item)
                });
                computed.map(Some)
            }
        };
        *self.reference = Some(reference);
        values
    }

    fn compare(&self, engine: &Engine, expected: &[Value], item: Item) -> Result<(), String> {
        let found = plain_values(engine, item)?;
        let difference = norn_values::compare_all(expected, &found, self.options.tolerance);
        difference.map_err(|mismatch| describe(&Difference { mismatch, expected, found: &found }))
    }
}

/// The results that can be compared: the parts of a tuple one by one.
fn plain_values(engine: &Engine, item: Item) -> Result<Vec<Value>, String> {
    let plain = |(i, item): (usize, Item)| match item {
        Item::Value(value) => Ok(value),
        Item::Opaque(_) => Err(format!(
            "Result {i} is of type {}, which has no form in a test.\nfound {}\n",
            engine.type_name(item.ty()),
            crate::engine::show(engine, &item, super::difference::SHOWN_ELEMENTS)
        )),
    };
    engine.untuple(item).into_iter().enumerate().map(plain).collect()
}
