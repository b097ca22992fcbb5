//! Unknown regions and which of them are one.

/// An unknown region, or the class of those that it was unified with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegionId(usize);

/// A forest: each region leads towards the representative of its class.
#[derive(Default)]
pub struct Unifier {
    parent: Vec<usize>,
    /// Of representatives: whether cells are made in the region.
    allocates: Vec<bool>,
}

impl Unifier {
    pub fn fresh(&mut self) -> RegionId {
        self.parent.push(self.parent.len());
        self.allocates.push(false);
        RegionId(self.parent.len() - 1)
    }

    /// The representative of a class is its oldest member.
    pub fn find(&mut self, region: RegionId) -> RegionId {
        let mut at = region.0;
        while self.parent[at] != at {
            // Halving the path keeps the forest flat.
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        RegionId(at)
    }

    pub fn unify(&mut self, a: RegionId, b: RegionId) {
        let (a, b) = (self.find(a).0, self.find(b).0);
        let (old, new) = (a.min(b), a.max(b));
        self.parent[new] = old;
        self.allocates[old] |= self.allocates[new];
    }

    pub fn allocate(&mut self, region: RegionId) {
        let class = self.find(region);
        self.allocates[class.0] = true;
    }

    pub fn allocates(&mut self, region: RegionId) -> bool {
        let class = self.find(region);
        self.allocates[class.0]
    }
}
