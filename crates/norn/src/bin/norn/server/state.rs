//! What the server knows: the program and the client's variables.

use super::words::split_words;
use norn::engine::{Engine, Item, ItemType};
use norn_ir::nest::Entry;
use std::collections::BTreeMap;

pub struct Server {
    pub engine: Engine,
    variables: BTreeMap<String, Item>,
}

/// Lines of an answer so far, or why there is none: a sentence, maybe with more lines.
pub type Answer = Result<(), String>;

impl Server {
    pub fn new(engine: Engine) -> Server {
        Server { engine, variables: BTreeMap::new() }
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
        self.variables.get(name).ok_or_else(|| format!("There is no variable `{name}`."))
    }

    pub fn variables(&self, names: &[&str]) -> Result<Vec<Item>, String> {
        names.iter().map(|name| self.variable(name).cloned()).collect()
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
        self.variables.insert(name.to_string(), item);
    }

    pub fn remove(&mut self, name: &str) -> Result<Item, String> {
        self.variables.remove(name).ok_or_else(|| format!("There is no variable `{name}`."))
    }

    pub fn remove_all(&mut self) {
        self.variables.clear();
    }

    pub fn entry(&self, name: &str) -> Result<&Entry, String> {
        self.engine.entry(name).ok_or_else(|| format!("There is no entry point `{name}`."))
    }

    pub fn ty(&self, name: &str) -> Result<ItemType, String> {
        self.engine.type_by_name(name).ok_or_else(|| format!("There is no type `{name}`."))
    }
}
