//! Blocks from text.
//!
//! The format is in the head of `blocks`; it is Futhark's, whose words are only words at their place: `auto`, `random`, `script` or `compiled` may be tags of an
//! input, and `auto` may also belong to the output before it. So the parser looks ahead and goes back (`parse_expect`, `parse_run`) where a word can
//! begin the next thing. It reads the program's text with spaces in place of each `--` (`uncomment`), so that every place in a message
//! is a place in the file.
//!
//! Mistakes end the reading, with a place and often a help: a test block that is misread would be a test that tests nothing. For the same reason two inputs
//! of a block cannot have the same name, and a program that is to be rejected has one block. An input without a name is called by its text, as results in files (`auto
//! output`, benchmarks) are found by that name.

use super::cursor::is_word;
use super::find::{find_blocks, uncomment};
use super::random::parse_random;
use super::values::{Values, parse_file_name, parse_values};
use super::{BlockError, Case, Count, Cursor, Expect, Group, Input, Name, Pattern, Spec, Structure};
use crate::testing::script::parse_exp;
use std::collections::HashSet;

/// How much of an input's text makes its name.
const NAME_LENGTH: usize = 50;

/// The stage that is a run.
const RUN: &str = "run";
/// Words that are not tags of an input, but begin something else.
const NOT_TAGS: &[&str] = &["structure", "warning"];

/// Reads all test blocks of a program.
pub fn parse_blocks(text: &str) -> Result<Spec, BlockError> {
    let plain = uncomment(text);
    let mut spec = Spec::default();
    for (number, block) in find_blocks(text).into_iter().enumerate() {
        if spec.rejection.is_some() {
            let message = "The block before says that the program is rejected, so this one tests nothing.";
            return Err(BlockError::new(block.start - "==".len()..block.start, message));
        }
        let mut cursor = Cursor::new(&plain[..block.end], block.start);
        cursor.skip_space();
        Parser { cursor, spec: &mut spec }.parse_block(number == 0)?;
    }
    Ok(spec)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    spec: &'a mut Spec,
}

impl<'a> Parser<'a> {
    fn parse_block(&mut self, is_first: bool) -> Result<(), BlockError> {
        if self.cursor.sees_word("tags") {
            if !is_first {
                let error = self.cursor.expected("cases");
                return Err(error.with_help("The tags of a program stand in its first block."));
            }
            self.spec.tags = self.parse_tags()?;
        }
        if self.cursor.sees_word("tune") {
            if !is_first {
                let error = self.cursor.expected("cases");
                return Err(error.with_help("The tunables of a program stand in its first block."));
            }
            self.cursor.expect("tune")?;
            self.spec.tune = Some(parse_file_name(&mut self.cursor)?);
        }
        if self.cursor.sees("error:") {
            if !is_first {
                let error = self.cursor.expected("cases");
                return Err(error.with_help("That a program is rejected is said in its only block."));
            }
            self.cursor.at += "error:".len();
            self.spec.rejection = Some(self.parse_pattern()?);
        } else {
            while !self.cursor.is_at_end() {
                self.parse_item()?;
            }
        }
        if self.cursor.is_at_end() { Ok(()) } else { Err(self.cursor.expected("the end of the block")) }
    }

    fn parse_tags(&mut self) -> Result<Vec<String>, BlockError> {
        self.cursor.expect("tags")?;
        self.cursor.expect("{")?;
        let mut tags = Vec::new();
        while !self.cursor.sees("}") {
            match self.take_word(is_tag) {
                Some(tag) => tags.push(tag.text),
                None => return Err(self.cursor.expected("a tag or `}`")),
            }
        }
        self.cursor.expect("}")?;
        Ok(tags)
    }

    /// One of the things that a block consists of.
    fn parse_item(&mut self) -> Result<(), BlockError> {
        if self.cursor.sees("property:") {
            let names = self.parse_names("property:", "the name of a property", |c| !c.is_whitespace())?;
            self.spec.properties.extend(names);
        } else if self.cursor.sees_word("structure") {
            let structure = self.parse_structure()?;
            if let Some(stage) = structure.stage.as_ref().filter(|stage| stage.text == RUN) {
                let message = "There is no input whose run this could be about.";
                let help = "`structure run` stands behind an input and what is expected of it.";
                return Err(BlockError::new(stage.at.clone(), message).with_help(help));
            }
            self.spec.structures.push(structure);
        } else if self.cursor.sees("warning:") {
            self.cursor.at += "warning:".len();
            let pattern = self.parse_pattern()?;
            self.spec.warnings.push(pattern);
        } else {
            self.parse_group()?;
        }
        Ok(())
    }

    fn parse_group(&mut self) -> Result<(), BlockError> {
        let entries = if self.cursor.sees("entry:") {
            let is_part = |c: char| !c.is_whitespace() && c != '}';
            self.parse_names("entry:", "the name of an entry point", is_part)?
        } else {
            vec![Name { text: "main".into(), at: self.cursor.at..self.cursor.at }]
        };
        let mut cases: Vec<Case> = Vec::new();
        let mut names = HashSet::new();
        let ends = |cursor: &Cursor| {
            let others = ["entry:", "property:", "warning:"];
            cursor.is_at_end() || cursor.sees_word("structure") || others.iter().any(|word| cursor.sees(word))
        };
        while !ends(&self.cursor) {
            let case = self.parse_case(cases.len())?;
            if !names.insert(case.name.clone()) {
                let message = format!("Two inputs of this block are called `{}`.", case.name);
                let help = "Write a name of its own in quotes before one of them.";
                return Err(BlockError::new(case.at, message).with_help(help));
            }
            cases.push(case);
        }
        if !cases.is_empty() {
            self.spec.groups.push(Group { entries, cases });
        }
        Ok(())
    }

    /// The names on the line behind `keyword`. There is at least one.
    fn parse_names(
        &mut self,
        keyword: &str,
        what: &str,
        is_part: impl Fn(char) -> bool,
    ) -> Result<Vec<Name>, BlockError> {
        self.cursor.at += keyword.len();
        let mut names = Vec::new();
        loop {
            self.cursor.skip_blanks();
            let (text, at) = self.cursor.take_while(&is_part);
            if text.is_empty() {
                break;
            }
            names.push(Name { text: text.into(), at });
        }
        if names.is_empty() {
            return Err(self.cursor.expected(what));
        }
        self.cursor.skip_space();
        Ok(names)
    }

    fn parse_case(&mut self, number: usize) -> Result<Case, BlockError> {
        let name = self.cursor.sees("\"").then(|| self.parse_name()).transpose()?;
        let mut tags = Vec::new();
        while !self.cursor.sees_word("input") {
            match self.take_word(is_tag) {
                Some(tag) if !NOT_TAGS.contains(&tag.text.as_str()) => tags.push(tag.text),
                Some(tag) => {
                    let message = format!("Expected `input`, found `{}`.", tag.text);
                    return Err(BlockError::new(tag.at, message));
                }
                None => return Err(self.expected_input(&tags)),
            }
        }
        let at = self.cursor.at..self.cursor.at + "input".len();
        self.cursor.accept("input");
        let start = self.cursor.at;
        let input = self.parse_input(&tags)?;
        let source = &self.cursor.text[start..self.cursor.at];
        let name = name.unwrap_or_else(|| describe_input(&input, source, number));
        let expect = self.parse_expect()?;
        let run = self.parse_run()?;
        Ok(Case { name, tags, input, expect, run, at })
    }

    /// What stands behind an input about its run.
    fn parse_run(&mut self) -> Result<Option<Structure>, BlockError> {
        let start = self.cursor.at;
        if !self.cursor.sees_word("structure") {
            return Ok(None);
        }
        let structure = self.parse_structure()?;
        if structure.stage.as_ref().is_some_and(|stage| stage.text == RUN) {
            return Ok(Some(structure));
        }
        // It is about the program.
        self.cursor.at = start;
        Ok(None)
    }

    fn expected_input(&self, tags: &[String]) -> BlockError {
        let error = self.cursor.expected("`input`");
        if tags.last().is_some_and(|tag| tag == "error") && self.cursor.sees(":") {
            return error.with_help("`error:` stands behind an input, or alone in the only block.");
        }
        if !tags.is_empty() {
            return error;
        }
        if self.cursor.sees("==") {
            return error.with_help("Separate two blocks by a line that is no comment.");
        }
        let help = "A block has lines that begin with `entry:`, `input`, `property:`, `structure` or \
                    `warning:`, and end with the comment.";
        error.with_help(help)
    }

    fn parse_name(&mut self) -> Result<String, BlockError> {
        let start = self.cursor.at;
        let value = self.cursor.take_value()?;
        let text = value.elements::<u8>().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        text.ok_or_else(|| BlockError::new(start..self.cursor.at, "This name is no text."))
    }

    fn parse_input(&mut self, tags: &[String]) -> Result<Input, BlockError> {
        let has = |tag: &str| tags.iter().any(|other| other == tag);
        if has("random") {
            return parse_random(&mut self.cursor).map(Input::Random);
        }
        if has("script") {
            if self.cursor.sees("@") {
                return parse_file_name(&mut self.cursor).map(Input::ScriptFile);
            }
            self.cursor.expect("{")?;
            let exp = parse_exp(&mut self.cursor)?;
            self.cursor.expect("}")?;
            return Ok(Input::Script(exp));
        }
        Ok(match parse_values(&mut self.cursor)? {
            Values::Here(values) => Input::Values(values),
            Values::File(name) => Input::File(name),
        })
    }

    fn parse_expect(&mut self) -> Result<Expect, BlockError> {
        if self.cursor.sees_word("auto") {
            let before = self.cursor.at;
            self.cursor.accept("auto");
            if self.cursor.accept_word("output") {
                return Ok(Expect::Auto);
            }
            // It is a tag of the next input.
            self.cursor.at = before;
        }
        if self.cursor.accept_word("output") {
            return Ok(match parse_values(&mut self.cursor)? {
                Values::Here(values) => Expect::Values(values),
                Values::File(name) => Expect::File(name),
            });
        }
        if self.cursor.sees("error:") {
            self.cursor.at += "error:".len();
            return Ok(Expect::Failure(self.parse_pattern()?));
        }
        Ok(Expect::Success)
    }

    /// The rest of the line.
    fn parse_pattern(&mut self) -> Result<Pattern, BlockError> {
        let (text, at) = self.cursor.take_line();
        self.cursor.skip_space();
        Pattern::new(text).map_err(|e| BlockError::new(at, format!("This is no regular expression: {e}.")))
    }

    fn parse_structure(&mut self) -> Result<Structure, BlockError> {
        let at = self.cursor.at..self.cursor.at + "structure".len();
        self.cursor.accept("structure");
        let stage = self.take_word(is_tag);
        self.cursor.expect("{")?;
        let mut counts = Vec::new();
        while !self.cursor.sees("}") {
            let Some(path) = self.take_word(|c| is_word(c) || c == '/') else {
                return Err(self.cursor.expected("an operator or `}`"));
            };
            let count = self.take_word(|c| c.is_ascii_digit());
            match count.and_then(|count| Some((count.text.parse().ok()?, count.at))) {
                Some((expected, at)) => counts.push(Count { what: path, expected, at }),
                None => return Err(self.cursor.expected("how often it occurs")),
            }
        }
        self.cursor.expect("}")?;
        Ok(Structure { stage, counts, at })
    }

    /// The word that is next, if there is one, and the white space behind it.
    fn take_word(&mut self, is_part: impl Fn(char) -> bool) -> Option<Name> {
        let (text, at) = self.cursor.take_while(is_part);
        self.cursor.skip_space();
        (!text.is_empty()).then(|| Name { text: text.into(), at })
    }
}

fn is_tag(c: char) -> bool {
    is_word(c) || c == '-'
}

/// The name of an input that was given none. Data sets keep their names when they are compressed.
fn describe_input(input: &Input, source: &str, number: usize) -> String {
    let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let inside = source.strip_prefix('{').and_then(|s| s.strip_suffix('}')).unwrap_or(&source).trim();
    match input {
        Input::File(name) => name.strip_suffix(".gz").unwrap_or(name).into(),
        Input::ScriptFile(name) => name.clone(),
        Input::Random(values) => values.iter().map(|v| v.text()).collect::<Vec<_>>().join(" "),
        Input::Script(_) => inside.into(),
        Input::Values(_) => match inside.char_indices().nth(NAME_LENGTH) {
            Some((end, _)) => format!("#{number} (\"{}...\")", &inside[..end]),
            None => format!("#{number} (\"{inside}\")"),
        },
    }
}
