//! Compiled programs on disk: what is needed to run a program again without compiling it.
//!
//! An image is found by the text of the main file, its path, the compiler (ours and the system's) and the machine. It is
//! used only if the imported files are what they were. It holds the sources (for messages about failures), the
//! warnings, what the program is outside (its entry points and types), and the name of the compiled code.
//!
//! ```text
//! import 14 /a/lib.fut       a name, then as many bytes
//! def two = 2i32
//! ```

use super::runner::Runner;
use super::{Engine, device};
use crate::{Paint, load_source};
use norn_base::SourceMap;
use norn_check::prelude_file;
use norn_exec::Exec;
use norn_ir::{imp, nest};
use norn_runtime::cpu::{Cpu, CpuOptions};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What the program whose main file is at `path` was compiled to, and its warnings. None if it is not known, or not the same any more.
pub(super) fn recall(path: &Path, paint: Paint, cpu: CpuOptions) -> Option<(Engine, String)> {
    let device = device::cpu(cpu).ok()?;
    let bytes = device.recall(&parts(&key(path, &device)?))?;
    let image = Image::read(std::str::from_utf8(&bytes).ok()?)?;
    let sources = image.sources()?;
    let interface = imp::parse::parse(image.program).ok()?;
    let prog = outside(&interface);
    let exec = Exec::restore(device, interface, image.library)?;
    let runner = Runner::Cpu { prog: Box::new(prog), exec: Box::new(exec) };
    let warnings = match paint {
        Paint::Plain => image.plain,
        Paint::Ansi => image.painted,
    };
    Some((Engine { runner, sources, paint, run_time: Duration::ZERO }, warnings.to_string()))
}

/// Keeps a program that was compiled from the file at `path`.
pub(super) fn keep(path: &Path, engine: &Engine, plain: &str, painted: &str) {
    let Some(exec) = engine.exec() else { return };
    let Some(key) = key(path, exec.cpu()) else { return };
    let program = imp::print::print(exec.interface());
    let mut text = String::new();
    let mut add = |kind: &str, name: &str, content: &str| {
        text += &format!("{kind} {} {name}\n{content}\n", content.len());
    };
    for (i, file) in engine.sources.files().iter().enumerate() {
        match prelude_file(&file.name) {
            Some(known) if *known == *file.text => add("prelude", &file.name, ""),
            Some(_) | None if i > 0 && file.name.ends_with(".fut") => add("import", &file.name, &file.text),
            // The main file is part of the key; what has no such name is the checker's own.
            Some(_) | None => add("known", &file.name, &file.text),
        }
    }
    add("plain", "", plain);
    add("painted", "", painted);
    add("program", "", &program);
    add("library", "", exec.library());
    exec.cpu().keep(&parts(&key), text.as_bytes());
}

struct Image<'a> {
    files: Vec<(&'a str, &'a str, &'a str)>,
    plain: &'a str,
    painted: &'a str,
    program: &'a str,
    library: &'a str,
}

impl<'a> Image<'a> {
    fn read(mut text: &'a str) -> Option<Image<'a>> {
        let mut image = Image { files: Vec::new(), plain: "", painted: "", program: "", library: "" };
        while !text.is_empty() {
            let (head, rest) = text.split_once('\n')?;
            let mut words = head.splitn(3, ' ');
            let (kind, length, name) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
            let (content, rest) = rest.split_at_checked(length)?;
            text = rest.strip_prefix('\n')?;
            match kind {
                "prelude" | "known" | "import" => image.files.push((kind, name, content)),
                "plain" => image.plain = content,
                "painted" => image.painted = content,
                "program" => image.program = content,
                "library" => image.library = content,
                _ => return None,
            }
        }
        (!image.library.is_empty()).then_some(image)
    }

    /// The sources, if the imported ones are what they were.
    fn sources(&self) -> Option<SourceMap> {
        let mut sources = SourceMap::default();
        for (kind, name, content) in &self.files {
            match *kind {
                "prelude" => sources.add(*name, prelude_file(name)?),
                "known" => sources.add(*name, *content),
                _ => {
                    let now = std::fs::read(name).ok()?;
                    if now != content.as_bytes() {
                        return None;
                    }
                    sources.add(*name, *content)
                }
            };
        }
        Some(sources)
    }
}

/// What an image depends on, but for the imported files.
fn key(path: &Path, device: &Cpu) -> Option<Vec<Vec<u8>>> {
    let mut sources = SourceMap::default();
    let (main, text) = load_source(&mut sources, path).ok()?;
    text.ok()?;
    let ours = std::env::current_exe().ok()?;
    let data = std::fs::metadata(&ours).ok()?;
    let time = data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(vec![
        b"image".to_vec(),
        ours.to_string_lossy().into_owned().into_bytes(),
        data.len().to_le_bytes().to_vec(),
        time.as_nanos().to_le_bytes().to_vec(),
        // Imports are relative to the path.
        std::env::current_dir().ok()?.to_string_lossy().into_owned().into_bytes(),
        sources.file(main).name.clone().into_bytes(),
        sources.file(main).text.as_bytes().to_vec(),
        device.identity().into_bytes(),
    ])
}

fn parts(key: &[Vec<u8>]) -> Vec<&[u8]> {
    key.iter().map(Vec::as_slice).collect()
}

/// What the engine knows a program by that it cannot see any more.
fn outside(interface: &imp::Prog) -> nest::Prog {
    let funs = interface.funs.iter().map(|fun| nest::Fun {
        name: fun.name.clone(),
        params: Vec::new(),
        ret: Vec::new(),
        body: nest::Body::default(),
        vars: Vec::new(),
        attrs: Vec::new(),
        span: fun.span,
    });
    let entries = interface.entries.iter().map(|entry| nest::Entry {
        name: entry.name.clone(),
        fun: nest::FunId(entry.fun.0),
        params: entry.params.clone(),
        result: entry.result,
        result_unique: entry.result_unique,
        doc: entry.doc.clone(),
        attrs: entry.attrs.clone(),
    });
    nest::Prog {
        datas: interface.datas.clone(),
        consts: Vec::new(),
        funs: funs.collect(),
        entries: entries.collect(),
        ifaces: interface.ifaces.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Backend, Item, Options};
    use norn_runtime::RuntimeError;

    #[test]
    fn a_program_is_recalled_as_long_as_its_files_are_the_same() {
        if let Err(RuntimeError::NoCompiler(_)) = device::cpu(CpuOptions::default()) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let (main, library) = (folder.path().join("main.fut"), folder.path().join("library.fut"));
        let write = |n: i32| std::fs::write(&library, format!("def number = {n}i32")).unwrap();
        write(1);
        let text = "import \"library\"\nentry main (x: i32) = x + number\nentry pick (xs: []i32) = xs[5]\n";
        std::fs::write(&main, text).unwrap();
        let recall = || recall(&main, Paint::Plain, CpuOptions::default());
        let run = |engine: &mut Engine| {
            let two = Item::Value(norn_values::Value::scalar(2i32));
            let Ok(Item::Value(sum)) = engine.call("main", &[two]) else { panic!("no sum") };
            sum.as_scalar::<i32>().unwrap()
        };
        let load = || Engine::load(&main, Options { reuse: true, ..Options::from(Backend::Cpu) }).unwrap();
        assert!(recall().is_none());
        let (mut fresh, fresh_warnings) = load();
        assert_eq!(run(&mut fresh), 3);
        let (mut again, warnings) = recall().expect("an image");
        assert_eq!(run(&mut again), 3);
        assert_eq!(warnings, fresh_warnings);
        assert_eq!(again.types(), fresh.types());
        let fail = |engine: &mut Engine| {
            engine.call("pick", &[Item::Value(norn_values::Value::vector(vec![1i32]))]).unwrap_err().rendered
        };
        assert_eq!(fail(&mut again), fail(&mut fresh));
        write(10);
        assert!(recall().is_none());
        assert_eq!(run(&mut load().0), 12);
        std::fs::write(&main, format!("-- Another text.\n{text}")).unwrap();
        assert!(recall().is_none());
    }

    #[test]
    fn images_are_whole_or_nothing() {
        let text = "known 3 a b.fut\nx\ny\nprelude 0 /p\n\nplain 0 \n\npainted 1 \nw\nprogram 2 \npp\nlibrary 4 \na.so\n";
        let image = Image::read(text).unwrap();
        assert_eq!(image.files, [("known", "a b.fut", "x\ny"), ("prelude", "/p", "")]);
        assert_eq!((image.plain, image.painted, image.program, image.library), ("", "w", "pp", "a.so"));
        for cut in [0, 5, 20, text.len() - 1] {
            assert!(Image::read(&text[..cut]).is_none(), "{cut}");
        }
        assert!(Image::read("known 99 a\nx\n").is_none());
    }
}
