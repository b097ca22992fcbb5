//! Charts as SVG.
//!
//! From the outside to the inside: the title, the legend, the titles of the axes and what is written at their marks take
//! the room they need; the frame of the axes gets the rest. Then come the grid, reference lines, series, and at last labels,
//! so that nothing is drawn over text.

mod axes;
mod clip;
mod labels;
mod legend;
mod marks;
mod references;
mod style;
mod writer;

use crate::range::Range;
use crate::{Chart, Scale};
use clip::Frame;
use labels::Labels;
use style::{TEXT, TITLE};
use writer::{Anchor, Place, Writer, escape, text_width};

/// The chart as the text of an SVG file.
pub fn draw(chart: &Chart) -> String {
    let (width, height) = (f64::from(chart.width), f64::from(chart.height));
    let mut writer = Writer::default();
    writer.line(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">"
    ));
    if !chart.title.is_empty() {
        writer.line(&format!("<title>{}</title>", escape(&chart.title)));
    }
    writer.line(&style::style(chart.series.len()));
    writer.rect("back", Place { x: 0.0, y: 0.0 }, width, height);
    let plan = Plan::new(chart);
    let middle = (plan.frame.left + plan.frame.right) / 2.0;
    if !chart.title.is_empty() {
        writer.text("title", Place { x: middle, y: 24.0 }, Anchor::Middle, 0.0, &chart.title);
    }
    legend::draw(&mut writer, chart, &plan);
    axes::draw(&mut writer, chart, &plan);
    let mut labels = Labels::new(plan.frame);
    references::draw(&mut writer, chart, &plan, &mut labels);
    marks::draw(&mut writer, chart, &plan, &mut labels);
    labels.write(&mut writer);
    writer.line("</svg>");
    writer.out
}

/// Where everything stands.
pub struct Plan {
    frame: Frame,
    x: Range,
    y: Range,
    /// Where the legend begins.
    legend_top: f64,
    /// Whether names of categories are turned, since they are too long to stand side by side.
    rotated: bool,
}

impl Plan {
    fn new(chart: &Chart) -> Plan {
        let (width, height) = (f64::from(chart.width), f64::from(chart.height));
        let y = Range::of_y(chart, (height / 60.0) as usize);
        let x = Range::of_x(chart, (width / 80.0) as usize);
        let widest =
            |range: &Range| range.ticks.iter().map(|tick| text_width(&tick.label, TEXT)).fold(0.0, f64::max);
        let y_title = if chart.y.title.is_empty() { 0.0 } else { 22.0 };
        let left = 14.0 + y_title + widest(&y) + 6.0;
        let right = width - 18.0;
        let legend_top = if chart.title.is_empty() { 12.0 } else { 12.0 + TITLE + 10.0 };
        let top = legend_top + legend::height(chart, right - left) + 4.0;
        let slot = (right - left) / x.ticks.len().max(1) as f64;
        let rotated = matches!(chart.x.scale, Scale::Categories(_)) && widest(&x) > slot - 4.0;
        let x_labels = if rotated { widest(&x) * TURN.to_radians().sin() + 14.0 } else { 22.0 };
        let x_title = if chart.x.title.is_empty() { 0.0 } else { 20.0 };
        let bottom = height - 10.0 - x_labels - x_title;
        // However little room there is, a frame has an inside.
        let frame = Frame { left, right: right.max(left + 10.0), top, bottom: bottom.max(top + 10.0) };
        Plan { frame, x, y, legend_top, rotated }
    }

    fn place(&self, x: f64, y: f64) -> Place {
        Place { x: self.x_place(x), y: self.y_place(y) }
    }

    fn x_place(&self, x: f64) -> f64 {
        self.frame.left + self.x.share(x) * self.frame.width()
    }

    fn y_place(&self, y: f64) -> f64 {
        self.frame.bottom - self.y.share(y) * self.frame.height()
    }
}

/// By how many degrees long names are turned.
const TURN: f64 = 35.0;
