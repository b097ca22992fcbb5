//! The intermediate languages: `nest`, the result of lowering; `flat`, nest in which grids mark what runs in parallel;
//! `imp`, an imperative language over memory. `skeleton` is all of nest but its parallel operators, which are a type
//! parameter. They share `scalar`, the operators on numbers; `failure`, the messages of
//! programs that fail at run time; and `text`, the lexer and parser of their printed form.
//!
//! A language is a folder with a definition (`mod.rs`), `build`, `print`, `parse` and `verify`; those of nest are thin, since
//! the skeleton does the work.

#![forbid(unsafe_code)]

pub mod failure;
pub mod flat;
pub mod imp;
pub mod nest;
pub mod scalar;
pub mod skeleton;
mod text;
