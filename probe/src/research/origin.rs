//! Where slabs come from.

use std::ops::Deref;

use crate::{Tables, ValueSource};

/// A source of values that may have whole slabs of them.
pub trait SlabSource: ValueSource {
    /// The tables whose slabs can be read; without any, each position is asked for by itself.
    fn tables(&self) -> Option<&Tables>;
}

impl SlabSource for Tables {
    fn tables(&self) -> Option<&Tables> {
        Some(self)
    }
}

/// Whatever points to a source is one.
impl<P: Deref<Target: SlabSource>> SlabSource for P {
    fn tables(&self) -> Option<&Tables> {
        (**self).tables()
    }
}
