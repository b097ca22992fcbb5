//! A stretch of one line of source, fit to be shown.
//!
//! Lines are as long as their author likes; a window is not. Characters that a terminal would
//! obey, or that hide what the text says, are replaced by visible ones; a tab is four blanks. A
//! window knows the display column of each byte that it shows, wide characters counted as two.

use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// The most characters of one line that are shown.
const WIDTH: usize = 120;
/// How many of them stand before the span that the window is for.
const LEAD: usize = 40;

/// Stands for what is cut off.
const CUT: &str = "...";

pub(super) struct Window {
    /// What to show.
    pub text: String,
    /// The bytes of the file that are shown.
    bytes: Range<usize>,
    /// For each shown character its first byte and its column; at the end, the end.
    columns: Vec<(usize, usize)>,
}

impl Window {
    /// A window into the line `line` of `text` that shows what stands at byte `focus`. It is the
    /// whole line where that is short enough.
    pub fn around(text: &str, line: Range<usize>, focus: usize) -> Window {
        let content = &text[line.clone()];
        let bytes = if content.chars().nth(WIDTH).is_none() {
            line.clone()
        } else {
            let before = &content[..focus - line.start];
            let start = match before.char_indices().rev().nth(LEAD) {
                Some((at, _)) if before.chars().nth(WIDTH / 2).is_some() => line.start + at,
                _ => line.start,
            };
            let end = text[start..line.end].char_indices().nth(WIDTH).map_or(line.end, |(at, _)| start + at);
            start..end
        };

        let mut shown = String::new();
        let mut columns = Vec::new();
        let mut column = 0;
        if bytes.start > line.start {
            shown.push_str(CUT);
            column = CUT.len();
        }
        for (at, c) in text[bytes.clone()].char_indices() {
            columns.push((bytes.start + at, column));
            column += push_visible(&mut shown, c);
        }
        columns.push((bytes.end, column));
        if bytes.end < line.end {
            shown.push_str(CUT);
        }
        Window { text: shown, bytes, columns }
    }

    pub fn shows(&self, byte: usize) -> bool {
        self.bytes.contains(&byte) || byte == self.bytes.end
    }

    /// The display column of `byte`, or of the edge of the window that is nearest to it.
    pub fn column(&self, byte: usize) -> usize {
        let i = self.columns.partition_point(|&(at, _)| at < byte);
        self.columns[i.min(self.columns.len() - 1)].1
    }
}

/// `text` (of one line) with nothing in it that a terminal would obey.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut out, c);
    }
    out
}

/// Appends what is shown for `c`; returns its width.
fn push_visible(out: &mut String, c: char) -> usize {
    let shown = match c {
        '\t' => {
            out.push_str("    ");
            return 4;
        }
        // The block of pictures for control characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        // Controls of the second kind, joiners, marks and overrides of the writing direction.
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    out.push(shown);
    shown.width().unwrap_or(1)
}
