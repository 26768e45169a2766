//! makruk-probe
fn main() {}
