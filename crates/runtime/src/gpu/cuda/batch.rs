//! Kernels that are launched together.
//!
//! A launch takes the host several microseconds, and small kernels take less than that. So they wait until there are some, or until
//! somebody waits for them, and go to the driver as a graph: a chain of nodes with one kernel each, which takes a quarter of the time. There is a graph for each sequence of
//! kernels that was launched twice; its nodes are given the words that kernels take this time. (They could be given other kernels, too, which takes as long as a launch.)
//!
//! Loops of the host launch the same kernels again and again. So a batch ends, when it is long enough, where the kernel comes that it began with: then the next is
//! the same sequence. The first batches after the host has waited are short, so that the GPU has something to do soon.

use super::driver::*;
use crate::gpu::device_error::DeviceError;
use std::collections::HashMap;
use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::ptr::{null, null_mut};

/// How many kernels the first batch has at most, and how many any.
const FIRST: usize = 8;
const MOST: usize = 64;
/// So many sequences are remembered, and so many graphs kept, before all are forgotten.
const SEQUENCES: usize = 4096;
const GRAPHS: usize = 256;

const DOING: &str = "launch a kernel";

/// A kernel that waits.
#[derive(Clone, PartialEq, Eq)]
pub struct Waiting {
    pub function: Function,
    pub groups: u32,
    pub group_size: u32,
    /// How many bytes each group shares.
    pub pool: u32,
}

/// Those that wait, in their order, and the graphs there are.
pub struct Batch {
    /// Each with the place of its words.
    waiting: Vec<(Waiting, Range<usize>)>,
    words: Vec<u64>,
    /// So many wait at most.
    limit: usize,
    /// By the hash of the kernels; without a graph if they were launched once.
    sequences: HashMap<u64, Option<Graph>>,
    graphs: usize,
    /// The addresses of the words of a kernel, kept for their memory.
    places: Vec<*mut c_void>,
}

struct Graph {
    graph: GraphHandle,
    instance: GraphInstance,
    /// Each with what it has.
    nodes: Vec<(Node, Waiting, Vec<u64>)>,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch {
            waiting: Vec::new(),
            words: Vec::new(),
            limit: FIRST,
            sequences: HashMap::new(),
            graphs: 0,
            places: Vec::new(),
        }
    }
}

impl Batch {
    /// Whether those that wait are launched before this one waits, too.
    pub fn ends_before(&self, kernel: &Waiting) -> bool {
        let begins_again = self.waiting.first().is_some_and(|(first, _)| first.function == kernel.function);
        let count = self.waiting.len();
        count >= self.limit || count >= self.limit / 2 && begins_again
    }

    pub fn add(&mut self, kernel: Waiting, words: impl Iterator<Item = u64>) {
        let first = self.words.len();
        self.words.extend(words);
        self.waiting.push((kernel, first..self.words.len()));
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The host has waited: what comes next begins with little.
    pub fn settle(&mut self) {
        self.limit = FIRST;
    }

    /// Launches all that wait.
    pub fn launch(&mut self, driver: &Driver, stream: Stream) -> Result<(), DeviceError> {
        let outcome = match self.launch_together(driver, stream) {
            Ok(true) => Ok(()),
            // What is wrong with one of them is found out alone.
            Err(device_error) if device_error.lost => Err(device_error),
            Ok(false) | Err(_) => self.launch_each(driver, stream),
        };
        self.waiting.clear();
        self.words.clear();
        self.limit = (2 * self.limit).min(MOST);
        outcome
    }

    fn launch_each(&mut self, driver: &Driver, stream: Stream) -> Result<(), DeviceError> {
        for (kernel, words) in &self.waiting {
            let Waiting { function, groups, group_size, pool } = *kernel;
            let places = places_of(&mut self.places, &mut self.words[words.clone()]);
            // SAFETY: the words are what the kernel takes, and they are copied before the call returns.
            let code = unsafe {
                (driver.launch)(function, groups, 1, 1, group_size, 1, 1, pool, stream, places, null_mut())
            };
            driver.check(DOING, code)?;
        }
        Ok(())
    }

    /// Whether they were launched before, so that there is a graph, or is one now.
    fn launch_together(&mut self, driver: &Driver, stream: Stream) -> Result<bool, DeviceError> {
        let key = self.key();
        let known = self.sequences.remove(&key);
        if known.is_none() && self.sequences.len() >= SEQUENCES || self.graphs >= GRAPHS {
            self.free(driver);
        }
        let graph = match known {
            None => None,
            Some(None) => Some(self.new_graph(driver)?),
            Some(Some(mut graph)) => {
                self.graphs -= 1;
                if let Err(device_error) = self.give(driver, &mut graph) {
                    graph.free(driver);
                    return Err(device_error);
                }
                Some(graph)
            }
        };
        let code = graph.as_ref().map(|graph| {
            self.graphs += 1;
            // SAFETY: the graph and the stream are of the context that is current, and its nodes have what their kernels take.
            unsafe { (driver.graph_launch)(graph.instance, stream) }
        });
        self.sequences.insert(key, graph);
        code.map_or(Ok(false), |code| driver.check(DOING, code).map(|()| true))
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.waiting.iter().for_each(|(kernel, _)| kernel.function.hash(&mut hasher));
        hasher.finish()
    }

    /// Nodes take other words from now on; what was launched before keeps its own.
    fn give(&mut self, driver: &Driver, graph: &mut Graph) -> Result<(), DeviceError> {
        if graph.nodes.len() != self.waiting.len() {
            return Err(DeviceError::refused(DOING, "two sequences of kernels have one hash"));
        }
        for ((kernel, words), (node, held, held_words)) in self.waiting.iter().zip(&mut graph.nodes) {
            let words = &mut self.words[words.clone()];
            if held == kernel && held_words == words {
                continue;
            }
            let params = NodeParams::new(kernel, places_of(&mut self.places, words));
            // SAFETY: the words are what the kernel takes, and they are copied before the call returns.
            driver.check(DOING, unsafe { (driver.graph_set_kernel)(graph.instance, *node, &params) })?;
            held.clone_from(kernel);
            held_words.clear();
            held_words.extend_from_slice(words);
        }
        Ok(())
    }

    fn new_graph(&mut self, driver: &Driver) -> Result<Graph, DeviceError> {
        let nodes = Vec::with_capacity(self.waiting.len());
        let mut graph = Graph { graph: null_mut(), instance: null_mut(), nodes };
        // SAFETY: the answer is written to a variable that lives long enough.
        driver.check(DOING, unsafe { (driver.graph_create)(&mut graph.graph, 0) })?;
        match self.make_nodes(driver, &mut graph) {
            Ok(()) => Ok(graph),
            Err(device_error) => {
                graph.free(driver);
                Err(device_error)
            }
        }
    }

    fn make_nodes(&mut self, driver: &Driver, graph: &mut Graph) -> Result<(), DeviceError> {
        for (kernel, words) in &self.waiting {
            let words = &mut self.words[words.clone()];
            let params = NodeParams::new(kernel, places_of(&mut self.places, words));
            let before = graph.nodes.last().map(|(node, ..)| *node);
            let (first, count) = before.as_ref().map_or((null(), 0), |node| (&raw const *node, 1));
            let mut node = null_mut();
            // SAFETY: the words are what the kernel takes, and they are copied before the call returns; the node before is one of the graph.
            let code = unsafe { (driver.graph_add_kernel)(&mut node, graph.graph, first, count, &params) };
            driver.check(DOING, code)?;
            graph.nodes.push((node, kernel.clone(), words.to_vec()));
        }
        // SAFETY: the answer is written to a variable that lives long enough.
        driver.check(DOING, unsafe { (driver.graph_instantiate)(&mut graph.instance, graph.graph, 0) })
    }

    /// Gives the graphs back, as long as the context is there. They hold kernels of modules, which may go next.
    pub fn free(&mut self, driver: &Driver) {
        self.sequences.drain().filter_map(|(_, graph)| graph).for_each(|graph| graph.free(driver));
        self.graphs = 0;
    }
}

impl Graph {
    fn free(self, driver: &Driver) {
        // SAFETY: they were made for this graph, and are not used any more; what is still under way is not concerned. What is
        // refused goes with the context.
        unsafe {
            if !self.instance.is_null() {
                (driver.graph_instance_destroy)(self.instance);
            }
            (driver.graph_destroy)(self.graph);
        }
    }
}

impl NodeParams {
    fn new(kernel: &Waiting, places: *mut *mut c_void) -> NodeParams {
        NodeParams {
            function: kernel.function,
            groups: [kernel.groups, 1, 1],
            group_size: [kernel.group_size, 1, 1],
            shared: kernel.pool,
            places,
            extra: null_mut(),
        }
    }
}

/// Where the words of a kernel are, one after the other.
fn places_of(places: &mut Vec<*mut c_void>, words: &mut [u64]) -> *mut *mut c_void {
    places.clear();
    places.extend(words.iter_mut().map(|word| (&raw mut *word).cast::<c_void>()));
    places.as_mut_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::ffi::{c_int, c_uint};

    /// What the driver was asked for. Kernels are numbers, and so are graphs.
    #[derive(Clone, PartialEq, Eq, Debug)]
    enum DriverCall {
        Kernel(usize),
        /// A graph of so many nodes was made.
        Made(usize),
        Set(usize),
        Graph,
    }

    thread_local! {
        static DRIVER_CALLS: RefCell<Vec<DriverCall>> = const { RefCell::new(Vec::new()) };
        static NODES: RefCell<usize> = const { RefCell::new(0) };
        /// What `graph_set_kernel` answers.
        static ANSWER: RefCell<c_int> = const { RefCell::new(0) };
    }

    fn calls() -> Vec<DriverCall> {
        DRIVER_CALLS.with_borrow_mut(std::mem::take)
    }

    fn note(what: DriverCall) -> c_int {
        DRIVER_CALLS.with_borrow_mut(|calls| calls.push(what));
        0
    }

    fn driver() -> Driver {
        extern "system" fn launch(
            function: Function,
            _: c_uint,
            _: c_uint,
            _: c_uint,
            _: c_uint,
            _: c_uint,
            _: c_uint,
            _: c_uint,
            _: Stream,
            _: *mut *mut c_void,
            _: *mut *mut c_void,
        ) -> c_int {
            note(DriverCall::Kernel(function as usize))
        }
        extern "system" fn create(_: *mut GraphHandle, _: c_uint) -> c_int {
            NODES.set(0);
            0
        }
        extern "system" fn add(
            _: *mut Node,
            _: GraphHandle,
            _: *const Node,
            _: usize,
            _: *const NodeParams,
        ) -> c_int {
            NODES.with_borrow_mut(|nodes| *nodes += 1);
            0
        }
        extern "system" fn instantiate(_: *mut GraphInstance, _: GraphHandle, _: u64) -> c_int {
            note(DriverCall::Made(NODES.with_borrow(|nodes| *nodes)))
        }
        extern "system" fn set(_: GraphInstance, _: Node, params: *const NodeParams) -> c_int {
            // SAFETY: the parameters are there as long as the call takes.
            note(DriverCall::Set(unsafe { (*params).function } as usize));
            ANSWER.with_borrow(|answer| *answer)
        }
        extern "system" fn launch_graph(_: GraphInstance, _: Stream) -> c_int {
            note(DriverCall::Graph)
        }
        extern "system" fn destroy(_: *mut c_void) -> c_int {
            0
        }
        extern "system" fn name(_: c_int, _: *mut *const std::ffi::c_char) -> c_int {
            1
        }
        Driver {
            launch,
            graph_create: create,
            graph_add_kernel: add,
            graph_instantiate: instantiate,
            graph_set_kernel: set,
            graph_launch: launch_graph,
            graph_destroy: destroy,
            graph_instance_destroy: destroy,
            error_name: name,
            error_text: name,
            ..Driver::empty()
        }
    }

    fn add(batch: &mut Batch, driver: &Driver, kernel: usize, word: u64) {
        let kernel = Waiting { function: kernel as Function, groups: 1, group_size: 256, pool: 0 };
        if batch.ends_before(&kernel) {
            batch.launch(driver, null_mut()).unwrap();
        }
        batch.add(kernel, [word].into_iter());
    }

    /// Launches these kernels, and waits.
    fn run(batch: &mut Batch, driver: &Driver, kernels: &[(usize, u64)]) -> Vec<DriverCall> {
        kernels.iter().for_each(|(kernel, word)| add(batch, driver, *kernel, *word));
        if !batch.is_empty() {
            batch.launch(driver, null_mut()).unwrap();
        }
        batch.settle();
        calls()
    }

    #[test]
    fn what_comes_again_is_a_graph_that_is_given_other_words() {
        let (mut batch, driver) = (Batch::default(), driver());
        let kernels = |words: [u64; 3]| [(1, words[0]), (2, words[1]), (1, words[2])];
        let once = run(&mut batch, &driver, &kernels([0, 0, 0]));
        assert_eq!(once, [1, 2, 1].map(DriverCall::Kernel));
        assert_eq!(run(&mut batch, &driver, &kernels([0, 0, 0])), [DriverCall::Made(3), DriverCall::Graph]);
        assert_eq!(run(&mut batch, &driver, &kernels([0, 0, 0])), [DriverCall::Graph]);
        assert_eq!(run(&mut batch, &driver, &kernels([0, 5, 0])), [DriverCall::Set(2), DriverCall::Graph]);
        // The same number of kernels, but others.
        assert_eq!(run(&mut batch, &driver, &[(2, 0), (2, 0), (1, 0)]), [2, 2, 1].map(DriverCall::Kernel));
    }

    #[test]
    fn loops_are_cut_into_equal_batches() {
        for period in [1, 2, 3, 5, 7, 20, 50] {
            let (mut batch, driver) = (Batch::default(), driver());
            for step in 0..2000 / period {
                (0..period).for_each(|kernel| add(&mut batch, &driver, 1 + kernel, step as u64));
            }
            let calls = calls();
            let made = calls.iter().filter(|calls| matches!(calls, DriverCall::Made(_))).count();
            let alone = calls.iter().filter(|calls| matches!(calls, DriverCall::Kernel(_))).count();
            assert_eq!(made, 1, "of {period}");
            assert!(alone < 6 * MOST, "of {period}: {alone} one by one");
        }
    }

    #[test]
    fn what_no_graph_takes_is_launched_one_by_one() {
        let (mut batch, driver) = (Batch::default(), driver());
        let kernels = |word| [(1, word), (2, word)];
        run(&mut batch, &driver, &kernels(0));
        run(&mut batch, &driver, &kernels(0));
        ANSWER.set(1);
        let refused = run(&mut batch, &driver, &kernels(1));
        assert_eq!(refused, [DriverCall::Set(1), DriverCall::Kernel(1), DriverCall::Kernel(2)]);
        // The graph is gone; another is made when they come again.
        assert_eq!(run(&mut batch, &driver, &kernels(2)), [1, 2].map(DriverCall::Kernel));
        assert_eq!(run(&mut batch, &driver, &kernels(3)), [DriverCall::Made(2), DriverCall::Graph]);
    }
}
