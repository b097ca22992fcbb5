//! Print a program in its one canonical layout.
//!
//! The layout keeps what the user meant by line breaks, and no more of them: a construct written
//! on one line stays on one line if it fits, one that was spread over lines stays spread, in
//! the way all of its kind are. Empty lines survive between declarations, bindings, cases and
//! comments, one at a time. Everything else about the layout follows from the tree, so that
//! formatting twice changes nothing.
//!
//! The walk over the tree (`dec`, `module`, `exp`, ...) says what the layout of each construct is;
//! it takes its tokens from the source in order (`cursor`), so that none is lost and numbers and
//! names are spelled as they were; it writes a document (`doc`), which is then measured and
//! rendered.

mod apply;
mod binding;
mod control;
mod cursor;
mod dec;
mod doc;
mod exp;
mod formatter;
mod index;
mod infix;
mod list;
mod measure;
mod module;
mod names;
mod pat;
mod render;
mod types;

use crate::ast::Prog;
use crate::comments::Comments;
use formatter::Formatter;

/// The text of `prog` in canonical layout. `text` is what it was parsed from, without errors.
pub fn format(text: &str, prog: &Prog, comments: &Comments) -> String {
    let mut formatter = Formatter::new(text, comments);
    formatter.decs(&prog.decs);
    formatter.finish()
}
