//! Semantic versions: `1.2.3`, or `1.2.3-beta`, or a commit that has no tag, `0.0.0-20240131120000+0123abc`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    /// What comes before the release.
    before: Option<String>,
    /// A commit.
    build: Option<String>,
}

impl Version {
    pub fn major(&self) -> u64 {
        self.numbers[0]
    }

    /// What the version is called in a repository.
    pub fn revision(&self) -> String {
        match (&self.before, &self.build) {
            (Some(time), Some(commit))
                if self.numbers == [0, 0, 0] && time.bytes().all(|b| b.is_ascii_digit()) =>
            {
                commit.clone()
            }
            _ => format!("v{self}"),
        }
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Version, String> {
        let wrong = || format!("`{text}` is no version: expected three numbers, as in 1.0.2");
        let is_word =
            |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.');
        let (rest, build) = match text.split_once('+') {
            Some((rest, build)) => (rest, Some(build.to_string())),
            None => (text, None),
        };
        let (rest, before) = match rest.split_once('-') {
            Some((rest, before)) => (rest, Some(before.to_string())),
            None => (rest, None),
        };
        if !before.iter().chain(&build).all(|w| is_word(w)) {
            return Err(wrong());
        }
        let digits = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
        let parts: Option<Vec<u64>> = rest.split('.').map(|w| w.parse().ok().filter(|_| digits(w))).collect();
        let numbers = parts.and_then(|p| p.try_into().ok()).ok_or_else(wrong)?;
        Ok(Version { numbers, before, build })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        self.before.iter().try_for_each(|b| write!(f, "-{b}"))?;
        self.build.iter().try_for_each(|b| write!(f, "+{b}"))
    }
}

impl Ord for Version {
    /// What comes before a release is older than it; its words are compared one by one, numbers as numbers (semver.org, 11).
    fn cmp(&self, other: &Version) -> Ordering {
        let numbers = self.numbers.cmp(&other.numbers);
        let before = match (&self.before, &other.before) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => words(a).cmp(&words(b)),
        };
        numbers.then(before).then_with(|| self.build.cmp(&other.build))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Numbers are older than words.
fn words(text: &str) -> Vec<(bool, u64, &str)> {
    let word = |w| match str::parse::<u64>(w) {
        Ok(number) => (false, number, ""),
        Err(_) => (true, 0, w),
    };
    text.split('.').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered() {
        let all = [
            "0.0.0-20240131120000+0123abc",
            "0.1.0",
            "0.9.0",
            "0.10.0",
            "1.0.0-alpha.2",
            "1.0.0-alpha.10",
            "1.0.0-beta",
            "1.0.0",
        ];
        let versions: Vec<Version> = all.iter().map(|v| v.parse().unwrap()).collect();
        assert!(versions.is_sorted());
        assert_eq!(versions.iter().map(Version::to_string).collect::<Vec<_>>(), all);
        assert_eq!(versions[0].revision(), "0123abc");
        assert_eq!(versions[1].revision(), "v0.1.0");
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for text in ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.x", "1.0.0-", "1.0.0-a b", "+1.0.0"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }
}
