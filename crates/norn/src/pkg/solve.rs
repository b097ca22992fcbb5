//! Which versions are used: of each package the newest that anybody requires.

use super::git::Repositories;
use super::{Chosen, Manifest, Outcome, Required};
use std::collections::BTreeMap;

pub fn solve(manifest: &Manifest, repositories: &Repositories) -> Outcome<Vec<Chosen>> {
    let mut chosen: BTreeMap<String, Chosen> = BTreeMap::new();
    let mut open: Vec<Required> = manifest.requires.clone();
    while let Some(required) = open.pop() {
        if chosen.get(&required.path).is_some_and(|known| known.version > required.version) {
            continue;
        }
        let commit = repositories.commit(&required.path, &required.version)?;
        if let Some(expected) = &required.commit
            && *expected != commit
        {
            return Err(format!(
                "version {} of `{}` is not what it was: expected the commit {expected}, found {commit}",
                required.version, required.path
            ));
        }
        let found = Chosen { path: required.path.clone(), version: required.version, commit };
        if chosen.get(&found.path) == Some(&found) {
            continue;
        }
        open.extend(repositories.manifest(&found.path, &found.commit)?.requires);
        chosen.insert(found.path.clone(), found);
    }
    Ok(chosen.into_values().collect())
}
