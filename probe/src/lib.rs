//! Prober.
