//! The intermediate languages: `nest`, the result of lowering; `flat`, the language of devices, whose parallel expressions are kernels;
//! `imp`, an imperative language over memory. `skeleton` is all of nest and flat but their parallel expressions, which are a type
//! parameter. All share `scalar`, the operators on numbers; `failure`, the messages of programs that fail at run time; and `text`, the
//! lexer and parser of their printed form.
//!
//! A language is a folder with a definition (`mod.rs`) and what builds, prints, parses and verifies it; in nest and flat the skeleton does
//! most of the work.

#![forbid(unsafe_code)]

pub mod failure;
pub mod flat;
pub mod imp;
pub mod nest;
pub mod scalar;
pub mod skeleton;
mod text;
