//! The pages of the manual about the library: each is made of the comments and types in a file of `lib/norn`.
//!
//! A page begins with the comment of the file. A module that is not local follows as a heading, with its comment, and with a table of
//! what it defines, or specifies: the type, the first paragraph of the comment, and the paragraph with the cost. What stands outside
//! of modules is in the first table.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::expectation::compare;
use crate::root;
use std::fmt::Write;

/// Checks, or writes, the page of a file of the library.
pub fn check_library(file: &RepoFile) -> Verdict {
    let name = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let page = root().join(format!("docs/src/library/{name}.md"));
    compare(&page, &library_page(&name, &file.read()?))
}

fn library_page(name: &str, text: &str) -> String {
    let mut page = format!("# /norn/{name}\n\n");
    let mut comment = Vec::new();
    let mut rows = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let words = line.trim();
        if let Some(first) = words.strip_prefix("-- |") {
            comment = vec![first.trim().to_string()];
            while let Some(more) = lines.next_if(|line| line.trim_start().starts_with("--")) {
                let more = &more.trim()[2..];
                comment.push(more.strip_prefix(' ').unwrap_or(more).to_string());
            }
            // The comment of the file has an empty line after it.
            if lines.next_if(|line| line.is_empty()).is_some() {
                page += &paragraphs(&comment);
                comment.clear();
            }
        } else if line.starts_with("module ") {
            page += &table(&std::mem::take(&mut rows));
            write!(page, "\n## {}\n\n{}", heading(line), paragraphs(&comment)).expect("a string");
            comment.clear();
        } else if words.starts_with("val ") || (starts_definition(words) && !comment.is_empty()) {
            let mut head = words.to_string();
            while words.starts_with("def ") && !head.ends_with(" =") && !head.contains(" = ") {
                let Some(more) = lines.next() else { break };
                head += &format!(" {}", more.trim());
            }
            rows.push(row(&head, &comment));
            comment.clear();
        } else if !words.is_empty() {
            comment.clear();
        }
    }
    page + &table(&rows)
}

/// A module with its parameters, without its module type.
fn heading(line: &str) -> &str {
    let head = line.split(" : ").next().unwrap_or(line);
    head.split(" = ").next().unwrap_or(head).trim_end_matches([' ', '=', '{'])
}

/// With a column for costs, if there are any.
fn table(rows: &[[String; 3]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let costs = rows.iter().any(|[_, _, cost]| !cost.is_empty());
    let width = if costs { 3 } else { 2 };
    let line = |cells: &[String]| format!("| {} |\n", cells[..width].join(" | "));
    let head = ["name and type", "meaning", "cost"].map(String::from);
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("\n{}{}\n{body}", line(&head), "|---".repeat(width) + "|")
}

fn starts_definition(line: &str) -> bool {
    ["def ", "type ", "type~ "].iter().any(|word| line.starts_with(word))
}

fn row(head: &str, comment: &[String]) -> [String; 3] {
    let words = head.split(" = ").next().unwrap_or(head).trim_end_matches([' ', '=']);
    let words = words.strip_prefix("def ").or(words.strip_prefix("val ")).unwrap_or(words);
    let kept = if head.starts_with("type") { head } else { words };
    let code = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut parts = comment.split(String::is_empty).map(|part| references(&part.join(" ")));
    let meaning = parts.next().unwrap_or_default();
    let cost: Vec<String> = parts.filter(|part| part.starts_with("**Work:**")).collect();
    let (meaning, cost) = match meaning.split_once(" **Work:**") {
        Some((meaning, cost)) => (meaning.to_string(), format!("**Work:**{cost}")),
        None => (meaning, cost.join(" ")),
    };
    [format!("`{}`", escape(&code)), escape(&meaning), escape(&cost.replace("**", ""))]
}

fn paragraphs(comment: &[String]) -> String {
    let text = references(&comment.join("\n"));
    if text.is_empty() { text } else { text + "\n" }
}

/// Without what `norn doc` makes links of.
fn references(text: &str) -> String {
    ["@term", "@module", "@mtype"]
        .iter()
        .fold(text.to_string(), |text, kind| text.replace(&format!("`{kind}"), "`"))
}

/// As it is written in a table.
fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}
