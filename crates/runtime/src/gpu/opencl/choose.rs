//! Which of the machine's OpenCL devices is used, and what it can do.

use super::api::*;
use crate::gpu::device::{Api, Facts};
use std::ffi::c_uint;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// A device that was chosen.
pub struct Chosen {
    pub device: DeviceHandle,
    pub facts: Facts,
    /// What its compiler is told.
    pub options: String,
    /// Its driver compiles a kernel when it is first launched, and keeps that on disk. If it is asked for a binary, it first compiles all kernels,
    /// for groups of any size, and compiles them again later for those that are launched.
    pub compiles_on_demand: bool,
}

/// The platform that compiles on demand: PoCL.
const POCL: &str = "Portable Computing Language";
/// PoCL 3.1 with LLVM 15 gives loops wrong ends if it optimises kernels in which threads may return before they meet: they run on until they
/// crash. Without, it takes a fourth of the time to compile, too.
const POCL_OPTIONS: &str = "-cl-opt-disable";

/// The name that was asked for in this process.
static NAME: OnceLock<String> = OnceLock::new();

/// Asks for a device by a part of its name or its platform's, instead of `NORN_OPENCL_DEVICE`. To be called before a device is used; the first
/// name counts.
pub fn choose_opencl_device(name: &str) {
    NAME.get_or_init(|| name.to_string());
}

/// The one that was asked for, or that `NORN_OPENCL_DEVICE` names by a part of its name or its platform's; else the first GPU; else the first of all.
pub fn choose(api: &OpenClApi) -> Result<Chosen, String> {
    let all = devices(api);
    if all.is_empty() {
        return Err("no platform has a device".into());
    }
    let asked = NAME.get().cloned().or_else(|| std::env::var("NORN_OPENCL_DEVICE").ok());
    let wanted = asked.unwrap_or_default().to_lowercase();
    let is_wanted = |found: &&Found| found.names().to_lowercase().contains(&wanted);
    let fitting: Vec<&Found> = all.iter().filter(is_wanted).collect();
    let is_gpu = |found: &&&Found| number(api, found.device, DEVICE_TYPE) & DEVICE_TYPE_GPU != 0;
    let Some(found) = fitting.iter().find(is_gpu).or(fitting.first()) else {
        let names: Vec<&str> = all.iter().map(|found| found.name.as_str()).collect();
        return Err(format!("no device is called `{wanted}`; there are {}", names.join(", ")));
    };
    Ok(describe_device(api, found))
}

struct Found {
    device: DeviceHandle,
    name: String,
    platform: String,
    vendor: String,
    platform_version: String,
}

impl Found {
    /// By which it can be asked for.
    fn names(&self) -> String {
        [self.name.as_str(), &self.platform, &self.vendor].join(" ")
    }
}

/// All devices of all platforms.
fn devices(api: &OpenClApi) -> Vec<Found> {
    let mut found = Vec::new();
    // SAFETY: `list` passes room for so many handles.
    let platforms = list(|most, to, count| unsafe { (api.platforms)(most, to, count) });
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
        found.extend(devices.into_iter().map(|device| Found {
            device,
            name: clean(info(api, device, DEVICE_NAME)),
            platform: text(PLATFORM_NAME),
            vendor: text(PLATFORM_VENDOR),
            platform_version: text(PLATFORM_VERSION),
        }));
    }
    found
}

fn describe_device(api: &OpenClApi, found: &Found) -> Chosen {
    let device = found.device;
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
        // OpenCL does not tell. A processor runs one group on each core; a unit of a GPU holds 2048 threads or so.
        groups: if is_cpu { units } else { units * 8 },
        pool: 0,
        identity: parts.map(|part| part.as_str()).join("\n"),
    };
    Chosen { device, facts, options, compiles_on_demand: is_pocl }
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
