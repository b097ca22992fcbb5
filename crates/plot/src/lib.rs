//! Charts: numbers in, SVG text out.
//!
//! A [`Chart`] is the data; [`draw`] lays it out. The pages of `norn literate`
//! and the plots of the benchmarks use it, so that all look alike. There is no I/O, and the
//! same chart always gives the same bytes.
//!
//! Deliberately absent: themes, fonts, several charts in one. There is one set of colours for light
//! and one for dark backgrounds, and text uses the reader's system font.

#![forbid(unsafe_code)]

mod json;
mod range;
mod svg;
mod ticks;

pub use json::parse_chart;
pub use svg::draw;

#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Nothing is drawn for an empty text, here and in axes.
    pub title: String,
    /// In pixels.
    pub width: u32,
    pub height: u32,
    pub x: Axis,
    pub y: Axis,
    /// Drawn in this order, with colours in this order.
    pub series: Vec<Series>,
    /// Drawn below the series.
    pub references: Vec<Reference>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Axis {
    pub title: String,
    pub scale: Scale,
    /// Where the axis begins and ends, if not at round numbers around all that is drawn.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub enum Scale {
    #[default]
    Linear,
    /// Only positive numbers have a place.
    Log,
    /// Names at equal distances; the place of the first is 0. Only for x.
    Categories(Vec<String>),
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// As in the legend, which leaves out what has no name.
    pub name: String,
    pub mark: Mark,
    pub points: Vec<Point>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    #[default]
    Line,
    Points,
    /// A line with a marker at each point.
    Both,
    /// The bars of several series stand side by side. They stand on 0, on a logarithmic axis on 1.
    Bars,
}

/// A point that is not finite is not drawn, and interrupts its line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub label: String,
}

/// A line to compare with: a limit, a target.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub label: String,
    pub line: ReferenceLine,
    /// The part of the x axis above which it is drawn, if not all of it.
    pub from: Option<f64>,
    pub to: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReferenceLine {
    /// y is this number.
    Level(f64),
    /// x is this number.
    At(f64),
    /// y is x times this number, as in the roofs of a roofline.
    Slope(f64),
}

impl Chart {
    pub const WIDTH: u32 = 640;
    pub const HEIGHT: u32 = 400;

    /// A chart of the usual size with linear axes.
    pub fn new(series: Vec<Series>) -> Chart {
        Chart {
            title: String::new(),
            width: Chart::WIDTH,
            height: Chart::HEIGHT,
            x: Axis::default(),
            y: Axis::default(),
            series,
            references: Vec::new(),
        }
    }
}

impl Series {
    /// Pairs of numbers as a series.
    pub fn new(name: impl Into<String>, mark: Mark, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let points = points.into_iter().map(|(x, y)| Point { x, y, label: String::new() }).collect();
        Series { name: name.into(), mark, points }
    }
}
