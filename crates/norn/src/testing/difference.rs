//! How a result differs from the expected one, for people: where first, and how both look around it.

use norn_values::{Mismatch, Value};

/// How many elements of an item are shown.
pub(super) const SHOWN_ELEMENTS: usize = 50;

/// How many characters of a value are shown.
const SHOWN_CHARACTERS: usize = 300;

pub(super) struct Difference<'a> {
    pub mismatch: Mismatch,
    pub expected: &'a [Value],
    pub found: &'a [Value],
}

/// ```text
/// result 1: at [0, 2] expected 3i32, found 4i32; 1 of 6 elements differ, by 1
/// expected [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
///    found [[1i32, 2i32, 4i32], [4i32, 5i32, 6i32]]
/// ```
pub(super) fn describe(difference: &Difference) -> String {
    let Difference { mismatch, expected, found } = difference;
    match mismatch {
        Mismatch::Count { expected: count, found: there } => {
            let all = |values: &[Value]| {
                let texts: Vec<String> = values.iter().map(shorten).collect();
                if texts.is_empty() { "nothing".into() } else { texts.join(" ") }
            };
            let counted = |n: &usize| if *n == 1 { "1 result".into() } else { format!("{n} results") };
            format!(
                "expected {}, found {}\nexpected {}\n   found {}\n",
                counted(count),
                counted(there),
                all(expected),
                all(found)
            )
        }
        Mismatch::Value { index, difference } => {
            let which = if expected.len() == 1 { String::new() } else { format!("result {index}: ") };
            let (expected, found) = (&expected[*index], &found[*index]);
            let mut text = format!("{which}{difference}\n");
            // The line above shows all of two scalars.
            if !(expected.is_scalar() && found.is_scalar()) {
                text += &format!("expected {}\n   found {}\n", shorten(expected), shorten(found));
            }
            text
        }
    }
}

/// The value as text, or its beginning and its type.
fn shorten(value: &Value) -> String {
    // Printing a large value only to throw most of it away takes time.
    let short = match value.shape().first() {
        Some(&rows) if value.len() > SHOWN_CHARACTERS => {
            let per_row = (value.len() / rows.max(1)).max(1);
            value.without_rows((SHOWN_CHARACTERS / per_row + 1).min(rows), rows)
        }
        _ => None,
    };
    let is_cut = short.is_some();
    let text = short.as_ref().unwrap_or(value).to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}... of type {}", &text[..end], value.type_text()),
        None if is_cut => format!("{}... of type {}", text.trim_end_matches(']'), value.type_text()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_values::{TOLERANCE, compare_all};

    fn difference(expected: &[Value], found: &[Value]) -> String {
        let mismatch = compare_all(expected, found, TOLERANCE).unwrap_err();
        describe(&Difference { mismatch, expected, found })
    }

    #[test]
    fn scalars_take_one_line() {
        let text = difference(&[Value::scalar(1)], &[Value::scalar(2)]);
        assert_eq!(text, "expected 1i32, found 2i32, by 1\n");
    }

    #[test]
    fn arrays_are_shown_below_each_other() {
        let one = Value::scalar(true);
        let text = difference(&[one.clone(), Value::vector(vec![1, 2])], &[one, Value::vector(vec![1, 3])]);
        assert_eq!(
            text,
            "result 1: at [1] expected 2i32, found 3i32; 1 of 2 elements differ, by 1\n\
             expected [1i32, 2i32]\n   found [1i32, 3i32]\n"
        );
    }

    #[test]
    fn the_number_of_results_may_differ() {
        let text = difference(&[], &[Value::scalar(1)]);
        assert_eq!(text, "expected 0 results, found 1 result\nexpected nothing\n   found 1i32\n");
    }

    #[test]
    fn large_values_are_cut() {
        let text = shorten(&Value::vector(vec![1i32; 1_000_000]));
        assert!(text.len() < 400 && text.ends_with("... of type [1000000]i32"), "{text}");
        let matrix = Value::array(vec![2, 500_000], vec![1i32; 1_000_000]).unwrap();
        assert!(shorten(&matrix).len() < 400);
        let empty = Value::array(vec![1_000_000, 0], Vec::<i32>::new()).unwrap();
        assert_eq!(shorten(&empty), "empty([1000000][0]i32)");
    }
}
