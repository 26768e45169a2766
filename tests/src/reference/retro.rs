//! The graph of a material's moves, turned round, and the breadth-first search on it.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use makruk_tables::rules::{Color, Position};
use rayon::prelude::*;

use super::Places;

/// No win in any number of plies.
pub(super) const NEVER: u16 = u16::MAX;

/// A legal capture, which leads to a position of another material.
pub(super) struct Capture {
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
    /// Captures.
    captures: Vec<Capture>,
    /// The other moves: those that lead to place `p` come from `sources[first[p]..first[p + 1]]`.
    first: Vec<u32>,
    sources: Vec<u32>,
    legal: u64,
}

impl Graph {
    /// Visits every position of the material.
    pub(super) fn new(places: &Places) -> Graph {
        let len = places.len();
        let moves: Vec<AtomicU8> = zeroed(len);
        let arriving: Vec<AtomicU32> = zeroed(len);
        let positions = || (0..len).into_par_iter().filter_map(|at| places.position(at).map(|position| (at, position)));

        // First the number of moves that lead to each place, then, with the room for them known, their sources.
        let (mated, captures) = positions()
            .fold(Default::default, |(mut mated, mut captures): (Vec<u32>, Vec<Capture>), (at, position)| {
                let legal = position.legal_moves();
                moves[at].store(legal.len() as u8, Relaxed);
                if legal.is_empty() && position.is_check() {
                    mated.push(at as u32);
                }
                for mv in legal {
                    let child = position.play(mv);
                    if position.captured(mv).is_some() {
                        captures.push(Capture { from: at as u32, child });
                    } else {
                        arriving[places.place(&child)].fetch_add(1, Relaxed);
                    }
                }
                (mated, captures)
            })
            .reduce(Default::default, |mut all, mut more| {
                all.0.append(&mut more.0);
                all.1.append(&mut more.1);
                all
            });
        let mut first = Vec::with_capacity(len + 1);
        let mut sum = 0u32;
        first.push(0);
        for arriving in &arriving {
            sum = sum.checked_add(arriving.load(Relaxed)).expect("fewer than 2^32 moves");
            first.push(sum);
        }
        let sources: Vec<AtomicU32> = zeroed(sum as usize);
        let legal = positions()
            .map(|(at, position)| {
                for mv in position.legal_moves() {
                    if position.captured(mv).is_none() {
                        let to = places.place(&position.play(mv));
                        let slot = first[to] + arriving[to].fetch_sub(1, Relaxed) - 1;
                        sources[slot as usize].store(at as u32, Relaxed);
                    }
                }
            })
            .count() as u64;
        let moves = moves.into_iter().map(AtomicU8::into_inner).collect();
        let sources = sources.into_iter().map(AtomicU32::into_inner).collect();
        Graph { moves, mated, captures, first, sources, legal }
    }

    /// The number of legal positions that were visited.
    pub(super) fn legal(&self) -> u64 {
        self.legal
    }

    /// The plies in which the attacker wins the position at each place: as soon as he can, however long the defender
    /// holds out. `after` says the same of the position after a capture.
    pub(super) fn solve(&self, places: &Places, attacker: Color, after: impl Fn(&Capture) -> u16) -> Vec<u16> {
        let attacker_moves = places.of_side(attacker);
        let mut plies = vec![NEVER; places.len()];
        // The defender's moves that are not known to lose yet.
        let mut open = self.moves.clone();
        let mut captures: Vec<Vec<u32>> = Vec::new();
        for capture in &self.captures {
            let after = after(capture);
            if after != NEVER {
                let settled = usize::from(after) + 1;
                captures.resize_with(captures.len().max(settled + 1), Vec::new);
                captures[settled].push(capture.from);
            }
        }

        let mut newest: Vec<u32> =
            self.mated.iter().copied().filter(|&at| !attacker_moves.contains(&(at as usize))).collect();
        for &at in &newest {
            plies[at as usize] = 0;
        }
        let mut depth = 0;
        while !newest.is_empty() || usize::from(depth) < captures.len() {
            depth += 1;
            let mut found = Vec::new();
            let quiet = newest.iter().flat_map(|&to| {
                let to = to as usize;
                &self.sources[self.first[to] as usize..self.first[to + 1] as usize]
            });
            for &at in quiet.chain(captures.get(usize::from(depth)).into_iter().flatten()) {
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
