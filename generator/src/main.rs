//! makruk-gen
fn main() {}
