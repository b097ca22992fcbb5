//! Where a program's time went: its launches by the places in the source that they come from.
//!
//! The bytes of a launch are those of all arrays that it can reach, each once: what it must move, if it reads or writes all of them.
//!
//! Where a GPU does most of the work, what the processor does is marked: it is what the GPU cannot do.

use crate::engine::Engine;
use crate::timeline;
use norn_base::{SourceMap, Span};
use norn_exec::is_outlined;
use norn_ir::imp::{Site, SiteKind};
use norn_ir::nest::print::NOWHERE;
use norn_runtime::cpu::Cost;
use norn_runtime::gpu::{MemoryTraffic, Moved, Traffic};
use norn_runtime::show_bytes;
use std::fmt::Write;
use std::time::Duration;

/// The kernels of a run, those that took longest first.
pub struct Profile {
    pub kernels: Vec<Kernel>,
    /// Of the whole call, without the values' way in and out.
    pub total: Duration,
    /// Of a program with a part on a GPU.
    pub gpu: Option<GpuPart>,
    /// What each GPU did, and when, as a picture.
    pub timeline: String,
}

pub struct Kernel {
    /// The operator it is made of.
    pub operator: String,
    /// File, line and column.
    pub place: String,
    /// The line in the source.
    pub source: String,
    pub ran: RanOn,
    pub launches: u64,
    pub time: Duration,
    /// How many elements it went over; on a GPU, how many threads there were.
    pub width: u64,
    pub bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RanOn {
    Cpu,
    Gpu,
}

impl RanOn {
    fn name(self) -> &'static str {
        match self {
            RanOn::Cpu => "cpu",
            RanOn::Gpu => "gpu",
        }
    }
}

pub struct GpuPart {
    pub traffic: Traffic,
    /// What the GPU cannot do, whether it was reached or not: the places of statements, in the order of the program.
    pub left_to_cpu: Vec<String>,
}

/// What a call cost, if it was profiled and ran compiled: the last one, which took so long and asked this of the GPU.
pub fn profile(engine: &Engine, total: Duration, traffic: Option<Traffic>) -> Option<Profile> {
    let exec = engine.exec()?.last_used();
    let costs = exec.take_profile();
    let sources = engine.sources();
    let sites = &exec.interface().sites;
    let of = |costs: &[Cost], ran| -> Vec<Kernel> {
        let launched = costs.iter().zip(sites).filter(|(cost, _)| cost.launches > 0);
        launched.map(|(cost, site)| kernel(sources, site, cost, ran)).collect()
    };
    let mut kernels = of(&costs.on_gpu, RanOn::Gpu);
    kernels.extend(of(&costs.on_processor, RanOn::Cpu));
    kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.time));
    let left_to_cpu = || -> Vec<String> {
        let mut spans: Vec<Span> =
            sites.iter().filter(|site| is_outlined(site)).map(|site| site.span).collect();
        spans.dedup();
        spans.into_iter().map(|span| sources.place(span)).collect()
    };
    let gpu = traffic.map(|traffic| GpuPart { traffic, left_to_cpu: left_to_cpu() });
    let timeline = timeline::draw(&exec.take_timelines(), &|site| {
        let site = sites.get(site).map(|site| kernel(sources, site, &Cost::default(), RanOn::Gpu));
        site.map_or_else(String::new, |kernel| format!("{} ({})", kernel.operator, kernel.place))
    });
    Some(Profile { kernels, total, gpu, timeline })
}

fn kernel(sources: &SourceMap, site: &Site, cost: &Cost, ran: RanOn) -> Kernel {
    let operator = match &site.what {
        SiteKind::Operator(name) | SiteKind::Call(name) => name.clone(),
        SiteKind::Check(_) => "check".to_string(),
    };
    // An operator that is in many places has none of its own.
    let (place, source) = match site.span {
        NOWHERE => ("in many places".to_string(), String::new()),
        span => {
            let file = sources.file(span.file);
            let line = sources.line_col(span.file, span.lo).line;
            (sources.place(span), file.text[file.line_range(line)].trim().to_string())
        }
    };
    Kernel {
        operator,
        place,
        source,
        ran,
        launches: cost.launches,
        time: Duration::from_nanos(cost.time),
        width: cost.width,
        bytes: cost.bytes,
    }
}

impl GpuPart {
    /// `7 launches, 2 waits, 80.0 KiB to the GPU, 8 bytes from it`
    pub fn describe(&self) -> String {
        let Traffic { launches, waits, bytes_to_device, bytes_from_device, .. } = self.traffic;
        let (launches, waits) =
            (counted(launches, "launch").replace("launchs", "launches"), counted(waits, "wait"));
        let [to, from] = [bytes_to_device, bytes_from_device].map(show_bytes);
        format!("{launches}, {waits}, {to} to the GPU, {from} from it")
    }

    /// Lines about memory that kernels allocate from, as far as there is something to say:
    /// `regions: 2, the largest of 1.5 MiB; cells of 80 bytes to the GPU, of 1.5 MiB from it (9.8 GB/s)`
    pub fn describe_memory(&self) -> Vec<String> {
        let MemoryTraffic {
            regions,
            largest_region,
            cells_to_device,
            cells_from_device,
            timed_to_device,
            timed_from_device,
            heap,
            enlarged,
            repeated,
        } = self.traffic.memory;
        let mut lines = Vec::new();
        if regions > 0 {
            let [largest, to, from] = [largest_region, cells_to_device, cells_from_device].map(show_bytes);
            let rate = |moved: Moved| match moved.time {
                0 => String::new(),
                time => format!(" ({})", show_rate(moved.bytes, Duration::from_nanos(time))),
            };
            let [to_rate, from_rate] = [timed_to_device, timed_from_device].map(rate);
            lines.push(format!(
                "regions: {regions}, the largest of {largest}; cells of {to} to the GPU{to_rate}, of {from} from it{from_rate}"
            ));
        }
        if heap > 0 {
            lines.push(format!("memory of threads: {}", show_bytes(heap)));
        }
        if enlarged > 0 {
            let (times, launches) = (counted(enlarged, "time"), counted(repeated, "launch"));
            let launches = launches.replace("launchs", "launches");
            lines.push(format!("memory was too small {times}: {launches} repeated"));
        }
        lines
    }
}

/// `1 wait`, `2 waits`
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl Profile {
    /// For a terminal.
    pub fn table(&self) -> String {
        let mut head =
            ["kernel", "place", "launches", "elements", "time", "share", "bytes"].map(String::from).to_vec();
        if self.gpu.is_some() {
            head.insert(2, "on".to_string());
        }
        // Words to the left, numbers to the right.
        let words = head.len() - 5;
        let mut rows = vec![head];
        for kernel in &self.kernels {
            let mut row = vec![kernel.operator.clone(), kernel.place.clone()];
            row.extend(self.gpu.as_ref().map(|_| kernel.ran.name().to_string()));
            row.extend([
                kernel.launches.to_string(),
                kernel.width.to_string(),
                milliseconds(kernel.time),
                self.share(kernel),
                format!("{} ({})", show_bytes(kernel.bytes), kernel.rate()),
            ]);
            rows.push(row);
        }
        let mut text = layout(&rows, words);
        let kernels: Duration = self.kernels.iter().map(|kernel| kernel.time).sum();
        let rest = self.total.saturating_sub(kernels);
        let _ = writeln!(
            text,
            "all: {}, of which outside of kernels {}",
            milliseconds(self.total),
            milliseconds(rest)
        );
        if let Some(gpu) = &self.gpu {
            let _ = writeln!(text, "GPU: {}", gpu.describe());
            gpu.describe_memory().iter().for_each(|line| text += &format!("{line}\n"));
            if !gpu.left_to_cpu.is_empty() {
                let _ = writeln!(text, "left to the processor: {}", gpu.left_to_cpu.join(", "));
            }
        }
        text
    }

    /// As a page for a browser, which needs nothing else.
    pub fn page(&self, program: &str) -> String {
        let mut rows = String::new();
        for kernel in &self.kernels {
            let share = kernel.time.as_secs_f64() / self.total.as_secs_f64().max(1e-12);
            let ran =
                self.gpu.as_ref().map(|_| format!("<td>{}</td>", kernel.ran.name())).unwrap_or_default();
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}<pre>{}</pre></td>{ran}<td class=n>{}</td><td class=n>{}</td><td class=n>{}</td>\
                 <td><div class=bar style=\"width:{:.1}%\"></div>{}</td><td class=n>{}</td><td class=n>{}</td></tr>",
                escape(&kernel.operator),
                escape(&kernel.place),
                escape(&kernel.source),
                kernel.launches,
                kernel.width,
                milliseconds(kernel.time),
                (share * 100.0).min(100.0),
                self.share(kernel),
                show_bytes(kernel.bytes),
                kernel.rate(),
            );
        }
        let (title, total) = (escape(program), milliseconds(self.total));
        let (mut ran, mut gpu) = ("", String::new());
        if let Some(part) = &self.gpu {
            ran = "<th>on</th>";
            let _ = writeln!(gpu, "<p>{}.</p>", escape(&part.describe()));
            for line in part.describe_memory() {
                let _ = writeln!(gpu, "<p>{}.</p>", escape(&line));
            }
            if !part.left_to_cpu.is_empty() {
                let places = escape(&part.left_to_cpu.join(", "));
                let _ = writeln!(gpu, "<p>Left to the processor, as the GPU cannot do it: {places}.</p>");
            }
        }
        PAGE.replace("{title}", &title)
            .replace("{total}", &total)
            .replace("{ran}", ran)
            .replace("{gpu}", &gpu)
            .replace("{timeline}", &self.timeline)
            .replace("{rows}", &rows)
    }

    fn share(&self, kernel: &Kernel) -> String {
        let share = kernel.time.as_secs_f64() / self.total.as_secs_f64().max(1e-12);
        format!("{:.1} %", share * 100.0)
    }
}

impl Kernel {
    /// Bytes by time.
    fn rate(&self) -> String {
        if self.time.is_zero() { "-".to_string() } else { show_rate(self.bytes, self.time) }
    }
}

fn show_rate(bytes: u64, time: Duration) -> String {
    format!("{:.1} GB/s", bytes as f64 / time.as_secs_f64() / 1e9)
}

/// Columns of a width, the first so many of which are words.
fn layout(rows: &[Vec<String>], words: usize) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..count).map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = widths[at];
            let cell = if at < words { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            text += if at == 0 { "" } else { "  " };
            text += &cell;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1000.0)
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Profile of {title}</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }
table { border-collapse: collapse; }
th, td { padding: .4em .8em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { margin: .2em 0 0; color: #666; font-size: 13px; }
.bar { height: .5em; background: #3a7; min-width: 1px; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } th, td { border-color: #444; } pre { color: #999; } }
</style>
</head>
<body>
<h1>{title}</h1>
<p>{total} in all. Bytes are those of all arrays that a kernel can reach, each counted once a launch.</p>
{gpu}{timeline}<table>
<thead><tr><th>kernel</th><th>place</th>{ran}<th>launches</th><th>elements</th><th>time</th><th>share</th><th>bytes</th><th>rate</th></tr></thead>
<tbody>
{rows}</tbody>
</table>
</body>
</html>
"#;
