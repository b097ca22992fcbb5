//! Plots by gnuplot, with a script of its language.

use super::super::directive::Directive;
use super::super::page::{Media, MediaKind};
use super::numbers::columns;
use super::{Files, error_at};
use crate::testing::blocks::BlockError;
use crate::testing::script::Evaluator;
use crate::tools::Gnuplot;

pub fn show(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<Media, BlockError> {
    let value = evaluator.eval(&directive.exp)?;
    let columns = columns(evaluator, &value).map_err(|why| error_at(directive, why))?;
    let data: Vec<(String, String)> =
        columns.into_iter().map(|columns| (columns.name, table(&columns.arrays))).collect();
    let drawn = Gnuplot.draw(&data, &directive.script);
    let png = drawn.map_err(|why| {
        error_at(directive, format!("The plot cannot be drawn: {why}."))
            .with_help("`:plot2d` needs no other program.")
    })?;
    files.add(directive, ("plot", "png"), png, MediaKind::Picture)
}

/// A line for each element of the columns, which are of one length.
fn table(columns: &[Vec<f64>]) -> String {
    let rows = columns.first().map_or(0, Vec::len);
    let row =
        |i: usize| columns.iter().map(|column| column[i].to_string()).collect::<Vec<_>>().join(" ") + "\n";
    (0..rows).map(row).collect()
}
