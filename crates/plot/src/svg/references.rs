//! Reference lines.

use super::Plan;
use super::labels::Labels;
use super::writer::{Place, Writer};
use crate::{Chart, Reference, ReferenceLine};

/// How many places a line is drawn through that is not straight on these axes.
const STEPS: usize = 64;

pub fn draw(writer: &mut Writer, chart: &Chart, plan: &Plan, labels: &mut Labels) {
    for reference in &chart.references {
        let parts = plan.frame.clip_line(&places(reference, plan));
        writer.paths("reference", &parts);
        let all: Vec<Place> = parts.concat();
        if let (Some(from), Some(to)) = (all.first(), all.last())
            && !reference.label.is_empty()
        {
            labels.along(*from, *to, &reference.label);
        }
    }
}

fn places(reference: &Reference, plan: &Plan) -> Vec<Place> {
    let (from, to) = (reference.from.unwrap_or(plan.x.low()), reference.to.unwrap_or(plan.x.high()));
    match reference.line {
        ReferenceLine::At(x) => vec![plan.place(x, plan.y.low()), plan.place(x, plan.y.high())],
        ReferenceLine::Level(y) => vec![plan.place(from, y), plan.place(to, y)],
        ReferenceLine::Slope(slope) => {
            let is_straight = plan.x.is_log() == plan.y.is_log();
            let steps = if is_straight { 1 } else { STEPS };
            let (start, end) = (plan.x.share(from), plan.x.share(to));
            let at = |i: usize| plan.x.at(start + (end - start) * i as f64 / steps as f64);
            (0..=steps).map(at).map(|x| plan.place(x, x * slope)).collect()
        }
    }
}
