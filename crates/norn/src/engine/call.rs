//! Calls of entry points, from several threads if needed at the same time.
//!
//! There is one way to make a call, [`Engine::invoke`], and shorter forms of it. A call can be cancelled from another thread and can have a
//! time limit; it ends soon then, but for a kernel of a GPU, which cannot be stopped.

use super::columns::Column;
use super::error::counted;
use super::runner::{CallOutcome, Results, ResultsAs};
use super::{Argument, CallError, Engine, Handle, Item, RunError, render_failure};
use norn_exec::Ended;
use norn_ir::nest::IfaceId;
use norn_runtime::gpu::Traffic;
use norn_runtime::{Cancelled, Canceller};
use std::time::{Duration, Instant};

/// How a call is made.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// Who may end it.
    pub canceller: Option<Canceller>,
    /// How long it may take, with the time that it waits for others.
    pub time_limit: Option<Duration>,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Called<T = Handle> {
    pub value: T,
    /// How long the program took: without the way of values in and out, where the backend knows it.
    pub time: Duration,
    /// What it asked of the GPU, if it has a part there.
    pub traffic: Option<Traffic>,
}

impl Engine {
    /// Calls an entry point. Large arrays of the result, and those that are on a GPU, stay where they are.
    pub fn invoke(&self, entry: &str, args: &[Argument], options: &CallOptions) -> Result<Called, CallError> {
        let (result, CallOutcome { results, time, traffic }) =
            self.ran(entry, args, ResultsAs::Kept, options)?;
        let value = match results {
            Results::Columns(columns) => Handle::Item(self.result_item(result, columns)),
            Results::Kept(columns) => Handle::kept(self.item_type(result), columns),
        };
        Ok(Called { value, time, traffic })
    }

    /// The same, with a result in the host's memory.
    pub fn invoke_item(
        &self,
        entry: &str,
        args: &[Argument],
        options: &CallOptions,
    ) -> Result<Called<Item>, CallError> {
        let (result, CallOutcome { results, time, traffic }) =
            self.ran(entry, args, ResultsAs::Items, options)?;
        let Results::Columns(columns) = results else { panic!("a result that was not fetched") };
        Ok(Called { value: self.result_item(result, columns), time, traffic })
    }

    /// Calls an entry point with items, for one.
    pub fn try_call(&self, entry: &str, args: &[Item]) -> Result<Item, CallError> {
        let args: Vec<Argument> = args.iter().map(Argument::Item).collect();
        self.invoke_item(entry, &args, &CallOptions::default()).map(|called| called.value)
    }

    /// The same, with an error for people.
    pub fn call(&self, entry: &str, args: &[Item]) -> Result<Item, RunError> {
        self.try_call(entry, args).map_err(|error| self.run_error(error))
    }

    /// Calls an entry point for its time alone: results stay where they are.
    pub fn time_call(&self, entry: &str, args: &[Argument]) -> Result<Duration, RunError> {
        let ran = self.ran(entry, args, ResultsAs::Nothing, &CallOptions::default());
        ran.map(|(_, ran)| ran.time).map_err(|error| self.run_error(error))
    }

    /// Calls an entry point by its number, with the columns of its arguments. The error is the message of a failure.
    pub fn call_columns(&self, number: usize, columns: Vec<Column>) -> Result<Vec<Column>, String> {
        let mut columns = columns.into_iter();
        let mut args = Vec::new();
        for param in &self.entries()[number].params {
            let count = self.iface(param.ty).columns.len();
            args.push(self.item(param.ty, columns.by_ref().take(count).collect()));
        }
        let args: Vec<Argument> = args.iter().map(Argument::Item).collect();
        match self.runner.call(number, &args, ResultsAs::Items, &Canceller::default()) {
            Ok(CallOutcome { results: Results::Columns(columns), .. }) => Ok(columns),
            Ok(CallOutcome { results: Results::Kept(_), .. }) => panic!("a result that was not fetched"),
            Err(Ended::Failed(failure)) => Err(failure.message),
            Err(Ended::Cancelled) => Err(STOPPED.to_string()),
        }
    }

    /// Why a call has no result, for people.
    pub fn run_error(&self, error: CallError) -> RunError {
        let plain = |message: String, cancelled| {
            let rendered = format!("error: {message}\n");
            RunError { message, rendered, cancelled }
        };
        match error {
            CallError::Arguments(message) => plain(message, false),
            CallError::Failed(failure) => {
                let rendered = render_failure(&self.sources, &failure, self.paint);
                RunError { message: failure.message, rendered, cancelled: false }
            }
            CallError::Cancelled => plain(STOPPED.to_string(), true),
            CallError::TimedOut(limit) => plain(timed_out(limit), true),
            CallError::Bug(message) => plain(message, false),
        }
    }

    /// The entry point's result, and what came of it.
    fn ran(
        &self,
        entry: &str,
        args: &[Argument],
        results_as: ResultsAs,
        options: &CallOptions,
    ) -> Result<(IfaceId, CallOutcome), CallError> {
        let (number, result) = self.check_arguments(entry, args).map_err(CallError::Arguments)?;
        let begin = Instant::now();
        // The limit is that of this call, whatever else its canceller is for.
        let canceller = Canceller::default();
        let deadline = options.time_limit.and_then(|limit| begin.checked_add(limit));
        let alarm = deadline.map(|deadline| self.context.timer().set(deadline, &canceller)).transpose();
        let _alarm = alarm.map_err(|e| CallError::Arguments(format!("The time cannot be limited: {e}.")))?;
        let run = || self.runner.call(number, args, results_as, &canceller);
        let ran = match &options.canceller {
            None => run(),
            Some(others) => {
                let stop = canceller.clone();
                others.during(move || stop.cancel(), run).unwrap_or(Err(Ended::Cancelled))
            }
        };
        match ran {
            Ok(ran) => Ok((result, ran)),
            Err(Ended::Cancelled) => Err(match (canceller.cancelled(), options.time_limit) {
                (Some(Cancelled::TimeLimit), Some(limit)) => CallError::TimedOut(limit),
                (Some(Cancelled::TimeLimit | Cancelled::Asked) | None, _) => CallError::Cancelled,
            }),
            Err(Ended::Failed(mut failure)) => {
                // That the entry point itself was called is no news.
                failure.trace.pop_if(|frame| frame.function == entry);
                Err(CallError::Failed(failure))
            }
        }
    }

    /// The item with these columns, before which come sizes and the like.
    fn result_item(&self, id: IfaceId, mut columns: Vec<Column>) -> Item {
        let surplus = columns.len().saturating_sub(self.iface(id).columns.len());
        self.item(id, columns.split_off(surplus))
    }

    /// The entry point's number and result, if the arguments fit.
    fn check_arguments(&self, name: &str, args: &[Argument]) -> Result<(usize, IfaceId), String> {
        let Some(number) = self.entries().iter().position(|entry| entry.name == name) else {
            return Err(format!("There is no entry point `{name}`."));
        };
        let entry = &self.entries()[number];
        if args.len() != entry.params.len() {
            let expected = counted(entry.params.len(), "argument");
            return Err(format!("The entry point `{name}` takes {expected}, but got {}.", args.len()));
        }
        for (param, arg) in entry.params.iter().zip(args) {
            self.check_type(param.ty, arg.ty()).map_err(|wrong| {
                format!(
                    "The argument `{}` of the entry point `{name}` must be of type {}, but is of type {}.",
                    param.name,
                    self.type_name(wrong.expected),
                    self.type_name(wrong.found)
                )
            })?;
        }
        Ok((number, entry.result))
    }
}

/// The message for a call that was cancelled.
pub(super) const STOPPED: &str = "The program was stopped.";

/// The message for a call that took too long.
pub(super) fn timed_out(limit: Duration) -> String {
    format!("The program was stopped: it took longer than {limit:?}.")
}
