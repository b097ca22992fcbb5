//! Futhark's text format.
//!
//! ```text
//! value    ::= number | special | "true" | "false" | array | empty | string
//! array    ::= "[" value ("," value)* [","] "]"        regular, elements of one type
//! empty    ::= "empty" "(" ("[" decimal "]")+ type ")"  with a dimension of zero
//! number   ::= [sign] (decimal | hex | binary | float) [type]
//! decimal  ::= digit (digit | "_")*
//! hex      ::= "0x" hexdigit (hexdigit | "_")*
//! binary   ::= "0b" bit (bit | "_")*
//! float    ::= decimal ["." decimal] [("e" | "E") [sign] decimal]
//! special  ::= [sign] ("f16" | "f32" | "f64") "." ("nan" | "inf")
//! sign     ::= "+" | "-"
//! string   ::= '"' (byte | escape)* '"'                 an array of u8
//! escape   ::= "\" ("n" | "t" | "r" | "a" | "b" | "f" | "v" | "\" | '"' | "'" | "&"
//!                  | digit+ | "x" hexdigit+)            a code point, as UTF-8; "\&" is nothing
//! ```
//!
//! Between these, except inside numbers and strings, white space and comments (from `--` to the end
//! of the line) may stand.
//!
//! A number without suffix has the type that is expected; in an array, the type of the first element.
//! With nothing expected it is an `i32`, or an `f64` where it has a fraction or an exponent. As in
//! Futhark, an integer beyond the range of its type wraps around (`255i8` is -1) and a float is
//! rounded to the nearest.
//!
//! The printer writes what the parser reads back to the same bits, NaN payloads aside.

mod nesting;
mod number;
mod parse;
mod print;
mod scan;
mod string;

pub(crate) use parse::{parse_value, too_much};
pub use print::print_value;
pub(crate) use scan::{found_at, skip_space};
