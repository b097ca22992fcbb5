//! The commands about profiling and tuning. The interpreter has nothing to tune and measures nothing,
//! so these answer as a program without tuning parameters and events does.

use super::commands::line;
use super::state::{Answer, Server};

impl Server {
    /// Executes a command, if it is one of these with as many words as it takes.
    pub fn profile_command(&mut self, command: &str, args: &[&str], out: &mut String) -> Option<Answer> {
        Some(match (command, args) {
            ("pause_profiling" | "unpause_profiling", []) => Ok(()),
            ("report", []) => line(out, "{\"memory\":{},\"events\":[]}"),
            ("tuning_params", [entry]) => self.entry(entry).map(drop),
            ("set_tuning_param", [name, _]) | ("tuning_param_class", [name]) => {
                Err(format!("There is no tuning parameter `{name}`."))
            }
            _ => return None,
        })
    }
}
