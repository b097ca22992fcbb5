//! Animations: pictures of one size, one after the other, and what changes between them.

use crate::Picture;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Animation {
    width: usize,
    height: usize,
    frames: Vec<Vec<u32>>,
    /// Frames per second.
    pub fps: u16,
    /// Whether it restarts when it is over.
    pub repeat: bool,
}

/// The part of a frame that differs from the one before.
pub struct Change {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u32>,
}

impl Animation {
    /// There must be a frame, and all must be of one size. The error is a sentence.
    pub fn new(frames: Vec<Picture>, fps: u16, repeat: bool) -> Result<Animation, String> {
        let Some(&Picture { width, height, .. }) = frames.first() else {
            return Err("The animation has no frames.".into());
        };
        if let Some(other) = frames.iter().find(|frame| (frame.width, frame.height) != (width, height)) {
            return Err(format!(
                "The frames differ in size: {width} by {height} and {} by {} pixels.",
                other.width, other.height
            ));
        }
        let frames = frames.into_iter().map(|frame| frame.pixels).collect();
        Ok(Animation { width, height, frames, fps: fps.max(1), repeat })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    pub fn frames(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.frames.iter().map(Vec::as_slice)
    }

    /// The first frame as a whole, and of each other one the rectangle that has changed. Where nothing has, one pixel stays.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        let first = Change {
            left: 0,
            top: 0,
            width: self.width,
            height: self.height,
            pixels: self.frames[0].clone(),
        };
        std::iter::once(first).chain(self.frames.windows(2).map(|pair| self.change(&pair[0], &pair[1])))
    }

    fn change(&self, before: &[u32], after: &[u32]) -> Change {
        let differs = |i: usize| before[i] != after[i];
        let row_differs = |y: &usize| (y * self.width..(y + 1) * self.width).any(differs);
        let top = (0..self.height).find(row_differs).unwrap_or(0);
        let bottom = (0..self.height).rev().find(row_differs).unwrap_or(0);
        let column_differs = |x: &usize| (top..=bottom).any(|y| differs(y * self.width + x));
        let left = (0..self.width).find(column_differs).unwrap_or(0);
        let right = (0..self.width).rev().find(column_differs).unwrap_or(0);
        let row = |y: usize| &after[y * self.width + left..=y * self.width + right];
        let pixels = (top..=bottom).flat_map(row).copied().collect();
        Change { left, top, width: right - left + 1, height: bottom - top + 1, pixels }
    }
}

/// The colours of some pixels in order, if there are at most `most`.
pub fn few_colours<'a>(frames: impl Iterator<Item = &'a [u32]>, most: usize) -> Option<Vec<u32>> {
    let mut found = BTreeSet::new();
    for frame in frames {
        // Neighbours are mostly of one colour.
        let mut last = None;
        for pixel in frame {
            if last != Some(pixel) {
                last = Some(pixel);
                found.insert(*pixel);
                if found.len() > most {
                    return None;
                }
            }
        }
    }
    Some(found.into_iter().collect())
}
