fn main() {
    norn::bindings::build("src/stats.fut");
}
