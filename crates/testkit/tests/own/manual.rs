//! Links and anchors of pages.

use norn_testkit::manual::*;
use std::collections::BTreeSet;

#[test]
fn links_in_code_are_none() {
    let text = "a [b](c.md) `f[i](x)` [d](e.md#f)\n```norn\n[g](h)\n```\n[i]()\n";
    assert_eq!(links(text), ["c.md", "e.md#f", ""]);
}

#[test]
fn anchors_are_headings_without_marks() {
    let text = "# One `[?]` thing\n```sh\n# no heading\n```\n## What's next\n";
    assert_eq!(anchors(text), BTreeSet::from(["one--thing".into(), "whats-next".into()]));
}
