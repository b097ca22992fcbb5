//! The server, asked as editors ask it.

mod answers;
mod broken;
mod editor;
mod edits;
mod names;
mod speed;
