//! The range of an axis: from where to where it goes, its marks, and the share of it that lies before a number.

use crate::ticks::{Tick, linear_ticks, log_ticks, round_above, round_below, round_step};
use crate::{Axis, Chart, Mark, ReferenceLine, Scale};

pub struct Range {
    low: f64,
    high: f64,
    is_log: bool,
    pub ticks: Vec<Tick>,
}

impl Range {
    /// Of the x axis, with room for about `count` marks.
    pub fn of_x(chart: &Chart, count: usize) -> Range {
        if let Scale::Categories(names) = &chart.x.scale {
            let label = |(i, name): (usize, &String)| Tick { at: i as f64, label: name.clone() };
            let ticks = names.iter().enumerate().map(label).collect();
            return Range { low: -0.5, high: names.len().max(1) as f64 - 0.5, is_log: false, ticks };
        }
        let mut numbers: Vec<f64> = drawn(chart).map(|(x, _)| x).collect();
        for reference in &chart.references {
            numbers.extend([reference.from, reference.to].into_iter().flatten());
            if let ReferenceLine::At(x) = reference.line {
                numbers.push(x);
            }
        }
        Range::new(&chart.x, &numbers, count)
    }

    pub fn of_y(chart: &Chart, count: usize) -> Range {
        let mut numbers: Vec<f64> = drawn(chart).map(|(_, y)| y).collect();
        for reference in &chart.references {
            match reference.line {
                ReferenceLine::Level(y) => numbers.push(y),
                // Where a roof ends is seen; where it begins may be left out.
                ReferenceLine::Slope(slope) => numbers.extend(reference.to.map(|x| x * slope)),
                ReferenceLine::At(_) => {}
            }
        }
        if chart.series.iter().any(|series| series.mark == Mark::Bars) {
            numbers.push(if chart.y.scale == Scale::Log { 1.0 } else { 0.0 });
        }
        Range::new(&chart.y, &numbers, count)
    }

    fn new(axis: &Axis, numbers: &[f64], count: usize) -> Range {
        let is_log = axis.scale == Scale::Log;
        let usable = |x: &f64| x.is_finite() && (!is_log || *x > 0.0);
        let bound = |chosen: Option<f64>, pick: fn(f64, f64) -> f64| {
            chosen.filter(usable).or_else(|| numbers.iter().copied().filter(usable).reduce(pick))
        };
        let low = bound(axis.low, f64::min).unwrap_or(if is_log { 1.0 } else { 0.0 });
        let high = bound(axis.high, f64::max).unwrap_or(low);
        if is_log { Range::log(axis, low, high, count) } else { Range::linear(axis, low, high, count) }
    }

    fn linear(axis: &Axis, mut low: f64, mut high: f64, count: usize) -> Range {
        // Numbers so close to each other that nothing lies between them have one place.
        if high - low <= low.abs().max(high.abs()) * 1e-12 {
            let around = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
            (low, high) = (low - around, low + around);
        }
        let step = round_step(low, high, count);
        if axis.low.is_none() {
            low = (low / step + 1e-6).floor() * step;
        }
        if axis.high.is_none() {
            high = (high / step - 1e-6).ceil() * step;
        }
        Range { low, high, is_log: false, ticks: linear_ticks(low, high, step) }
    }

    fn log(axis: &Axis, mut low: f64, mut high: f64, count: usize) -> Range {
        if high <= low * (1.0 + 1e-9) {
            (low, high) = (low / 2.0, low * 2.0);
        }
        if axis.low.is_none() {
            low = round_below(low);
        }
        if axis.high.is_none() {
            high = round_above(high);
        }
        Range { low, high, is_log: true, ticks: log_ticks(low, high, count) }
    }

    pub fn low(&self) -> f64 {
        self.low
    }

    pub fn high(&self) -> f64 {
        self.high
    }

    pub fn is_log(&self) -> bool {
        self.is_log
    }

    /// The share of the axis before a number: 0 at its start, 1 at its end. Not finite for what has no place.
    pub fn share(&self, x: f64) -> f64 {
        if self.is_log {
            (x / self.low).ln() / (self.high / self.low).ln()
        } else {
            (x - self.low) / (self.high - self.low)
        }
    }

    /// The number at a share of the axis.
    pub fn at(&self, share: f64) -> f64 {
        if self.is_log {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + (self.high - self.low) * share
        }
    }

    /// Where bars stand.
    pub fn ground(&self) -> f64 {
        let ground = if self.is_log { 1.0 } else { 0.0 };
        f64::clamp(ground, self.low, self.high)
    }
}

/// The points that have a place.
fn drawn(chart: &Chart) -> impl Iterator<Item = (f64, f64)> {
    let points = chart.series.iter().flat_map(|series| &series.points);
    points.map(|point| (point.x, point.y)).filter(|(x, y)| x.is_finite() && y.is_finite())
}
