//! Compiled programs on disk: what is needed to run a program again without compiling it.
//!
//! An image is found by the text of the main file, its path, the backend, the tunables that are set, the compilers (ours, the system's and the
//! GPU's) and the machine. It is used only if the imported files are what they were. It holds the sources (for
//! messages about failures), the warnings, what the program is outside (its entry points and types), and the names of
//! the compiled code.
//!
//! ```text
//! import 14 /a/lib.fut       a name, then as many bytes
//! def two = 2i32
//! ```

use super::Engine;
use super::backend::Options;
use super::runner::Runner;
use crate::files::read_regular;
use crate::{Paint, load_source};
use norn_base::SourceMap;
use norn_check::shipped_file;
use norn_exec::{Code, Exec, KernelCode, parse_kernels, print_kernels};
use norn_ir::{imp, nest};
use norn_runtime::cpu::Cpu;
use norn_runtime::gpu::Gpu;
use std::path::Path;
use std::time::SystemTime;

/// What the program whose main file is at `path` was compiled to, and its warnings. None if it is not known, or not
/// the same any more.
pub(super) fn recall(path: &Path, options: &Options) -> Option<(Engine, String)> {
    let Options { backend, paint, quick, ref context, .. } = *options;
    let (device, gpu) = (context.cpu(quick).ok()?, context.gpu_of(backend).ok()?);
    let bytes = device.recall(&parts(&key(path, options, &device, gpu.as_deref())?))?;
    let image = Image::read(std::str::from_utf8(&bytes).ok()?)?;
    let sources = image.sources()?;
    let interface = imp::parse::parse(image.program).ok()?;
    let prog = outside(&interface);
    let exec = Exec::restore(device, gpu, interface, image.code()?)?;
    let runner = Runner::Compiled { prog: Box::new(prog), exec: Box::new(exec), sites: Vec::new() };
    let warnings = match paint {
        Paint::Plain => image.plain,
        Paint::Ansi => image.painted,
    };
    Some((Engine { backend, runner, sources, paint, context: context.clone() }, warnings.to_string()))
}

/// Keeps a program that was compiled from the file at `path`.
pub(super) fn keep(path: &Path, options: &Options, engine: &Engine, plain: &str, painted: &str) {
    let Some(exec) = engine.exec() else { return };
    // The device of a program without kernels counts, too: what is made of a program depends on it.
    let Ok(gpu) = options.context.gpu_of(options.backend) else { return };
    let Some(key) = key(path, options, exec.cpu(), gpu.as_deref()) else { return };
    let program = imp::print::print(exec.interface());
    let mut text = String::new();
    let mut add = |kind: &str, name: &str, content: &str| {
        text += &format!("{kind} {} {name}\n{content}\n", content.len());
    };
    for (i, file) in engine.sources.files().iter().enumerate() {
        match shipped_file(&file.name) {
            Some(known) if *known == *file.text => add("prelude", &file.name, ""),
            Some(_) | None if i > 0 && file.name.ends_with(".fut") => add("import", &file.name, &file.text),
            // The main file is part of the key; what has no such name is the checker's own.
            Some(_) | None => add("known", &file.name, &file.text),
        }
    }
    add("plain", "", plain);
    add("painted", "", painted);
    add("program", "", &program);
    let Code { library, kernels } = exec.code();
    add("library", "", library);
    if let Some(KernelCode { binary, kernels }) = kernels {
        add("kernels", binary, &print_kernels(kernels));
    }
    exec.cpu().keep(&parts(&key), text.as_bytes());
}

struct Image<'a> {
    files: Vec<(&'a str, &'a str, &'a str)>,
    plain: &'a str,
    painted: &'a str,
    program: &'a str,
    library: &'a str,
    /// The name of their binary, and what they are.
    kernels: Option<(&'a str, &'a str)>,
}

impl<'a> Image<'a> {
    fn read(mut text: &'a str) -> Option<Image<'a>> {
        let mut image =
            Image { files: Vec::new(), plain: "", painted: "", program: "", library: "", kernels: None };
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
                "kernels" => image.kernels = Some((name, content)),
                _ => return None,
            }
        }
        (!image.library.is_empty()).then_some(image)
    }

    fn code(&self) -> Option<Code> {
        let kernels = match self.kernels {
            Some((binary, list)) => {
                Some(KernelCode { binary: binary.to_string(), kernels: parse_kernels(list)? })
            }
            None => None,
        };
        Some(Code { library: self.library.to_string(), kernels })
    }

    /// The sources, if the imported ones are what they were.
    fn sources(&self) -> Option<SourceMap> {
        let mut sources = SourceMap::default();
        for (kind, name, content) in &self.files {
            match *kind {
                "prelude" => sources.add(*name, shipped_file(name)?),
                "known" => sources.add(*name, *content),
                _ => {
                    let now = read_regular(Path::new(name)).ok()?;
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
fn key(path: &Path, options: &Options, device: &Cpu, gpu: Option<&Gpu>) -> Option<Vec<Vec<u8>>> {
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
        options.backend.name().as_bytes().to_vec(),
        options.tune.as_ref().map(|tune| tune.identity().into_bytes()).unwrap_or_default(),
        gpu.map(|gpu| gpu.facts().identity.clone().into_bytes()).unwrap_or_default(),
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
    use crate::engine::{Backend, Context, Item};
    use norn_runtime::RuntimeError;

    #[test]
    fn a_program_is_recalled_as_long_as_its_files_are_the_same() {
        if let Err(RuntimeError::NoCompiler(_)) = Context::default().cpu(false) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let (main, library) = (folder.path().join("main.fut"), folder.path().join("library.fut"));
        let write = |n: i32| std::fs::write(&library, format!("def number = {n}i32")).unwrap();
        write(1);
        let text = "import \"library\"\ndef table = map (+ 1i64) (iota 100)\n\
                    entry main (x: i32) = x + number\nentry pick (xs: []i32) = xs[5]\n\
                    entry look (i: i64) = table[i] + table[i + 1]\n";
        std::fs::write(&main, text).unwrap();
        let options = Options { reuse: true, ..Options::from(Backend::Cpu) };
        let recall = || recall(&main, &options);
        let run = |engine: &Engine| {
            let two = Item::Value(norn_values::Value::scalar(2i32));
            let Ok(Item::Value(sum)) = engine.call("main", &[two]) else { panic!("no sum") };
            sum.as_scalar::<i32>().unwrap()
        };
        let load = || Engine::load(&main, options.clone()).unwrap();
        assert!(recall().is_none());
        let (fresh, fresh_warnings) = load();
        assert_eq!(run(&fresh), 3);
        let (again, warnings) = recall().expect("an image");
        assert_eq!(run(&again), 3);
        assert_eq!(warnings, fresh_warnings);
        assert_eq!(again.types(), fresh.types());
        let fail = |engine: &Engine| {
            engine.call("pick", &[Item::Value(norn_values::Value::vector(vec![1i32]))]).unwrap_err().rendered
        };
        assert_eq!(fail(&again), fail(&fresh));
        write(10);
        assert!(recall().is_none());
        assert_eq!(run(&load().0), 12);
        std::fs::write(&main, format!("-- Another text.\n{text}")).unwrap();
        assert!(recall().is_none());
    }

    #[test]
    fn images_are_whole_or_nothing() {
        let text = "known 3 a b.fut\nx\ny\nprelude 0 /p\n\nplain 0 \n\npainted 1 \nw\nprogram 2 \npp\nlibrary 4 \na.so\n";
        let image = Image::read(text).unwrap();
        assert_eq!(image.files, [("known", "a b.fut", "x\ny"), ("prelude", "/p", "")]);
        assert_eq!((image.plain, image.painted, image.program, image.library), ("", "w", "pp", "a.so"));
        assert_eq!(image.code(), Some(Code { library: "a.so".to_string(), kernels: None }));
        let with_kernels = format!("{text}kernels 23 b.kernels\nk_map 256 element=4 p 8\n");
        let kernels = Image::read(&with_kernels).unwrap().code().unwrap().kernels.unwrap();
        assert_eq!((kernels.binary.as_str(), kernels.kernels.len()), ("b.kernels", 1));
        for cut in [0, 5, 20, text.len() - 1] {
            assert!(Image::read(&text[..cut]).is_none(), "{cut}");
        }
        assert!(Image::read("known 99 a\nx\n").is_none());
    }
}
