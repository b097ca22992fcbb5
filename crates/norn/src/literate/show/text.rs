//! Values as text.

use super::super::directive::Directive;
use super::error_at;
use crate::engine::SHOWN_ELEMENTS;
use crate::testing::blocks::BlockError;
use crate::testing::script::{Evaluator, Val, show_val};

/// What fits beside each other on a page.
const WIDTH: usize = 96;

pub fn show_result(evaluator: &mut Evaluator, directive: &Directive) -> Result<String, BlockError> {
    directive.check_params(&[])?;
    let value = evaluator.eval(&directive.exp)?;
    if let Val::Function(entry, _) = &value {
        return Err(error_at(directive, format!("The entry point `{entry}` lacks arguments.")));
    }
    Ok(wrapped(&show_val(evaluator.engine, &value, SHOWN_ELEMENTS)))
}

/// Bytes as the text that they are.
pub fn show_text(evaluator: &mut Evaluator, directive: &Directive) -> Result<String, BlockError> {
    directive.check_params(&[])?;
    let value = evaluator.eval(&directive.exp)?;
    let bytes = value.plain().filter(|value| value.rank() == 1).and_then(|value| value.elements::<u8>());
    let bytes = bytes.ok_or_else(|| error_at(directive, "Expected a text, an array of u8."))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| error_at(directive, "The bytes are not UTF-8 text."))
}

/// A long value on several lines: rows on lines of their own, and no line too long. What goes on is indented as deep as it is
/// nested.
fn wrapped(text: &str) -> String {
    if text.chars().count() <= WIDTH {
        return text.into();
    }
    let (mut out, mut column, mut depth) = (String::new(), 0, 0usize);
    for (i, item) in text.split_inclusive(", ").enumerate() {
        let length = item.chars().count();
        let after_row = out.trim_end().ends_with("],");
        if i > 0 && (column + length > WIDTH || (after_row && item.starts_with('['))) {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', depth));
            column = depth;
        }
        out.push_str(item);
        column += length;
        let count = |brackets: [char; 3]| item.chars().filter(|c| brackets.contains(c)).count();
        depth = (depth + count(['[', '(', '{'])).saturating_sub(count([']', ')', '}']));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_below_each_other() {
        assert_eq!(wrapped("[[1, 2], [3, 4]]"), "[[1, 2], [3, 4]]");
        let row = format!("[{}]", ["123456789"; 5].join(", "));
        let long = format!("[{row}, {row}]");
        assert_eq!(wrapped(&long), format!("[{row},\n {row}]"));
        let flat = format!("[{}]", ["12345678"; 12].join(", "));
        assert_eq!(wrapped(&flat).lines().count(), 2);
        assert!(wrapped(&flat).lines().all(|line| line.len() <= WIDTH));
    }
}
