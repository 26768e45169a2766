// Joins the endgame tables of Makruk to Fairy-Stockfish: options, the root, and the search.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#ifndef MAKRUK_SEARCH_H_INCLUDED
#define MAKRUK_SEARCH_H_INCLUDED

#include "../position.h"
#include "../search.h"
#include "../uci.h"
#include "makruk_tables.h"

namespace Makruk {

/// Positions of so many men are probed in the search that runs; 0 if it must not probe.
extern int searchMen;
/// Positions are probed if so much depth remains; 0 probes the quiescence search too.
extern int searchDepth;
/// The running search is one of Makruk with tables.
extern bool isActive;

/// Adds the options MakrukPath, MakrukPreload, MakrukProbeDepth and MakrukProbeLimit.
void add_options(Stockfish::UCI::OptionsMap& options);

/// Prepares a search. If the game is Makruk and there are tables, returns true; then rootInTables tells whether they cover the
/// root. In that case the moves are sorted by group, and have scores. Moves that lead to a third occurrence are draws.
bool rank_root_moves(Stockfish::Position& pos, Stockfish::Search::RootMoves& rootMoves, bool& rootInTables);

/// Asks the tables. Returns true and sets the value, which is exact, if they have an answer.
bool probe_tables(Stockfish::Position& pos, int ply, int depth, Stockfish::Value& value);

/// Asks the tables if they cover the position.
inline bool probe(Stockfish::Position& pos, int ply, int depth, Stockfish::Value& value) {
    return searchMen && depth >= searchDepth && pos.count<Stockfish::ALL_PIECES>() <= searchMen
        && !pos.count<Stockfish::PAWN>() && probe_tables(pos, ply, depth, value);
}

/// Mixed into the key of the transposition table: the count, and whether the search probes. Without tables it is 0.
inline Stockfish::Key hash_key(const Stockfish::Position& pos) {
    return isActive ? count_key(pos.counting_limit(0), pos.counting_ply(0) - (searchMen ? 0x4000 : 0)) : 0;
}

/// The same after a move that begins no other count, for a prefetch.
inline Stockfish::Key next_hash_key(const Stockfish::Position& pos) {
    return count_key(pos.counting_limit(0), pos.counting_ply(0) + 1 - (searchMen ? 0x4000 : 0));
}

} // namespace Makruk

#endif // MAKRUK_SEARCH_H_INCLUDED
