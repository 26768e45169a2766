//! A position's place in its table.
