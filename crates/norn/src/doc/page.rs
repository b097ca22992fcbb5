//! Pages as HTML.

use super::Page;
use super::items::{INCLUDE, Item};
use super::links::Links;
use crate::literate::{escape, markdown_to_html, plain_text};

pub fn write_page(title: &str, page: &Page, pages: &[Page], links: &Links) -> String {
    let mut body = format!("<h1>{}</h1>\n", escape(&page.name));
    if let Some(doc) = page.analysis.tree(page.analysis.file).and_then(|tree| tree.doc.as_ref()) {
        body.push_str(&markdown_to_html(&links.text(&page.file, doc.text.trim())));
    }
    if page.items.is_empty() {
        body.push_str("<p>Nothing is declared here for others.</p>\n");
    }
    for item in &page.items {
        write_item(item, page, links, &mut body);
    }
    document(&format!("{} - {title}", page.name), title, Some(page), pages, &body)
}

fn write_item(item: &Item, page: &Page, links: &Links, out: &mut String) {
    let name = item.anchor();
    let inferred = item
        .inferred
        .as_ref()
        .map_or(String::new(), |t| format!("<span class=\"inferred\"> : {}</span>", escape(t)));
    let head = links.code(&page.analysis, item.head);
    out.push_str(&format!(
        "<section id=\"{name}\" class=\"item\">\n<pre class=\"head\"><a class=\"here\" href=\"#{name}\">&#182;</a>{head}{inferred}</pre>\n"
    ));
    if !item.doc.is_empty() {
        out.push_str(&format!(
            "<div class=\"doc\">{}</div>\n",
            markdown_to_html(&links.text(&page.file, &item.doc))
        ));
    }
    if !item.members.is_empty() {
        out.push_str("<div class=\"members\">\n");
        item.members.iter().for_each(|member| write_item(member, page, links, out));
        out.push_str("</div>\n");
    }
    out.push_str("</section>\n");
}

pub fn write_index(title: &str, pages: &[Page], links: &Links) -> String {
    let mut body = format!("<h1>{}</h1>\n<ul class=\"pages\">\n", escape(title));
    for page in pages {
        let doc = page.analysis.tree(page.analysis.file).and_then(|tree| tree.doc.as_ref());
        let about = doc.map_or(String::new(), |doc| summary(&links.text(&page.file, &doc.text)));
        let name = escape(&page.name);
        body.push_str(&format!("<li><a href=\"{}\">{name}</a> {}</li>\n", page.file, escape(&about)));
    }
    body.push_str("</ul>\n");
    document(title, title, None, pages, &body)
}

/// All names, for the search.
pub fn write_names(pages: &[Page], links: &Links) -> String {
    let mut names = Vec::new();
    for page in pages {
        for item in &page.items {
            item.each(&mut |item| {
                if item.kind == INCLUDE {
                    return;
                }
                let address = format!("{}#{}", page.file, item.anchor());
                names.push(
                    serde_json::json!([
                        item.path,
                        item.kind,
                        page.name,
                        address,
                        summary(&links.text(&page.file, &item.doc))
                    ])
                    .to_string(),
                );
            });
        }
    }
    format!("const NAMES = [\n{}\n]\n", names.join(",\n"))
}

/// The first sentence of a text.
fn summary(text: &str) -> String {
    let first = text.trim().split("\n\n").next().unwrap_or_default();
    let plain = plain_text(first);
    match plain.find(". ") {
        Some(end) => plain[..=end].to_string(),
        None => plain,
    }
}

fn document(heading: &str, title: &str, here: Option<&Page>, pages: &[Page], body: &str) -> String {
    let mut list = String::new();
    for page in pages {
        let current = here.is_some_and(|here| here.file == page.file);
        let mark = if current { " class=\"current\"" } else { "" };
        list.push_str(&format!("<li><a{mark} href=\"{}\">{}</a>", page.file, escape(&page.name)));
        if current && !page.items.is_empty() {
            let item = |i: &Item| format!("<li><a href=\"#{}\">{}</a></li>\n", i.anchor(), escape(&i.path));
            list.push_str(&format!("\n<ul>\n{}</ul>\n", page.items.iter().map(item).collect::<String>()));
        }
        list.push_str("</li>\n");
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n<nav>\n\
         <p><a href=\"index.html\">{}</a></p>\n\
         <input id=\"search\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\" autocomplete=\"off\">\n\
         <ul id=\"found\" hidden></ul>\n<ul id=\"pages\">\n{list}</ul>\n</nav>\n<main>\n{body}</main>\n\
         <script src=\"names.js\"></script>\n<script src=\"search.js\"></script>\n</body>\n</html>\n",
        escape(heading),
        escape(title),
    )
}
