//! Pages and charts: they are the files beside their programs.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::expectation::{compare, compare_bytes};
use norn::engine::{Backend, Options};
use norn::literate::{Literate, write_html, write_markdown};
use std::collections::BTreeSet;
use std::path::Path;

/// That the page of a program is the `.md` beside it, its files those in the folder `-img`, and the text of its errors
/// the `.stderr`. A program whose name begins with `html` has an `.html` instead.
pub fn check_page(file: &RepoFile) -> Verdict {
    let literate = Literate::read(&file.path).map_err(|e| e.to_string())?;
    let compiled = literate.compile(Options::from(Backend::Interp));
    let (engine, _) = compiled.map_err(|e| e.to_string())?;
    let evaluated = literate.evaluate(Some(&engine), false);
    // Where the repository is does not matter.
    let folder = file.path.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned() + "/";
    let errors = evaluated.errors.concat().replace(&folder, "");
    let stderr = file.path.with_extension("stderr");
    if !errors.is_empty() || stderr.exists() {
        compare(&stderr, &errors)?;
    }
    let page = evaluated.page;
    if page.name.starts_with("html") {
        return compare(&file.path.with_extension("html"), &write_html(&page, None));
    }
    let stem = page.name.trim_end_matches(".fut");
    let images = file.path.with_file_name(format!("{stem}-img"));
    for media in page.media() {
        compare_bytes(&images.join(&media.name), &media.bytes)?;
    }
    let names: BTreeSet<String> = page.media().map(|media| media.name.clone()).collect();
    for entry in std::fs::read_dir(&images).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !names.contains(&name) {
            return Err(format!("{} belongs to no page", entry.path().display()));
        }
    }
    compare(&file.path.with_extension("md"), &write_markdown(&page, &format!("{stem}-img")))
}

/// That a chart looks as the `.svg` beside it.
pub fn check_chart(file: &RepoFile) -> Verdict {
    let chart = norn_plot::parse_chart(&file.read()?)?;
    compare(&file.path.with_extension("svg"), &norn_plot::draw(&chart))
}
