//! The variables of an active call.
//!
//! Variables of scalar type are words in one vector, arrays, accumulators and regions are objects in another;
//! the types of a program say which variable is where. Constants stand among the words, so that an
//! operand is always a place in one of the vectors.

use crate::acc::Acc;
use crate::code::{FunCode, Use};
use crate::region::Region;
use crate::view::View;
use norn_ir::scalar::eval::Word;

pub(crate) struct Locals {
    pub(crate) words: Vec<Word>,
    pub(crate) objects: Vec<Object>,
}

#[derive(Clone)]
pub(crate) enum Object {
    /// Not bound yet, or used for the last time.
    Empty,
    Array(View),
    Acc(Acc),
    Region(Region),
}

impl Locals {
    pub(crate) fn new(fun: &FunCode) -> Locals {
        Locals { words: fun.words.clone(), objects: vec![Object::Empty; fun.objects] }
    }

    pub(crate) fn clear(&mut self) {
        self.objects.fill(Object::Empty);
    }

    pub(crate) fn word(&self, place: u32) -> Word {
        self.words[place as usize]
    }

    pub(crate) fn int(&self, place: u32) -> i64 {
        self.words[place as usize] as i64
    }

    pub(crate) fn set_word(&mut self, place: u32, word: Word) {
        self.words[place as usize] = word;
    }

    /// The object, which leaves its place if this is its last use.
    pub(crate) fn object(&mut self, operand: Use) -> Object {
        let place = &mut self.objects[operand.place as usize];
        if operand.last { std::mem::replace(place, Object::Empty) } else { place.clone() }
    }

    pub(crate) fn set_object(&mut self, place: u32, object: Object) {
        self.objects[place as usize] = object;
    }

    pub(crate) fn array(&mut self, operand: Use) -> View {
        match self.object(operand) {
            Object::Array(view) => view,
            other @ (Object::Empty | Object::Acc(_) | Object::Region(_)) => no_array(&other),
        }
    }

    pub(crate) fn array_at(&self, place: u32) -> &View {
        match &self.objects[place as usize] {
            Object::Array(view) => view,
            other @ (Object::Empty | Object::Acc(_) | Object::Region(_)) => no_array(other),
        }
    }

    pub(crate) fn set_array(&mut self, place: u32, view: View) {
        self.objects[place as usize] = Object::Array(view);
    }

    /// A place of a region, or what stands for all regions before they are inferred.
    pub(crate) fn region(&self, place: u32) -> &Region {
        match &self.objects[place as usize] {
            Object::Region(region) => region,
            Object::Empty | Object::Array(_) | Object::Acc(_) => panic!("a region was expected"),
        }
    }
}

fn no_array(found: &Object) -> ! {
    let found = match found {
        Object::Empty => "nothing",
        Object::Array(_) => "an array",
        Object::Acc(_) => "an accumulator",
        Object::Region(_) => "a region",
    };
    panic!("an array was expected, but {found} was found")
}
