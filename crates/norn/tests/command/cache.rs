//! The cache of compiled programs: whatever becomes of it, programs run as they should.
#![cfg(unix)]

use crate::run::{Run, Workplace};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn has_cc() -> bool {
    Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("main.fut", "entry main (x: i32) = x + 1\n");
    place
}

fn norn(place: &Workplace, set: impl FnOnce(&mut Command)) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.args(["run", "-v", "main.fut"]).env("NORN_CACHE", place.path("cache"));
    set(&mut command);
    place.run(&mut command, "41")
}

#[track_caller]
fn assert_runs(run: &Run) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "42i32\n"), "{}", run.stderr);
    assert!(run.stderr.contains("backend: cpu"), "{}", run.stderr);
}

#[track_caller]
fn assert_is_compiled(run: &Run) {
    assert_runs(run);
    assert!(run.stderr.contains("compiled by the C compiler"), "{}", run.stderr);
}

#[track_caller]
fn assert_is_found(run: &Run) {
    assert_runs(run);
    assert!(run.stderr.contains("compiled before"), "{}", run.stderr);
}

fn files(place: &Workplace) -> Vec<PathBuf> {
    fs::read_dir(place.path("cache")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_program_runs_again_without_a_compiler() {
    if !has_cc() {
        return;
    }
    let place = place();
    let without_cc = |command: &mut Command| {
        command.env("PATH", place.path("nothing")).env_remove("CC");
    };
    let run = norn(&place, without_cc);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "42i32\n"), "{}", run.stderr);
    assert!(run.stderr.contains("there is no C compiler"), "{}", run.stderr);
    assert_is_compiled(&norn(&place, |_| {}));
    assert_is_found(&norn(&place, without_cc));
    // Another program is interpreted, or refused where the user wants it compiled.
    place.write("main.fut", "entry main (x: i32) = 1 + x\n");
    let run = norn(&place, without_cc);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "42i32\n"), "{}", run.stderr);
    assert!(run.stderr.contains("there is no C compiler"), "{}", run.stderr);
    let run = norn(&place, |command| {
        without_cc(command);
        command.args(["--backend", "cpu"]);
    });
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("there is no C compiler"), "{}", run.stderr);
}

#[test]
fn what_is_compiled_is_private() {
    if !has_cc() {
        return;
    }
    let place = place();
    assert_is_compiled(&norn(&place, |_| {}));
    for path in files(&place).into_iter().chain([place.path("cache")]) {
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700, "{}", path.display());
    }
    assert_is_found(&norn(&place, |_| {}));
}

#[test]
fn damaged_files_change_nothing() {
    if !has_cc() {
        return;
    }
    let place = place();
    assert_is_compiled(&norn(&place, |_| {}));
    for path in files(&place) {
        let content = fs::read(&path).unwrap();
        for damage in
            [b"-O3\n-fplugin=./evil.so\nend\n".to_vec(), Vec::new(), content[..content.len() / 2].to_vec()]
        {
            fs::write(&path, damage).unwrap();
            assert_runs(&norn(&place, |_| {}));
        }
    }
    assert_is_found(&norn(&place, |_| {}));
}

#[test]
fn a_folder_that_others_can_write_to_is_not_used() {
    if !has_cc() {
        return;
    }
    let place = place();
    assert_is_compiled(&norn(&place, |_| {}));
    fs::set_permissions(place.path("cache"), fs::Permissions::from_mode(0o777)).unwrap();
    assert_is_compiled(&norn(&place, |_| {}));
    fs::set_permissions(place.path("cache"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_is_found(&norn(&place, |_| {}));
}

#[test]
fn what_belongs_to_another_user_is_not_used() {
    if !has_cc() {
        return;
    }
    let place = place();
    assert_is_compiled(&norn(&place, |_| {}));
    let give = |to: &str| {
        let chown =
            Command::new("chown").args(["-R", to]).arg(place.path("cache")).stderr(Stdio::null()).status();
        chown.is_ok_and(|status| status.success())
    };
    // Only the superuser can give files away.
    let owner = fs::metadata(place.path("cache")).unwrap().uid().to_string();
    if give("12345") {
        assert_is_compiled(&norn(&place, |_| {}));
        assert!(give(&owner));
        assert_is_found(&norn(&place, |_| {}));
    }
}

/// A C compiler that cannot write to the folder of the cache, as if the disk were full.
#[test]
fn a_full_disk_stops_no_program() {
    if !has_cc() {
        return;
    }
    let place = place();
    let script = "#!/bin/sh\ncase \"$*\" in\n  *$NORN_CACHE*) echo 'No space left on device' >&2; exit 1 ;;\n  \
                  *) exec cc \"$@\" ;;\nesac\n";
    place.write("full-cc", script);
    fs::set_permissions(place.path("full-cc"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_is_compiled(&norn(&place, |command| {
        command.env("CC", place.path("full-cc"));
    }));
}

#[test]
fn where_there_can_be_no_cache_programs_run() {
    if !has_cc() {
        return;
    }
    let place = place();
    place.write("cache", "This is a file.");
    assert_is_compiled(&norn(&place, |_| {}));
    for folder in ["/proc/nowhere", "/dev/null/cache"] {
        assert_is_compiled(&norn(&place, |command| {
            command.env("NORN_CACHE", folder);
        }));
    }
}
