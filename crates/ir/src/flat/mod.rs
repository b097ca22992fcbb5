//! flat: nest with places to run.
