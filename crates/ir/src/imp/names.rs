//! The words of imp, which as names are written so that they cannot be mistaken.

use super::{BinOp, Prim, Scalar, TriOp, Type, UnOp};
use crate::text::names::{Names, is_word, quoted};

/// The distinct names of functions or kernels.
pub fn item_names<'a>(hints: impl Iterator<Item = &'a str>) -> Names {
    Names::new(hints, |word| is_reserved(word) || word == GROUP)
}

/// The distinct names of variables.
pub fn names<'a>(hints: impl Iterator<Item = &'a str>) -> Names {
    Names::new(hints, is_reserved)
}

pub fn quoted_unless_word(name: &str) -> String {
    if is_word(name) && !ITEMS.contains(&name) && name != GROUP { name.to_string() } else { quoted(name) }
}

/// Whether a word means something where a name could stand.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || ITEMS.contains(&word)
        || numbers(word).is_some()
        || UnOp::from_name(word).is_some()
        || BinOp::from_name(word).is_some()
        || TriOp::from_name(word).is_some()
}

/// The type of numbers, or vectors of them, that a word is: `f32`, `f32x8`.
pub fn numbers(word: &str) -> Option<Type> {
    if let Some(prim) = Prim::from_name(word) {
        return Some(Type::Scalar(prim));
    }
    let (prim, lanes) = word.split_once('x')?;
    let plain = lanes.parse::<u16>().ok().filter(|count| count.to_string() == lanes)?;
    Some(Type::Vector(Prim::from_name(prim)?, plain))
}

/// Operators that are written between their operands, with the type at which they need no suffix.
pub const INFIX: [(BinOp, &str, Prim); 8] = [
    (BinOp::Add, "+", Prim::I64),
    (BinOp::Sub, "-", Prim::I64),
    (BinOp::Mul, "*", Prim::I64),
    (BinOp::Le, "<=", Prim::I64),
    (BinOp::Lt, "<", Prim::I64),
    (BinOp::Eq, "==", Prim::I64),
    (BinOp::And, "&", Prim::Bool),
    (BinOp::Or, "|", Prim::Bool),
];

/// A constant: an `i64` has no suffix.
pub fn constant(scalar: Scalar) -> String {
    match scalar {
        Scalar::I64(value) => value.to_string(),
        other => other.to_string(),
    }
}

/// The parser finds definitions by these words, so as names they are quoted.
pub const ITEMS: [&str; 7] = ["const", "entry", "fun", "kernel", "recursive", "sites", "types"];

/// It begins a kernel for groups, and is a variable as good as any.
const GROUP: &str = "group";

const KEYWORDS: [&str; 91] = [
    "acquire",
    "alloc",
    "alloc_device",
    "any",
    "atomic",
    "await",
    "barrier",
    "begin_part",
    "block",
    "bring",
    "by",
    "call",
    "capacity",
    "case",
    "cast",
    "cell",
    "cell_block",
    "cell_place",
    "chunks",
    "clear",
    "combine",
    "convert",
    "copy",
    "copy_device",
    "count_before",
    "data",
    "device_groups",
    "device_pool",
    "download",
    "each",
    "else",
    "end_region",
    "fail",
    "false",
    "fence",
    "fetch",
    "for",
    "group_count",
    "guard",
    "here",
    "if",
    "in",
    "independent",
    "lane",
    "lanes",
    "launch",
    "launch_groups",
    "local",
    "look",
    "look_back",
    "new_cell",
    "new_device_cell",
    "new_region",
    "null",
    "ordered",
    "over",
    "peek",
    "plan_task",
    "planned_alone",
    "planned_count",
    "planned_from",
    "planned_parts",
    "planned_processor",
    "pool",
    "processor",
    "ptr",
    "publish",
    "read",
    "reduce",
    "region",
    "release",
    "remote",
    "retain",
    "return",
    "scan_group",
    "select",
    "signal",
    "splat",
    "static_data",
    "swap_if",
    "switch",
    "this_group",
    "this_thread",
    "true",
    "tunable",
    "upload",
    "where",
    "while",
    "workers",
    "write",
    "written",
];
