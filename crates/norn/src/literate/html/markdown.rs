//! The text of a page, which is Markdown, as HTML or as plain words.

use super::highlight::highlight;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Code of programs is coloured.
pub fn markdown_to_html(text: &str) -> String {
    let mut code: Option<String> = None;
    let events = Parser::new_ext(text, extensions()).filter_map(|event| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) if is_ours(&language) => {
            code = Some(String::new());
            None
        }
        Event::Text(text) if code.is_some() => {
            code.get_or_insert_default().push_str(&text);
            None
        }
        Event::End(TagEnd::CodeBlock) if code.is_some() => {
            let text = code.take().unwrap_or_default();
            Some(Event::Html(format!("<pre class=\"code\">{}</pre>\n", highlight(text.trim_end())).into()))
        }
        event => Some(event),
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

/// The words that a text says.
pub fn plain_text(text: &str) -> String {
    let words = Parser::new_ext(text, extensions()).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        Event::SoftBreak | Event::HardBreak => Some(CowStr::Borrowed(" ")),
        _ => None,
    });
    words.collect::<Vec<_>>().concat()
}

fn extensions() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES
}

fn is_ours(language: &str) -> bool {
    matches!(language, "norn" | "futhark")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_in_a_text_are_coloured() {
        let page = markdown_to_html("Some *words*.\n\n```norn\ndef x = 1\n```\n");
        let code = "<span class=\"keyword\">def</span> x = <span class=\"number\">1</span>";
        assert_eq!(page, format!("<p>Some <em>words</em>.</p>\n<pre class=\"code\">{code}</pre>\n"));
    }

    #[test]
    fn plain_words_have_no_marks() {
        assert_eq!(plain_text("The [sum](url) of `xs`,\n*all* of it"), "The sum of xs, all of it");
    }
}
