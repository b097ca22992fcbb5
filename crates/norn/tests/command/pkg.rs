//! Packages, from repositories that are folders beside the project.
#![cfg(unix)]

use crate::run::{Run, Workplace};
use std::process::Command;

/// A place where `https://example.org/` is the folder `served`.
struct Packages(Workplace);

impl Packages {
    fn new() -> Packages {
        let place = Workplace::new();
        let served = place.path("served");
        let config = format!(
            "[user]\nname = A\nemail = a@example.org\n[url \"file://{}/\"]\ninsteadOf = https://example.org/\n[init]\ndefaultBranch = main\n[protocol \"file\"]\nallow = always\n",
            served.display()
        );
        place.write("config", config);
        place.write("project/a.fut", "");
        Packages(place)
    }

    fn in_folder(&self, folder: &str, program: &str, args: &[&str]) -> Run {
        let place = &self.0;
        let script = format!("cd {folder} && exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", program]).args(args);
        command.env("GIT_CONFIG_GLOBAL", place.path("config")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("NORN_CACHE", place.path("cache"));
        place.run(&mut command, "")
    }

    fn git(&self, folder: &str, args: &[&str]) {
        let run = self.in_folder(folder, "git", args);
        assert_eq!(run.code, Some(0), "git {args:?}: {}", run.stderr);
    }

    /// Release a version of a package, which requires others.
    fn release(&self, name: &str, version: &str, requires: &str, text: &str) {
        let repository = format!("served/{name}");
        let file = format!("{repository}/lib/example.org/{name}/main.fut");
        let is_new = !self.0.path(&repository).exists();
        self.0.write(&file, text);
        self.0.write(
            &format!("{repository}/futhark.pkg"),
            format!("package example.org/{name}\n\nrequire {{\n{requires}}}\n"),
        );
        if is_new {
            self.git(&repository, &["init", "--quiet"]);
        }
        self.git(&repository, &["add", "-A"]);
        self.git(&repository, &["commit", "--quiet", "-m", version]);
        self.git(&repository, &["tag", &format!("v{version}")]);
    }

    fn pkg(&self, args: &[&str]) -> Run {
        self.in_folder("project", env!("CARGO_BIN_EXE_norn"), &[&["pkg"], args].concat())
    }

    #[track_caller]
    fn done(&self, args: &[&str]) -> String {
        let run = self.pkg(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }

    #[track_caller]
    fn refused(&self, args: &[&str]) -> String {
        let run = self.pkg(args);
        assert_eq!(run.code, Some(3), "{args:?}: {}", run.stdout);
        run.stderr
    }

    fn has(&self, path: &str) -> bool {
        self.0.path(&format!("project/lib/example.org/{path}")).exists()
    }
}

fn two_packages() -> Packages {
    let packages = Packages::new();
    packages.release("low", "0.1.0", "", "def one = 1i32\n");
    packages.release("low", "0.2.0", "", "def one = 1i32\ndef two = 2i32\n");
    packages.release("low", "0.3.0", "", "def three = 3i32\n");
    packages.release(
        "high",
        "1.0.0",
        "  example.org/low 0.2.0\n",
        "import \"../low/main\"\ndef four = two + two\n",
    );
    packages
}

#[test]
fn packages_are_added_fetched_used_and_removed() {
    let packages = two_packages();
    packages.done(&["add", "example.org/high"]);
    packages.done(&["add", "example.org/low", "0.1.0"]);
    let manifest = packages.0.read("project/futhark.pkg");
    assert!(manifest.contains("  example.org/high 1.0.0 #"), "{manifest}");
    let said = packages.done(&["sync"]);
    // The newest that anybody asks for, and no newer one.
    assert!(said.contains("example.org/low 0.2.0 is in lib/example.org/low"), "{said}");
    packages.0.write("project/main.fut", "import \"lib/example.org/high/main\"\nentry main = four\n");
    let run = packages.in_folder("project", env!("CARGO_BIN_EXE_norn"), &["check", "main.fut"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(packages.done(&["sync"]).contains("nothing to do: 2 packages"));
    packages.done(&["remove", "example.org/high"]);
    let said = packages.done(&["sync"]);
    assert!(said.contains("example.org/high is removed") && said.contains("low 0.1.0"), "{said}");
    assert!(!packages.has("high") && packages.has("low/main.fut"));
    packages.done(&["remove", "example.org/low"]);
    packages.done(&["sync"]);
    assert!(!packages.0.path("project/lib").exists());
}

#[test]
fn upgrades_are_asked_for() {
    let packages = two_packages();
    packages.done(&["add", "example.org/low", "0.1.0"]);
    packages.done(&["sync"]);
    assert_eq!(packages.done(&["versions", "example.org/low"]), "0.1.0\n0.2.0\n0.3.0\n");
    packages.release("low", "0.4.0", "", "def four = 4i32\n");
    assert_eq!(packages.done(&["upgrade"]), "example.org/low 0.1.0 becomes 0.4.0\n");
    assert_eq!(packages.done(&["upgrade"]), "all packages are the newest\n");
    assert!(packages.done(&["sync"]).contains("low 0.4.0"));
    // From 2 on, each major version is a package of its own.
    packages.release("low", "2.0.0", "", "");
    assert_eq!(packages.done(&["upgrade"]), "all packages are the newest\n");
}

#[test]
fn what_was_fetched_needs_no_network() {
    let packages = two_packages();
    packages.done(&["add", "example.org/high"]);
    packages.done(&["sync"]);
    std::fs::remove_dir_all(packages.0.path("served")).unwrap();
    std::fs::remove_dir_all(packages.0.path("project/lib")).unwrap();
    // Nothing new is needed, so nobody notices.
    packages.done(&["sync"]);
    assert!(packages.has("low/main.fut"));
    assert!(packages.refused(&["versions", "example.org/low"]).contains("cannot be fetched"));
    assert_eq!(packages.done(&["--offline", "versions", "example.org/low"]).lines().count(), 3);
    let missing = packages.refused(&["--offline", "add", "example.org/other"]);
    assert!(missing.contains("is not in the cache"), "{missing}");
}

#[test]
fn versions_that_were_changed_are_refused() {
    let packages = two_packages();
    packages.done(&["add", "example.org/low", "0.1.0"]);
    packages.done(&["sync"]);
    packages.0.write("served/low/lib/example.org/low/main.fut", "def evil = 0i32\n");
    packages.git("served/low", &["add", "-A"]);
    packages.git("served/low", &["commit", "--quiet", "-m", "evil"]);
    packages.git("served/low", &["tag", "--force", "v0.1.0"]);
    std::fs::remove_dir_all(packages.0.path("cache")).unwrap();
    let said = packages.refused(&["sync"]);
    assert!(said.contains("version 0.1.0 of `example.org/low` is not what it was"), "{said}");
    // What is there is what was checked.
    assert!(packages.0.read("project/lib/example.org/low/main.fut").contains("one"));
}

#[test]
fn files_that_were_changed_are_written_again_and_files_of_others_never() {
    let packages = two_packages();
    packages.done(&["add", "example.org/low", "0.1.0"]);
    packages.done(&["sync"]);
    packages.0.write("project/lib/example.org/low/main.fut", "def changed = 0i32\n");
    packages.0.write("project/lib/own.fut", "def own = 0i32\n");
    packages.done(&["sync"]);
    assert!(packages.0.read("project/lib/example.org/low/main.fut").contains("one"));
    packages.done(&["remove", "example.org/low"]);
    packages.done(&["sync"]);
    assert!(packages.0.path("project/lib/own.fut").exists());
    packages.0.write("project/lib/example.org/high/mine.fut", "");
    packages.done(&["add", "example.org/high"]);
    assert!(packages.refused(&["sync"]).contains("not from a package"));
}

#[test]
fn mistakes_are_explained() {
    let packages = two_packages();
    assert!(packages.refused(&["add", "https://example.org/low"]).contains("without `https://`"));
    assert!(packages.refused(&["add", "example.org/nothing"]).contains("cannot be fetched"));
    assert!(packages.refused(&["add", "example.org/low", "9.0.0"]).contains("has no version 9.0.0"));
    assert!(packages.refused(&["remove", "example.org/low"]).contains("does not require"));
    packages.0.write("project/futhark.pkg", "require {\n  example.org/low\n}\n");
    assert!(packages.refused(&["sync"]).contains("line 2: `}` is no version"));
}

#[test]
fn packages_begin_with_a_folder() {
    let packages = Packages::new();
    packages.done(&["init", "example.org/me/mine"]);
    assert_eq!(packages.0.read("project/futhark.pkg"), "package example.org/me/mine\n\nrequire {\n}\n");
    assert!(packages.has("me/mine"));
    assert!(packages.refused(&["init", "example.org/me/other"]).contains("already"));
}
