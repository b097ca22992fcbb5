//! What launches cost, by the places in the program they come from. Measured only when asked for.

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    pub launches: u64,
    /// Nanoseconds from beginning to end of the launches.
    pub time: u64,
    /// The sum of the widths of the launches.
    pub width: u64,
    /// The sum of the sizes of the blocks that each could reach.
    pub bytes: u64,
}

/// What has been charged.
#[derive(Default)]
pub struct Profile {
    /// By site.
    costs: Vec<Cost>,
}

impl Cost {
    pub fn add(&mut self, more: Cost) {
        self.launches += more.launches;
        self.time += more.time;
        self.width = self.width.saturating_add(more.width);
        self.bytes = self.bytes.saturating_add(more.bytes);
    }
}

impl Profile {
    pub fn charge(&mut self, site: usize, cost: Cost) {
        if self.costs.len() <= site {
            self.costs.resize(site + 1, Cost::default());
        }
        self.costs[site].add(cost);
    }

    /// What was charged, which is then forgotten.
    pub fn take(&mut self) -> Vec<Cost> {
        std::mem::take(&mut self.costs)
    }
}
