//! Checks and generators that run from the checkout.
fn main() {}
