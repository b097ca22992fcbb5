//! `--device`, and the command `devices`.

use crate::args::{ColorChoice, DevicesArgs, MessageFormat};
use crate::console::{Console, Exit};
use norn::engine::{Api, Backend, Context, ContextOptions, Which};
use norn_runtime::gpu::{Choice, Rates, devices};
use norn_runtime::show_bytes;
use std::fmt;
use std::io::Result;
use std::str::FromStr;
use std::time::Instant;

/// A device as a user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceArg {
    Cpu,
    Gpu(Which),
    /// Several, of which the first has the program's memory. All are reached in the same way, but for the processor, which may be the last.
    Gpus(Vec<Which>),
}

impl DeviceArg {
    pub fn gpu(&self) -> Option<&Which> {
        match self {
            DeviceArg::Cpu => None,
            DeviceArg::Gpu(which) => Some(which),
            DeviceArg::Gpus(all) => all.first(),
        }
    }

    /// Those that share its work.
    pub fn others(&self) -> &[Which] {
        match self {
            DeviceArg::Cpu | DeviceArg::Gpu(_) => &[],
            DeviceArg::Gpus(all) => all.get(1..).unwrap_or_default(),
        }
    }

    /// With a name that CUDA looks for.
    pub fn for_cuda(self) -> DeviceArg {
        match self {
            DeviceArg::Gpu(Which { device: device @ Choice::Named(_), .. }) => {
                DeviceArg::Gpu(Which { api: Api::Cuda, device })
            }
            device => device,
        }
    }

    /// What runs programs on it.
    pub fn backend(&self) -> Backend {
        match self {
            DeviceArg::Cpu => Backend::Cpu,
            DeviceArg::Gpu(_) | DeviceArg::Gpus(_) => match self.gpu() {
                Some(Which { api: Api::Cuda, .. }) => Backend::Cuda,
                Some(Which { api: Api::OpenCl | Api::Processor, .. }) | None => Backend::OpenCl,
            },
        }
    }
}

impl FromStr for DeviceArg {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<DeviceArg, String> {
        match text.trim() {
            "" => Err("expected the name of a device".into()),
            "cpu" => Ok(DeviceArg::Cpu),
            "all" => all_devices(),
            names if names.contains(',') => several(names).map(DeviceArg::Gpus),
            name => name.parse().map(DeviceArg::Gpu),
        }
    }
}

/// GPUs that are reached in the same way, one by one, and the processor. One of CUDA may be named twice, which shows that programs can be shared where there is only one.
fn several(names: &str) -> std::result::Result<Vec<Which>, String> {
    let mut all: Vec<Which> = Vec::new();
    for name in names.split(',').map(str::trim) {
        let which: Which = name.parse()?;
        let is_other = |other: &Which| ![which.api, Api::Processor].contains(&other.api);
        if which.api != Api::Processor && all.iter().any(is_other) {
            return Err(format!(
                "only GPUs of one kind, and the processor, share the work of a program, but `{name}` is another"
            ));
        }
        if which.api != Api::Cuda && all.contains(&which) {
            return Err(format!("`{name}` is named twice"));
        }
        all.push(which);
    }
    // It helps the others, whichever place it is named at.
    all.sort_by_key(|which| which.api == Api::Processor);
    Ok(all)
}

/// All GPUs of the first kind that there is, and the processor.
fn all_devices() -> std::result::Result<DeviceArg, String> {
    let found = [Api::Cuda, Api::OpenCl].into_iter().find_map(|api| devices(api).ok());
    let gpus = found.into_iter().flatten().map(|found| found.which);
    let all: Vec<Which> = gpus.chain([Which::usual(Api::Processor)]).collect();
    Ok(if all.len() == 1 { DeviceArg::Cpu } else { DeviceArg::Gpus(all) })
}

impl fmt::Display for DeviceArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceArg::Cpu => f.write_str("cpu"),
            DeviceArg::Gpu(which) => which.fmt(f),
            DeviceArg::Gpus(all) => {
                let names: Vec<String> = all.iter().map(Which::to_string).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

/// Lists the devices, with what each is and how fast it copies.
pub fn run(args: &DevicesArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let mut lines = vec![cpu(args)];
    let mut absent = Vec::new();
    for api in [Api::Cuda, Api::OpenCl] {
        match devices(api) {
            Ok(found) => lines.extend(found.into_iter().map(|found| {
                let facts = &found.facts;
                let memory = if facts.shares_memory { "of the host" } else { "of its own" };
                let about =
                    format!("{}, {}, {} {memory}", facts.name, cores(facts.cores), show_bytes(facts.memory));
                (found.which.to_string(), about, gpu_rates(args, found.which))
            })),
            Err(error) => absent.push(format!("note: {error}\n")),
        }
    }
    let wide = |column: fn(&(String, String, String)) -> &String| {
        lines.iter().map(|line| column(line).chars().count()).max().unwrap_or(0)
    };
    let (names, abouts) = (wide(|line| &line.0), wide(|line| &line.1));
    let mut text = String::new();
    for (name, about, rates) in &lines {
        text += format!("{name:names$}  {about:abouts$}  {rates}").trim_end();
        text.push('\n');
    }
    console.print(&text)?;
    absent.iter().try_for_each(|note| console.print_error(note))?;
    Ok(Exit::Ok)
}

fn cores(count: u32) -> String {
    if count == 1 { "1 core".into() } else { format!("{count} cores") }
}

fn cpu(args: &DevicesArgs) -> (String, String, String) {
    let (about, rates) = match Context::default().cpu(false) {
        Ok(cpu) => {
            let copy = || format!("copies {}", rate(copy_rate(cpu.threads())));
            (cpu.describe(), if args.fast { String::new() } else { copy() })
        }
        Err(error) => (format!("cannot be used: {error}"), String::new()),
    };
    ("cpu".into(), about, rates)
}

fn gpu_rates(args: &DevicesArgs, which: Which) -> String {
    if args.fast {
        return String::new();
    }
    let options = ContextOptions { gpu: Some(which.clone()), ..ContextOptions::default() };
    let measured = Context::new(options).gpu(which.api).and_then(|gpu| gpu.measure());
    match measured {
        Ok(Rates { to_device, from_device, within }) => {
            format!("copies {}, {} to it, {} from it", rate(within), rate(to_device), rate(from_device))
        }
        Err(error) => format!("cannot be used: {error}"),
    }
}

/// Of the memory of the host, by so many threads, in bytes a second.
fn copy_rate(threads: usize) -> f64 {
    const BYTES: usize = 64 << 20;
    let from = vec![1u8; BYTES];
    let mut to = vec![0u8; BYTES];
    let piece = BYTES.div_ceil(threads.max(1));
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for (to, from) in to.chunks_mut(piece).zip(from.chunks(piece)) {
                scope.spawn(move || to.copy_from_slice(from));
            }
        });
        best = best.min(begin.elapsed().as_secs_f64());
    }
    BYTES as f64 / best
}

/// `12.3 GB/s`
fn rate(bytes: f64) -> String {
    match bytes / 1e9 {
        rate if rate >= 100.0 => format!("{rate:.0} GB/s"),
        rate => format!("{rate:.1} GB/s"),
    }
}
