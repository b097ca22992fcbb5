//! Tests that are files: see the head of `norn_testkit`.

#[cfg(target_os = "linux")]
mod pocl;

use libtest_mimic::{Arguments, Trial, run};
use norn::with_large_stack;
use norn_check::print_typed::{PrintOptions, print_program};
use norn_testkit::blocks::{check_document, check_error_page};
use norn_testkit::corpus::{RepoFile, files};
use norn_testkit::expectation::compare;
use norn_testkit::growth::check_growth;
use norn_testkit::kinds::{KINDS, Kind, check_kinds};
use norn_testkit::layout::{check_layout, check_layout_alone};
use norn_testkit::library::check_library;
use norn_testkit::literate::{check_chart, check_page};
use norn_testkit::manual::{
    check_benchmarks, check_contents, check_error_index, check_links, check_pictures, check_prelude,
};
use norn_testkit::nest::check_nest;
use norn_testkit::program::{Folder, check_text, check_text_for, check_whole_prelude};
use norn_testkit::sides::check_sides;
use norn_testkit::stages::check_stages;
use norn_testkit::{Verdict, everything, root};

/// The folders of programs.
const PROGRAMS: [&str; 5] = ["tests/lang", "tests/regress", "examples", "bench/programs", "bench/compiler"];

fn main() {
    #[cfg(target_os = "linux")]
    pocl::hurry();
    if std::env::var_os("NORN_POLICY").is_none() {
        // SAFETY: this process has no other thread yet.
        unsafe { std::env::set_var("NORN_POLICY", "random") };
    }
    let mut arguments = Arguments::from_args();
    // One test at a time has the device of OpenCL; then the others should not keep a processor waiting.
    if arguments.test_threads.is_none() {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        arguments.test_threads = Some(2 * processors);
    }
    let mut trials = programs(&arguments);
    let shown = ["lib", "examples", "bench", "tests/lang"]
        .into_iter()
        .flat_map(|folder| files(folder, "fut"))
        .collect();
    add(&mut trials, "formatted", shown, formatted);
    add(&mut trials, "whole", vec![file("lib/prelude/prelude.fut")], |_| check_whole_prelude());
    add(&mut trials, "typed", typed_programs(), typed);
    add(&mut trials, "layout", typed_programs(), layout);
    add(&mut trials, "nest", typed_programs(), nest);
    add(&mut trials, "expectation", files("tests/typed", "typed"), has_program);
    add(&mut trials, "error", error_programs(), error);
    add(&mut trials, "expectation", files("tests/errors", "stderr"), has_program);
    add(&mut trials, "growth", files("tests/growth", "fut"), check_growth);
    add(&mut trials, "stages", files("tests/stages", "md"), check_stages);
    add(&mut trials, "literate", files("tests/literate", "fut"), check_page);
    add(&mut trials, "layout", files("tests/literate", "fut"), layout);
    add(&mut trials, "chart", files("tests/plot", "json"), check_chart);
    let documents =
        [files("docs", "md"), ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(file).into()].concat();
    add(&mut trials, "document", documents.clone(), document);
    add(&mut trials, "links", documents.clone(), check_links);
    add(&mut trials, "pictures", documents, check_pictures);
    add(&mut trials, "benchmarks", vec![file("docs/src/benchmarks.md")], check_benchmarks);
    add(&mut trials, "contents", vec![file("docs/src/SUMMARY.md")], check_contents);
    add(&mut trials, "diagnostics", vec![file("docs/src/errors.md")], check_error_index);
    add(&mut trials, "sides", vec![file("docs/src/sides.md")], check_sides);
    add(&mut trials, "prelude", vec![file("docs/src/reference/prelude.md")], check_prelude);
    add(&mut trials, "library", files("lib/norn", "fut"), check_library);
    run(&arguments, trials).exit();
}

/// A test for every program, the longest program first: what takes long does not begin at the end. It is of all kinds, which share
/// what they can, unless the user asks for one, such as `[opencl]`.
fn programs(arguments: &Arguments) -> Vec<Trial> {
    let names = |pattern: &str, kind: &Kind| pattern.starts_with(&format!("[{}]", kind.name()));
    let only =
        KINDS.into_iter().find(|kind| arguments.filter.as_ref().is_some_and(|filter| names(filter, kind)));
    let mut kinds = only.map_or(KINDS.to_vec(), |kind| vec![kind]);
    kinds.retain(|kind| !arguments.skip.iter().any(|skipped| names(skipped, kind)));
    kinds.retain(|kind| match kind.obstacle() {
        Some(why) => {
            eprintln!("note: {why}");
            false
        }
        None => true,
    });
    let name = only.map_or("program", Kind::name);
    let mut programs: Vec<RepoFile> = PROGRAMS.into_iter().flat_map(|folder| files(folder, "fut")).collect();
    programs.sort_by_key(|file| std::cmp::Reverse(file.read().map_or(0, |text| text.len())));
    // Who asks for some tests wants all of them.
    let all = everything() || arguments.filter.is_some();
    let test = |file: RepoFile| {
        let mut kinds = kinds.clone();
        kinds.retain(|kind| all || kind.is_due(&file));
        trial(name, file, move |file| check_kinds(file, &kinds))
    };
    if kinds.is_empty() { Vec::new() } else { programs.into_iter().map(test).collect() }
}

fn add(trials: &mut Vec<Trial>, kind: &str, files: Vec<RepoFile>, test: fn(&RepoFile) -> Verdict) {
    trials.extend(files.into_iter().map(|file| trial(kind, file, test)));
}

fn trial(kind: &str, file: RepoFile, test: impl FnOnce(&RepoFile) -> Verdict + Send + 'static) -> Trial {
    let name = file.name.clone();
    Trial::test(name, move || with_large_stack(&file.name, || test(&file)).map_err(Into::into))
        .with_kind(kind)
}

fn file(name: &str) -> RepoFile {
    RepoFile { name: name.into(), path: root().join(name) }
}

/// `tests/errors/CODE/*.fut`; files deeper down are there to be imported.
fn error_programs() -> Vec<RepoFile> {
    let mut all = files("tests/errors", "fut");
    all.retain(|file| file.name.split('/').count() == 4);
    all
}

/// `tests/typed/*.fut`; files deeper down are there to be imported.
fn typed_programs() -> Vec<RepoFile> {
    let mut all = files("tests/typed", "fut");
    all.retain(|file| file.name.split('/').count() == 3);
    all
}

fn typed(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    let report = check_text(&name, &file.read()?, &mut folder);
    if !report.diagnostics.is_empty() {
        return Err(report.rendered());
    }
    report.verify()?;
    // Programs whose name says so are printed with all there is to say.
    let everything = name.starts_with("all_");
    let options = PrintOptions { imports: everything, instances: everything, prelude: false };
    compare(&file.path.with_extension("typed"), &print_program(&report.program, options))
}

fn error(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    let report = check_text_for(file.folder(), &name, &file.read()?, &mut folder).complete(file.folder());
    if !report.codes().contains(file.folder()) {
        return Err(format!("{} is not among the diagnostics:\n{}", file.folder(), report.rendered()));
    }
    compare(&file.path.with_extension("stderr"), &report.rendered())
}

fn nest(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    let report = check_text(&name, &file.read()?, &mut folder);
    check_nest(&report.sources, &report.program)
}

fn has_program(file: &RepoFile) -> Verdict {
    if file.path.with_extension("fut").exists() {
        Ok(())
    } else {
        Err("there is no program beside it".into())
    }
}

fn layout(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    check_layout(&name, &file.read()?, &mut folder)
}

/// What people read is formatted. It is not checked: files of the library are no programs of their own.
fn formatted(file: &RepoFile) -> Verdict {
    match check_layout_alone(&file.name, &file.read()?)? {
        Some(formatted) => compare(&file.path, &formatted),
        None => Err("it has syntax errors".into()),
    }
}

fn document(file: &RepoFile) -> Verdict {
    let text = file.read()?;
    if let Some(page) = file.name.strip_prefix("docs/src/errors/") {
        check_error_page(page.trim_end_matches(".md"), &text)?;
    }
    check_document(&text)
}
