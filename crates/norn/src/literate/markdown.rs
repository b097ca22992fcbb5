//! Pages as Markdown, with files beside them.

use super::html::markdown::escape;
use super::page::{Block, DirectiveOutput, Media, MediaKind, Page};

/// The page as Markdown; its files are in `folder`, seen from where the page is.
pub fn write_markdown(page: &Page, folder: &str) -> String {
    let mut out = String::new();
    for block in &page.blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        match block {
            Block::Text(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Block::Code(code) => fenced("futhark", code, &mut out),
            Block::Directive { source, shown } => {
                if let Some(source) = source {
                    fenced("", source, &mut out);
                    out.push('\n');
                }
                match shown {
                    DirectiveOutput::Text(text) => fenced("", text, &mut out),
                    DirectiveOutput::Media(media) => out.push_str(&embedded(media, folder)),
                    DirectiveOutput::Error(message) => {
                        out.push_str("**This directive failed.**\n\n");
                        fenced("", message, &mut out);
                    }
                }
            }
        }
    }
    out
}

/// Text that is shown as it is.
fn fenced(language: &str, text: &str, out: &mut String) {
    // The fence is longer than any that is inside.
    let longest = text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    out.push_str(&format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n')));
}

fn embedded(media: &Media, folder: &str) -> String {
    let path = format!("{folder}/{}", media.name).replace(' ', "%20");
    let label = escape(&media.alternative);
    match media.kind {
        MediaKind::Picture => {
            // Brackets would end the text.
            let alternative = media.alternative.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
            format!("![{alternative}]({path})\n")
        }
        MediaKind::Film { repeat, autoplay } => {
            let flags =
                [if autoplay { " autoplay muted" } else { "" }, if repeat { " loop" } else { "" }].concat();
            format!("<video src=\"{path}\" aria-label=\"{label}\" controls{flags}></video>\n")
        }
        MediaKind::Sound => format!("<audio src=\"{path}\" aria-label=\"{label}\" controls></audio>\n"),
    }
}
