//! The commands about programs and variables; those about parts of values are in `parts`.

use super::state::{Answer, Server};
use norn::Paint;
use norn::engine::{CallError, render_failure};
use norn_values::Reader;
use std::fs;
use std::io::{self, ErrorKind};
use std::time::Instant;

impl Server {
    /// Executes a command. What it prints is appended to `out`, whether it fails or not.
    pub fn command(&mut self, words: &[&str], out: &mut String) -> Answer {
        let Some((&command, args)) = words.split_first() else { return Err("The line is empty.".into()) };
        match (command, args) {
            ("types", []) => self.types(out),
            ("entry_points", []) => self.entry_points(out),
            ("call", [entry, result, inputs @ ..]) => self.call(entry, result, inputs, out),
            ("restore", [file, pairs @ ..]) if pairs.len() % 2 == 0 => self.restore(file, pairs),
            ("store", [file, names @ ..]) => self.store(file, names),
            ("free", names) => self.free(names),
            ("rename", [old, new]) => self.rename(old, new),
            ("inputs", [entry]) => self.inputs(entry, out),
            ("output", [entry]) => self.output(entry, out),
            ("attributes", [entry]) => self.attributes(entry, out),
            ("clear", []) => {
                self.remove_all();
                Ok(())
            }
            ("type", [name]) => {
                let ty = self.engine().type_name(self.variable_type(name)?);
                line(out, &ty)
            }
            _ => match self.parts_command(command, args, out) {
                Some(done) => done,
                None => self.profile_command(command, args, out).unwrap_or_else(|| unknown(command)),
            },
        }
    }

    fn types(&self, out: &mut String) -> Answer {
        self.engine().types().into_iter().try_for_each(|ty| line(out, &self.engine().type_name(ty)))
    }

    fn entry_points(&self, out: &mut String) -> Answer {
        self.engine().entries().iter().try_for_each(|entry| line(out, &entry.name))
    }

    fn call(&mut self, entry: &str, result: &str, inputs: &[&str], out: &mut String) -> Answer {
        self.entry(entry)?;
        self.variables_exist(inputs)?;
        self.require_new(&[result])?;
        let start = Instant::now();
        let outcome = self.call_with(entry, inputs);
        // A failure takes as long as it takes; of a result, only the program's own time counts.
        let runtime = outcome.as_ref().map_or_else(|_| start.elapsed(), |called| called.time).as_micros();
        match outcome {
            Err(error @ (CallError::Arguments(_) | CallError::Cancelled | CallError::TimedOut(_))) => {
                return Err(error.to_string());
            }
            // Said already, to whoever reads standard error.
            Err(CallError::Bug(message)) => return Err(message),
            Ok(called) => self.define_handle(result, called.value),
            Err(CallError::Failed(failure)) => {
                line(out, &format!("runtime: {runtime}"))?;
                return Err(render_failure(self.engine().sources(), &failure, Paint::Plain));
            }
        }
        line(out, &format!("runtime: {runtime}"))
    }

    /// Reads all values before any variable is made, so that a failure leaves none behind.
    fn restore(&mut self, file: &str, pairs: &[&str]) -> Answer {
        let names: Vec<&str> = pairs.iter().step_by(2).copied().collect();
        self.require_new(&names)?;
        let bytes =
            fs::read(file).map_err(|e| format!("The file `{file}` cannot be read: {}.", reason(&e)))?;
        let mut reader = Reader::new(&bytes);
        let mut items = Vec::new();
        for pair in pairs.chunks_exact(2) {
            let ty = self.ty(pair[1])?;
            let item = self.engine().restore(ty, &mut reader);
            items.push(
                item.map_err(|e| format!("The variable `{}` cannot be read from `{file}`, {e}.", pair[0]))?,
            );
        }
        reader.require_end().map_err(|e| format!("There is more in `{file}`, {e}."))?;
        for (name, item) in names.into_iter().zip(items) {
            self.define(name, item);
        }
        Ok(())
    }

    fn store(&self, file: &str, names: &[&str]) -> Answer {
        let mut bytes = Vec::new();
        for name in names {
            self.engine().store(self.variable(name)?, &mut bytes)?;
        }
        // In place: a client may have the file open.
        fs::write(file, bytes).map_err(|e| format!("The file `{file}` cannot be written: {}.", reason(&e)))
    }

    fn free(&mut self, names: &[&str]) -> Answer {
        names.iter().try_for_each(|name| self.remove(name).map(drop))
    }

    fn rename(&mut self, old: &str, new: &str) -> Answer {
        self.variables_exist(&[old])?;
        self.require_new(&[new])?;
        let variable = self.remove(old)?;
        self.define_variable(new, variable);
        Ok(())
    }

    fn inputs(&self, entry: &str, out: &mut String) -> Answer {
        let types = self.entry(entry)?.params.iter().map(|param| (param.ty, param.unique));
        types.into_iter().try_for_each(|(ty, unique)| {
            line(out, &marked(unique, &self.engine().type_name(self.engine().item_type(ty))))
        })
    }

    fn output(&self, entry: &str, out: &mut String) -> Answer {
        let entry = self.entry(entry)?;
        let ty = self.engine().type_name(self.engine().item_type(entry.result));
        line(out, &marked(entry.result_unique, &ty))
    }

    fn attributes(&self, entry: &str, out: &mut String) -> Answer {
        self.entry(entry)?.attrs.iter().try_for_each(|attr| line(out, attr))
    }
}

/// Every command with what it needs.
const USAGE: &[(&str, &str)] = &[
    ("attributes", "ENTRY"),
    ("call", "ENTRY RESULT INPUT.."),
    ("clear", ""),
    ("construct", "NEW TYPE CONSTRUCTOR VARIABLE.."),
    ("destruct", "VARIABLE NEW.."),
    ("elemtype", "TYPE"),
    ("entry_points", ""),
    ("fields", "TYPE"),
    ("free", "VARIABLE.."),
    ("index", "NEW VARIABLE INDEX.."),
    ("inputs", "ENTRY"),
    ("kind", "TYPE"),
    ("new", "NEW TYPE VARIABLE.."),
    ("new_array", "NEW TYPE SIZE.. VARIABLE.."),
    ("output", "ENTRY"),
    ("pause_profiling", ""),
    ("project", "NEW VARIABLE FIELD"),
    ("rank", "TYPE"),
    ("rename", "VARIABLE NEW"),
    ("report", ""),
    ("restore", "FILE (NEW TYPE).."),
    ("set", "ARRAY VARIABLE INDEX.."),
    ("set_tuning_param", "NAME NUMBER"),
    ("shape", "VARIABLE"),
    ("store", "FILE VARIABLE.."),
    ("tuning_param_class", "NAME"),
    ("tuning_params", "ENTRY"),
    ("type", "VARIABLE"),
    ("types", ""),
    ("unpause_profiling", ""),
    ("unzip", "VARIABLE NEW.."),
    ("variant", "VARIABLE"),
    ("variants", "TYPE"),
    ("zip", "NEW TYPE VARIABLE.."),
];

/// The command does not exist, or not with as many words.
fn unknown(command: &str) -> Answer {
    match USAGE.iter().find(|(name, _)| *name == command) {
        Some((name, "")) => Err(format!("The command `{name}` takes no arguments.")),
        Some((name, args)) => Err(format!("The command is used as `{name} {args}`.")),
        None => Err(format!("There is no command `{command}`.")),
    }
}

/// Why a file cannot be used, in the same words on every system where they are frequent.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".into(),
        ErrorKind::PermissionDenied => "it is not permitted".into(),
        _ => error.to_string(),
    }
}

/// A type with a mark for what is consumed or fresh.
fn marked(unique: bool, ty: &str) -> String {
    if unique { format!("*{ty}") } else { ty.into() }
}

pub fn line(out: &mut String, text: &str) -> Answer {
    out.push_str(text);
    out.push('\n');
    Ok(())
}
