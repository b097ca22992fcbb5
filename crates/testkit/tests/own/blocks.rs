//! Blocks of documents.

use norn_testkit::blocks::*;

#[test]
fn blocks_are_found() {
    let found = blocks("a\n```norn-fail E0301\nx\ny\n```\n\n```\nz\n```\n");
    let expected = [("norn-fail E0301", "x\ny\n", 2, "a\n"), ("", "z\n", 7, "\n")];
    let expected = expected.map(|(info, text, line, above)| Block {
        info: info.into(),
        text: text.into(),
        line,
        above: above.into(),
    });
    assert_eq!(found, expected);
}

#[test]
fn a_file_is_named_in_the_paragraph_above_it() {
    let complains = |text: &str| check_document(text).is_err();
    assert!(!complains("Save this as `a.py`:\n\n```python a.py\n```\n"));
    assert!(complains("Save this as `a.py`.\n\nIt is empty:\n\n```python a.py\n```\n"));
    assert!(complains("In `a.py`:\n\n```python a.py\n```\n\n```python a.py\n```\n"));
}
