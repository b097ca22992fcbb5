//! The input of a case: values in the block or in files, made up, or computed by a script.

use super::blocks::{BlockError, Case, Input, Literals};
use super::data::{read_data, read_file};
use super::random::random_inputs;
use super::script::{Evaluator, parse_script};
use crate::engine::{Engine, Item, ItemType};
use norn_values::Reader;
use std::path::Path;

/// The file in which a case stands.
#[derive(Clone, Copy)]
pub(crate) struct CaseSource<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl CaseSource<'_> {
    /// Data files are relative to this.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The arguments of a call. The error is what the user should see.
    pub fn case_input(&self, engine: &Engine, entry: &str, case: &Case) -> Result<Vec<Item>, String> {
        let Some(found) = engine.entry(entry) else {
            let names: Vec<&str> = engine.entries().iter().map(|entry| entry.name.as_str()).collect();
            let there_are = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(format!("There is no entry point `{entry}`; there are {there_are}.\n"));
        };
        let types: Vec<ItemType> = found.params.iter().map(|param| engine.item_type(param.ty)).collect();
        let literals = match &case.input {
            Input::Values(values) => values.clone(),
            Input::File(name) => read_data(self.folder(), name, engine.memory_limit())?,
            Input::Random(inputs) => {
                Literals::plain(random_inputs(inputs).ok_or_else(|| "The input is too large.\n".to_string())?)
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
        let is_plain = types.iter().all(|ty| matches!(ty, ItemType::Plain(_)));
        let values = match literals {
            Literals { plain: Some(values), bytes } if is_plain || bytes.is_empty() => values,
            literals => return read_items(engine, &literals, &types),
        };
        let expected: Vec<String> = types.iter().map(|ty| engine.type_name(*ty)).collect();
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

/// Values of these types, neither fewer nor more. The error is what the user should see.
pub(crate) fn read_items(
    engine: &Engine,
    literals: &Literals,
    types: &[ItemType],
) -> Result<Vec<Item>, String> {
    let mut reader = Reader::new(&literals.bytes);
    let mut items = Vec::new();
    for ty in types {
        let name = engine.type_name(*ty);
        let read = engine.read_item(*ty, &mut reader);
        let item = read.map_err(|e| format!("The values cannot be read by their types.\n{e}\n"))?;
        items.push(item.ok_or_else(|| format!("A value of type {name} is missing.\n"))?);
    }
    match reader.require_end() {
        Ok(()) => Ok(items),
        Err(e) => Err(format!("There are more values than types.\n{e}\n")),
    }
}
