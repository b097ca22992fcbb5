//! What begins with a colon.

pub const HELP: &str = "\
EXPRESSION     evaluate it
DEFINITION     keep it: def, type, module, open, import
:type EXP      the type of an expression
:load FILE     forget all definitions and open a program
:reload        read the program again, forgetting the definitions typed since
:defs          the definitions typed so far
:help          this list
:quit          leave, as does the end of the input
A command may be shortened. An empty line ends an input that is not complete.
";

/// The commands, and whether something must follow.
pub const COMMANDS: &[(&str, bool)] = &[
    (":type", true),
    (":load", true),
    (":reload", false),
    (":defs", false),
    (":help", false),
    (":quit", false),
];

pub enum Command<'a> {
    Help,
    Quit,
    Load(&'a str),
    Reload,
    Type(&'a str),
    Defs,
    Unknown(&'a str),
    /// It lacks what must follow; how it is used.
    Incomplete(&'static str),
}

/// The command that a text beginning with a colon is. Names may be shortened.
pub fn read(text: &str) -> Command<'_> {
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let known = COMMANDS.iter().find(|(full, _)| name.len() > 1 && full.starts_with(name));
    let Some((full, needs_rest)) = known else { return Command::Unknown(name) };
    match (*full, rest) {
        (":type", "") => Command::Incomplete(":type EXP"),
        (":load", "") => Command::Incomplete(":load FILE"),
        (full, rest) if !needs_rest && !rest.is_empty() => Command::Incomplete(full),
        (":type", exp) => Command::Type(exp),
        (":load", file) => Command::Load(file),
        (":reload", _) => Command::Reload,
        (":defs", _) => Command::Defs,
        (":help", _) => Command::Help,
        (":quit", _) => Command::Quit,
        (_, _) => Command::Unknown(name),
    }
}
