//! The part of a line that lies inside a frame.

use super::writer::Place;

/// The inside of the axes, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether a place is inside, or on the edge but for rounding.
    pub fn contains(&self, place: Place) -> bool {
        let near = 0.05;
        (self.left - near..=self.right + near).contains(&place.x)
            && (self.top - near..=self.bottom + near).contains(&place.y)
    }

    /// The part of a straight line inside the frame, after Liang and Barsky.
    pub fn clip(&self, from: Place, to: Place) -> Option<(Place, Place)> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let sides = [
            (-dx, from.x - self.left),
            (dx, self.right - from.x),
            (-dy, from.y - self.top),
            (dy, self.bottom - from.y),
        ];
        let (mut start, mut end) = (0.0f64, 1.0f64);
        for (towards, room) in sides {
            if towards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                start = start.max(room / towards);
            } else {
                end = end.min(room / towards);
            }
        }
        let at = |t: f64| match t {
            // Exactly, so that the next part begins where this one ends.
            1.0 => to,
            _ => Place { x: from.x + t * dx, y: from.y + t * dy },
        };
        (start <= end).then(|| (at(start), at(end)))
    }

    /// The parts of a line through places that are inside. A place that is not finite interrupts it.
    pub fn clip_line(&self, places: &[Place]) -> Vec<Vec<Place>> {
        let mut parts: Vec<Vec<Place>> = Vec::new();
        for pair in places.windows(2) {
            let finite = pair.iter().all(|place| place.x.is_finite() && place.y.is_finite());
            let Some((from, to)) = finite.then(|| self.clip(pair[0], pair[1])).flatten() else { continue };
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_cut_off() {
        let frame = Frame { left: 0.0, right: 10.0, top: 0.0, bottom: 10.0 };
        let place = |x, y| Place { x, y };
        assert_eq!(frame.clip(place(-5.0, 5.0), place(15.0, 5.0)), Some((place(0.0, 5.0), place(10.0, 5.0))));
        assert_eq!(frame.clip(place(-5.0, -1.0), place(15.0, -1.0)), None);
        let line = [place(1.0, 1.0), place(2.0, 2.0), place(f64::NAN, 0.0), place(3.0, 3.0), place(4.0, 4.0)];
        assert_eq!(frame.clip_line(&line).len(), 2);
    }
}
