//! Material sets.
