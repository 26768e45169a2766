//! The graph of a material's moves, turned round, and the breadth-first search on it.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use makruk_rules::{Color, Move, Position};
use rayon::prelude::*;

use super::places::Places;

/// No win in any number of plies.
pub(super) const NEVER: u16 = u16::MAX;

/// A legal capture or promotion, which leads to a position of another material.
pub(super) struct Exit {
    from: u32,
    /// The position after it.
    pub(super) child: Position,
}

/// All legal moves of all positions of a material.
pub(super) struct Graph {
    /// By place, the number of legal moves.
    moves: Vec<u8>,
    /// Places whose side to move is mated.
    mated: Vec<u32>,
    exits: Vec<Exit>,
    /// The other moves: those that lead to place `p` come from `sources[first[p]..first[p + 1]]`.
    first: Vec<u32>,
    sources: Vec<u32>,
    /// The number of legal positions, by the side to move.
    legal: [u64; 2],
}

/// The result of the first visit of all positions.
#[derive(Default)]
struct Visited {
    mated: Vec<u32>,
    exits: Vec<Exit>,
    legal: [u64; 2],
}

impl Visited {
    fn and(mut self, mut more: Visited) -> Visited {
        self.mated.append(&mut more.mated);
        self.exits.append(&mut more.exits);
        for (legal, more) in self.legal.iter_mut().zip(more.legal) {
            *legal += more;
        }
        self
    }
}

/// Whether the move leads to another material.
fn is_exit(position: &Position, mv: Move) -> bool {
    position.captured(mv).is_some() || mv.promotion
}

impl Graph {
    /// Visits every position of the material.
    pub(super) fn new(places: &Places) -> Graph {
        let len = places.len();
        let moves: Vec<AtomicU8> = zeroed(len);
        let arriving: Vec<AtomicU32> = zeroed(len);
        let positions = || (0..len).into_par_iter().filter_map(|at| places.position(at).map(|position| (at, position)));

        // First the number of moves that lead to each place, then, with the room for them known, their sources.
        let Visited { mated, exits, legal } = positions()
            .fold(Visited::default, |mut visited, (at, position)| {
                let legal = position.legal_moves();
                moves[at].store(legal.len() as u8, Relaxed);
                visited.legal[position.turn() as usize] += 1;
                if legal.is_empty() && position.is_check() {
                    visited.mated.push(at as u32);
                }
                for mv in legal {
                    let child = position.play(mv);
                    if is_exit(&position, mv) {
                        visited.exits.push(Exit { from: at as u32, child });
                    } else {
                        arriving[places.place(&child)].fetch_add(1, Relaxed);
                    }
                }
                visited
            })
            .reduce(Visited::default, Visited::and);
        let mut first = Vec::with_capacity(len + 1);
        let mut sum = 0u32;
        first.push(0);
        for arriving in &arriving {
            sum = sum.checked_add(arriving.load(Relaxed)).expect("fewer than 2^32 moves");
            first.push(sum);
        }
        let sources: Vec<AtomicU32> = zeroed(sum as usize);
        positions().for_each(|(at, position)| {
            for mv in position.legal_moves() {
                if !is_exit(&position, mv) {
                    let to = places.place(&position.play(mv));
                    let slot = first[to] + arriving[to].fetch_sub(1, Relaxed) - 1;
                    sources[slot as usize].store(at as u32, Relaxed);
                }
            }
        });
        let moves = moves.into_iter().map(AtomicU8::into_inner).collect();
        let sources = sources.into_iter().map(AtomicU32::into_inner).collect();
        Graph { moves, mated, exits, first, sources, legal }
    }

    /// The numbers of legal positions that were visited, with White and with Black to move.
    pub(super) fn legal(&self) -> [u64; 2] {
        self.legal
    }

    /// The plies in which the attacker wins the position at each place: as soon as he can, however long the defender
    /// holds out. `after` says the same of the position after an exit.
    pub(super) fn solve(&self, places: &Places, attacker: Color, after: impl Fn(&Exit) -> u16) -> Vec<u16> {
        let attacker_moves = places.of_side(attacker);
        let mut plies = vec![NEVER; places.len()];
        // The defender's moves that are not known to lose yet.
        let mut open = self.moves.clone();
        // By plies, the places from which an exit is won.
        let mut seeds: Vec<Vec<u32>> = Vec::new();
        for exit in &self.exits {
            let after = after(exit);
            if after != NEVER {
                let settled = usize::from(after) + 1;
                seeds.resize_with(seeds.len().max(settled + 1), Vec::new);
                seeds[settled].push(exit.from);
            }
        }

        let mut newest: Vec<u32> =
            self.mated.iter().copied().filter(|&at| !attacker_moves.contains(&(at as usize))).collect();
        for &at in &newest {
            plies[at as usize] = 0;
        }
        let mut depth = 0;
        while !newest.is_empty() || usize::from(depth) < seeds.len() {
            depth += 1;
            let mut found = Vec::new();
            let quiet = newest.iter().flat_map(|&to| {
                let to = to as usize;
                &self.sources[self.first[to] as usize..self.first[to + 1] as usize]
            });
            for &at in quiet.chain(seeds.get(usize::from(depth)).into_iter().flatten()) {
                let from = at as usize;
                if attacker_moves.contains(&from) {
                    // One winning move is enough; the first found is the shortest.
                    if plies[from] == NEVER {
                        plies[from] = depth;
                        found.push(at);
                    }
                } else {
                    // All moves must lose; the last found is the longest.
                    open[from] -= 1;
                    if open[from] == 0 {
                        plies[from] = depth;
                        found.push(at);
                    }
                }
            }
            newest = found;
        }
        plies
    }
}

fn zeroed<T: Default + Send>(len: usize) -> Vec<T> {
    (0..len).into_par_iter().map(|_| T::default()).collect()
}
