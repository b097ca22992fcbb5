//! Plots by our own code.

use super::super::directive::{Directive, Param};
use super::super::page::{Media, MediaKind};
use super::numbers::{Columns, columns};
use super::{Files, error_at};
use crate::testing::blocks::BlockError;
use crate::testing::script::Evaluator;
use norn_plot::{Chart, Mark, Scale, Series, draw};

const PARAMS: &[&str] = &["file", "alt", "size", "title", "xlabel", "ylabel", "xscale", "yscale", "mark"];

pub fn show(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<Media, BlockError> {
    directive.check_params(PARAMS)?;
    let mut chart = chart(directive)?;
    let mark = mark(directive)?;
    let value = evaluator.eval(&directive.exp)?;
    for Columns { name, arrays } in columns(evaluator, &value).map_err(|why| error_at(directive, why))? {
        let [xs, ys] = &arrays[..] else {
            let message = format!("A plot needs pairs of arrays, but here are {}.", arrays.len());
            return Err(error_at(directive, message));
        };
        let points = xs.iter().copied().zip(ys.iter().copied());
        chart.series.push(Series::new(name, mark, points));
    }
    files.add(directive, ("plot", "svg"), draw(&chart).into_bytes(), MediaKind::Picture)
}

/// The chart without its series.
fn chart(directive: &Directive) -> Result<Chart, BlockError> {
    let mut chart = Chart::new(Vec::new());
    let text = |key| directive.param(key).map(|param| param.value.clone()).unwrap_or_default();
    chart.title = text("title");
    chart.x.title = text("xlabel");
    chart.y.title = text("ylabel");
    for (key, axis) in [("xscale", &mut chart.x), ("yscale", &mut chart.y)] {
        let Some(param) = directive.param(key) else { continue };
        axis.scale = match param.value.as_str() {
            "linear" => Scale::Linear,
            "log" => Scale::Log,
            _ => return Err(param.wrong("linear or log")),
        };
    }
    if let Some(param) = directive.param("size") {
        (chart.width, chart.height) = size(param)?;
    }
    Ok(chart)
}

fn mark(directive: &Directive) -> Result<Mark, BlockError> {
    let Some(param) = directive.param("mark") else { return Ok(Mark::Line) };
    match param.value.as_str() {
        "line" => Ok(Mark::Line),
        "points" => Ok(Mark::Points),
        "both" => Ok(Mark::Both),
        _ => Err(param.wrong("line, points or both")),
    }
}

/// `(width, height)`.
fn size(param: &Param) -> Result<(u32, u32), BlockError> {
    let inner = param.value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let pixels = |text: &str| text.trim().parse().ok().filter(|pixels| (100..=10_000).contains(pixels));
    inner
        .and_then(|inner| inner.split_once(','))
        .and_then(|(width, height)| Some((pixels(width)?, pixels(height)?)))
        .ok_or_else(|| param.wrong("(width, height), each from 100 to 10000"))
}
