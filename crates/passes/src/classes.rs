//! Disjoint classes of things that are known by numbers (union-find). The least number of a class stands for it.

#[derive(Default)]
pub struct Classes(Vec<u32>);

impl Classes {
    /// So many things, each in a class of its own.
    pub fn new(count: usize) -> Classes {
        Classes((0..count as u32).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// One more thing, in a class of its own.
    pub fn add(&mut self) {
        self.0.push(self.0.len() as u32);
    }

    /// One more thing, in the class of another one.
    pub fn add_like(&mut self, other: u32) {
        self.0.push(self.of(other));
    }

    pub fn of(&self, thing: u32) -> u32 {
        let mut at = thing;
        while self.0[at as usize] != at {
            at = self.0[at as usize];
        }
        at
    }

    /// Makes one class of two. Returns which these were.
    pub fn join(&mut self, a: u32, b: u32) -> (u32, u32) {
        let (a, b) = (self.shortened(a), self.shortened(b));
        self.0[a.max(b) as usize] = a.min(b);
        (a, b)
    }

    /// The class, which is found in fewer steps the next time.
    pub fn shortened(&mut self, thing: u32) -> u32 {
        let mut at = thing;
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }
}
