//! The legend: the names of the series in lines above the frame.

use super::Plan;
use super::marks::{is_dotted, marker};
use super::style::{TEXT, series_class};
use super::writer::{Anchor, Place, Writer, text_width};
use crate::{Chart, Mark, Series};

const LINE: f64 = 20.0;
const SAMPLE: f64 = 22.0;
const GAP: f64 = 16.0;

/// The room it takes above a frame of this width.
pub fn height(chart: &Chart, width: f64) -> f64 {
    match places(chart, width).last() {
        Some((_, last)) => last.y + LINE + 4.0,
        None => 0.0,
    }
}

pub fn draw(writer: &mut Writer, chart: &Chart, plan: &Plan) {
    for (number, offset) in places(chart, plan.frame.width()) {
        let series = &chart.series[number];
        let at = Place { x: plan.frame.left + offset.x, y: plan.legend_top + offset.y + LINE / 2.0 };
        writer.line(&format!("<g class=\"{}\">", series_class(number)));
        sample(writer, series, number, at);
        writer.line("</g>");
        let text = Place { x: at.x + SAMPLE + 5.0, y: at.y + TEXT * 0.35 };
        writer.text("", text, Anchor::Start, 0.0, &series.name);
    }
}

/// What a series looks like.
fn sample(writer: &mut Writer, series: &Series, number: usize, at: Place) {
    let middle = Place { x: at.x + SAMPLE / 2.0, y: at.y };
    match series.mark {
        Mark::Bars => {
            writer.rect("fill", Place { x: middle.x - 6.0, y: at.y - 6.0 }, 12.0, 12.0);
            return;
        }
        Mark::Line | Mark::Both => writer.path("line", &[at, Place { x: at.x + SAMPLE, y: at.y }]),
        Mark::Points => {}
    }
    if is_dotted(series.mark) {
        writer.line(&format!("<path class=\"fill\" d=\"{}\"/>", marker(number, middle)));
    }
}

/// The series that have names, each with its place in the legend.
fn places(chart: &Chart, width: f64) -> Vec<(usize, Place)> {
    let mut at = Place { x: 0.0, y: 0.0 };
    let mut found = Vec::new();
    for (i, series) in chart.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
        let needed = SAMPLE + 5.0 + text_width(&series.name, TEXT);
        if at.x > 0.0 && at.x + needed > width {
            at = Place { x: 0.0, y: at.y + LINE };
        }
        found.push((i, at));
        at.x += needed + GAP;
    }
    found
}
