//! The greedy plan: from the top downwards, each kernel joins the first cluster that it can (section 8.1).
//!
//! It is what one gets without looking ahead, and what the exact search has to beat. Nothing is repeated.

use super::plan::{Clusters, Instance, Plan, all, members};

pub fn greedy(instance: &Instance) -> Plan {
    let mut clusters = Clusters::default();
    let mut done = 0;
    for i in 0..instance.len() {
        done |= 1 << i;
        let joined = (0..clusters.own.len()).find(|at| {
            let mut next = clusters.clone();
            next.own[*at] |= 1 << i;
            next.full[*at] |= 1 << i;
            members(clusters.own[*at]).any(|j| instance.linked(&clusters, i, j))
                && instance.fits_together(next.own[*at], next.full[*at])
                && instance.can_stand(next.own[*at], next.full[*at], done)
                && instance.has_order(&next)
        });
        match joined {
            Some(at) => {
                clusters.own[at] |= 1 << i;
                clusters.full[at] |= 1 << i;
            }
            None => {
                clusters.own.push(1 << i);
                clusters.full.push(1 << i);
            }
        }
    }
    dissolve(instance, &mut clusters);
    let mut plan = instance.apart();
    for own in &clusters.own {
        let first = own.trailing_zeros() as usize;
        members(*own).for_each(|i| plan.cluster[i] = Some(first));
    }
    plan
}

/// A cluster that only later kernels have made impossible is taken apart.
fn dissolve(instance: &Instance, clusters: &mut Clusters) {
    let done = all(instance.len());
    while let Some(at) = (0..clusters.own.len()).find(|at| {
        !instance.can_stand(clusters.own[*at], clusters.full[*at], done)
            || !instance.hangs_together(clusters, *at)
    }) {
        let own = clusters.own.remove(at);
        clusters.full.remove(at);
        for i in members(own) {
            clusters.own.push(1 << i);
            clusters.full.push(1 << i);
        }
    }
}
