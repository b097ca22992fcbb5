//! `norn pkg`: packages.

use crate::args::{ColorChoice, MessageFormat};
use crate::console::{Console, Exit};
use clap::{Args, Subcommand};
use norn::pkg::{FILE, Outcome, Project, Version, check_path};
use std::fs;
use std::io::Result;
use std::path::Path;

#[derive(Args)]
pub struct PkgArgs {
    #[command(subcommand)]
    command: PkgCommand,

    /// Use only what was fetched before
    #[arg(long, global = true)]
    offline: bool,
}

#[derive(Subcommand)]
enum PkgCommand {
    /// Require a package, or another version of it
    Add {
        /// Its address without `https://`: github.com/user/name
        package: String,
        /// The oldest version that will do, such as 1.0.2; the newest one if not given
        version: Option<Version>,
    },
    /// Require a package no longer
    Remove { package: String },
    /// Write the files of all required packages to lib/
    Sync,
    /// Require the newest versions of all packages
    Upgrade,
    /// List the versions of a package
    Versions { package: String },
    /// Show which versions are used, also of what packages require
    List,
    /// Begin a package of your own
    Init {
        /// The address that it will have, without `https://`
        package: String,
    },
}

pub fn run(args: &PkgArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    match work(args) {
        Ok(said) => console.print(said).map(|()| Exit::Ok),
        Err(why) => console.error(why).map(|()| Exit::Usage),
    }
}

fn work(args: &PkgArgs) -> Outcome<String> {
    let project = Project::new(Path::new("."), args.offline)?;
    match &args.command {
        PkgCommand::Add { package, version } => {
            let added = project.add(package, version.clone())?;
            Ok(format!("{FILE} requires {} {}; `norn pkg sync` fetches it\n", added.path, added.version))
        }
        PkgCommand::Remove { package } => {
            let mut manifest = project.manifest()?;
            if !manifest.remove(package) {
                return Err(format!("{FILE} does not require `{package}`"));
            }
            project.write(&manifest)?;
            Ok(format!("{FILE} does not require {package} any more; `norn pkg sync` removes it from lib/\n"))
        }
        PkgCommand::Sync => {
            let done = project.sync()?;
            let mut said: String = done
                .written
                .iter()
                .map(|p| format!("{} {} is in lib/{}\n", p.path, p.version, p.path))
                .collect();
            said.extend(done.removed.iter().map(|path| format!("{path} is removed\n")));
            if said.is_empty() {
                said = format!("nothing to do: {} packages are as they should be\n", done.unchanged);
            }
            Ok(said)
        }
        PkgCommand::Upgrade => {
            let changed = project.upgrade()?;
            let line = |(before, now): &(Version, norn::pkg::Required)| {
                format!("{} {before} becomes {}\n", now.path, now.version)
            };
            match changed.is_empty() {
                true => Ok("all packages are the newest\n".into()),
                false => Ok(changed.iter().map(line).collect()),
            }
        }
        PkgCommand::Versions { package } => {
            Ok(project.versions(package)?.iter().map(|v| format!("{v}\n")).collect())
        }
        PkgCommand::List => {
            let line = |p: &norn::pkg::Chosen| format!("{} {} #{}\n", p.path, p.version, p.commit);
            Ok(project.solve()?.iter().map(line).collect())
        }
        PkgCommand::Init { package } => {
            check_path(package)?;
            let mut manifest = project.manifest()?;
            if let Some(own) = &manifest.package {
                return Err(format!("this is the package `{own}` already"));
            }
            manifest.package = Some(package.clone());
            let folder = format!("lib/{package}");
            fs::create_dir_all(&folder).map_err(|e| format!("`{folder}` cannot be made: {e}"))?;
            project.write(&manifest)?;
            Ok(format!("{FILE} and {folder}/ are there; programs in that folder are the package\n"))
        }
    }
}
