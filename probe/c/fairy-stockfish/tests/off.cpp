// Calls what the patches call, in a build without tables: off
//
// The engine's headers are stand-ins that have the names alone.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "makruk/makruk_search.h"

int main() {
    Stockfish::Position pos;
    Stockfish::UCI::OptionsMap options;
    Stockfish::Search::RootMoves rootMoves(2);
    Stockfish::Value value = Stockfish::Value(7);
    std::vector<Stockfish::Move> pv(3);
    bool rootInTables = true;
    Makruk::add_options(options);
    const bool isUnchanged = !Makruk::rank_root_moves(pos, rootMoves, rootInTables) && rootInTables && rootMoves.size() == 2
                          && !Makruk::extend_pv(pos, pv) && pv.size() == 3
                          && !Makruk::probe(pos, 1, 20, value) && value == Stockfish::Value(7)
                          && Makruk::hash_key(pos) == 0 && !Makruk::isActive;
    return isUnchanged ? 0 : 1;
}
