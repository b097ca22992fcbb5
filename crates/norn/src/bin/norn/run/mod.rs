//! `norn run`: run an entry point on values from outside.

mod input;
mod output;

use crate::args::{ColorChoice, MessageFormat, RunArgs};
use crate::console::{Console, Exit};
use crate::load::load;
use norn::engine::{Engine, Item, ItemType};
use norn_ir::nest::{Entry, EntryParam};
use norn_values::Expected;
use std::io::Result;

pub fn run(args: &RunArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let mut engine = match load(&console, &args.file, &args.backend)? {
        Ok(engine) => engine,
        Err(exit) => return Ok(exit),
    };
    let arguments = match arguments(&engine, args) {
        Ok(arguments) => arguments,
        Err(message) => {
            console.error(message)?;
            return Ok(Exit::Usage);
        }
    };
    let result = match engine.call(&args.entry, arguments) {
        Ok(result) => result,
        Err(e) => {
            console.print_error(&e.rendered)?;
            return Ok(Exit::Failed);
        }
    };
    let results = engine.untuple(result);
    let written = match &args.output {
        None => {
            console.print(output::encode(&engine, &results, args.binary))?;
            Ok(())
        }
        Some(path) => output::write_file(&engine, &results, args.binary, path),
    };
    match written {
        Ok(()) => Ok(Exit::Ok),
        Err(message) => {
            console.error(message)?;
            Ok(Exit::Usage)
        }
    }
}

fn arguments(engine: &Engine, args: &RunArgs) -> std::result::Result<Vec<Item>, String> {
    let name = &args.entry;
    let Some(entry) = engine.entry(name) else {
        let names: Vec<String> = engine.entries().iter().map(|entry| format!("`{}`", entry.name)).collect();
        return Err(if names.is_empty() {
            format!("there is no entry point `{name}`, and no other either")
        } else {
            format!("there is no entry point `{name}`; the entry points are {}", names.join(", "))
        });
    };
    let params = plain_params(engine, entry)?;
    let values = input::read_arguments(&args.input, &params)?;
    Ok(values.into_iter().map(Item::Value).collect())
}

/// The names and types of the entry point's parameters, all of which can be written down.
fn plain_params<'a>(
    engine: &Engine,
    entry: &'a Entry,
) -> std::result::Result<Vec<(&'a str, Expected)>, String> {
    let plain = |param: &'a EntryParam| match engine.item_type(param.ty) {
        ItemType::Plain(ty) => Ok((param.name.as_str(), ty)),
        ItemType::Opaque(_) => Err(format!(
            "the parameter `{}` of the entry point `{}` has the opaque type {}, whose values only \
             programs can make; `norn server` can pass them on",
            param.name,
            entry.name,
            engine.iface(param.ty).name
        )),
    };
    entry.params.iter().map(plain).collect()
}
