//! Pages as HTML, each a single file: style, pictures, films and sounds are inside.

mod base64;

mod highlight;
pub mod markdown;

use super::page::{Block, DirectiveOutput, Media, MediaKind, Page};
use super::summary::summary;
use base64::base64;

use highlight::highlight;
use markdown::{escape, markdown_to_html};

const STYLE: &str = include_str!("style.css");

/// The page as HTML; `back` leads to an index, if there is one.
pub fn write_html(page: &Page, back: Option<&str>) -> String {
    let mut body = String::new();
    if let Some(back) = back {
        body += &format!("<nav><a href=\"{}\">All pages</a></nav>\n", escape(back));
    }
    for block in &page.blocks {
        match block {
            Block::Text(text) => body += &markdown_to_html(text),
            Block::Code(code) => body += &format!("<pre class=\"code\">{}</pre>\n", highlight(code)),
            Block::Directive { source, shown } => body += &directive(source.as_deref(), shown),
        }
    }
    document(&summary(page).title, &body)
}

/// A whole document.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A directive and what came of it stand together.
fn directive(source: Option<&str>, shown: &DirectiveOutput) -> String {
    let mut out = String::from("<figure>\n");
    if let Some(source) = source {
        out += &format!("<pre class=\"directive\">{}</pre>\n", escape(source));
    }
    out += &match shown {
        DirectiveOutput::Text(text) => {
            format!("<pre class=\"result\">{}</pre>\n", escape(text.trim_end_matches('\n')))
        }
        DirectiveOutput::Media(media) => embedded(media),
        DirectiveOutput::Error(message) => {
            format!(
                "<div class=\"fault\"><p>This directive failed.</p>\n<pre>{}</pre></div>\n",
                escape(message)
            )
        }
    };
    out + "</figure>\n"
}

fn embedded(media: &Media) -> String {
    let source = format!("data:{};base64,{}", media.mime(), base64(&media.bytes));
    let label = escape(&media.alternative);
    match media.kind {
        MediaKind::Picture => format!("<img alt=\"{label}\" src=\"{source}\">\n"),
        MediaKind::Film { repeat, autoplay } => {
            let flags =
                [if autoplay { " autoplay muted" } else { "" }, if repeat { " loop" } else { "" }].concat();
            format!("<video aria-label=\"{label}\" controls{flags} src=\"{source}\"></video>\n")
        }
        MediaKind::Sound => format!("<audio aria-label=\"{label}\" controls src=\"{source}\"></audio>\n"),
    }
}
