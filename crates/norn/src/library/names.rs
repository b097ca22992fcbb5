//! What types and functions are called in C.
//!
//! An array of scalars is `f32_2d`. Any other type is `opaque_` and its name, if C can have it, or one that is made of its parts:
//! `opaque_tup2_i32_arr1d_f32`. What has no such name either is called by a hash of its text.

use super::is_value;
use norn_base::Prim;
use norn_ir::imp::Prog;
use norn_ir::nest::{Iface, IfaceId, IfaceShape};
use std::collections::BTreeSet;

/// The types of a program's entry points.
pub struct Types<'a> {
    pub ifaces: &'a [Iface],
    /// As C calls each, but for scalars.
    names: Vec<String>,
}

impl<'a> Types<'a> {
    pub fn new(prog: &'a Prog) -> Types<'a> {
        let mut taken = BTreeSet::new();
        let mut names = Vec::new();
        for (i, iface) in prog.ifaces.iter().enumerate() {
            let mut name = match iface.shape {
                IfaceShape::Array(prim, rank) => format!("{}_{rank}d", prim.name()),
                _ => format!("opaque_{}", readable(&prog.ifaces, IfaceId(i as u32))),
            };
            if !taken.insert(name.clone()) {
                name = format!("opaque_{}", hashed(&iface.name));
            }
            names.push(name);
        }
        Types { ifaces: &prog.ifaces, names }
    }

    pub fn get(&self, id: IfaceId) -> &'a Iface {
        &self.ifaces[id.0 as usize]
    }

    /// All that have functions.
    pub fn values(&self) -> impl Iterator<Item = IfaceId> + '_ {
        self.all().filter(|id| is_value(&self.get(*id).shape))
    }

    pub fn all(&self) -> impl Iterator<Item = IfaceId> + use<> {
        (0..self.ifaces.len() as u32).map(IfaceId)
    }

    /// `f32_1d`, `opaque_point`.
    pub fn name(&self, id: IfaceId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The scalar type that it is, if it is one.
    pub fn scalar(&self, id: IfaceId) -> Option<Prim> {
        match self.get(id).shape {
            IfaceShape::Scalar(prim) => Some(prim),
            _ => None,
        }
    }

    /// How many columns it has.
    pub fn columns(&self, id: IfaceId) -> usize {
        self.get(id).columns.len()
    }

    /// A declaration of something that is passed: `const int32_t x`, `const struct futhark_f32_1d *x`.
    pub fn input(&self, id: IfaceId, variable: &str) -> String {
        match self.scalar(id) {
            Some(prim) => format!("const {} {variable}", scalar_type(prim)),
            None => format!("const struct futhark_{} *{variable}", self.name(id)),
        }
    }

    /// A declaration of where something is written to: `int32_t *x`, `struct futhark_f32_1d **x`.
    pub fn output(&self, id: IfaceId, variable: &str) -> String {
        match self.scalar(id) {
            Some(prim) => format!("{} *{variable}", scalar_type(prim)),
            None => format!("struct futhark_{} **{variable}", self.name(id)),
        }
    }

    /// The type with this shape, if entry points have it.
    pub fn find(&self, shape: &IfaceShape) -> Option<IfaceId> {
        self.ifaces.iter().position(|iface| iface.shape == *shape).map(|at| IfaceId(at as u32))
    }

    /// The type of arrays of a type, if entry points have it.
    pub fn array_of(&self, id: IfaceId, rank: usize) -> Option<IfaceId> {
        match self.get(id).shape {
            IfaceShape::Scalar(prim) => self.find(&IfaceShape::Array(prim, rank)),
            IfaceShape::Array(prim, more) => self.find(&IfaceShape::Array(prim, rank + more)),
            _ => self.find(&IfaceShape::OpaqueArray(id, rank)),
        }
    }
}

pub fn scalar_type(prim: Prim) -> &'static str {
    match prim {
        Prim::I8 => "int8_t",
        Prim::I16 => "int16_t",
        Prim::I32 => "int32_t",
        Prim::I64 => "int64_t",
        Prim::U8 => "uint8_t",
        Prim::U16 | Prim::F16 => "uint16_t",
        Prim::U32 => "uint32_t",
        Prim::U64 => "uint64_t",
        Prim::F32 => "float",
        Prim::F64 => "double",
        Prim::Bool => "bool",
    }
}

/// A name that is made of others, or of a hash.
fn readable(ifaces: &[Iface], id: IfaceId) -> String {
    let iface = &ifaces[id.0 as usize];
    if is_c_name(&iface.name) {
        return iface.name.clone();
    }
    let short = match &iface.shape {
        IfaceShape::Scalar(prim) => prim.name().to_string(),
        IfaceShape::Array(prim, rank) => format!("arr{rank}d_{}", prim.name()),
        IfaceShape::OpaqueArray(elem, rank) => format!("arr{rank}d_{}", readable(ifaces, *elem)),
        IfaceShape::Record(fields)
            if fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string()) =>
        {
            let parts: Vec<String> = fields.iter().map(|(_, ty)| readable(ifaces, *ty)).collect();
            format!("tup{}_{}", fields.len(), parts.join("_"))
        }
        IfaceShape::Record(_) | IfaceShape::Sum(_) | IfaceShape::Recursive(_) | IfaceShape::Opaque => {
            hashed(&iface.name)
        }
    };
    if short.len() <= 60 { short } else { hashed(&iface.name) }
}

fn is_c_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Part of a C name, whatever the name is: `x'` is `x_q`, and other characters that C does not know are numbers.
pub fn mangled(name: &str) -> String {
    let part = |c: char| match c {
        '\'' => "_q".to_string(),
        c if c.is_ascii_alphanumeric() || c == '_' => c.to_string(),
        c => format!("_{:x}_", c as u32),
    };
    name.chars().map(part).collect()
}

fn hashed(text: &str) -> String {
    format!("{:016x}", hash(text))
}

/// FNV-1a, which is the same everywhere.
pub fn hash(text: &str) -> u64 {
    let next = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325u64, next)
}
