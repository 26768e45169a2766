// Joins the endgame tables of Makruk to Fairy-Stockfish: options, root and search. MAKRUK_TABLES_OFF leaves them out.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#ifndef MAKRUK_SEARCH_H_INCLUDED
#define MAKRUK_SEARCH_H_INCLUDED

#include "../position.h"
#include "../search.h"
#include "../uci.h"

#include <vector>

#ifdef MAKRUK_TABLES_OFF

/// Without tables: the engine asks nothing and searches as if the calls were not there.
namespace Makruk {

constexpr bool isActive = false;
inline void add_options(Stockfish::UCI::OptionsMap&) {}
inline bool rank_root_moves(Stockfish::Position&, Stockfish::Search::RootMoves&, bool&) { return false; }
inline bool extend_pv(Stockfish::Position&, std::vector<Stockfish::Move>&) { return false; }
inline bool probe(Stockfish::Position&, int, int, Stockfish::Value&) { return false; }
inline Stockfish::Key hash_key(const Stockfish::Position&) { return 0; }

} // namespace Makruk

#else

#include "makruk_tables.h"

namespace Makruk {

/// The most men of a position that is probed in the search that runs; 0 if it must not probe.
extern int searchMen;
/// The least remaining depth at which positions are probed; 0 probes the quiescence search too.
extern int searchDepth;
/// The running search is one of Makruk with tables.
extern bool isActive;

/// Adds the options MakrukPath, MakrukPreload, MakrukProbeDepth and MakrukProbeLimit.
void add_options(Stockfish::UCI::OptionsMap& options);

/// Prepares a search. If the game is Makruk and there are tables, returns true; then rootInTables tells whether they
/// cover the root. If so, the moves are sorted by group, and have scores. A move to a third occurrence is a draw.
bool rank_root_moves(Stockfish::Position& pos, Stockfish::Search::RootMoves& rootMoves, bool& rootInTables);

/// Adds to a line the moves that the tables know to the mate. Returns true if there are any; it takes a tenth of the
/// search's time at most.
bool extend_pv(Stockfish::Position& pos, std::vector<Stockfish::Move>& pv);

/// Asks the tables. Returns true and sets the value, which is exact, if they have an answer.
bool probe_tables(Stockfish::Position& pos, int ply, int depth, Stockfish::Value& value);

/// Asks the tables if they cover the position.
inline bool probe(Stockfish::Position& pos, int ply, int depth, Stockfish::Value& value) {
    return searchMen && depth >= searchDepth && pos.count<Stockfish::ALL_PIECES>() <= searchMen
        && probe_tables(pos, ply, depth, value);
}

/// Mixed into the key of the transposition table. The key of a position with a count has groups of counts; where the
/// tables answer, each count has its own. A search that does not probe has other values, so it has keys of its own.
inline Stockfish::Key hash_key(const Stockfish::Position& pos) {
    if (!isActive) return 0;
    if (!searchMen) return scattered(1 << 20);
    if (!pos.counting_limit(0) || pos.count<Stockfish::ALL_PIECES>() > searchMen) return 0;
    return scattered(uint64_t(1 << 16) + pos.counting_limit(0) - pos.counting_ply(0));
}

} // namespace Makruk

#endif // MAKRUK_TABLES_OFF

#endif // MAKRUK_SEARCH_H_INCLUDED
