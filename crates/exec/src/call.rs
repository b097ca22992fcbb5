//! A call of an entry point, from columns to columns.
//!
//! On the processor all of it happens in one visit to the program. Where arrays are on a GPU, it is waited for
//! between the steps, so that the time is that of the program alone: its arguments are there when it begins, and its
//! results stay where they are.

use crate::arguments::{Arguments, Refused, Side};
use crate::bind;
use crate::column::Values;
use crate::instances::Instances;
use crate::results::Results;
use crate::room::Room;
use norn_ir::imp::Prog;
use norn_runtime::cpu::{Instance, Session, Stop};
use norn_runtime::gpu::{Halt, Program, Traffic};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is called, and with what.
pub struct Call<'a> {
    pub prog: &'a Prog,
    /// The number of the entry point.
    pub number: usize,
    pub side: Side,
    /// They fit the entry point.
    pub values: &'a Values<'a>,
    /// The sizes that they determine.
    pub scalars: &'a [u64],
    pub results: ResultsAs,
    /// For the values.
    pub room: &'a Room<'a>,
    /// What the program has on a GPU.
    pub program: Option<&'a Arc<Program>>,
}

/// What becomes of the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultsAs {
    /// They are copied into the host's memory.
    Values,
    /// The same, but regular arrays that are on the GPU, or large, stay where they are.
    Held,
    Nothing,
}

/// What came of it.
pub struct Called {
    /// Empty, if nothing was requested.
    pub values: Values<'static>,
    pub time: Duration,
    /// Until its arguments were where they are needed.
    pub arrival: Duration,
    pub traffic: Traffic,
}

impl Call<'_> {
    pub fn on_processor(&self, instance: &mut Instance) -> Result<Called, Refused> {
        instance.gpu().map(Program::take_traffic);
        let outcome = instance.enter(|session| {
            let mut arguments = self.arguments(session)?;
            let (words, time) = self.run(session, &arguments)?;
            release(session, &mut arguments);
            let mut results = self.results(&arguments, words);
            if self.results == ResultsAs::Held {
                // SAFETY: the words are what the program has left, and nothing was released yet.
                unsafe { results.take_over(session) };
            }
            let values = self.read(session, &results)?;
            self.end(session, &arguments, &results);
            Ok((values, time))
        });
        let (values, time) = outcome?;
        Ok(Called { values, time, arrival: Duration::ZERO, traffic: instance.take_traffic() })
    }

    pub fn with_gpu(&self, instance: &mut Instance, instances: &Arc<Instances>) -> Result<Called, Refused> {
        let outcome = self.steps(instance, instances);
        if outcome.is_err() {
            // What was obtained for the call is not needed any more.
            instance.enter(|session| session.abandon());
            // If this fails the device is lost, which the next command reports.
            let _ = gpu(instance).end_lending();
        }
        outcome
    }

    fn steps(&self, instance: &mut Instance, instances: &Arc<Instances>) -> Result<Called, Refused> {
        let begin = Instant::now();
        let mut arguments = instance.enter(|session| self.arguments(session))?;
        let program = gpu(instance);
        for (to, part) in &arguments.copies {
            program.copy(*to, part.address, part.bytes).map_err(refused)?;
        }
        program.finish().map_err(refused)?;
        program.take_traffic();
        let arrival = begin.elapsed();

        let (words, time) = instance.enter(|session| self.run(session, &arguments))?;
        instance.enter(|session| release(session, &mut arguments));
        let traffic = gpu(instance).take_traffic();

        let mut results = self.results(&arguments, words);
        if self.results == ResultsAs::Held {
            gpu(instance).end_lending().map_err(refused)?;
            // SAFETY: the words are what the program has left, and nothing was released yet.
            instance.enter(|session| unsafe { results.take_over_remote(session, instances) });
            results.copy_rest(gpu(instance), instances).map_err(refused)?;
        }
        let values = instance.enter(|session| {
            let values = self.read(session, &results)?;
            self.end(session, &arguments, &results);
            Ok(values)
        })?;
        gpu(instance).end_lending().map_err(refused)?;
        Ok(Called { values, time, arrival, traffic })
    }

    fn arguments(&self, session: &mut Session) -> Result<Arguments, Refused> {
        let entry = &self.prog.entries[self.number];
        let made =
            Arguments::new(session, self.prog, entry, self.side, self.values, self.scalars, self.program);
        if made.is_err() {
            session.abandon();
        }
        made
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<(Vec<u64>, Duration), Refused> {
        let entry = &self.prog.entries[self.number];
        let mut words = vec![0; entry.rets.iter().map(bind::words).sum()];
        // SAFETY: the words of arguments and results are made by the types of the entry point.
        let called = unsafe { session.call(self.number, &arguments.words, &mut words) };
        called.map(|time| (words, time)).map_err(Refused::Stopped)
    }

    fn results<'a>(&'a self, arguments: &'a Arguments, words: Vec<u64>) -> Results<'a> {
        Results::new(self.prog, &self.prog.entries[self.number], self.side, arguments, words)
    }

    fn read(&self, session: &mut Session, results: &Results) -> Result<Values<'static>, Refused> {
        match self.results {
            ResultsAs::Nothing => Ok(Values::default()),
            ResultsAs::Values | ResultsAs::Held => {
                // SAFETY: what the program leaves is what its types say, and nothing was released yet.
                unsafe { results.read(session, self.room) }.map_err(|stop| {
                    session.abandon();
                    Refused::Stopped(stop)
                })
            }
        }
    }

    /// Copied is all that is needed; what the call holds ends with it.
    fn end(&self, session: &mut Session, arguments: &Arguments, results: &Results) {
        // SAFETY: results were read: the call holds each of these once.
        unsafe {
            for block in results.blocks() {
                session.release(block);
            }
            for region in arguments.regions.values() {
                session.region_end(*region);
            }
        }
    }
}

/// Arguments are not needed any more when the program has ended: what is a result, too, is held by that. Cells are, since results may lead to them.
fn release(session: &mut Session, arguments: &mut Arguments) {
    for block in arguments.blocks.drain(..) {
        // SAFETY: the call holds each of these once.
        unsafe { session.release(block) };
    }
}

fn gpu(instance: &Instance) -> &Program {
    instance.gpu().unwrap_or_else(|| panic!("exec: a program with remote arrays and no GPU"))
}

fn refused(halt: Halt) -> Refused {
    Refused::Stopped(stopped(halt))
}

/// Between calls no kernel runs that could fail in another way.
pub fn stopped(halt: Halt) -> Stop {
    match halt {
        Halt::Trouble(trouble) => Stop::of_trouble(trouble),
        Halt::Check { .. } | Halt::NoMemory { .. } => panic!("exec: a kernel fails between calls: {halt:?}"),
    }
}
