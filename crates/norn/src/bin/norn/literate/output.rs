//! Where pages go, and how they get there.

use norn::literate::{
    Entry, Page, Summary, write_html, write_html_index, write_markdown, write_markdown_index,
};
use std::fs;
use std::path::{Component, Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Html,
}

pub struct Output {
    format: Format,
    place: Place,
}

enum Place {
    Beside,
    /// The one page is this file.
    File(PathBuf),
    /// Pages are in this folder as their programs are in the other; there is an index.
    Folder {
        to: PathBuf,
        from: PathBuf,
    },
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Html => "html",
        }
    }
}

impl Output {
    /// The place that is meant by what the user gave. The error is a phrase.
    pub fn new(
        given: Option<&Path>,
        paths: &[PathBuf],
        programs: &[PathBuf],
        format: Format,
    ) -> Result<Output, String> {
        let is_one = matches!(paths, [path] if !path.is_dir());
        let place = match given {
            _ if programs.is_empty() => return Err("there are no programs to be shown".into()),
            None => Place::Beside,
            Some(path) if is_one && !path.is_dir() && !ends_in_slash(path) => Place::File(path.into()),
            Some(path) => Place::Folder { to: path.into(), from: common_folder(programs) },
        };
        Ok(Output { format, place })
    }

    /// Writes the page of a program and the files that belong to it. The error is a phrase.
    pub fn write_page(&self, program: &Path, page: &Page) -> Result<PathBuf, String> {
        let path = match &self.place {
            Place::Beside => program.with_extension(self.format.extension()),
            Place::File(path) => path.clone(),
            Place::Folder { to, .. } => to.join(self.relative(program)),
        };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
        }
        let text = match self.format {
            Format::Html => write_html(page, self.way_back(program).as_deref()),
            Format::Markdown => {
                let name = format!("{}-img", path.file_stem().unwrap_or_default().to_string_lossy());
                write_files(&path.with_file_name(&name), page)?;
                write_markdown(page, &name)
            }
        };
        write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Writes the index, if there is one. The error is a phrase.
    pub fn write_index(&self, pages: &[(&Path, Summary)]) -> Result<(), String> {
        let Place::Folder { to, .. } = &self.place else { return Ok(()) };
        let entry = |(program, summary): &(&Path, Summary)| Entry {
            path: self.relative(program).to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"),
            summary: summary.clone(),
        };
        let mut entries: Vec<Entry> = pages.iter().map(entry).collect();
        // A folder's own pages come before those of the folders inside of it.
        entries.sort_by_key(|entry| {
            let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
            (folder.to_string(), name.to_string())
        });
        let text = match self.format {
            Format::Html => write_html_index(&entries),
            Format::Markdown => write_markdown_index(&entries),
        };
        fs::create_dir_all(to).map_err(|e| cannot_write(to, &e))?;
        write(&to.join("index").with_extension(self.format.extension()), text.as_bytes())
    }

    /// The page of a program, from the index.
    fn relative(&self, program: &Path) -> PathBuf {
        let relative = match &self.place {
            Place::Folder { from, .. } => program.strip_prefix(from).unwrap_or(program),
            Place::Beside | Place::File(_) => program,
        };
        relative.with_extension(self.format.extension())
    }

    /// The index, from the page of a program.
    fn way_back(&self, program: &Path) -> Option<String> {
        let Place::Folder { .. } = &self.place else { return None };
        let up = self.relative(program).components().count() - 1;
        Some("../".repeat(up) + "index.html")
    }
}

/// The files of a page, and no other, are in a folder of their own.
fn write_files(folder: &Path, page: &Page) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
    }
    if page.media().next().is_some() {
        fs::create_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
    }
    page.media().try_for_each(|media| write(&folder.join(&media.name), &media.bytes))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|e| cannot_write(path, &e))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("`{}` cannot be written: {error}", path.display())
}

fn ends_in_slash(path: &Path) -> bool {
    path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// The innermost folder that all programs are in.
fn common_folder(programs: &[PathBuf]) -> PathBuf {
    let mut folders =
        programs.iter().filter_map(|path| path.parent()).map(|folder| folder.components().collect());
    let mut common: Vec<Component> = folders.next().unwrap_or_default();
    for folder in folders {
        let same = common.iter().zip(&folder).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    common.into_iter().collect()
}
