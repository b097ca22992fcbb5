//! Text with colours, or without.

/// Whether to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Plain,
    /// With ANSI escape sequences.
    Ansi,
}

/// What a stretch of output is, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    Plain,
    Bold,
    Error,
    Warning,
    /// Spans that explain the primary one.
    Secondary,
    /// Line numbers and frames.
    Gutter,
}

impl Ink {
    fn escape(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Bold => "\x1b[1m",
            Ink::Error => "\x1b[1;31m",
            Ink::Warning => "\x1b[1;33m",
            Ink::Secondary => "\x1b[1;36m",
            Ink::Gutter => "\x1b[1;34m",
        }
    }
}

/// Collects the output, one line after the other.
pub(super) struct Painter {
    paint: Paint,
    out: String,
}

impl Painter {
    pub fn new(paint: Paint) -> Painter {
        Painter { paint, out: String::new() }
    }

    pub fn text(&mut self, text: &str, ink: Ink) {
        if self.paint == Paint::Plain || ink == Ink::Plain || text.trim().is_empty() {
            self.out.push_str(text);
        } else {
            self.out.push_str(ink.escape());
            self.out.push_str(text);
            self.out.push_str("\x1b[0m");
        }
    }

    /// Ends the line, without blanks at its end.
    pub fn end_line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// A row of single characters that may be drawn in any order, and a text that ends it.
#[derive(Default)]
pub(super) struct Row {
    cells: Vec<(char, Ink)>,
    tail: Option<(String, Ink)>,
}

impl Row {
    pub fn put(&mut self, col: usize, glyph: char, ink: Ink) {
        self.fill(col, col + 1, glyph, ink);
    }

    pub fn fill(&mut self, from: usize, to: usize, glyph: char, ink: Ink) {
        self.extend_to(to);
        self.cells[from..to].fill((glyph, ink));
    }

    /// Ends the row with `text`, which begins at `col` or where the row ends.
    pub fn end_with(&mut self, col: usize, text: &str, ink: Ink) {
        self.extend_to(col);
        self.tail = Some((text.into(), ink));
    }

    pub fn width(&self) -> usize {
        self.cells.len()
    }

    fn extend_to(&mut self, width: usize) {
        if self.cells.len() < width {
            self.cells.resize(width, (' ', Ink::Plain));
        }
    }

    pub fn draw(&self, painter: &mut Painter) {
        for run in self.cells.chunk_by(|a, b| a.1 == b.1) {
            painter.text(&run.iter().map(|cell| cell.0).collect::<String>(), run[0].1);
        }
        if let Some((text, ink)) = &self.tail {
            painter.text(text, *ink);
        }
    }
}
