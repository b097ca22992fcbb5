//! Where the lines of a printed program end.
//!
//! The printer appends instructions in order; a group is printed on one line if it fits there,
//! and otherwise all lines of it are broken. Measuring and rendering are loops over the
//! instructions, so that the depth of a program costs no stack here.

/// The columns that a line should not exceed.
const LINE_WIDTH: usize = 100;

/// How much deeper each level of indentation is.
const STEP: usize = 2;

#[derive(Debug)]
enum Op {
    Text(String),
    /// A blank, or the end of a line in a broken group.
    Line,
    /// Nothing, or the end of a line in a broken group.
    Cut,
    /// The end of a line; breaks all groups around it.
    Hard,
    Open,
    Close,
    Indent,
    Dedent,
}

#[derive(Default)]
pub(super) struct Layout {
    ops: Vec<Op>,
}

impl Layout {
    pub fn text(&mut self, text: impl Into<String>) {
        self.ops.push(Op::Text(text.into()));
    }

    pub fn line(&mut self) {
        self.ops.push(Op::Line);
    }

    pub fn cut(&mut self) {
        self.ops.push(Op::Cut);
    }

    pub fn hard(&mut self) {
        self.ops.push(Op::Hard);
    }

    pub fn open(&mut self) {
        self.ops.push(Op::Open);
    }

    pub fn close(&mut self) {
        self.ops.push(Op::Close);
    }

    pub fn indent(&mut self) {
        self.ops.push(Op::Indent);
    }

    pub fn dedent(&mut self) {
        self.ops.push(Op::Dedent);
    }

    pub fn render(&self) -> String {
        let widths = self.group_widths();
        let mut out = String::new();
        let (mut column, mut indent) = (0, 0);
        let mut broken = vec![true];
        for (op, width) in self.ops.iter().zip(widths) {
            let is_broken = broken.last().copied().unwrap_or(true);
            match op {
                Op::Text(text) => {
                    if column == 0 && !text.is_empty() {
                        out.extend(std::iter::repeat_n(' ', indent));
                        column = indent;
                    }
                    out.push_str(text);
                    column += text.chars().count();
                }
                Op::Line if !is_broken => {
                    out.push(' ');
                    column += 1;
                }
                Op::Cut if !is_broken => {}
                Op::Line | Op::Cut | Op::Hard => {
                    out.truncate(out.trim_end_matches(' ').len());
                    out.push('\n');
                    column = 0;
                }
                Op::Open => broken.push(is_broken && column.max(indent) + width > LINE_WIDTH),
                Op::Close => {
                    broken.pop();
                }
                Op::Indent => indent += STEP,
                Op::Dedent => indent -= STEP,
            }
        }
        out
    }

    /// For each `Open` the columns that its group needs on one line, with what follows it there.
    fn group_widths(&self) -> Vec<usize> {
        const NEVER: usize = usize::MAX / 4;
        let mut widths = vec![0; self.ops.len()];
        // From the present instruction to the end, and to the next place where a line may end.
        let (mut total, mut tail) = (0usize, 0usize);
        // Of each group that is open, looking backwards: the total after it, the tail after it,
        // and whether it can stand on one line at all.
        let mut open: Vec<(usize, usize, bool)> = Vec::new();
        for (i, op) in self.ops.iter().enumerate().rev() {
            match op {
                Op::Text(text) => {
                    total += text.chars().count();
                    tail += text.chars().count();
                }
                Op::Line => {
                    total += 1;
                    tail = 0;
                }
                Op::Cut => tail = 0,
                Op::Hard => {
                    tail = 0;
                    if let Some(group) = open.last_mut() {
                        group.2 = false;
                    }
                }
                Op::Close => open.push((total, tail, true)),
                Op::Open => {
                    if let Some((after, rest, can_be_flat)) = open.pop() {
                        widths[i] = if can_be_flat { total - after + rest } else { NEVER };
                        if !can_be_flat && let Some(outer) = open.last_mut() {
                            outer.2 = false;
                        }
                    }
                }
                Op::Indent | Op::Dedent => {}
            }
        }
        widths
    }
}
