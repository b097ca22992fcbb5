//! The layout language: what to print, and where a line may end.
//!
//! A document is a flat sequence of instructions rather than a tree. The formatter walks a program
//! in source order and appends; measuring and rendering are loops over the sequence, so the depth
//! of a program costs no stack here and all of it is linear in time.
//!
//! A *group* is a stretch whose `Line`s are decided together: all of them spaces (the group is
//! flat) or all of them line breaks (it is broken). A group is broken if it is forced to be, or
//! if it does not fit into the line. A break inside a group breaks all groups around it.
//!
//! Comments are instructions of their own, because neither kind behaves like text. A `Trailing`
//! comment is held back until the line ends, and only breaks the groups that go on after it; a
//! `Comment` stands on a line of its own and breaks every group it is in.

/// One instruction. Texts contain no line breaks, except for `Comment`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op<'a> {
    Text(&'a str),
    /// A blank that is dropped at the end of a line.
    Space,
    /// This many blanks if the group is broken.
    Pad(usize),
    /// A possible line break.
    Line(Line),
    /// A line break.
    Hard,
    /// An empty line at the next (or the pending) line break.
    Blank,
    Open(GroupId),
    /// A group that is also broken if an earlier one, already closed, was.
    OpenAfter(GroupId, GroupId),
    Close,
    /// Lines are indented by this much more, up to `Dedent`.
    Indent(usize),
    /// The same, if the group is broken.
    IndentIfBroken(usize),
    /// Lines are indented to the present column, up to `Dedent`.
    Align,
    /// Lines are indented as the present one is, up to `Dedent`.
    AsLine,
    Dedent,
    /// A comment at the end of the line.
    Trailing(&'a str),
    /// A comment on lines of its own.
    Comment(&'a str),
}

/// What a possible line break is when it is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A space.
    Space,
    /// Nothing.
    Nothing,
    /// A space. In a broken group it only breaks if what follows, up to the next line of the
    /// group, does not fit.
    Fill(FillId),
}

impl Line {
    pub fn flat_width(self) -> usize {
        match self {
            Line::Space | Line::Fill(_) => 1,
            Line::Nothing => 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GroupId(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FillId(pub usize);

/// A document under construction, or done.
#[derive(Default)]
pub(super) struct Doc<'a> {
    pub ops: Vec<Op<'a>>,
    /// Whether each group has to be broken for a reason that is not among its instructions.
    pub forced: Vec<bool>,
    /// How many `Line::Fill` there are.
    pub fills: usize,
    /// The groups not closed yet, innermost last.
    open: Vec<GroupId>,
    /// How often something has been said that breaks a group.
    breaks: usize,
    /// If the present line may already have its trailing comment: how many of the open groups
    /// contain that comment. They are broken, so a line of theirs is a new one.
    commented: Option<usize>,
}

/// A place in a document where a group may turn out to end.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    op: usize,
    breaks: usize,
}

impl<'a> Doc<'a> {
    pub fn push(&mut self, op: Op<'a>) {
        match op {
            Op::Hard | Op::Comment(_) => {
                self.breaks += 1;
                self.commented = None;
            }
            Op::Line(_) if self.line_is_new() => self.commented = None,
            Op::Trailing(_) => self.commented = Some(self.open.len()),
            _ => {}
        }
        self.ops.push(op);
    }

    /// Whether a line of the innermost group is certain to be a line break.
    fn line_is_new(&self) -> bool {
        let contains_comment = self.commented.is_some_and(|groups| self.open.len() <= groups);
        contains_comment || self.open.last().is_none_or(|group| self.forced[group.0])
    }

    /// Whether the present line may already have a trailing comment.
    pub fn line_is_commented(&self) -> bool {
        self.commented.is_some()
    }

    /// Whether nothing visible has been added since a trailing comment.
    pub fn ends_with_comment(&self) -> bool {
        let is_invisible =
            |op: &&Op| matches!(op, Op::Space | Op::Pad(_) | Op::Indent(_) | Op::Align | Op::AsLine);
        matches!(self.ops.iter().rev().find(|op| !is_invisible(op)), Some(Op::Trailing(_)))
    }

    pub fn mark(&mut self) -> Mark {
        // Does nothing, and leaves room for `close_at`.
        self.push(Op::Pad(0));
        Mark { op: self.ops.len() - 1, breaks: self.breaks }
    }

    /// Whether a line break is certain in what was added since.
    pub fn broken_since(&self, mark: Mark) -> bool {
        self.breaks > mark.breaks
    }

    pub fn open(&mut self) -> GroupId {
        let group = self.new_group();
        self.push(Op::Open(group));
        group
    }

    /// Open a group that is broken if `earlier` is.
    pub fn open_after(&mut self, earlier: GroupId) {
        let group = self.new_group();
        self.push(Op::OpenAfter(group, earlier));
    }

    fn new_group(&mut self) -> GroupId {
        let group = GroupId(self.forced.len());
        self.forced.push(false);
        self.open.push(group);
        group
    }

    pub fn close(&mut self) {
        self.pop_open();
        self.push(Op::Close);
    }

    /// Close the innermost group as if that had been done before what was added since.
    pub fn close_at(&mut self, mark: Mark) {
        self.pop_open();
        self.ops[mark.op] = Op::Close;
    }

    fn pop_open(&mut self) {
        self.open.pop();
        self.commented = self.commented.map(|groups| groups.min(self.open.len()));
    }

    /// Break the innermost group.
    pub fn force(&mut self) {
        if let Some(group) = self.open.last() {
            self.forced[group.0] = true;
            self.breaks += 1;
        }
    }

    pub fn fill(&mut self) {
        self.push(Op::Line(Line::Fill(FillId(self.fills))));
        self.fills += 1;
    }
}

/// The columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
