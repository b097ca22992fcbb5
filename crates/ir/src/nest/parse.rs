//! Programs from their text (`skeleton::parse`).

use super::Prog;
pub use crate::skeleton::parse::ParseError;

pub fn parse(text: &str) -> Result<Prog, ParseError> {
    crate::skeleton::parse::parse(text)
}
