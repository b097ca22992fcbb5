//! Interned names.
//!
//! A `Symbol` is a small copyable handle; equal texts have equal handles. The table lives for the
//! whole process, so that a symbol can be turned back into text anywhere without carrying a table
//! around. Order between symbols is order of their texts: sorted output must not depend on the
//! order of interning.

use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt;
use std::sync::{OnceLock, RwLock};

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

#[derive(Default)]
struct Table {
    texts: Vec<&'static str>,
    ids: FxHashMap<&'static str, u32>,
}

fn table() -> &'static RwLock<Table> {
    static TABLE: OnceLock<RwLock<Table>> = OnceLock::new();
    TABLE.get_or_init(Default::default)
}

impl Symbol {
    /// The symbol for `text`.
    pub fn new(text: &str) -> Symbol {
        let lock = table();
        if let Some(&id) = lock.read().unwrap_or_else(|e| e.into_inner()).ids.get(text) {
            return Symbol(id);
        }
        let mut table = lock.write().unwrap_or_else(|e| e.into_inner());
        if let Some(&id) = table.ids.get(text) {
            return Symbol(id);
        }
        let id = table.texts.len() as u32;
        let text: &'static str = Box::leak(text.into());
        table.texts.push(text);
        table.ids.insert(text, id);
        Symbol(id)
    }

    /// The text of this symbol.
    pub fn as_str(self) -> &'static str {
        table().read().unwrap_or_else(|e| e.into_inner()).texts[self.0 as usize]
    }

    /// The name of the `i`th field of a tuple.
    pub fn tuple_field(i: usize) -> Symbol {
        Symbol::new(&i.to_string())
    }
}

/// Field order: numeric names by value and before all others, then by text, so that a tuple of
/// eleven parts is listed in order.
fn field_key(text: &str) -> (u8, usize, &str) {
    match text.parse::<usize>() {
        Ok(n) if n.to_string() == text => (0, n, ""),
        _ => (1, 0, text),
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        field_key(self.as_str()).cmp(&field_key(other.as_str()))
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
