//! Measure a document: how wide each group is when flat, and which groups cannot be flat.
//!
//! The width of a group runs on behind its end to the next place where a line may end: a closing
//! bracket or comma that follows has to fit on the line too. It is known once that place is
//! reached, so groups that have ended wait for it in a list.

use super::doc::{Doc, FillId, GroupId, Line, Op, width};

pub(super) struct Measures {
    /// Of each group: its width when flat, with what must follow on the same line.
    pub group_width: Vec<usize>,
    /// Of each group: whether it has to be broken.
    pub broken: Vec<bool>,
    /// Of each `Line::Fill`: the width from there to the next line of its group.
    pub fill_width: Vec<usize>,
}

pub(super) fn measure(doc: &Doc) -> Measures {
    let mut pass = Pass {
        out: Measures {
            group_width: vec![0; doc.forced.len()],
            broken: doc.forced.clone(),
            fill_width: vec![0; doc.fills],
        },
        column: 0,
        open: Vec::new(),
        waiting: Vec::new(),
        trailing: None,
    };
    for op in &doc.ops {
        pass.step(op);
    }
    pass.line_may_end();
    pass.out
}

struct Pass {
    out: Measures,
    /// Where we would be if the whole document were one line.
    column: usize,
    open: Vec<Frame>,
    waiting: Vec<Stretch>,
    /// After a trailing comment: how many of the open groups contain it. Text that follows breaks
    /// them.
    trailing: Option<usize>,
}

struct Frame {
    group: GroupId,
    start: usize,
    /// The last fill of the group, and where it starts.
    fill: Option<(FillId, usize)>,
}

/// Something whose end is the next possible line end.
struct Stretch {
    of: Measured,
    start: usize,
}

enum Measured {
    Group(GroupId),
    Fill(FillId),
}

impl Pass {
    fn step(&mut self, op: &Op) {
        match *op {
            Op::Text(text) => {
                self.text_follows();
                self.column += width(text);
            }
            Op::Space => self.column += 1,
            Op::Line(line) => {
                self.line_may_end();
                if let Line::Fill(fill) = line {
                    self.start_fill(fill);
                }
                self.column += line.flat_width();
            }
            Op::Hard | Op::Comment(_) => {
                self.line_may_end();
                self.break_innermost();
            }
            Op::Trailing(_) => {
                self.text_follows();
                self.trailing = Some(self.open.len());
            }
            Op::Open(group) | Op::OpenAfter(group, _) => {
                self.open.push(Frame { group, start: self.column, fill: None })
            }
            Op::Close => self.close(),
            Op::Pad(_) | Op::Blank | Op::Indent(_) | Op::IndentIfBroken(_) => {}
            Op::Align | Op::AsLine | Op::Dedent => {}
        }
    }

    fn line_may_end(&mut self) {
        for stretch in self.waiting.drain(..) {
            let width = self.column - stretch.start;
            match stretch.of {
                Measured::Group(group) => self.out.group_width[group.0] = width,
                Measured::Fill(fill) => self.out.fill_width[fill.0] = width,
            }
        }
    }

    fn start_fill(&mut self, fill: FillId) {
        if let Some(frame) = self.open.last_mut()
            && let Some((last, start)) = frame.fill.replace((fill, self.column))
        {
            self.out.fill_width[last.0] = self.column - start;
        }
    }

    fn break_innermost(&mut self) {
        if let Some(frame) = self.open.last() {
            self.out.broken[frame.group.0] = true;
        }
    }

    fn text_follows(&mut self) {
        if let Some(depth) = self.trailing.take()
            && depth > 0
        {
            self.out.broken[self.open[depth - 1].group.0] = true;
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        if self.out.broken[frame.group.0] {
            self.break_innermost();
        }
        self.trailing = self.trailing.map(|depth| depth.min(self.open.len()));
        if let Some((fill, start)) = frame.fill {
            self.waiting.push(Stretch { of: Measured::Fill(fill), start });
        }
        self.waiting.push(Stretch { of: Measured::Group(frame.group), start: frame.start });
    }
}
