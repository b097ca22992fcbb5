//! `norn literate`: a program with Markdown in its comments becomes a page with results in place.
//!
//! A program is read and divided into text, code and directives (`source`, `directive`); its directives are evaluated by
//! the script language of tests (`evaluate`, `show`), which gives a [`Page`]; a page is written as Markdown with files
//! beside it (`markdown`) or as HTML that has everything inside (`html`). Many pages have an index.
//!
//! Every run computes all results again, and the same program gives the same bytes: nothing on a page depends on
//! the time, the place or the machine.

mod alternative;
mod directive;
mod evaluate;
mod html;
mod index;
mod markdown;
mod page;
mod show;
mod source;
mod summary;

pub use evaluate::{Evaluated, Literate};
pub(crate) use html::markdown::{escape, markdown_to_html, plain_text};
pub use html::write_html;
pub use index::{Entry, write_html_index, write_markdown_index};
pub use markdown::write_markdown;
pub use page::{Block, DirectiveOutput, Media, MediaKind, Page};
pub use summary::{Summary, summary};
