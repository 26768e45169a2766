// Checks how repetitions change ranks, then prints how the adapter ranks the moves of positions: ranks FOLDER < FENS
//
// A line has the moves of a root, the best group first, each as from, to, group, category, plies to a certain mate.
//
// SPDX-License-Identifier: MIT OR Apache-2.0

#include <array>
#include <cstdio>
#include <iostream>
#include <vector>

#include "makruk_tables.h"

namespace {

/// A move as from, group, category, repetition.
using Repeated = std::array<int, 4>;

/// Whether moves are ranked so once repetitions are draws.
bool are_drawn(const std::vector<Repeated>& before, const std::vector<std::array<int, 3>>& after) {
    std::vector<Makruk::RankedMove> moves;
    for (const auto& [from, group, category, repetition] : before) {
        const int mate = category == MAKRUK_WIN ? 9 : 0;
        moves.push_back({from, 0, group, category, mate, Makruk::Repetition(repetition)});
    }
    Makruk::draw_repetitions(moves);
    bool isSame = moves.size() == after.size();
    for (size_t i = 0; isSame && i < moves.size(); i++) {
        const auto& [from, group, category] = after[i];
        isSame = moves[i].from == from && moves[i].group == group && moves[i].category == category
              && (moves[i].matePlies != 0) == (category == MAKRUK_WIN);
    }
    return isSame;
}

bool are_repetitions_drawn() {
    constexpr int OPEN = 0, LOSS = MAKRUK_LOSS, BLESSED = MAKRUK_BLESSED_LOSS, DRAW = MAKRUK_DRAW, CURSED = MAKRUK_CURSED_WIN,
                  WIN = MAKRUK_WIN, MOVE = int(Makruk::Repetition::BY_MOVE), REPLY = int(Makruk::Repetition::BY_REPLY);
    // Without repetitions nothing changes.
    return are_drawn({{1, 0, WIN, 0}, {2, 0, WIN, 0}, {3, 1, CURSED, 0}}, {{1, 0, WIN}, {2, 0, WIN}, {3, 1, CURSED}})
        // The winner avoids them, those by a reply, too; what the opponent may overlook comes before other draws.
        && are_drawn({{1, 0, WIN, MOVE}, {2, 1, WIN, REPLY}, {3, 2, WIN, 0}, {4, 3, DRAW, 0}},
                     {{3, 0, WIN}, {2, 1, DRAW}, {4, 2, DRAW}, {1, 3, DRAW}})
        // A cursed win does, too. Draws stay as they are.
        && are_drawn({{1, 0, CURSED, REPLY}, {2, 0, CURSED, 0}, {3, 1, DRAW, MOVE}, {4, 2, DRAW, 0}},
                     {{2, 0, CURSED}, {1, 1, DRAW}, {3, 2, DRAW}, {4, 3, DRAW}})
        // The loser wants them; a reply that repeats is the opponent's choice.
        && are_drawn({{1, 0, LOSS, REPLY}, {2, 1, LOSS, MOVE}, {3, 2, LOSS, 0}}, {{2, 0, DRAW}, {1, 1, LOSS}, {3, 2, LOSS}})
        && are_drawn({{1, 0, BLESSED, 0}, {2, 0, BLESSED, MOVE}}, {{2, 0, DRAW}, {1, 1, BLESSED}})
        // While the tables leave moves open, a draw is one more candidate.
        && are_drawn({{1, 0, OPEN, 0}, {2, 0, BLESSED, 0}, {3, 1, LOSS, MOVE}}, {{1, 0, OPEN}, {2, 0, BLESSED}, {3, 0, DRAW}});
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    if (!are_repetitions_drawn()) {
        std::fputs("repetitions are not draws\n", stderr);
        return 1;
    }
    Makruk::Tables tables;
    if (!tables.set_path("<empty>").empty() || tables.men() != 0) return 1;
    for (const std::string& line : tables.set_path(argv[1])) std::fprintf(stderr, "%s\n", line.c_str());
    for (const std::string& line : tables.preload("3")) std::fprintf(stderr, "%s\n", line.c_str());
    for (std::string fen; std::getline(std::cin, fen);) {
        MakrukPosition position;
        if (makruk_position_from_fen(fen.c_str(), &position) != MAKRUK_OK) return 1;
        const auto moves = tables.rank(position);
        std::printf("%d", tables.category(position, 0));
        for (const Makruk::RankedMove& move : moves)
            std::printf(" %d-%d:%d:%d:%d", move.from, move.to, move.group, move.category, move.matePlies);
        std::puts("");
    }
    const std::string failure = tables.failure();
    if (!failure.empty()) std::printf("%s\n", failure.c_str());
    return 0;
}
