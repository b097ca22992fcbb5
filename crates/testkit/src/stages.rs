//! Documents that show one program at several stages of the compiler.
//!
//! A file in `tests/stages`, such as `fusion.md`, begins with a title, a line on what it shows, and a program in a block fenced as `norn`. Then comes a heading for each
//! stage, such as `## fuse`; words about it, if there are any; and a block with the text of the program after that pass, which `BLESS=1` writes.
//!
//! A stage is a pass, as in `norn dev --pass list`, or `tunables`, which names the algorithm of each kernel. Without headings there are those of `USUAL`. A second block,
//! fenced as `tune`, has tunables, which fix the versions of nests.

use crate::Verdict;
use crate::corpus::RepoFile;
use crate::expectation::compare;
use crate::program::{InMemory, Report, check_text};
use norn::pipeline::{ask_tunables, pass, show_after};
use norn_passes::tuning::{Tuner, Tuning};
use std::fmt::Write;

/// From the typed program to what the host and the kernels of a GPU do.
const USUAL: [&str; 3] = ["lower", "hoist", "place"];

const FENCE: &str = "```";

pub fn check_stages(file: &RepoFile) -> Verdict {
    let text = file.read()?;
    let (head, sections) = parse_sections(&text);
    let program = fenced(head, "norn").ok_or("a block fenced as `norn` is missing")?;
    let report = check_text("main.fut", program, &mut InMemory::default());
    if !report.diagnostics.is_empty() {
        return Err(report.rendered());
    }
    let tuning = Tuning::parse(fenced(head, "tune").unwrap_or_default());
    let tuning =
        tuning.map_err(|wrong| wrong.into_iter().map(|wrong| wrong.message + "\n").collect::<String>())?;
    let mut document = head.trim_end().to_string() + "\n";
    for Section { stage, words } in sections {
        let shown = show(&report, stage, Tuner::new(tuning.clone()))?;
        let _ = write!(document, "\n## {stage}\n");
        if !words.is_empty() {
            let _ = write!(document, "\n{words}\n");
        }
        let _ = write!(document, "\n{FENCE}text\n{shown}\n{FENCE}\n");
    }
    compare(&file.path, &document)
}

/// A heading, and what is said about the stage.
struct Section<'a> {
    stage: &'a str,
    words: &'a str,
}

fn parse_sections(text: &str) -> (&str, Vec<Section<'_>>) {
    let mut parts = text.split("\n## ");
    let head = parts.next().unwrap_or_default();
    let mut sections: Vec<Section> = parts
        .map(|part| {
            let (stage, rest) = part.split_once('\n').unwrap_or((part, ""));
            let words = rest.split(FENCE).next().unwrap_or_default();
            Section { stage: stage.trim(), words: words.trim() }
        })
        .collect();
    if sections.is_empty() {
        sections.extend(USUAL.map(|stage| Section { stage, words: "" }));
    }
    (head, sections)
}

/// What stands in the block with this word behind its fence.
fn fenced<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("{FENCE}{word}\n"))?;
    rest.split_once(FENCE).map(|(inside, _)| inside)
}

fn show(report: &Report, stage: &str, mut tuner: Tuner) -> Result<String, String> {
    if stage == "tunables" {
        ask_tunables(&report.program, &report.sources, &mut tuner)
            .map_err(|_| "it is refused".to_string())?;
        let tunables = tuner.finish().map_err(|wrong| format!("{wrong:?}"))?;
        let line = |tunable: norn_passes::tuning::ProgramTunable| match tunable.value {
            Some(_) => format!("{} (set)", tunable.name),
            None => format!("{} = {}", tunable.name, tunable.usual),
        };
        return Ok(tunables.into_iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    let pass = pass(stage).ok_or_else(|| format!("there is no pass `{stage}`"))?;
    let text = show_after(&report.program, &pass, &mut tuner).map_err(|_| "it is refused".to_string())?;
    // The types of entry points are the same at all stages.
    let is_shown = |line: &&str| {
        let hidden = ["type ", "entry ", "types {", "  type ", "  args (", "  rets ("];
        !hidden.iter().any(|start| line.starts_with(start))
    };
    let mut lines: Vec<&str> = text.lines().filter(is_shown).collect();
    // What is left of the types.
    if lines.first() == Some(&"}") {
        lines.remove(0);
    }
    let mut shown: Vec<&str> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_second_blank = line.is_empty() && shown.last().is_none_or(|last| last.is_empty());
        if !is_second_blank {
            shown.push(line);
        }
    }
    Ok(shown.join("\n").trim_end().to_string())
}
