//! The comments of a file, beside its tree.
//!
//! No stage of the compiler looks at comments, so the tree has no room for them; the formatter
//! puts them back by their places. Documentation comments are both here, as written, and in the
//! tree, as the text they say.

use norn_base::Span;

/// One `--` comment: a single line, or for documentation the `-- |` line and all the comment
/// lines that continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub span: Span,
    /// As written, with the leading `--`, without the final line break.
    pub text: String,
    /// Nothing but blanks stands before it on its line.
    pub own_line: bool,
    /// Begins with `-- |`. It is in the tree too, unless it stands where it documents nothing.
    pub doc: bool,
}

/// Every comment of a file, in source order.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Comments {
    pub list: Vec<Comment>,
}
