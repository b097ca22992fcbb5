//! The file `futhark.pkg`.
//!
//! ```text
//! package github.com/user/name
//!
//! require {
//!   -- a comment
//!   github.com/diku-dk/sorts 0.4.1 #0123456789abcdef0123456789abcdef01234567
//! }
//! ```
//!
//! Both parts may be missing. Comments stay with what follows them.

use super::{Outcome, Version, check_path};
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// What the project is called, if it is a package.
    pub package: Option<String>,
    pub requires: Vec<Required>,
    /// At the beginning, before `require`, before its end, and at the end.
    comments: [Vec<String>; 4],
}

/// A package that is required: the oldest version that will do, and the commit that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    pub path: String,
    pub version: Version,
    pub commit: Option<String>,
    /// The lines of comments before it.
    pub comments: Vec<String>,
}

impl Manifest {
    pub fn parse(text: &str) -> Outcome<Manifest> {
        let mut manifest = Manifest::default();
        let mut comments = Vec::new();
        let mut words = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let (code, comment) =
                match line.find("--").filter(|at| *at == 0 || line[..*at].ends_with(char::is_whitespace)) {
                    Some(at) => (&line[..at], Some(line[at..].trim().to_string())),
                    None => (line, None),
                };
            words.extend(code.split_whitespace().map(|word| (i + 1, Word::Text(word))));
            words.extend(comment.map(|comment| (i + 1, Word::Comment(comment))));
        }
        let mut words = words.into_iter().peekable();
        let mut inside = false;
        let mut required = false;
        while let Some((line, word)) = words.next() {
            let at = |message: String| format!("line {line}: {message}");
            let mut next = |what: &str| match words.next() {
                Some((_, Word::Text(word))) => Ok(word),
                _ => Err(at(format!("expected {what}"))),
            };
            match word {
                Word::Comment(comment) => comments.push(comment),
                Word::Text("package") if !inside && manifest.package.is_none() && !required => {
                    // Some packages have a slash behind their own name.
                    let path = next("the name of the package")?.trim_end_matches('/');
                    check_path(path).map_err(at)?;
                    manifest.package = Some(path.to_string());
                    manifest.comments[0] = std::mem::take(&mut comments);
                }
                Word::Text("require") if !inside && !required => {
                    if next("`{`")? != "{" {
                        return Err(at("expected `{` after `require`".into()));
                    }
                    (inside, required) = (true, true);
                    manifest.comments[1] = std::mem::take(&mut comments);
                }
                Word::Text("}") if inside => {
                    inside = false;
                    manifest.comments[2] = std::mem::take(&mut comments);
                }
                Word::Text(path) if inside => {
                    check_path(path).map_err(at)?;
                    let version = next("a version")?.parse().map_err(at)?;
                    let commit = words.next_if(|(_, w)| matches!(w, Word::Text(w) if w.starts_with('#')));
                    let commit = commit.and_then(|(_, w)| match w {
                        Word::Text(hash) => Some(hash[1..].to_string()),
                        Word::Comment(_) => None,
                    });
                    if manifest.requires.iter().any(|r| r.path == path) {
                        return Err(at(format!("`{path}` is required twice")));
                    }
                    let comments = std::mem::take(&mut comments);
                    manifest.requires.push(Required { path: path.into(), version, commit, comments });
                }
                Word::Text(other) => return Err(at(format!("`{other}` does not belong here"))),
            }
        }
        if inside {
            return Err("the list of `require` has no end".into());
        }
        manifest.comments[3] = comments;
        Ok(manifest)
    }

    /// Require a package, in place of another version of it.
    pub fn require(&mut self, mut required: Required) {
        match self.requires.iter_mut().find(|r| r.path == required.path) {
            Some(known) => {
                required.comments = std::mem::take(&mut known.comments);
                *known = required;
            }
            None => self.requires.push(required),
        }
    }

    /// Whether it was required.
    pub fn remove(&mut self, path: &str) -> bool {
        let before = self.requires.len();
        self.requires.retain(|r| r.path != path);
        self.requires.len() < before
    }
}

#[derive(Clone)]
enum Word<'a> {
    Text(&'a str),
    Comment(String),
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |f: &mut fmt::Formatter<'_>, indent: &str, lines: &[String]| {
            lines.iter().try_for_each(|line| writeln!(f, "{indent}{line}"))
        };
        let [first, before, inside, last] = &self.comments;
        lines(f, "", first)?;
        if let Some(package) = &self.package {
            writeln!(f, "package {package}\n")?;
        }
        lines(f, "", before)?;
        writeln!(f, "require {{")?;
        for r in &self.requires {
            lines(f, "  ", &r.comments)?;
            write!(f, "  {} {}", r.path, r.version)?;
            r.commit.iter().try_for_each(|commit| write!(f, " #{commit}"))?;
            writeln!(f)?;
        }
        lines(f, "  ", inside)?;
        writeln!(f, "}}")?;
        lines(f, "", last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "-- ours\npackage github.com/a/b\n\n-- others\nrequire {\n  -- sorts\n  github.com/c/d 0.4.1 #0123abc\n  github.com/e/f@2 2.0.0\n  -- none\n}\n-- end\n";

    #[test]
    fn comments_and_order_stay() {
        let manifest = Manifest::parse(TEXT).unwrap();
        assert_eq!(manifest.to_string(), TEXT);
        assert_eq!(manifest.requires[0].commit.as_deref(), Some("0123abc"));
        let slash = Manifest::parse("package github.com/a/b/\n").unwrap();
        assert_eq!(slash.package.as_deref(), Some("github.com/a/b"));
        let dense = Manifest::parse("require{\n}").is_err();
        assert!(dense, "words have blanks between them");
    }

    #[test]
    fn mistakes_have_lines() {
        let of = |text: &str| Manifest::parse(text).unwrap_err();
        assert_eq!(
            of("require {\n  github.com/a/b\n}"),
            "line 2: `}` is no version: expected three numbers, as in 1.0.2"
        );
        assert!(of("require {\n a/b 1.0.0\n a/b 1.0.1\n}").contains("line 3: `a/b` is required twice"));
        assert!(of("require {").contains("no end"));
        assert!(of("hello").contains("line 1: `hello` does not belong here"));
        assert!(of("package ../x").contains("is no package"));
    }
}
