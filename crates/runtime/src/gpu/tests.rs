//! A device that is lost and comes back, which no real one does when asked to.

use super::device::{Device, Facts, Launch, ModuleId, Part, Source, Timer, Times};
use super::mock_memory::{MockMemory, mock_facts, mock_gpu};
use super::opencl::OpenCl;
use super::which::Choice;
use super::*;

/// Its memory is here, and its kernel 0 does nothing; after kernel 1 it is lost. After a reset it gives the same addresses
/// again, and as often as it is allowed to.
struct Frail {
    facts: Facts,
    memory: MockMemory,
    modules: Vec<Vec<u8>>,
    /// The code of each kernel that was launched.
    launched: Arc<Mutex<Vec<Vec<u8>>>>,
    is_lost: bool,
    resets: usize,
}

fn request(kernel: usize, site: i32) -> Request {
    Request { kernel, args: Vec::new(), groups: 1, site }
}

impl Frail {
    fn gpu(resets: usize) -> Arc<Gpu> {
        Frail::watched(resets, Arc::default())
    }

    fn watched(resets: usize, launched: Arc<Mutex<Vec<Vec<u8>>>>) -> Arc<Gpu> {
        let device = Frail {
            facts: mock_facts("frail", 1 << 30),
            memory: MockMemory::default(),
            modules: Vec::new(),
            launched,
            is_lost: false,
            resets,
        };
        mock_gpu(device, 1 << 20)
    }

    fn place(&mut self, address: u64) -> Result<&mut [u8], DeviceError> {
        if self.is_lost {
            return Err(DeviceError { doing: "go on", error: "broken".into(), lost: true });
        }
        Ok(self.memory.place(address))
    }
}

impl Source for Frail {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        self.memory.alloc(bytes)
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        self.memory.free(address)
    }
}

impl Device for Frail {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        self.place(to)?[..from.len()].copy_from_slice(from);
        Ok(())
    }

    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        self.write(to, from)
    }

    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        for Part { from, to } in parts {
            to.copy_from_slice(&self.place(*from)?[..to.len()]);
        }
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError> {
        let copied = self.place(from)?[..bytes as usize].to_vec();
        self.write(to, &copied)
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        self.place(to)?[..bytes as usize].fill(byte);
        Ok(())
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn compiles_in_units(&self) -> bool {
        true
    }

    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>> {
        texts.iter().map(|text| Ok(text.as_bytes().to_vec())).collect()
    }

    fn load(&mut self, code: &[u8], _: &[Kernel]) -> Result<ModuleId, RuntimeError> {
        self.modules.push(code.to_vec());
        Ok(ModuleId(self.modules.len() - 1))
    }

    fn unload(&mut self, module: ModuleId) {
        assert!(module.0 < self.modules.len(), "a module of an earlier generation");
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Timer>, DeviceError> {
        self.place(launch.state)?;
        self.is_lost = launch.kernel == 1;
        guard(&self.launched).push(self.modules[launch.module.0].clone());
        Ok(None)
    }

    fn time(&mut self, _: Timer) -> Result<Times, DeviceError> {
        Ok(Times { begin: 0, end: 1 })
    }

    fn clock(&mut self) -> Result<u64, DeviceError> {
        Ok(0)
    }

    fn reset(&mut self) -> Result<(), RuntimeError> {
        let left = self.resets.checked_sub(1).ok_or_else(|| RuntimeError::Device("gone".into()))?;
        self.memory = MockMemory::default();
        self.modules.clear();
        (self.is_lost, self.resets) = (false, left);
        Ok(())
    }
}

fn program(gpu: &Arc<Gpu>) -> Program {
    program_of(gpu, ModuleText::default())
}

fn program_of(gpu: &Arc<Gpu>, text: ModuleText) -> Program {
    let kernel = |name: &str| Kernel {
        name: name.into(),
        group_size: 1,
        params: Vec::new(),
        uses_heap: false,
        pool: None,
        smallest_element: 4,
        may_fail: true,
    };
    Program::new(gpu.clone(), text, vec![kernel("good"), kernel("bad")]).expect("a program")
}

#[test]
fn programs_begin_again_after_a_loss() {
    let gpu = Frail::gpu(2);
    let (first, second) = (program(&gpu), program(&gpu));
    let kept = second.obtain(100).expect("no trouble").expect("memory");
    for round in 1..=2 {
        first.launch(request(1, 7), &[]).expect("nobody has waited");
        let Err(Halt::Trouble(trouble)) = first.finish() else { panic!("the device is not lost") };
        assert_eq!((trouble.kernel.as_deref(), trouble.site), (Some("bad"), Some(7)));
        assert!(first.has_lost() && second.has_lost() && gpu.memory_live() == 0);
        assert!(first.obtain(1).is_err());
        first.begin().expect("it comes back");
        assert!(!first.has_lost() && second.has_lost());
        // The same address is somebody else's now.
        let own = first.obtain(100).expect("no trouble").expect("memory");
        second.give_back(own.address);
        second.give_back(kept.address);
        assert_eq!(first.obtain(100).map(|other| other != Some(own)), Ok(true), "round {round}");
        assert!(matches!(second.launch(request(0, 0), &[]), Err(Halt::Trouble(_))));
        second.begin().expect("it is there");
        assert!(second.launch(request(0, 0), &[]).is_ok() && second.finish().is_ok());
    }
    first.launch(request(1, 7), &[]).expect("nobody has waited");
    assert!(first.finish().is_err());
    assert!(first.begin().is_err(), "it does not come back again");
    assert!(first.finish().is_ok(), "nothing is under way");
    let trouble = first.obtain(1).expect_err("it is gone");
    assert_eq!(trouble.message, "There is no device any more: gone.");
    assert!(gpu.load(&Module::default()).is_err());
}

#[test]
fn large_arrays_have_wide_indices() {
    let launched = Arc::default();
    let gpu = Frail::watched(1, Arc::clone(&launched));
    let program = program(&gpu);
    let launch = || program.launch(request(0, 0), &[]).expect("it runs");
    // Elements have four bytes, and 31 bits count them.
    assert_eq!(program.obtain((1 << 33) - 1), Ok(None), "there is not so much");
    launch();
    assert_eq!(program.obtain(1 << 33), Ok(None), "there is not so much");
    launch();
    // It stays so when the device comes back.
    program.launch(request(1, 0), &[]).expect("nobody has waited");
    assert!(program.finish().is_err());
    program.begin().expect("it comes back");
    launch();
    let (narrow, wide) = (b"".to_vec(), b"#define NORN_WIDE\n".to_vec());
    assert_eq!(*guard(&launched), [narrow, wide.clone(), wide.clone(), wide]);
}

#[test]
fn kernels_are_found_in_the_module_of_their_unit() {
    let launched = Arc::default();
    let gpu = Frail::watched(1, Arc::clone(&launched));
    let kernels = ["a", "b"].map(|letter| letter.repeat(1 << 14));
    let starts = vec![1, 1 + kernels[0].len()];
    let program = program_of(&gpu, ModuleText { text: format!("s{}", kernels.concat()), starts });
    // Each is the first of its module, so that the device is not lost.
    for kernel in [1, 0, 1] {
        program.launch(request(kernel, 0), &[]).expect("it runs");
    }
    program.finish().expect("no kernel was the second of a module");
    let [a, b] = kernels.map(|kernel| format!("s{kernel}").into_bytes());
    assert_eq!(*guard(&launched), [b.clone(), a, b]);
}

#[test]
fn opencl_can_be_reset() {
    let Ok(mut device) = OpenCl::new(&Choice::Usual) else {
        return println!("skipped: there is no OpenCL device");
    };
    let alloc = |device: &mut OpenCl| device.alloc(1000).expect("no fault").expect("memory");
    let lost = alloc(&mut device);
    device.write(lost, &[1; 1000]).expect("no fault");
    device.reset().expect("it comes back");
    assert!(device.write(lost, &[1; 1000]).is_err());
    let address = alloc(&mut device);
    device.fill(address, 7, 1000).expect("no fault");
    let mut byte = [0];
    device.read(&mut [Part { from: address + 999, to: &mut byte }]).expect("no fault");
    assert_eq!(byte, [7]);
}
