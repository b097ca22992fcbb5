//! The input of a case: values in the block or in files, made up, or computed by a script.

use super::blocks::{BlockError, Case, Input};
use super::data::{read_data, read_file};
use super::random::random_inputs;
use super::script::{Evaluator, parse_script};
use crate::engine::{Engine, Item};
use std::path::Path;

/// The file in which a case stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Place<'_> {
    /// Data files are relative to this.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The arguments of a call. The error is what the user should see.
    pub fn case_input(&self, engine: &mut Engine, entry: &str, case: &Case) -> Result<Vec<Item>, String> {
        let Some(found) = engine.entry(entry) else {
            let names: Vec<&str> = engine.entries().iter().map(|entry| entry.name.as_str()).collect();
            let there_are = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(format!("There is no entry point `{entry}`; there are {there_are}.\n"));
        };
        let values = match &case.input {
            Input::Values(values) => values.clone(),
            Input::File(name) => read_data(self.folder(), name, engine.memory_limit())?,
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
}
