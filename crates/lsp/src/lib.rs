//! The language server: what editors ask about programs, over the Language Server Protocol.
//!
//! `Server` has the open documents and answers one message after the other; `serve` connects it to an editor. There is one thread
//! that computes: a file of a thousand lines is checked in less time than it takes to notice, and the answers are always about the text
//! that the editor shows. Files come through a trait, so the crate does no I/O of its own.
//!
//! All that is known about a program comes from the checker (`norn_check::Session`), which keeps types and names by their places. What
//! is done here is to find the place, and to say it in the protocol's words: a file for each kind of question.

#![forbid(unsafe_code)]

mod actions;
mod complete;
mod declared;
mod define;
mod diagnose;
mod document;
mod folding;
mod highlight;
mod hints;
mod hover;
mod locals;
mod marked;
mod rename;
mod serve;
mod server;
mod signature;
mod symbols;
mod uri;

pub use serve::serve;
pub use server::{Files, Server};
