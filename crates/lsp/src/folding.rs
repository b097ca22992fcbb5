//! What an editor can fold: declarations, and comments, over several lines.

use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;

pub fn ranges(
    server: &mut Server,
    params: lsp::FoldingRangeParams,
) -> Answer<Option<Vec<lsp::FoldingRange>>> {
    let Some(analysis) = server.analysis(&to_path(&params.text_document.uri)) else { return Ok(None) };
    let lines = server.lines(&analysis, analysis.file);
    let mut ranges = Vec::new();
    let mut add = |from: u32, to: u32, kind: Option<lsp::FoldingRangeKind>| {
        let (start_line, end_line) = (lines.position(from as usize).line, lines.position(to as usize).line);
        if start_line < end_line {
            ranges.push(lsp::FoldingRange { start_line, end_line, kind, ..Default::default() });
        }
    };
    if let Some(tree) = analysis.tree(analysis.file) {
        tree.each_dec(&mut |d| add(d.span.lo, d.span.hi, None));
    }
    // Comments on lines of their own, one right below the other, are one.
    let comments = norn_syntax::lexer::lex(analysis.file, lines.text()).comments.list;
    let mut run: Option<(u32, u32)> = None;
    for comment in comments.iter().filter(|c| c.own_line) {
        let below =
            |hi: u32| lines.position(hi as usize).line + 1 == lines.position(comment.span.lo as usize).line;
        run = match run {
            Some((lo, hi)) if below(hi) => Some((lo, comment.span.hi)),
            before => {
                before.into_iter().for_each(|(lo, hi)| add(lo, hi, Some(lsp::FoldingRangeKind::Comment)));
                Some((comment.span.lo, comment.span.hi))
            }
        };
    }
    run.into_iter().for_each(|(lo, hi)| add(lo, hi, Some(lsp::FoldingRangeKind::Comment)));
    Ok(Some(ranges))
}
