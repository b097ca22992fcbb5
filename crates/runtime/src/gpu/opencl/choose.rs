//! Which of the machine's OpenCL devices is used, and what it can do.

use super::api::*;
use super::stacks::LargeStacks;
use super::{NOTHING, absent};
use crate::RuntimeError;
use crate::gpu::device::{Api, Facts};
use crate::gpu::which::{Choice, Cut, no_name, no_number};
use std::ffi::c_uint;
use std::ptr::null_mut;
use std::sync::Mutex;

/// A device that was chosen.
pub struct Chosen {
    pub device: DeviceHandle,
    /// Whether it is a part of one, which has to be given back.
    pub is_part: bool,
    pub facts: Facts,
    /// The options of its compiler.
    pub options: String,
    /// Its driver compiles a kernel when it is first launched, and keeps that on disk. If it is asked for a binary, it first compiles all kernels,
    /// for groups of any size, and compiles them again later for those that are launched.
    pub compiles_on_demand: bool,
    /// Whether whoever sets the event that a command waits for is not kept from going on by that.
    pub waits_for_events: bool,
}

/// The platform that compiles on demand: PoCL.
const POCL: &str = "Portable Computing Language";
/// PoCL 3.1 with LLVM 15 gives loops wrong ends if it optimises kernels in which threads may return before they meet: they run on until they
/// crash. Without, it takes a fourth of the time to compile, too.
const POCL_OPTIONS: &str = "-cl-opt-disable";

/// Held while devices are looked for: PoCL makes its devices ready when it is first asked about them, and crashes if two threads ask at once.
/// Drivers belong to the process, whatever contexts there are in it.
static LOOKING: Mutex<()> = Mutex::new(());

/// What every device is, in the order of their numbers.
pub fn all(api: &OpenClApi) -> Vec<Facts> {
    let _looking = LOOKING.lock();
    devices(api).iter().map(|found| describe_device(api, found, found.device).facts).collect()
}

pub fn choose(api: &OpenClApi, choice: &Choice) -> Result<Chosen, RuntimeError> {
    let _looking = LOOKING.lock();
    let all = devices(api);
    if all.is_empty() {
        return Err(absent(NOTHING));
    }
    let numbered = |number: usize| all.get(number).ok_or_else(|| no_number(Api::OpenCl, number, all.len()));
    match choice {
        Choice::Usual => named(api, &all, ""),
        Choice::Named(name) => named(api, &all, name),
        Choice::Number(number) => numbered(*number).map(|found| describe_device(api, found, found.device)),
        Choice::Part { number, part, cut } => {
            let found = numbered(*number)?;
            let device = part_of(api, found, *part, cut)?;
            Ok(Chosen { is_part: true, ..describe_device(api, found, device) })
        }
    }
}

/// The first GPU that is called so, in its name or its platform's; else the first device.
fn named(api: &OpenClApi, all: &[Candidate], name: &str) -> Result<Chosen, RuntimeError> {
    let requested = name.to_lowercase();
    let is_named = |found: &&Candidate| found.names().to_lowercase().contains(&requested);
    let fitting: Vec<&Candidate> = all.iter().filter(is_named).collect();
    let is_gpu = |found: &&&Candidate| number(api, found.device, DEVICE_TYPE) & DEVICE_TYPE_GPU != 0;
    let Some(found) = fitting.iter().find(is_gpu).or(fitting.first()) else {
        let names: Vec<String> = all.iter().map(|found| found.name.clone()).collect();
        return Err(no_name(Api::OpenCl, name, &names));
    };
    Ok(describe_device(api, found, found.device))
}

/// A part of a device; the others are given back.
fn part_of(api: &OpenClApi, found: &Candidate, part: usize, cut: &Cut) -> Result<DeviceHandle, RuntimeError> {
    let cores = number(api, found.device, DEVICE_UNITS) as usize;
    let refused = || {
        let cores = if cores == 1 { "1 core".into() } else { format!("{cores} cores") };
        let name = &found.name;
        RuntimeError::NoSuchDevice(format!("{name} cannot be cut into these parts: it has {cores}"))
    };
    let requested: Vec<isize> = match cut {
        Cut::Equally(parts) => match cores / parts {
            0 => return Err(refused()),
            each => vec![each as isize; *parts],
        },
        Cut::ByCores(parts) => parts.iter().map(|cores| *cores as isize).collect(),
    };
    // The counts, between what says so and two zeros.
    let mut properties = vec![PARTITION_BY_COUNTS];
    properties.extend(&requested);
    properties.extend([0, 0]);
    let parts = list(|most, to, count| {
        // SAFETY: the properties end in a zero, and `list` passes room for so many handles.
        unsafe { (api.sub_devices)(found.device, properties.as_ptr(), most, to, count) }
    });
    let Some(chosen) = parts.get(part).copied() else {
        return Err(refused());
    };
    for other in parts.into_iter().filter(|other| *other != chosen) {
        // SAFETY: the part was just made, and is not used any more.
        unsafe { (api.device_release)(other) };
    }
    Ok(chosen)
}

struct Candidate {
    device: DeviceHandle,
    name: String,
    platform: String,
    vendor: String,
    platform_version: String,
}

impl Candidate {
    /// By which it can be asked for.
    fn names(&self) -> String {
        [self.name.as_str(), &self.platform, &self.vendor].join(" ")
    }
}

/// All devices of all platforms.
fn devices(api: &OpenClApi) -> Vec<Candidate> {
    let mut found = Vec::new();
    // SAFETY: `list` passes room for so many handles.
    let platforms = list(|most, to, count| unsafe { (api.platforms)(most, to, count) });
    let _stacks = LargeStacks::new();
    for platform in platforms {
        let text = |which| {
            let bytes =
                // SAFETY: `info_bytes` passes room for so many bytes.
                info_bytes(|size, to, got| unsafe { (api.platform_info)(platform, which, size, to, got) });
            clean(bytes.unwrap_or_default())
        };
        let devices =
            // SAFETY: `list` passes room for so many handles.
            list(|most, to, count| unsafe { (api.devices)(platform, DEVICE_TYPE_ALL, most, to, count) });
        found.extend(devices.into_iter().map(|device| Candidate {
            device,
            name: clean(info(api, device, DEVICE_NAME)),
            platform: text(PLATFORM_NAME),
            vendor: text(PLATFORM_VENDOR),
            platform_version: text(PLATFORM_VERSION),
        }));
    }
    found
}

/// The device that was found, or a part of it.
fn describe_device(api: &OpenClApi, found: &Candidate, device: DeviceHandle) -> Chosen {
    let number = |which| number(api, device, which);
    let kind = number(DEVICE_TYPE);
    let is_cpu = kind & DEVICE_TYPE_CPU != 0;
    let units = number(DEVICE_UNITS).clamp(1, 1 << 20) as i64;
    let is_pocl = found.platform == POCL;
    let options = options(api, device, is_pocl);
    let parts = [
        &found.name,
        &found.platform,
        &found.platform_version,
        &clean(info(api, device, DRIVER_VERSION)),
        &clean(info(api, device, DEVICE_VERSION)),
        &options,
    ];
    let facts = Facts {
        api: Api::OpenCl,
        name: found.name.clone(),
        memory: number(DEVICE_MEMORY),
        largest: number(DEVICE_LARGEST_ALLOC),
        shares_memory: is_cpu || number(DEVICE_UNIFIED_MEMORY) != 0,
        cores: units as u32,
        // OpenCL has no query for this. A processor runs one group on each core; a unit of a GPU holds 2048 threads or so.
        groups: if is_cpu { units } else { units * 8 },
        pool: 0,
        identity: parts.map(|part| part.as_str()).join("\n"),
    };
    // The simplest device of PoCL runs a command in the thread that sets the event, which may hold what that needs.
    let waits_for_events = !(is_pocl && found.name.starts_with("basic"));
    Chosen { device, is_part: false, facts, options, compiles_on_demand: is_pocl, waits_for_events }
}

/// The newest language there is, since atomics with an order are not in the older ones; and what `NORN_OPENCL_OPTIONS` or we add.
fn options(api: &OpenClApi, device: DeviceHandle, is_pocl: bool) -> String {
    let standard = match newest_language(api, device) {
        3.. => "CL3.0",
        2 => "CL2.0",
        _ => "CL1.2",
    };
    let mut options = format!("-cl-std={standard}");
    if number(api, device, DEVICE_FLOAT_CONFIG) & CORRECTLY_ROUNDED != 0 {
        options += " -cl-fp32-correctly-rounded-divide-sqrt";
    }
    let usual = if is_pocl { POCL_OPTIONS } else { "" };
    let more = std::env::var("NORN_OPENCL_OPTIONS").unwrap_or_else(|_| usual.into());
    if !more.is_empty() {
        options = format!("{options} {more}");
    }
    options
}

/// The major version of the newest OpenCL C.
fn newest_language(api: &OpenClApi, device: DeviceHandle) -> u32 {
    // Since OpenCL 3.0 there is a list of names of 64 bytes, each after its version, whose major part is the upper 10 bits.
    let listed = info(api, device, DEVICE_ALL_C_VERSIONS);
    let versions = listed.chunks_exact(68).filter_map(|entry| entry.first_chunk::<4>());
    let newest = versions.map(|version| u32::from_ne_bytes(*version) >> 22).max();
    // Before, it is in `OpenCL C 1.2 ..`.
    let text = clean(info(api, device, DEVICE_C_VERSION));
    let named = text.strip_prefix("OpenCL C ").and_then(|rest| rest.split('.').next()?.parse().ok());
    newest.max(named).unwrap_or(1)
}

fn info(api: &OpenClApi, device: DeviceHandle, which: c_uint) -> Vec<u8> {
    // SAFETY: `info_bytes` passes room for so many bytes.
    info_bytes(|size, to, got| unsafe { (api.device_info)(device, which, size, to, got) }).unwrap_or_default()
}

/// Numbers have 4 or 8 bytes.
fn number(api: &OpenClApi, device: DeviceHandle, which: c_uint) -> u64 {
    let bytes = info(api, device, which);
    match (bytes.first_chunk::<8>(), bytes.first_chunk::<4>()) {
        (Some(long), _) => u64::from_ne_bytes(*long),
        (None, Some(short)) => u32::from_ne_bytes(*short).into(),
        (None, None) => 0,
    }
}

fn clean(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_string()
}

/// What a function lists that is first asked how many there are.
fn list<T>(get: impl Fn(c_uint, *mut *mut T, *mut c_uint) -> i32) -> Vec<*mut T> {
    let mut count = 0;
    if get(0, null_mut(), &mut count) != 0 || count == 0 {
        return Vec::new();
    }
    let mut all = vec![null_mut(); count as usize];
    if get(count, all.as_mut_ptr(), &mut count) == 0 { all } else { Vec::new() }
}
