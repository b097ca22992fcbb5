//! The series: lines, points and bars.

use super::Plan;
use super::labels::Labels;
use super::style::series_class;
use super::writer::{Place, Writer, px};
use crate::{Chart, Mark, Series};
use std::collections::BTreeSet;

pub fn draw(writer: &mut Writer, chart: &Chart, plan: &Plan, labels: &mut Labels) {
    let bars: Vec<usize> = (0..chart.series.len()).filter(|&i| chart.series[i].mark == Mark::Bars).collect();
    for (number, series) in chart.series.iter().enumerate() {
        writer.line(&format!("<g class=\"{}\">", series_class(number)));
        match series.mark {
            Mark::Bars => {
                let nth = bars.iter().position(|&i| i == number).unwrap_or(0);
                draw_bars(writer, series, plan, nth, bars.len());
            }
            Mark::Line | Mark::Both | Mark::Points => draw_points(writer, series, number, plan),
        }
        writer.line("</g>");
    }
    let labelled = || {
        let points = chart.series.iter().flat_map(|series| &series.points);
        points
            .filter(|point| !point.label.is_empty())
            .map(|point| (plan.place(point.x, point.y), &point.label))
    };
    labelled().for_each(|(at, _)| labels.keep_free(at));
    labelled().for_each(|(at, label)| labels.beside(at, label));
}

pub fn is_dotted(mark: Mark) -> bool {
    match mark {
        Mark::Points | Mark::Both => true,
        Mark::Line | Mark::Bars => false,
    }
}

fn draw_points(writer: &mut Writer, series: &Series, number: usize, plan: &Plan) {
    let places: Vec<Place> = series.points.iter().map(|point| plan.place(point.x, point.y)).collect();
    if series.mark != Mark::Points {
        writer.paths("line", &plan.frame.clip_line(&places));
    }
    if is_dotted(series.mark) {
        let inside = places.iter().filter(|place| plan.frame.contains(**place));
        // Markers that fall together are one.
        let markers: BTreeSet<String> = inside.map(|place| marker(number, *place)).collect();
        let data: String = markers.into_iter().collect();
        if !data.is_empty() {
            writer.line(&format!("<path class=\"fill\" d=\"{data}\"/>"));
        }
    }
}

/// The shape of a series' markers around a place: shapes help where colours do not.
pub fn marker(number: usize, at: Place) -> String {
    let (x, y) = (at.x, at.y);
    match number % 4 {
        0 => format!("M{} {}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", px(x - 3.5), px(y)),
        1 => format!("M{} {}h6.4v6.4h-6.4z", px(x - 3.2), px(y - 3.2)),
        2 => format!("M{} {}l4.2 7.4h-8.4z", px(x), px(y - 4.8)),
        _ => format!("M{} {}l4.4 4.4l-4.4 4.4l-4.4 -4.4z", px(x), px(y - 4.4)),
    }
}

/// Bars of the `nth` of `count` series that stand side by side.
fn draw_bars(writer: &mut Writer, series: &Series, plan: &Plan, nth: usize, count: usize) {
    let slot = plan.frame.width() / plan.x.ticks.len().max(1) as f64;
    let width = slot * 0.8 / count as f64;
    let ground = plan.y_place(plan.y.ground());
    for point in &series.points {
        let (x, y) = (plan.x_place(point.x), plan.y_place(point.y));
        if !x.is_finite() || !y.is_finite() {
            continue;
        }
        let y = y.clamp(plan.frame.top, plan.frame.bottom);
        let left = x + (nth as f64 - count as f64 / 2.0) * width;
        let (top, height) = (y.min(ground), (y - ground).abs());
        // A bar of no height is still seen; between neighbours there is a little air.
        writer.rect("fill", Place { x: left + 0.5, y: top }, (width - 1.0).max(0.5), height.max(0.5));
    }
}
