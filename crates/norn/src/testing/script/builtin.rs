//! The functions of scripts that are ours and not the program's: they read and write files.

use super::Val;
use super::fit::fit;
use crate::engine::{Engine, Item};
use crate::testing::data::{read_data, read_file};
use norn_values::{Reader, Value};
use std::path::Path;

const BUILTINS: &[&str] = &["$loadbytes", "$loaddata", "$restore", "$store"];

/// Calls the function `$name`. The error is a sentence.
pub(super) fn call_builtin(
    engine: &mut Engine,
    folder: &Path,
    name: &str,
    args: Vec<Val>,
) -> Result<Val, String> {
    match (name, &args[..]) {
        ("loaddata", [file]) => {
            let mut values = read_data(folder, &text(file)?)?;
            Ok(match values.len() {
                1 => Val::Const(values.remove(0)),
                _ => Val::Tuple(values.into_iter().map(Val::Const).collect()),
            })
        }
        ("loadbytes", [file]) => Ok(Val::Const(Value::vector(read_file(folder, &text(file)?)?))),
        ("restore", [ty, file]) => {
            let (ty, file) = (text(ty)?, text(file)?);
            let Some(ty) = engine.type_by_name(&ty) else {
                return Err(format!("The program has no type `{ty}` in its entry points."));
            };
            let bytes = read_file(folder, &file)?;
            let item = engine.restore(ty, &mut Reader::new(&bytes));
            item.map(Val::Item).map_err(|e| format!("The file `{file}` cannot be restored: {e}."))
        }
        ("store", [file, value]) => {
            let file = text(file)?;
            let mut bytes = Vec::new();
            engine.store(&stored_item(engine, value)?, &mut bytes)?;
            std::fs::write(folder.join(&file), bytes)
                .map_err(|e| format!("The file `{file}` cannot be written: {e}."))?;
            Ok(Val::Tuple(Vec::new()))
        }
        ("loaddata" | "loadbytes", _) => Err(format!("`${name}` takes the name of a file.")),
        ("restore", _) => Err("`$restore` takes a type and the name of a file, both as texts.".into()),
        ("store", _) => Err("`$store` takes the name of a file and a value.".into()),
        _ => Err(format!("There is no function `${name}`; there are {}.", BUILTINS.join(", "))),
    }
}

/// The text that an argument is.
fn text(value: &Val) -> Result<String, String> {
    let no_text = "The argument is no text.";
    let (Val::Const(value) | Val::Item(Item::Value(value))) = value else { return Err(no_text.into()) };
    let bytes = value.elements::<u8>().filter(|_| value.rank() == 1).ok_or(no_text)?;
    String::from_utf8(bytes.to_vec()).map_err(|_| "The argument is not UTF-8 text.".into())
}

/// What is stored has one type that the program knows.
fn stored_item(engine: &Engine, value: &Val) -> Result<Item, String> {
    match value {
        Val::Item(item) => Ok(item.clone()),
        Val::Const(value) => Ok(Item::Value(value.clone())),
        Val::Tuple(parts) => {
            let fits = |ty| {
                let types = engine.tuple(ty)?;
                (types.len() == parts.len()).then(|| fit(engine, value.clone(), ty).ok()).flatten()
            };
            let item = engine.types().into_iter().find_map(fits);
            item.ok_or_else(|| "The program has no type for this tuple.".into())
        }
        Val::Record(_) | Val::Array(_) | Val::Function(..) => {
            Err("Only results of entry points, constants and tuples of them can be stored.".into())
        }
    }
}
