//! The grid, the axes and what is written at them.

use super::style::TEXT;
use super::writer::{Anchor, Place, Writer};
use super::{Plan, TURN};
use crate::{Chart, Scale};

pub fn draw(writer: &mut Writer, chart: &Chart, plan: &Plan) {
    let frame = plan.frame;
    let is_named = matches!(chart.x.scale, Scale::Categories(_));
    let mut grid: Vec<Vec<Place>> = Vec::new();
    for tick in &plan.y.ticks {
        let y = plan.y_place(tick.at);
        grid.push(vec![Place { x: frame.left, y }, Place { x: frame.right, y }]);
    }
    // A line through the middle of bars would help nobody.
    if !is_named {
        for tick in &plan.x.ticks {
            let x = plan.x_place(tick.at);
            grid.push(vec![Place { x, y: frame.top }, Place { x, y: frame.bottom }]);
        }
    }
    writer.paths("grid", &grid);
    let corner = Place { x: frame.left, y: frame.bottom };
    writer.path(
        "axis",
        &[Place { x: frame.left, y: frame.top }, corner, Place { x: frame.right, y: frame.bottom }],
    );
    for tick in &plan.y.ticks {
        let at = Place { x: frame.left - 6.0, y: plan.y_place(tick.at) + TEXT * 0.35 };
        writer.text("", at, Anchor::End, 0.0, &tick.label);
    }
    for tick in &plan.x.ticks {
        let x = plan.x_place(tick.at);
        if plan.rotated {
            let at = Place { x: x + 4.0, y: frame.bottom + 14.0 };
            writer.text("", at, Anchor::End, -TURN, &tick.label);
        } else {
            writer.text("", Place { x, y: frame.bottom + 17.0 }, Anchor::Middle, 0.0, &tick.label);
        }
    }
    let middle = Place { x: (frame.left + frame.right) / 2.0, y: (frame.top + frame.bottom) / 2.0 };
    if !chart.x.title.is_empty() {
        let at = Place { x: middle.x, y: f64::from(chart.height) - 10.0 };
        writer.text("", at, Anchor::Middle, 0.0, &chart.x.title);
    }
    if !chart.y.title.is_empty() {
        writer.text("", Place { x: 18.0, y: middle.y }, Anchor::Middle, -90.0, &chart.y.title);
    }
}
