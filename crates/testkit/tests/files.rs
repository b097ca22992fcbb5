//! Tests that are files: see the head of `norn_testkit`.

use libtest_mimic::{Arguments, Trial, run};
use norn::with_large_stack;
use norn_check::print_typed::{PrintOptions, print_program};
use norn_testkit::blocks::{check_document, check_error_page};
use norn_testkit::corpus::{RepoFile, files};
use norn_testkit::cuda::{check_cuda, has_nvrtc};
use norn_testkit::expectation::compare;
use norn_testkit::layout::{check_layout, check_layout_alone};
use norn_testkit::literate::{check_chart, check_page};
use norn_testkit::manual::{
    check_benchmarks, check_contents, check_error_index, check_links, check_pictures, check_prelude,
};
use norn_testkit::nest::check_nest;
use norn_testkit::program::{Folder, check_text};
use norn_testkit::run::{
    check_blocks, check_compiled, check_improved, check_opencl, has_compiler, has_opencl,
};
use norn_testkit::{Verdict, root};

/// The folders of programs.
const PROGRAMS: [&str; 5] = ["tests/lang", "tests/regress", "examples", "bench/programs", "bench/compiler"];

fn main() {
    let mut trials = Vec::new();
    for folder in PROGRAMS {
        add(&mut trials, "accepted", files(folder, "fut"), accepted);
        add(&mut trials, "layout", files(folder, "fut"), layout);
        add(&mut trials, "nest", files(folder, "fut"), nest);
        add(&mut trials, "run", files(folder, "fut"), check_blocks);
        add(&mut trials, "improved", files(folder, "fut"), check_improved);
        add(&mut trials, "compiled", files(folder, "fut"), compiled);
    }
    match has_nvrtc() {
        Ok(()) => add(&mut trials, "cuda", programs(), cuda),
        Err(why) => eprintln!("note: no kernel is compiled for CUDA: {why}"),
    }
    add(&mut trials, "layout", files("lib", "fut"), layout_of_library);
    add(&mut trials, "typed", typed_programs(), typed);
    add(&mut trials, "layout", typed_programs(), layout);
    add(&mut trials, "nest", typed_programs(), nest);
    add(&mut trials, "expectation", files("tests/typed", "typed"), has_program);
    add(&mut trials, "error", error_programs(), error);
    add(&mut trials, "expectation", files("tests/errors", "stderr"), has_program);
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
    add(&mut trials, "prelude", vec![file("docs/src/reference/prelude.md")], check_prelude);
    let mut on_device = Vec::new();
    match has_opencl() {
        Ok(()) => add(&mut on_device, "opencl", programs(), check_opencl),
        Err(why) => eprintln!("note: nothing is tested with OpenCL: {why}"),
    }
    run(&Arguments::from_args(), spread(on_device, trials)).exit();
}

/// One test at a time has the device, and its driver compiles most of that time: the other threads should find something else to do.
fn spread(few: Vec<Trial>, many: Vec<Trial>) -> Vec<Trial> {
    let every = many.len().div_ceil(few.len().max(1)).max(1);
    let (mut few, mut many) = (few.into_iter(), many.into_iter());
    let mut all = Vec::with_capacity(few.len() + many.len());
    while few.len() + many.len() > 0 {
        all.extend(few.next());
        all.extend(many.by_ref().take(every));
    }
    all
}

fn add(trials: &mut Vec<Trial>, kind: &str, files: Vec<RepoFile>, test: fn(&RepoFile) -> Verdict) {
    trials.extend(files.into_iter().map(|file| {
        Trial::test(file.name.clone(), move || {
            with_large_stack(&file.name, || test(&file)).map_err(Into::into)
        })
        .with_kind(kind)
    }));
}

fn file(name: &str) -> RepoFile {
    RepoFile { name: name.into(), path: root().join(name) }
}

fn programs() -> Vec<RepoFile> {
    PROGRAMS.into_iter().flat_map(|folder| files(folder, "fut")).collect()
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

/// Without a C compiler there is nothing to test.
fn compiled(file: &RepoFile) -> Verdict {
    if has_compiler() { check_compiled(file) } else { Ok(()) }
}

fn accepted(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    let report = check_text(&name, &file.read()?, &mut folder);
    if report.diagnostics.has_errors() { Err(report.rendered()) } else { report.verify() }
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
    let report = check_text(&name, &file.read()?, &mut folder);
    if !report.codes().contains(file.folder()) {
        return Err(format!("{} is not among the diagnostics:\n{}", file.folder(), report.rendered()));
    }
    compare(&file.path.with_extension("stderr"), &report.rendered())
}

fn nest(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    check_nest(&check_text(&name, &file.read()?, &mut folder))
}

fn cuda(file: &RepoFile) -> Verdict {
    let (mut folder, name) = Folder::of(&file.path);
    check_cuda(&check_text(&name, &file.read()?, &mut folder))
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

/// The files of the library are no programs of their own.
fn layout_of_library(file: &RepoFile) -> Verdict {
    check_layout_alone(&file.name, &file.read()?).map(drop)
}

fn document(file: &RepoFile) -> Verdict {
    let text = file.read()?;
    if let Some(page) = file.name.strip_prefix("docs/src/errors/") {
        check_error_page(page.trim_end_matches(".md"), &text)?;
    }
    check_document(&text)
}
