//! Markdown inside of a paragraph: emphasis, code, links, pictures.

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The Markdown of a paragraph as HTML.
pub fn inline(text: &str) -> String {
    let mut writer = Html::default();
    walk(text, &mut writer, 0);
    writer.0
}

/// The Markdown of a paragraph as the words that it says.
pub fn plain_text(text: &str) -> String {
    let mut writer = Plain::default();
    walk(text, &mut writer, 0);
    writer.0
}

/// Who is told what a paragraph is made of.
trait Writer {
    fn text(&mut self, text: &str);
    /// HTML that the author wrote.
    fn raw(&mut self, html: &str);
    fn code(&mut self, code: &str);
    fn picture(&mut self, alternative: &str, url: &str);
    fn open(&mut self, element: Element);
    fn close(&mut self, element: Element);
}

#[derive(Clone, Copy)]
enum Element<'a> {
    Emphasis,
    Strong,
    Link(&'a str),
    Break,
}

/// How deep emphasis and links may nest. None that a person writes comes near.
const MAX_NESTING: usize = 20;

fn walk(text: &str, writer: &mut impl Writer, depth: usize) {
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let taken = if depth < MAX_NESTING { special(rest, before, writer, depth) } else { None };
        let length = taken.unwrap_or_else(|| {
            writer.text(&rest[..c.len_utf8()]);
            c.len_utf8()
        });
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
}

/// Writes what stands at the front if that is more than a character, and says how long it was.
fn special(rest: &str, before: char, writer: &mut impl Writer, depth: usize) -> Option<usize> {
    let first = rest.chars().next()?;
    match first {
        '\\' => {
            let next = rest[1..].chars().next().filter(char::is_ascii_punctuation)?;
            writer.text(&rest[1..1 + next.len_utf8()]);
            Some(1 + next.len_utf8())
        }
        '`' => {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            let fence = &rest[..ticks];
            let length = closing_ticks(&rest[ticks..], fence)?;
            writer.code(rest[ticks..ticks + length].trim_matches(' '));
            Some(2 * ticks + length)
        }
        '!' if rest.starts_with("![") => {
            let (alternative, url, length) = link(&rest[1..])?;
            writer.picture(&plain_text(alternative), url);
            Some(1 + length)
        }
        '[' => {
            let (words, url, length) = link(rest)?;
            writer.open(Element::Link(url));
            walk(words, writer, depth + 1);
            writer.close(Element::Link(url));
            Some(length)
        }
        '<' => {
            let end = rest.find('>')?;
            let inner = &rest[1..end];
            if inner.starts_with("http://") || inner.starts_with("https://") {
                writer.open(Element::Link(inner));
                writer.text(inner);
                writer.close(Element::Link(inner));
            } else if inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') && !inner.contains('<')
            {
                writer.raw(&rest[..=end]);
            } else {
                return None;
            }
            Some(end + 1)
        }
        '*' | '_' => emphasis(rest, first, before, writer, depth),
        ' ' if rest.starts_with("  \n") => {
            writer.open(Element::Break);
            Some("  \n".len())
        }
        _ => None,
    }
}

/// `*a*`, `**a**`, and the same with underscores, which do not count inside of words.
fn emphasis(rest: &str, mark: char, before: char, writer: &mut impl Writer, depth: usize) -> Option<usize> {
    if mark == '_' && before.is_alphanumeric() {
        return None;
    }
    let double = rest[1..].starts_with(mark);
    let fence = if double { &rest[..2] } else { &rest[..1] };
    let inner = &rest[fence.len()..];
    if inner.starts_with(|c: char| c.is_whitespace() || c == mark) {
        return None;
    }
    let closes = |at: usize| {
        let behind = inner[at + fence.len()..].chars().next();
        let front = inner[..at].chars().next_back();
        !front.is_none_or(|c| c.is_whitespace() || c == '\\' || c == mark)
            && (mark == '*' || !behind.is_some_and(char::is_alphanumeric))
            && (double || behind != Some(mark))
    };
    let end = inner.match_indices(fence).map(|(at, _)| at).find(|at| closes(*at))?;
    let element = if double { Element::Strong } else { Element::Emphasis };
    writer.open(element);
    walk(&inner[..end], writer, depth + 1);
    writer.close(element);
    Some(end + 2 * fence.len())
}

/// How long the code is before as many ticks as opened it.
fn closing_ticks(text: &str, fence: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let ticks = text[start..].len() - text[start..].trim_start_matches('`').len();
        if ticks == fence.len() {
            return Some(start);
        }
        at = start + ticks;
    }
    None
}

/// `[words](url)`: the words, the address and the length of all.
fn link(text: &str) -> Option<(&str, &str, usize)> {
    let mut depth = 0usize;
    let end = text.char_indices().find_map(|(i, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(i)
    })?;
    let behind = text[end + 1..].strip_prefix('(')?;
    let close = behind.find(')')?;
    Some((&text[1..end], behind[..close].trim(), end + close + 3))
}

#[derive(Default)]
struct Html(String);

impl Writer for Html {
    fn text(&mut self, text: &str) {
        self.0 += &escape(text);
    }

    fn raw(&mut self, html: &str) {
        self.0 += html;
    }

    fn code(&mut self, code: &str) {
        self.0 += &format!("<code>{}</code>", escape(code));
    }

    fn picture(&mut self, alternative: &str, url: &str) {
        self.0 += &format!("<img alt=\"{}\" src=\"{}\">", escape(alternative), escape(url));
    }

    fn open(&mut self, element: Element) {
        match element {
            Element::Emphasis => self.0 += "<em>",
            Element::Strong => self.0 += "<strong>",
            Element::Link(url) => self.0 += &format!("<a href=\"{}\">", escape(url)),
            Element::Break => self.0 += "<br>\n",
        }
    }

    fn close(&mut self, element: Element) {
        match element {
            Element::Emphasis => self.0 += "</em>",
            Element::Strong => self.0 += "</strong>",
            Element::Link(_) => self.0 += "</a>",
            Element::Break => {}
        }
    }
}

#[derive(Default)]
struct Plain(String);

impl Writer for Plain {
    fn text(&mut self, text: &str) {
        self.0 += text;
    }

    fn raw(&mut self, _: &str) {}

    fn code(&mut self, code: &str) {
        self.0 += code;
    }

    fn picture(&mut self, alternative: &str, _: &str) {
        self.0 += alternative;
    }

    fn open(&mut self, _: Element) {}

    fn close(&mut self, _: Element) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, expected: &str) {
        assert_eq!(inline(text), expected);
    }

    #[test]
    fn words_are_marked() {
        is("*a* **b** _c_ `d<` \\*e\\*", "<em>a</em> <strong>b</strong> <em>c</em> <code>d&lt;</code> *e*");
        is("a_b_c 2 * 3 * 4 * 5", "a_b_c 2 * 3 * 4 * 5");
        is("**a *b* c**", "<strong>a <em>b</em> c</strong>");
        is("`` a`b ``", "<code>a`b</code>");
    }

    #[test]
    fn links_and_pictures() {
        is("[a *b*](u) ![c](p.png)", "<a href=\"u\">a <em>b</em></a> <img alt=\"c\" src=\"p.png\">");
        is("[0](a) [1] a[2]", "<a href=\"a\">0</a> [1] a[2]");
        is("<https://a.b> <b>x</b> 1 < 2", "<a href=\"https://a.b\">https://a.b</a> <b>x</b> 1 &lt; 2");
    }
}
