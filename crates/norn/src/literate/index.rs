//! The index of many pages: their titles and first sentences, by folder.

use super::html::document;
use super::html::markdown::escape;
use super::summary::Summary;

/// A page of the index.
pub struct Entry {
    /// From the index to the page, with `/` between the parts.
    pub path: String,
    pub summary: Summary,
}

/// The index as HTML. The entries are in order.
pub fn write_html_index(entries: &[Entry]) -> String {
    let mut body = String::from("<h1>Programs</h1>\n");
    for (folder, entries) in by_folder(entries) {
        if !folder.is_empty() {
            body += &format!("<h2>{}</h2>\n", escape(folder));
        }
        body += "<ul class=\"index\">\n";
        for Entry { path, summary } in entries {
            body += &format!(
                "<li><a href=\"{}\">{}</a><span>{}</span></li>\n",
                escape(&encoded(path)),
                escape(&summary.title),
                escape(&summary.sentence)
            );
        }
        body += "</ul>\n";
    }
    document("Programs", &body)
}

/// The index as Markdown.
pub fn write_markdown_index(entries: &[Entry]) -> String {
    let mut out = String::from("# Programs\n");
    for (folder, entries) in by_folder(entries) {
        if !folder.is_empty() {
            out += &format!("\n## {folder}\n");
        }
        out += "\n";
        for Entry { path, summary } in entries {
            let sentence = if summary.sentence.is_empty() { "" } else { ": " };
            out += &format!("- [{}]({}){sentence}{}\n", summary.title, encoded(path), summary.sentence);
        }
    }
    out
}

fn by_folder(entries: &[Entry]) -> Vec<(&str, &[Entry])> {
    let folder = |entry: &Entry| entry.path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let name = |entry: &'_ Entry| entry.path[..folder(entry)].to_string();
    entries
        .chunk_by(|a, b| name(a) == name(b))
        .map(|group| (&group[0].path[..folder(&group[0])], group))
        .collect()
}

/// A path as an address.
fn encoded(path: &str) -> String {
    path.replace('%', "%25").replace(' ', "%20").replace('(', "%28").replace(')', "%29")
}
