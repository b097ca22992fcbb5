//! What the server knows: the program and the client's variables.
//!
//! Results stay where the program made them, and what a GPU works on stays there: a variable is fetched when somebody looks into it, and moved there when an entry
//! point is called with it.

use super::words::split_words;
use norn::Program;
use norn::engine::{Argument, CallError, CallOptions, Called, Engine, Handle, Item, ItemType, Kept};
use norn_ir::nest::Entry;
use std::cell::OnceCell;
use std::collections::BTreeMap;

pub struct Server {
    program: Program,
    variables: BTreeMap<String, Variable>,
}

/// A value that can be looked into, one where the program has it, or both.
pub struct Variable {
    item: OnceCell<Item>,
    kept: Option<Kept>,
}

/// Lines of an answer so far, or why there is none: a sentence, maybe with more lines.
pub type Answer = Result<(), String>;

impl Server {
    pub fn new(program: Program) -> Server {
        Server { program, variables: BTreeMap::new() }
    }

    pub fn engine(&self) -> &Engine {
        self.program.engine()
    }

    /// All that is written in answer to a line.
    pub fn answer(&mut self, line: &str) -> String {
        let mut out = String::new();
        let done = split_words(line).and_then(|words| self.command(&words, &mut out));
        if let Err(message) = done {
            out += "%%% FAILURE\n";
            out += message.trim_end();
            out.push('\n');
        }
        out += "%%% OK\n";
        out
    }

    pub fn variable(&self, name: &str) -> Result<&Item, String> {
        let variable = self.known(name)?;
        if let (None, Some(kept)) = (variable.item.get(), &variable.kept) {
            let fetched = self.engine().fetch(kept)?;
            return Ok(variable.item.get_or_init(|| fetched));
        }
        variable.item.get().ok_or_else(|| format!("The variable `{name}` has no value."))
    }

    pub fn variables(&self, names: &[&str]) -> Result<Vec<Item>, String> {
        names.iter().map(|name| self.variable(name).cloned()).collect()
    }

    pub fn variable_type(&self, name: &str) -> Result<ItemType, String> {
        let variable = self.known(name)?;
        match &variable.kept {
            Some(kept) => Ok(kept.ty()),
            None => self.variable(name).map(Item::ty),
        }
    }

    /// Complains about names that stand for nothing.
    pub fn variables_exist(&self, names: &[&str]) -> Answer {
        names.iter().try_for_each(|name| self.known(name).map(drop))
    }

    fn known(&self, name: &str) -> Result<&Variable, String> {
        self.variables.get(name).ok_or_else(|| format!("There is no variable `{name}`."))
    }

    /// Calls an entry point with variables, which exist.
    pub fn call_with(&mut self, entry: &str, names: &[&str]) -> Result<Called, CallError> {
        let engine = self.program.engine();
        if engine.is_on_gpu(entry) {
            for name in names {
                if let Some(variable) = self.variables.get_mut(*name)
                    && variable.kept.is_none()
                {
                    variable.kept = variable.item.get().and_then(|item| engine.keep(item));
                }
            }
        }
        let variables = &self.variables;
        let args: Vec<Argument> = names.iter().filter_map(|name| variables.get(*name)?.argument()).collect();
        let missing = || CallError::Arguments(format!("There is no entry point `{entry}`."));
        self.program.entry(entry).ok_or_else(missing)?.call_with(&args, &CallOptions::default())
    }

    /// Complains about names that are taken, or given twice.
    pub fn require_new(&self, names: &[&str]) -> Answer {
        for (i, name) in names.iter().enumerate() {
            if self.variables.contains_key(*name) || names[..i].contains(name) {
                return Err(format!("There is already a variable `{name}`."));
            }
        }
        Ok(())
    }

    pub fn define(&mut self, name: &str, item: Item) {
        self.define_variable(name, Variable { item: item.into(), kept: None });
    }

    pub fn define_handle(&mut self, name: &str, handle: Handle) {
        match handle {
            Handle::Item(item) => self.define(name, item),
            Handle::Kept(kept) => {
                self.define_variable(name, Variable { item: OnceCell::new(), kept: Some(kept) });
            }
        }
    }

    pub fn define_variable(&mut self, name: &str, variable: Variable) {
        self.variables.insert(name.to_string(), variable);
    }

    pub fn remove(&mut self, name: &str) -> Result<Variable, String> {
        self.variables.remove(name).ok_or_else(|| format!("There is no variable `{name}`."))
    }

    pub fn remove_all(&mut self) {
        self.variables.clear();
    }

    pub fn entry(&self, name: &str) -> Result<&Entry, String> {
        self.engine().entry(name).ok_or_else(|| format!("There is no entry point `{name}`."))
    }

    pub fn ty(&self, name: &str) -> Result<ItemType, String> {
        self.engine().type_by_name(name).ok_or_else(|| format!("There is no type `{name}`."))
    }
}

impl Variable {
    /// Where it is best used.
    fn argument(&self) -> Option<Argument<'_>> {
        match (&self.kept, self.item.get()) {
            (Some(kept), _) => Some(Argument::Kept(kept)),
            (None, item) => item.map(Argument::Item),
        }
    }
}
