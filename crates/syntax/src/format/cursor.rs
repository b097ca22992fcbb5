//! The place in the source text up to which everything has been printed.
//!
//! The formatter prints a program token by token in source order, and this is where it takes the
//! tokens from. Whatever stands between two of them is blanks, line breaks and comments; so no
//! comment can be passed over, and the user's line breaks and empty lines can be asked for at the
//! point where they matter.

use norn_base::Span;

use crate::comments::{Comment, Comments};

pub(super) struct Cursor<'a> {
    text: &'a str,
    /// Just after the last token or comment taken.
    at: usize,
    /// Those not taken yet.
    comments: &'a [Comment],
    /// Comments that stood before a token which was dropped. They come before the next one.
    held: Vec<OwnLine<'a>>,
    /// There was a line break before the token that was dropped last.
    dropped_newline: bool,
}

/// A comment on lines of its own.
pub(super) struct OwnLine<'a> {
    pub text: &'a str,
    /// An empty line precedes it.
    pub blank_before: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, comments: &'a Comments) -> Cursor<'a> {
        let byte_order_mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Cursor {
            text,
            at: byte_order_mark,
            comments: &comments.list,
            held: Vec::new(),
            dropped_newline: false,
        }
    }

    pub fn text_of(&self, span: Span) -> &'a str {
        self.text.get(span.lo as usize..span.hi as usize).unwrap_or_default()
    }

    /// How many characters the tokens at a place have, counted up to `most`.
    pub fn token_width(&self, span: Span, most: usize) -> usize {
        self.text_of(span).chars().filter(|c| !c.is_whitespace()).take(most).count()
    }

    /// Whether a line ends before whatever comes next.
    pub fn newline_ahead(&self) -> bool {
        self.dropped_newline || self.blanks_ahead().contains('\n')
    }

    /// Whether an empty line stands before whatever comes next.
    pub fn blank_line_ahead(&self) -> bool {
        self.held.is_empty() && self.blanks_ahead().bytes().filter(|b| *b == b'\n').count() > 1
    }

    /// Whether the next token begins like this. A word must end there too.
    pub fn next_is(&self, token: &str) -> bool {
        let Some(rest) = self.text[self.token_start()..].strip_prefix(token) else { return false };
        let is_word = token.ends_with(is_name_char);
        !(is_word && rest.starts_with(is_name_char))
    }

    pub fn next_starts_before(&self, span: Span) -> bool {
        self.token_start() < span.lo as usize
    }

    /// The first character of the next token.
    pub fn next_char(&self) -> Option<char> {
        self.text[self.token_start()..].chars().next()
    }

    /// The comments before the next token, each on its own line.
    pub fn take_comments(&mut self) -> Vec<OwnLine<'a>> {
        let mut taken = std::mem::take(&mut self.held);
        while let Some(comment) = self.comment_ahead() {
            let blank_before = self.blank_line_ahead();
            taken.push(OwnLine { text: &comment.text, blank_before });
            self.pass(comment);
        }
        taken
    }

    /// Take the next token, which is this one; unless there is an error there, and it is missing.
    pub fn take(&mut self, token: &str) {
        let start = self.token_start();
        if self.text[start..].starts_with(token) {
            self.move_to(start + token.len());
        }
    }

    /// Take the next token, which consists of letters and digits.
    pub fn take_word(&mut self) -> &'a str {
        let rest = &self.text[self.token_start()..];
        let word = &rest[..rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())];
        self.take(word);
        word
    }

    /// Take what is left of a span.
    pub fn take_span(&mut self, span: Span) -> &'a str {
        let start = self.token_start().max(span.lo as usize);
        let end = start.max(span.hi as usize);
        self.move_to(end);
        &self.text[start..end]
    }

    /// The comment that ends the line of the token just taken. Documentation is about what follows
    /// it, wherever it stands.
    pub fn take_trailing(&mut self) -> Option<&'a str> {
        if self.blanks_ahead().contains('\n') {
            return None;
        }
        let comment = self.comment_ahead().filter(|c| !c.doc)?;
        self.pass(comment);
        Some(&comment.text)
    }

    /// Keep a comment for the lines before the next token.
    pub fn hold(&mut self, comment: &'a str) {
        self.held.push(OwnLine { text: comment, blank_before: false });
    }

    /// Take the next token without printing it; the comments before it are kept for later.
    pub fn drop_token(&mut self, token: &str) {
        self.dropped_newline |= self.blanks_ahead().contains('\n');
        self.held = self.take_comments();
        let dropped_newline = self.dropped_newline;
        self.take(token);
        self.dropped_newline = dropped_newline;
    }

    fn blanks_ahead(&self) -> &'a str {
        &self.text[self.at..self.at + blanks(&self.text[self.at..])]
    }

    /// The comment that comes before the next token.
    fn comment_ahead(&self) -> Option<&'a Comment> {
        let start = self.at + self.blanks_ahead().len();
        self.comments.first().filter(|c| c.span.lo as usize == start)
    }

    fn pass(&mut self, comment: &Comment) {
        self.at = comment.span.hi as usize;
        self.comments = &self.comments[1..];
    }

    fn token_start(&self) -> usize {
        let mut at = self.at;
        for comment in self.comments {
            at += blanks(&self.text[at..]);
            if comment.span.lo as usize != at {
                break;
            }
            at = comment.span.hi as usize;
        }
        at + blanks(&self.text[at..])
    }

    fn move_to(&mut self, end: usize) {
        self.at = self.at.max(end);
        self.dropped_newline = false;
        while let Some(comment) = self.comments.first()
            && (comment.span.lo as usize) < self.at
        {
            self.comments = &self.comments[1..];
        }
    }
}

/// How many bytes of blanks and line breaks a text begins with.
fn blanks(text: &str) -> usize {
    let is_blank = |b: &u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b'\x0B' | b'\x0C');
    text.bytes().take_while(is_blank).count()
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\''
}
