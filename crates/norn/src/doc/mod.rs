//! `norn doc`: pages of what programs declare, with what their authors say about it.
//!
//! A page for each file, with its declarations in order (`items`); names in them lead to where they are declared, on
//! this page or on another (`links`). An index of all names is searched in the browser, without a server (`search.js`). The prelude is documented
//! in the same way, so names of it have a place to lead to.
//!
//! The same programs give the same bytes.

mod items;
mod links;
mod page;

use items::{Item, items_of};
use links::Links;
use norn_base::Diagnostics;
use norn_check::{Analysis, LoadError, Loader, SHIPPED_FILES, Session, shipped_file};
use page::{write_index, write_page};

/// A program that is documented.
pub struct Source {
    /// Where it is.
    pub path: String,
    /// What it is called, with `/` between parts and without the extension.
    pub name: String,
    pub text: String,
}

/// Pages and what belongs to them: names of files and their contents.
pub struct Documentation {
    pub files: Vec<(String, String)>,
    /// What is wrong with each program, if something is.
    pub faulty: Vec<(norn_base::SourceMap, Diagnostics)>,
}

/// A file with its declarations.
struct Page {
    name: String,
    /// The name of the file with the page.
    file: String,
    analysis: Analysis,
    items: Vec<Item>,
}

/// Make the pages of these programs, and of the prelude if it is asked for.
pub fn document(title: &str, sources: &[Source], prelude: bool, loader: &mut dyn Loader) -> Documentation {
    let mut loader = WithPrelude(loader);
    let mut session = Session::new(Vec::new());
    let mut pages = Vec::new();
    let mut faulty = Vec::new();
    let mut add = |name: &str, path: &str, text: &str, report: bool| {
        let analysis = session.check(path, text, &mut loader);
        if report && analysis.diagnostics.has_errors() {
            faulty.push((analysis.sources().clone(), analysis.diagnostics.clone()));
        }
        let items = items_of(&analysis);
        pages.push(Page {
            name: name.into(),
            file: format!("{}.html", name.replace('/', ".")),
            analysis,
            items,
        });
    };
    for source in sources {
        add(&source.name, &source.path, &source.text, true);
    }
    // What is built in is a list for the compiler, and the file that opens all others has nothing of its own.
    let hidden = ["/prelude/intrinsics.fut", "/prelude/prelude.fut"];
    for (path, text) in SHIPPED_FILES.iter().filter(|(path, _)| prelude && !hidden.contains(path)) {
        add(path.trim_matches('/').trim_end_matches(".fut"), path, text, false);
    }
    let links = Links::new(&pages);
    let mut files: Vec<(String, String)> =
        pages.iter().map(|page| (page.file.clone(), write_page(title, page, &pages, &links))).collect();
    files.push(("index.html".into(), write_index(title, &pages, &links)));
    files.push(("names.js".into(), page::write_names(&pages, &links)));
    files.push(("search.js".into(), include_str!("search.js").into()));
    files.push(("style.css".into(), include_str!("style.css").into()));
    Documentation { files, faulty }
}

/// Files of the prelude import one another.
struct WithPrelude<'a>(&'a mut dyn Loader);

impl Loader for WithPrelude<'_> {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        match shipped_file(path) {
            Some(text) => Ok(text.into()),
            None => self.0.load(path),
        }
    }
}
