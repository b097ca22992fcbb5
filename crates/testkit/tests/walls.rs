//! The walls between crates: who may use whom, and who may touch the world outside.

use norn_testkit::corpus::files;

/// Each crate with the crates of ours that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("syntax", &["base"]),
    ("check", &["base", "syntax"]),
    ("ir", &["base"]),
    ("lower", &["base", "syntax", "check", "ir"]),
    ("differentiate", &["base", "ir"]),
    ("passes", &["base", "ir"]),
    ("values", &["base"]),
    ("media", &["values"]),
    ("plot", &[]),
    ("lsp", &["base", "syntax", "check"]),
    ("interp", &["base", "ir", "values"]),
    ("emit", &["base", "ir"]),
    ("runtime", &[]),
    ("exec", &["base", "ir", "emit", "runtime", "values"]),
    (
        "norn",
        &[
            "base",
            "syntax",
            "check",
            "ir",
            "lower",
            "differentiate",
            "passes",
            "values",
            "media",
            "plot",
            "interp",
            "emit",
            "runtime",
            "exec",
            "lsp",
        ],
    ),
    ("python", &["ir", "values", "exec", "norn"]),
    (
        "testkit",
        &[
            "base",
            "syntax",
            "check",
            "ir",
            "differentiate",
            "passes",
            "interp",
            "emit",
            "runtime",
            "plot",
            "norn",
        ],
    ),
];

/// The crates that do input and output.
const MAY_DO_IO: &[&str] = &["norn", "runtime", "testkit"];

/// What does input or output. The traits of `std::io` do not, over bytes in memory.
const IO: &[&str] = &[
    "std::fs",
    "std::process",
    "std::net",
    "std::env",
    "stdin()",
    "stdout()",
    "stderr()",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
];

#[test]
fn crates_use_only_what_they_may() {
    for manifest in files("crates", "toml") {
        let name = manifest.folder();
        let (_, allowed) = MAY_USE
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} is not in the table of walls"));
        for used in our_dependencies(&manifest.read().unwrap()) {
            assert!(allowed.contains(&used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn the_table_of_crates_says_what_they_use() {
    let text = architecture();
    for (name, allowed) in MAY_USE.iter().filter(|(name, _)| !["norn", "testkit"].contains(name)) {
        let uses = if allowed.is_empty() { "nothing of ours".into() } else { allowed.join(", ") };
        let row = format!("| `{name}` | {uses} |");
        assert!(text.contains(&row), "ARCHITECTURE.md should have the row {row}");
    }
}

#[test]
fn every_dependency_is_in_the_list() {
    let text = architecture();
    let (_, list) = text.split_once("## Dependencies").unwrap();
    let (list, _) = list.split_once("\n## ").unwrap();
    let listed = list.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let mut listed: Vec<&str> = listed.flat_map(|names| names.split(", ")).skip(1).collect();
    let manifest = std::fs::read_to_string(norn_testkit::root().join("Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("[workspace.dependencies]").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    let names = dependencies.lines().filter_map(|line| Some(line.split_once(" = ")?.0));
    let mut used: Vec<&str> =
        names.filter(|name| !name.starts_with("norn") && !name.starts_with('#')).collect();
    listed.sort_unstable();
    used.sort_unstable();
    assert_eq!(listed, used, "the list of ARCHITECTURE.md and the dependencies of Cargo.toml");
}

fn architecture() -> String {
    std::fs::read_to_string(norn_testkit::root().join("ARCHITECTURE.md")).unwrap()
}

/// The crates of ours in the dependency sections of a manifest. What only tests need is free.
fn our_dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line == "[build-dependencies]";
        } else if inside && let Some((name, _)) = line.split_once(['=', '.', ' ']) {
            match name {
                "norn" => found.push("norn".into()),
                _ => found.extend(name.strip_prefix("norn-").map(String::from)),
            }
        }
    }
    found
}

#[test]
fn only_the_outermost_crates_do_io() {
    for source in files("crates", "rs") {
        let mut parts = source.name.split('/').skip(1);
        let (krate, place) = (parts.next().unwrap(), parts.next().unwrap());
        if MAY_DO_IO.contains(&krate) || place != "src" || source.name.ends_with("/tests.rs") {
            continue;
        }
        for (i, line) in source.read().unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for word in IO {
                assert!(
                    !code.contains(word),
                    "{}:{}: {word} in a crate that does no I/O",
                    source.name,
                    i + 1
                );
            }
        }
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    for source in files("crates", "rs") {
        let text = source.read().unwrap();
        assert!(text.starts_with("//!"), "{} does not begin with a //! comment", source.name);
    }
}

/// A package has what is in the folder of its crate, by way of links, too, and nothing else.
#[test]
fn sources_include_only_what_is_packaged() {
    for (folder, manifest) in manifests().iter().filter(|(_, manifest)| !manifest.contains("publish = false"))
    {
        assert!(manifest.contains("\ndescription = "), "{folder}Cargo.toml has no description");
        for source in files(&format!("{folder}src"), "rs") {
            let depth = source.name.trim_start_matches(folder.as_str()).matches('/').count();
            let text = source.read().unwrap();
            for included in text.split("include_str!(").skip(1) {
                let path = included.split('"').nth(1).unwrap_or("");
                assert!(path.matches("../").count() <= depth, "{} includes {path}", source.name);
            }
        }
    }
}

/// The manifest of each crate, and its folder.
fn manifests() -> Vec<(String, String)> {
    let folder = |name: &str| name.trim_end_matches("Cargo.toml").to_string();
    files("crates", "toml").iter().map(|file| (folder(&file.name), file.read().unwrap())).collect()
}

#[test]
fn every_test_is_part_of_a_program() {
    for (folder, _) in manifests().iter().filter(|(_, manifest)| manifest.contains("autotests = false")) {
        let tests = format!("{folder}tests/");
        let sources = files(tests.trim_end_matches('/'), "rs");
        let main = sources.iter().find(|file| file.name == format!("{tests}main.rs"));
        let main = main.unwrap_or_else(|| panic!("{tests}main.rs is missing")).read().unwrap();
        for source in &sources {
            let name = source.name.trim_start_matches(&tests).split(['/', '.']).next().unwrap();
            assert!(
                name == "main" || main.contains(&format!("mod {name};\n")),
                "{tests}main.rs has no line `mod {name};`, so {} is never run",
                source.name
            );
        }
    }
}

#[test]
fn tests_in_sources_are_run() {
    for (folder, manifest) in manifests() {
        for source in files(&format!("{folder}src"), "rs") {
            let text = source.read().unwrap();
            assert!(
                !manifest.contains("\ntest = false") || !text.contains("#[cfg(test)]"),
                "{} has tests, and the manifest of its crate says `test = false`",
                source.name
            );
            assert!(
                !manifest.contains("doctest = false") || !has_example(&text),
                "{} has an example in Rust, and the manifest of its crate says `doctest = false`",
                source.name
            );
        }
    }
}

/// Whether rustdoc would run something in the comments of a file.
fn has_example(text: &str) -> bool {
    let mut inside = false;
    let comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("//"));
    let fences = comments.filter_map(|line| line.trim_start_matches(['/', '!']).trim().strip_prefix("```"));
    fences.into_iter().any(|info| {
        inside = !inside;
        inside && matches!(info, "" | "rust" | "no_run" | "should_panic")
    })
}
