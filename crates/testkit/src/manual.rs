//! The manual as a whole: no page is missing from its contents, no link leads nowhere, and every diagnostic and every
//! function of the library is listed.

use crate::blocks::blocks;
use crate::corpus::{RepoFile, files};
use crate::expectation::compare;
use crate::{Verdict, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the pages are.
const MANUAL: &str = "docs/src/";

/// Checks that the contents, `docs/src/SUMMARY.md`, have every page, and each once.
pub fn check_contents(contents: &RepoFile) -> Verdict {
    let mut missing: BTreeSet<String> = files("docs/src", "md").into_iter().map(|page| page.name).collect();
    missing.remove(&contents.name);
    let mut complaints = Vec::new();
    // A chapter that is yet to be written leads nowhere.
    for target in links(&contents.read()?).into_iter().filter(|target| !target.is_empty()) {
        if !missing.remove(&format!("{MANUAL}{target}")) {
            complaints.push(format!("{target} is not a page, or is listed twice"));
        }
    }
    complaints.extend(missing.into_iter().map(|page| format!("{page} is not in the contents")));
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Checks that what a document links to exists: files, and headings in them. The pages of the manual link to
/// one another and to their pictures only, since nothing else is there when it is read as a book.
pub fn check_links(document: &RepoFile) -> Verdict {
    let text = document.read()?;
    let folder = document.path.parent().unwrap_or(Path::new("."));
    let mut complaints = Vec::new();
    for target in links(&text) {
        if target.is_empty() || target.starts_with("http://") || target.starts_with("https://") {
            continue;
        }
        let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
        let path = if path.is_empty() { document.path.clone() } else { folder.join(path) };
        let Ok(path) = path.canonicalize() else {
            complaints.push(format!("there is no {target}"));
            continue;
        };
        if document.name.starts_with(MANUAL) && !is_page(&path) && !is_picture(&path) {
            complaints.push(format!("{target} is not a page of the manual"));
        }
        if !heading.is_empty() && !anchors(&fs::read_to_string(&path).unwrap_or_default()).contains(heading) {
            complaints.push(format!("there is no heading {target}"));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Checks that the tables of benchmarks, on all pages, are what the files of bench/results make them.
pub fn check_benchmarks(_page: &RepoFile) -> Verdict {
    let script = root().join("bench/run.py");
    match Command::new("python3").arg("-B").arg(script).args(["page", "--check"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => {
            eprintln!("note: the tables of benchmarks are not compared: python3: {error}");
            Ok(())
        }
    }
}

/// Checks that every picture of a document has an alternative text, which is more than a word.
pub fn check_pictures(document: &RepoFile) -> Verdict {
    let text = prose(&document.read()?);
    let mut complaints = Vec::new();
    for picture in text.split("![").skip(1) {
        let (alternative, rest) = picture.split_once("](").unwrap_or((picture, ""));
        let target = rest.split(')').next().unwrap_or_default();
        if alternative.split_whitespace().count() < 2 {
            complaints.push(format!("{target} needs a text that describes it, not `{alternative}`"));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

fn is_page(path: &Path) -> bool {
    is_in_manual(path, &["md"])
}

fn is_picture(path: &Path) -> bool {
    is_in_manual(path, &["png", "svg", "gif"])
}

fn is_in_manual(path: &Path, extensions: &[&str]) -> bool {
    let manual: Option<PathBuf> = root().join(MANUAL).canonicalize().ok();
    let extension = path.extension().and_then(|extension| extension.to_str());
    manual.is_some_and(|manual| path.starts_with(manual))
        && extension.is_some_and(|e| extensions.contains(&e))
}

/// Compares the list of all diagnostics with the page that holds it.
pub fn check_error_index(page: &RepoFile) -> Verdict {
    let mut text = String::from(ERROR_INDEX);
    for (code, title) in norn_base::codes::ALL {
        let code = code.0;
        text += &format!("| [{code}](errors/{code}.md) | {title} |\n");
    }
    compare(&page.path, &text)
}

const ERROR_INDEX: &str = "\
# All diagnostics

Every error and every warning has a code. `norn check --explain CODE` prints its page: what it means, a program
that has it, and the corrected program. Errors begin with E, warnings with W; the next two digits give the subject:
01 the text, 02 names and modules, 03 types, 04 sizes, 05 consumption, 06 patterns, 07 entry points, 08 what is
not supported.

| code | title |
|---|---|
";

/// Checks that the page about the prelude has every function of it. Those of the number modules are the same for all types,
/// and listed by module type.
pub fn check_prelude(page: &RepoFile) -> Verdict {
    const OTHERS: [&str; 3] = ["intrinsics.fut", "primitive.fut", "numeric.fut"];
    let text = page.read()?;
    let mut missing = Vec::new();
    for file in files("lib/prelude", "fut") {
        if OTHERS.iter().any(|other| file.name.ends_with(other)) {
            continue;
        }
        for name in public_functions(&file.read()?) {
            // In a table a bar is written with a backslash.
            if !text.contains(&format!("`{} ", name.replace('|', "\\|"))) {
                missing.push(format!("{name} of {} is not on the page", file.name));
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

/// What a file of the library defines for others.
fn public_functions(text: &str) -> Vec<&str> {
    let mut is_local = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if let Some(rest) = line.strip_prefix("def ")
            && !is_local
        {
            found.extend(rest.split(' ').next());
        }
        is_local = line == "local";
    }
    found
}

/// The targets of all links of a document.
pub fn links(markdown: &str) -> Vec<String> {
    let prose = prose(markdown);
    let mut found = Vec::new();
    let mut rest = prose.as_str();
    while let Some((_, after)) = rest.split_once("](") {
        let (target, after) = after.split_once(')').unwrap_or((after, ""));
        found.push(target.into());
        rest = after;
    }
    found
}

/// What the headings of a document are called in links.
pub fn anchors(markdown: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?;
        let kept = title.to_lowercase().replace(' ', "-");
        line.starts_with('#')
            .then(|| kept.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', ""))
    };
    without_blocks(markdown).lines().filter_map(heading).collect()
}

/// A document without code.
fn prose(markdown: &str) -> String {
    // Every second part of a line stands between backticks.
    let line = |line: &str| line.split('`').step_by(2).collect::<String>();
    without_blocks(markdown).lines().map(|text| line(text) + "\n").collect()
}

fn without_blocks(markdown: &str) -> String {
    let mut out = markdown.to_string();
    for block in blocks(markdown).into_iter().filter(|block| !block.text.is_empty()) {
        out = out.replacen(&format!("\n{}```", block.text), "\n```", 1);
    }
    out
}
