//! One value for each role.

use std::ops::{Index, IndexMut};

use super::Role;

/// One value for each role besides the king, in the order of names: R N S M P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByRole<T>([T; 5]);

impl<T> ByRole<T> {
    /// Values in the order R N S M P.
    pub const fn new(values: [T; 5]) -> ByRole<T> {
        ByRole(values)
    }

    /// A value for each role, computed from it.
    pub fn from_fn(mut make: impl FnMut(Role) -> T) -> ByRole<T> {
        ByRole(std::array::from_fn(|place| make(Role::IN_NAMES[place])))
    }

    /// The values, in the order R N S M P.
    pub const fn values(&self) -> &[T; 5] {
        &self.0
    }

    /// The roles and their values, in the order R N S M P.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &T)> {
        Role::IN_NAMES.into_iter().zip(&self.0)
    }

    /// The value of a role; `None` for the king.
    pub const fn get(&self, role: Role) -> Option<&T> {
        match place(role) {
            Some(at) => Some(&self.0[at]),
            None => None,
        }
    }
}

/// The place of a role in the order of names; `None` for the king.
const fn place(role: Role) -> Option<usize> {
    (role as usize).checked_sub(1)
}

/// # Panics
///
/// For the king, who has no value.
impl<T> Index<Role> for ByRole<T> {
    type Output = T;

    fn index(&self, role: Role) -> &T {
        &self.0[place(role).expect("the king has no value here")]
    }
}

/// # Panics
///
/// For the king, who has no value.
impl<T> IndexMut<Role> for ByRole<T> {
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[place(role).expect("the king has no value here")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_role() {
        let mut letters = ByRole::from_fn(Role::letter);
        assert_eq!(letters.values(), &['R', 'N', 'S', 'M', 'P']);
        assert!(Role::IN_NAMES.into_iter().all(|role| letters[role] == role.letter()));
        letters[Role::Met] = 'F';
        assert_eq!((letters.get(Role::Met), letters.get(Role::King)), (Some(&'F'), None));
        assert_eq!(letters.iter().filter(|&(role, &letter)| role.letter() != letter).count(), 1);
    }
}
