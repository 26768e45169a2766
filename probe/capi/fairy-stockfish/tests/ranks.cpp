// Prints how the adapter ranks the moves of positions: ranks FOLDER < FENS
//
// A line has the moves of a root, the best group first, each as from, to, group, category, plies to a certain mate.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#include <cstdio>
#include <iostream>

#include "makruk_tables.h"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Makruk::Tables tables;
    if (!tables.set_path("<empty>").empty() || tables.men() != 0) return 1;
    for (const std::string& line : tables.set_path(argv[1])) std::fprintf(stderr, "%s\n", line.c_str());
    for (const std::string& line : tables.preload("3")) std::fprintf(stderr, "%s\n", line.c_str());
    for (std::string fen; std::getline(std::cin, fen);) {
        MakrukPosition position;
        if (makruk_position_from_fen(fen.c_str(), &position) != MAKRUK_OK) return 1;
        bool byDistance = false;
        const auto moves = tables.rank(position, byDistance);
        std::printf("%d %d", tables.category(position, 0), byDistance);
        for (const Makruk::RankedMove& move : moves)
            std::printf(" %d-%d:%d:%d:%d", move.from, move.to, move.group, move.category, move.matePlies);
        std::puts("");
    }
    const std::string failure = tables.failure();
    if (!failure.empty()) std::printf("%s\n", failure.c_str());
    return 0;
}
