//! Labels of points and of reference lines. They are placed one after the other, each where it covers none of those before
//! it, if there is such a place.

use super::clip::Frame;
use super::writer::{Anchor, Place, Writer, text_width};

const SIZE: f64 = 11.0;

pub struct Labels {
    frame: Frame,
    placed: Vec<Label>,
    /// What should not be covered either.
    kept_free: Vec<Frame>,
}

struct Label {
    text: String,
    at: Place,
    anchor: Anchor,
    rotation: f64,
    /// What it covers. Turned text covers a few of these.
    boxes: Vec<Frame>,
}

impl Labels {
    pub fn new(frame: Frame) -> Labels {
        Labels { frame, placed: Vec::new(), kept_free: Vec::new() }
    }

    /// Keeps the marker at a place free.
    pub fn keep_free(&mut self, at: Place) {
        self.kept_free.push(Frame {
            left: at.x - 4.0,
            right: at.x + 4.0,
            top: at.y - 4.0,
            bottom: at.y + 4.0,
        });
    }

    /// Labels a point.
    pub fn beside(&mut self, point: Place, text: &str) {
        if !self.frame.contains(point) {
            return;
        }
        let candidates = [
            (Place { x: point.x + 8.0, y: point.y + 4.0 }, Anchor::Start),
            (Place { x: point.x - 8.0, y: point.y + 4.0 }, Anchor::End),
            (Place { x: point.x, y: point.y - 8.0 }, Anchor::Middle),
            (Place { x: point.x, y: point.y + 16.0 }, Anchor::Middle),
            (Place { x: point.x + 6.0, y: point.y - 6.0 }, Anchor::Start),
            (Place { x: point.x + 6.0, y: point.y + 14.0 }, Anchor::Start),
            (Place { x: point.x - 6.0, y: point.y - 6.0 }, Anchor::End),
            (Place { x: point.x - 6.0, y: point.y + 14.0 }, Anchor::End),
        ];
        let labels = candidates.map(|(at, anchor)| Label::new(text, at, anchor, 0.0));
        self.place(labels.into());
    }

    /// Labels a line from one place to another, above it: near its end, its start or its middle.
    pub fn along(&mut self, from: Place, to: Place, text: &str) {
        // Text goes from left to right, and up beside a line that does.
        let (from, to) = if to.x >= from.x { (from, to) } else { (to, from) };
        let angle = (to.y - from.y).atan2(to.x - from.x);
        let rotation = angle.to_degrees();
        let above = |share: f64, inset: f64, anchor| {
            let along = Place {
                x: from.x + (to.x - from.x) * share + inset * angle.cos(),
                y: from.y + (to.y - from.y) * share + inset * angle.sin(),
            };
            let at = Place { x: along.x + 5.0 * angle.sin(), y: along.y - 5.0 * angle.cos() };
            Label::new(text, at, anchor, rotation)
        };
        self.place(vec![
            above(1.0, -6.0, Anchor::End),
            above(0.0, 6.0, Anchor::Start),
            above(0.5, 0.0, Anchor::Middle),
        ]);
    }

    pub fn write(&self, writer: &mut Writer) {
        for label in &self.placed {
            writer.text("label", label.at, label.anchor, label.rotation, &label.text);
        }
    }

    /// Takes the first candidate that is free, or else the first that is inside.
    fn place(&mut self, candidates: Vec<Label>) {
        let inside = |label: &Label| {
            label.boxes.iter().all(|b| b.left >= self.frame.left - 2.0 && b.right <= self.frame.right + 2.0)
        };
        let is_free = |label: &Label| {
            let others = self.placed.iter().flat_map(|other| &other.boxes).chain(&self.kept_free);
            others.into_iter().all(|other| !label.covers(other))
        };
        let chosen = candidates
            .iter()
            .position(|label| inside(label) && is_free(label))
            .or_else(|| candidates.iter().position(inside))
            .unwrap_or(0);
        self.placed.extend(candidates.into_iter().nth(chosen));
    }
}

impl Label {
    fn new(text: &str, at: Place, anchor: Anchor, rotation: f64) -> Label {
        let width = text_width(text, SIZE);
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let (sin, cos) = rotation.to_radians().sin_cos();
        let pieces = if rotation == 0.0 { 1 } else { (width / SIZE).ceil().max(1.0) as usize };
        let piece = width / pieces as f64;
        let boxes = (0..pieces).map(|i| {
            let along = start + piece * (i as f64 + 0.5);
            let middle = Place { x: at.x + along * cos, y: at.y + along * sin - SIZE * 0.35 };
            Frame {
                left: middle.x - piece / 2.0,
                right: middle.x + piece / 2.0,
                top: middle.y - SIZE * 0.55,
                bottom: middle.y + SIZE * 0.55,
            }
        });
        Label { text: text.into(), at, anchor, rotation, boxes: boxes.collect() }
    }

    fn covers(&self, other: &Frame) -> bool {
        let overlap = |own: &Frame| {
            own.left < other.right
                && other.left < own.right
                && own.top < other.bottom
                && other.top < own.bottom
        };
        self.boxes.iter().any(overlap)
    }
}
