//! How deep a tree may be.
//!
//! Two measures bound it. Nesting, such as that of brackets, is what the parser itself recurses on.
//! A chain (`a + b + c`, `let` after `let`, `else if`) is flat to its reader but deep in the tree;
//! the parser builds it in a loop. Every pass that walks the tree recurses on both, so both have a
//! limit, far beyond what people write.

use super::{Failed, Parse, Parser};
use norn_base::{Diagnostic, Span, codes};

/// How many levels of nesting may stand around any part.
pub(super) const MAX_NESTING: u32 = 2_000;

/// How many links of chains may lie between any part and the root.
pub(super) const MAX_CHAIN: u32 = 100_000;

#[derive(Default)]
pub(super) struct Depth {
    nesting: u32,
    /// The greatest number of chain links on a path down from the parts parsed so far in the
    /// innermost chain under way. An upper bound: sideways links are counted as if below.
    links: u32,
    /// The declaration under way has been reported: its further parts are as deep.
    reported: bool,
}

impl Parser<'_> {
    /// Parses something that may contain its own kind.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth.nesting >= MAX_NESTING {
            let span = self.span();
            return Err(self.too_deep(span, &format!("more than {MAX_NESTING} levels")));
        }
        self.depth.nesting += 1;
        let result = parse(self);
        self.depth.nesting -= 1;
        result
    }

    /// Parses a chain, whose links `parse` counts with `links`.
    pub(super) fn chain<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer = std::mem::take(&mut self.depth.links);
        let result = parse(self);
        self.depth.links = self.depth.links.max(outer);
        result
    }

    /// Whatever was parsed in this chain now lies `count` links deeper.
    pub(super) fn links(&mut self, count: usize) -> Parse<()> {
        self.depth.links = self.depth.links.saturating_add(count as u32);
        if self.depth.links <= MAX_CHAIN {
            return Ok(());
        }
        self.depth.links = 0;
        let span = self.last_span();
        Err(self.too_deep(span, &format!("a chain of more than {MAX_CHAIN} links")))
    }

    /// A new declaration begins.
    pub(super) fn forgive_depth(&mut self) {
        self.depth.reported = false;
    }

    fn too_deep(&mut self, span: Span, measure: &str) -> Failed {
        if std::mem::replace(&mut self.depth.reported, true) {
            return Failed;
        }
        self.reports.push(
            Diagnostic::error(codes::NESTING_TOO_DEEP, span, "The program is nested too deeply here.")
                .note(format!("this is {measure}"))
                .help("give names to parts of it"),
        );
        Failed
    }
}
