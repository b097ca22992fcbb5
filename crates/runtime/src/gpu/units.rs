//! The kernels of a program in units, which are compiled one by one when a kernel of theirs is first launched.
//!
//! ```text
//! shared | k_0 | k_1 | k_2 | k_3    ->    shared k_0 k_1,  shared k_2 (large),  shared k_3
//! ```
//!
//! A compiler takes much longer for the kernels of a whole program than for those that a run needs: of several versions of a nest, sizes choose one. So
//! neighbouring kernels form a unit, up to some size, and what is larger is a unit of its own. When one has to be compiled, the following
//! ones, which are likely to be needed soon, are compiled at the same time, on the other processors; large ones are not, since nobody may need them.
//! Where the device does not compile in units, the program is a single one.
//!
//! The cache keeps each unit by its text, and the text of the program by its own (`ModuleText`), so that a program starts without the compiler.

use super::device::Device;
use crate::RuntimeError;
use crate::cache::{Cache, hash};
use std::ops::Range;
use std::thread::available_parallelism;

/// A unit has so many bytes of kernels, or as many as there are in front of all kernels beside headers, so that these are not compiled too often.
const UNIT: usize = 16 << 10;
/// The headers have about so many bytes, which a compiler reads in a tenth of a second.
const HEADERS: usize = 48 << 10;
/// What is larger takes a compiler seconds.
const LARGE: usize = 48 << 10;

/// The text of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ModuleText {
    pub text: String,
    /// Where the text of each kernel begins. All kernels need what is in front of the first. If there are none, the text is not divided.
    pub starts: Vec<usize>,
}

impl ModuleText {
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.starts.len()].into_iter().chain(self.starts.iter().copied());
        let mut bytes: Vec<u8> = numbers.flat_map(|number| (number as u64).to_le_bytes()).collect();
        bytes.extend_from_slice(self.text.as_bytes());
        bytes
    }

    /// None if no `to_bytes` made them.
    pub fn from_bytes(bytes: &[u8]) -> Option<ModuleText> {
        let number = |bytes: &[u8; 8]| usize::try_from(u64::from_le_bytes(*bytes)).ok();
        let (count, rest) = bytes.split_first_chunk()?;
        let (starts, text) = rest.split_at_checked(number(count)?.checked_mul(8)?)?;
        let starts: Option<Vec<usize>> =
            starts.chunks_exact(8).map(|bytes| number(bytes.try_into().ok()?)).collect();
        let (text, starts) = (std::str::from_utf8(text).ok()?.to_string(), starts?);
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let are_places = starts.iter().zip(ends).all(|(start, end)| text.get(*start..end).is_some());
        are_places.then_some(ModuleText { text, starts })
    }

    /// The text of these kernels, with what they need.
    fn of(&self, kernels: &Range<usize>) -> String {
        let Some(shared) = self.starts.first() else { return self.text.clone() };
        let end = self.starts.get(kernels.end).copied().unwrap_or(self.text.len());
        [&self.text[..*shared], &self.text[self.starts[kernels.start]..end]].concat()
    }

    /// The kernels of each unit.
    fn units(&self) -> Vec<Range<usize>> {
        let shared = self.starts.first().copied().unwrap_or(0);
        let most = UNIT.max(shared.saturating_sub(HEADERS));
        let mut units: Vec<(Range<usize>, usize)> = Vec::new();
        for (number, start) in self.starts.iter().enumerate() {
            let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
            match units.last_mut() {
                Some((unit, bytes)) if *bytes + (end - start) <= most => {
                    unit.end = number + 1;
                    *bytes += end - start;
                }
                _ => units.push((number..number + 1, end - start)),
            }
        }
        units.into_iter().map(|(unit, _)| unit).collect()
    }
}

pub(super) struct Units {
    text: ModuleText,
    units: Vec<Unit>,
    /// The unit of each kernel.
    of_kernel: Vec<usize>,
    /// Whether kernels have indices of 64 bits.
    is_wide: bool,
    cache: Cache,
    /// What binaries depend on beside their text.
    identity: String,
}

struct Unit {
    kernels: Range<usize>,
    is_large: bool,
    /// What was compiled before it was needed.
    code: Option<Vec<u8>>,
}

impl Units {
    pub fn new(text: ModuleText, kernels: usize, device: &dyn Device, cache: Cache) -> Units {
        let is_divided = device.compiles_in_units() && text.starts.len() == kernels && kernels > 0;
        let whole = 0..kernels;
        let ranges = if is_divided { text.units() } else { vec![whole] };
        let mut of_kernel = vec![0; kernels];
        for (number, unit) in ranges.iter().enumerate() {
            of_kernel[unit.clone()].fill(number);
        }
        let unit = |kernels: Range<usize>| {
            let is_large =
                is_divided && kernels.len() == 1 && text.of(&kernels).len() - text.starts[0] > LARGE;
            Unit { kernels, is_large, code: None }
        };
        let units = ranges.into_iter().map(unit).collect();
        Units { units, of_kernel, is_wide: false, cache, identity: device.facts().identity.clone(), text }
    }

    pub fn count(&self) -> usize {
        self.units.len()
    }

    /// The unit of a kernel.
    pub fn of_kernel(&self, kernel: usize) -> usize {
        self.of_kernel[kernel]
    }

    pub fn kernels(&self, unit: usize) -> Range<usize> {
        self.units[unit].kernels.clone()
    }

    /// The text of all kernels.
    pub fn text(&self) -> &str {
        &self.text.text
    }

    /// A unit that is likely to be needed first.
    pub fn first(&self) -> Option<usize> {
        self.units.iter().position(|unit| !unit.is_large)
    }

    /// From now on, code is for arrays of any size.
    pub fn widen(&mut self) {
        self.is_wide = true;
        self.units.iter_mut().for_each(|unit| unit.code = None);
    }

    /// What was compiled of a unit before, if the cache has it.
    pub fn kept(&mut self, unit: usize) -> Option<Vec<u8>> {
        let code = self.units[unit].code.take();
        code.or_else(|| self.cache.read(&self.name_of(&self.text_of(unit))).map(|(_, code)| code))
    }

    /// Compiles a unit, and others that are not `loaded` yet.
    pub fn compile(
        &mut self,
        device: &mut dyn Device,
        unit: usize,
        is_loaded: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<u8>, RuntimeError> {
        let at_once = available_parallelism().map_or(1, usize::from);
        let is_absent = |other: &usize| {
            let Unit { is_large, code, .. } = &self.units[*other];
            !is_large && code.is_none() && !is_loaded(*other)
        };
        let others = (unit + 1..self.units.len()).chain(0..unit).filter(is_absent);
        let texts = [unit].into_iter().chain(others).map(|unit| (unit, self.text_of(unit)));
        let is_kept = |(other, text): &(usize, String)| {
            *other == unit || self.cache.find(&self.name_of(text)).is_none()
        };
        let (units, texts): (Vec<usize>, Vec<String>) = texts.filter(is_kept).take(at_once).unzip();
        let mut codes = device.compile(&texts).into_iter();
        let code = codes.next().expect("a result for each text")?;
        self.cache.keep_bytes(&code, &self.name_of(&texts[0]));
        for ((unit, text), code) in units.iter().zip(&texts).skip(1).zip(codes) {
            // What is wrong with a unit that nobody has asked for is reported to whoever does.
            let Ok(code) = code else { continue };
            self.cache.keep_bytes(&code, &self.name_of(text));
            self.units[*unit].code = Some(code);
        }
        Ok(code)
    }

    fn text_of(&self, unit: usize) -> String {
        let text = self.text.of(&self.units[unit].kernels);
        if self.is_wide { format!("#define NORN_WIDE\n{text}") } else { text }
    }

    fn name_of(&self, text: &str) -> String {
        let key = hash(&[text.as_bytes(), self.identity.as_bytes()]);
        format!("{}.binary", &key[..40])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sizes: &[usize]) -> ModuleText {
        let mut text = ModuleText { text: "shared ".into(), starts: Vec::new() };
        for (number, size) in sizes.iter().enumerate() {
            text.starts.push(text.text.len());
            text.text.push_str(&char::from(b'a' + number as u8).to_string().repeat(*size));
        }
        text
    }

    #[test]
    fn neighbours_share_a_unit_up_to_a_size() {
        let units = text(&[10, UNIT - 10, 1, 3 * UNIT, 5, 6]).units();
        assert_eq!(units, [0..2, 2..3, 3..4, 4..6]);
        let text = text(&[1, 2, 3]);
        assert_eq!(text.units().as_slice(), std::slice::from_ref(&(0..3)));
        assert_eq!(text.of(&(0..3)), text.text);
        assert_eq!(text.of(&(1..2)), "shared bb");
    }

    #[test]
    fn sources_read_back() {
        for text in [text(&[3, 1, 4]), text(&[]), ModuleText::default()] {
            assert_eq!(ModuleText::from_bytes(&text.to_bytes()), Some(text));
        }
        for wrong in
            [&b"short"[..], &[255; 9], &[&1u64.to_le_bytes()[..], &9u64.to_le_bytes(), b"text"].concat()]
        {
            assert_eq!(ModuleText::from_bytes(wrong), None);
        }
    }
}
