//! The words of nest and of its operators, which as names are written so that they cannot be mistaken.

use crate::scalar::{BinOp, Prim, TriOp, UnOp};
use crate::text::names::{is_word, quoted};

pub fn quoted_unless_word(name: &str) -> String {
    if is_word(name) && !ITEMS.contains(&name) { name.to_string() } else { quoted(name) }
}

/// Whether a word means something where a name could stand.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || ITEMS.contains(&word)
        || Prim::from_name(word).is_some()
        || UnOp::from_name(word).is_some()
        || BinOp::from_name(word).is_some()
        || TriOp::from_name(word).is_some()
}

/// The parser finds definitions by these words, so as names they are quoted.
pub const ITEMS: [&str; 5] = ["const", "data", "entry", "fun", "type"];

const KEYWORDS: [&str; 54] = [
    "_",
    "acc_stream",
    "acc_write",
    "alloc",
    "array",
    "by",
    "call",
    "case",
    "check",
    "coerce",
    "concat",
    "const",
    "convert",
    "copy",
    "else",
    "false",
    "filter",
    "flat_index",
    "flat_update",
    "fused",
    "grid",
    "hist",
    "if",
    "in",
    "index",
    "join_rows",
    "lengths",
    "ends",
    "let",
    "load",
    "loop",
    "map",
    "neutral",
    "null",
    "partition",
    "range",
    "rearrange",
    "reduce",
    "region",
    "replicate",
    "reshape",
    "scan",
    "scatter",
    "segment",
    "sort",
    "stream",
    "switch",
    "tag",
    "task",
    "true",
    "tunable",
    "update",
    "while",
    "workers",
];
