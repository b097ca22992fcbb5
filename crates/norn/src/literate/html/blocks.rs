//! Markdown as HTML: as much of it as the comments of programs need. Headings, paragraphs, lists, quotes, tables, code, rules, and
//! HTML that the author wrote.

use super::highlight::highlight;
use super::inline::{escape, inline};

/// How deep lists and quotes may nest. None that a person writes comes near.
const MAX_NESTING: usize = 20;

pub fn markdown_to_html(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    blocks(&lines, 0, &mut out);
    out
}

fn blocks(lines: &[&str], depth: usize, out: &mut String) {
    let mut rest = lines;
    while let Some(line) = rest.first() {
        let length = match Start::of(line) {
            _ if depth > MAX_NESTING => paragraph(rest, out),
            Start::Empty => 1,
            Start::Heading(level) => {
                let words = line[level..].trim().trim_end_matches('#').trim_end();
                *out += &format!("<h{level}>{}</h{level}>\n", inline(words));
                1
            }
            Start::Rule => {
                *out += "<hr>\n";
                1
            }
            Start::Fence(fence) => fenced(rest, fence, out),
            Start::Indented => indented(rest, out),
            Start::Quote => quote(rest, depth, out),
            Start::Item { .. } => list(rest, depth, out),
            Start::Html => html(rest, out),
            Start::Words if is_table(rest) => table(rest, out),
            Start::Words => paragraph(rest, out),
        };
        rest = &rest[length..];
    }
}

/// What a line begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start<'a> {
    Empty,
    Heading(usize),
    Rule,
    Fence(&'a str),
    Indented,
    Quote,
    /// The words of an item begin at this column.
    Item {
        ordered: bool,
        indent: usize,
        words: usize,
    },
    Html,
    Words,
}

impl Start<'_> {
    fn of(line: &str) -> Start<'_> {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() {
            return Start::Empty;
        }
        if indent >= 4 {
            return Start::Indented;
        }
        let hashes = trimmed.len() - trimmed.trim_start_matches('#').len();
        if indent == 0 && (1..=6).contains(&hashes) && trimmed[hashes..].starts_with(' ') {
            return Start::Heading(hashes);
        }
        let is_rule = |c: char| {
            trimmed.chars().all(|d| d == c || d == ' ') && trimmed.chars().filter(|d| *d == c).count() >= 3
        };
        if ['-', '*', '_'].into_iter().any(is_rule) {
            return Start::Rule;
        }
        for mark in ['`', '~'] {
            let length = trimmed.len() - trimmed.trim_start_matches(mark).len();
            if length >= 3 {
                return Start::Fence(&trimmed[..length]);
            }
        }
        if trimmed.starts_with('>') {
            return Start::Quote;
        }
        if let Some((ordered, width)) = item_mark(trimmed) {
            return Start::Item { ordered, indent, words: indent + width };
        }
        let is_html = trimmed.starts_with('<')
            && trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
            && !trimmed.starts_with("<http");
        if is_html { Start::Html } else { Start::Words }
    }
}

/// Whether a line begins an item, in a list with numbers or without, and how long its mark is with the space behind it.
fn item_mark(line: &str) -> Option<(bool, usize)> {
    if ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)) {
        return Some((false, 2));
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = &line[digits..];
    ((1..=9).contains(&digits) && (behind.starts_with(". ") || behind.starts_with(") ")))
        .then_some((true, digits + 2))
}

/// Lines until one that begins something else. Each of these functions says how many lines it took.
fn paragraph(lines: &[&str], out: &mut String) -> usize {
    let goes_on = |line: &&&str| matches!(Start::of(line), Start::Words | Start::Indented | Start::Html);
    let length = 1 + lines[1..].iter().take_while(goes_on).count();
    let words = lines[..length].iter().map(|line| line.trim_start()).collect::<Vec<_>>().join("\n");
    *out += &format!("<p>{}</p>\n", inline(words.trim_end()));
    length
}

fn fenced(lines: &[&str], fence: &str, out: &mut String) -> usize {
    let language = lines[0].trim_start().trim_start_matches(['`', '~']).trim();
    let closes = |line: &&str| {
        let line = line.trim();
        line.starts_with(fence) && line.trim_start_matches(['`', '~']).is_empty()
    };
    let length = lines[1..].iter().position(closes).unwrap_or(lines.len() - 1);
    let code = lines[1..=length].join("\n");
    *out += &match language {
        "norn" | "futhark" => format!("<pre class=\"code\">{}</pre>\n", highlight(&code)),
        _ => format!("<pre><code>{}</code></pre>\n", escape(&code)),
    };
    (length + 2).min(lines.len())
}

fn indented(lines: &[&str], out: &mut String) -> usize {
    let belongs = |line: &&&str| matches!(Start::of(line), Start::Indented | Start::Empty);
    let length = lines.iter().take_while(belongs).count();
    let code: Vec<&str> = lines[..length].iter().map(|line| line.get(4..).unwrap_or("")).collect();
    *out += &format!("<pre><code>{}</code></pre>\n", escape(code.join("\n").trim_end()));
    length
}

fn quote(lines: &[&str], depth: usize, out: &mut String) -> usize {
    let length = lines.iter().take_while(|line| Start::of(line) == Start::Quote).count();
    let inner: Vec<&str> = lines[..length]
        .iter()
        .map(|line| {
            let words = line.trim_start().strip_prefix('>').unwrap_or(line);
            words.strip_prefix(' ').unwrap_or(words)
        })
        .collect();
    *out += "<blockquote>\n";
    blocks(&inner, depth + 1, out);
    *out += "</blockquote>\n";
    length
}

/// Items, each with the lines below it that are indented as its words are. An item of one paragraph is written without one.
fn list(lines: &[&str], depth: usize, out: &mut String) -> usize {
    let Start::Item { ordered, indent, .. } = Start::of(lines[0]) else { return 1 };
    let name = if ordered { "ol" } else { "ul" };
    *out += &format!("<{name}>\n");
    let mut at = 0;
    while let Some(line) = lines.get(at)
        && let Start::Item { ordered: same, indent: here, words } = Start::of(line)
        && (same, here) == (ordered, indent)
    {
        let length = 1 + item_lines(&lines[at + 1..], words);
        let mut inner = vec![line.get(words..).unwrap_or("")];
        inner.extend(
            lines[at + 1..at + length].iter().map(|line| line.get(words..).unwrap_or_else(|| line.trim())),
        );
        let mut content = String::new();
        blocks(&inner, depth + 1, &mut content);
        let content = content.trim_end();
        let single = content.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
        let content = single.filter(|inner| !inner.contains("<p>")).unwrap_or(content);
        *out += &format!("<li>{content}</li>\n");
        at += length;
        // Empty lines between items are none of theirs.
        let empty = lines[at..].iter().take_while(|line| line.trim().is_empty()).count();
        if lines.get(at + empty).is_some_and(|line| matches!(Start::of(line), Start::Item { .. })) {
            at += empty;
        }
    }
    *out += &format!("</{name}>\n");
    at.max(1)
}

/// How many lines belong to an item below its first.
fn item_lines(lines: &[&str], words: usize) -> usize {
    let mut length = 0;
    for (i, line) in lines.iter().enumerate() {
        let is_deep = line.len() > words && line[..words.min(line.len())].trim().is_empty();
        let goes_on = i == length && matches!(Start::of(line), Start::Words);
        if is_deep || goes_on {
            length = i + 1;
        } else if !line.trim().is_empty() {
            break;
        }
    }
    length
}

fn html(lines: &[&str], out: &mut String) -> usize {
    let length = lines.iter().take_while(|line| !line.trim().is_empty()).count();
    *out += &(lines[..length].join("\n") + "\n");
    length
}

/// A line of names above one of dashes, both with bars.
fn is_table(lines: &[&str]) -> bool {
    let is_rule = |line: &&str| {
        line.contains('|') && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
    };
    lines[0].contains('|') && lines.get(1).is_some_and(is_rule)
}

fn table(lines: &[&str], out: &mut String) -> usize {
    let length = lines.iter().take_while(|line| line.contains('|')).count();
    let row = |line: &str, name: &str| {
        let cells = line.trim().trim_start_matches('|').trim_end_matches('|').split('|');
        let cells: String = cells.map(|cell| format!("<{name}>{}</{name}>", inline(cell.trim()))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    *out += &format!("<table>\n{}", row(lines[0], "th"));
    lines[2..length].iter().for_each(|line| *out += &row(line, "td"));
    *out += "</table>\n";
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, expected: &str) {
        assert_eq!(markdown_to_html(text), expected, "{text}");
    }

    #[test]
    fn paragraphs_and_headings() {
        is("# A *b*\nc\nd\n\ne", "<h1>A <em>b</em></h1>\n<p>c\nd</p>\n<p>e</p>\n");
        is("---\n\n    code\n      more\n\nx", "<hr>\n<pre><code>code\n  more</code></pre>\n<p>x</p>\n");
        is("> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n");
    }

    #[test]
    fn lists_nest() {
        is(
            "- a\n  more\n- b\n  1. c\n  2. d\n\ne",
            "<ul>\n<li>a\nmore</li>\n<li><p>b</p>\n<ol>\n<li>c</li>\n<li>d</li>\n</ol></li>\n</ul>\n<p>e</p>\n",
        );
        is("* a\n\n* b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
    }

    #[test]
    fn code_is_kept() {
        is("```\n<a>\n\n*b*\n```\nc", "<pre><code>&lt;a&gt;\n\n*b*</code></pre>\n<p>c</p>\n");
        is("```norn\ndef\n```", "<pre class=\"code\"><span class=\"keyword\">def</span></pre>\n");
        is("```\nopen", "<pre><code>open</code></pre>\n");
    }

    #[test]
    fn tables_have_heads() {
        is(
            "| a | b |\n|---|---|\n| 1 | `2` |",
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><code>2</code></td></tr>\n</table>\n",
        );
    }

    #[test]
    fn no_text_is_too_deep() {
        markdown_to_html(&"> ".repeat(10_000));
        markdown_to_html(&(0..200).map(|i| format!("{}- a\n", "  ".repeat(i))).collect::<String>());
        markdown_to_html(&"*[`".repeat(3000));
    }
}
