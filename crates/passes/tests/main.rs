//! The tests of this crate, as one program: it is linked once.

mod files;
mod forms;
mod fuse;
mod fuse_plans;
mod parallel;
mod run;
mod tuning;
mod vectorise;
