// SPDX-License-Identifier: MIT OR Apache-2.0

#ifndef MAKRUK_TABLES_OFF

#include "makruk_tables.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace Makruk {

namespace {

/// The table of a material has the damage of its file, or the system cannot read it.
bool is_damage(int32_t result) {
    return result == MAKRUK_CORRUPT_TABLE || result == MAKRUK_UNREADABLE_TABLE || result == MAKRUK_UNSUPPORTED_TABLE
        || result == MAKRUK_OUT_OF_MEMORY || result == MAKRUK_INTERNAL_ERROR;
}

int men_of(uint64_t squares) {
    int count = 0;
    for (; squares; squares &= squares - 1) count++;
    return count;
}

bool is_bare(uint64_t side) { return (side & (side - 1)) == 0; }

/// The lowest limit of pieces' honour that can still come, in moves: what the attacker has now. Fewer pieces have higher ones.
int pieces_honour(const MakrukPosition& position, uint64_t attacker) {
    const int rooks = men_of(position.rooks & attacker), khons = men_of(position.khons & attacker);
    return rooks > 1 ? 8 : rooks ? 16 : khons > 1 ? 22 : men_of(position.knights & attacker) > 1 ? 32 : khons ? 44 : 64;
}

/// The signed plies to mate of a ranked move, if no count can make them more: under the count that runs after the move against a
/// king that is bare then; or so soon that both that count and any that a capture or the last pawn's end may begin leave enough
/// moves.
int certain_mate(const MakrukPosition& root, const MakrukMove& move) {
    if (move.dtm == MAKRUK_NO_DISTANCE || (move.category != MAKRUK_WIN && move.category != MAKRUK_LOSS)) return 0;
    const bool wins = move.category == MAKRUK_WIN, whiteWins = wins == (root.side == MAKRUK_WHITE);
    const uint64_t attacker = whiteWins ? root.white : root.black, defender = whiteWins ? root.black : root.white;
    const int moves = (std::abs(move.dtm) + 1) / 2, men = men_of(root.white | root.black);
    const bool runs = move.limit != 0;
    if (runs && (is_bare(defender) || (wins && move.bares_king))) return move.dtm;
    // A promotion begins a count at all men; a capture leaves one less.
    const int begun = 1 + pieces_honour(root, attacker) - (root.pawns ? men : men - 1);
    const int left = runs ? (int(move.limit) - int(move.ply)) / 2 + 1 : begun;
    return moves <= left && moves <= begun ? move.dtm : 0;
}

/// More plies than any mate has: moves without a certain one come after those with one.
constexpr int UNCERTAIN = 1 << 16;

/// A ranked move with the numbers that order it, the least first.
struct Ordered {
    std::array<int, 3> key;
    const MakrukMove* move;
    int matePlies;
};

} // namespace

Tables::~Tables() { makruk_free(handle); }

std::vector<std::string> Tables::set_path(const std::string& path) {
    makruk_free(handle);
    handle = nullptr;
    largest = 0;
    failed = 0;
    noted = false;
    if (path.empty() || path == "<empty>") return {};

    char why[512] = "";
    const int32_t result = makruk_open(path.c_str(), 0, 0, &handle, why, sizeof why);
    if (result != MAKRUK_OK) {
        handle = nullptr;
        const std::string name = makruk_result_name(result);
        return {"Makruk tables: " + name + " in " + path + (*why ? std::string(": ") + why : "")};
    }
    largest = makruk_largest(handle);
    std::string found = "Makruk tables: " + std::to_string(makruk_materials(handle)) + " materials of up to "
                      + std::to_string(largest) + " men";
    const int complete = makruk_complete(handle);
    found += complete > 2 ? ", complete to " + std::to_string(complete) + " men" : ", not complete for three men";
    // Without category tables few positions under a count that runs are decided in the search.
    found += "; category tables: " + std::to_string(makruk_materials_with(handle, MAKRUK_HAS_CATEGORY)) + " of "
           + std::to_string(makruk_materials(handle));
    std::vector<std::string> lines{found};
    if (*why) lines.push_back(std::string("Makruk tables: left out: ") + why);
    return lines;
}

std::vector<std::string> Tables::preload(const std::string& what) {
    if (!handle || what.empty() || what == "<empty>") return {};
    const bool all = what == "all";
    const int32_t result = makruk_preload(handle, all ? nullptr : what.c_str(), nullptr, nullptr);
    if (result == MAKRUK_OK) return {"Makruk tables: preloaded " + what};
    return {std::string("Makruk tables: cannot preload ") + what + ": " + makruk_result_name(result)};
}

int32_t Tables::category(const MakrukPosition& position, uint32_t flags, MakrukBounds* bounds) const {
    const int32_t result = makruk_probe_search(handle, &position, flags, bounds);
    if (result < 0 && is_damage(result)) note_failure(position, result);
    return result;
}

void draw_repetitions(std::vector<RankedMove>& moves) {
    const auto repeats = [](const RankedMove& move) {
        return move.repetition == Repetition::BY_MOVE
            || (move.repetition == Repetition::BY_REPLY && move.category > MAKRUK_DRAW);
    };
    if (std::none_of(moves.begin(), moves.end(), repeats)) return;
    // If the tables leave moves of the first group open, a draw is one more candidate.
    const bool isOpen = std::any_of(moves.begin(), moves.end(),
                                    [](const RankedMove& move) { return move.group == 0 && move.category == 0; });
    const int last = int(moves.size());
    for (RankedMove& move : moves) {
        if (!repeats(move) || move.category == MAKRUK_DRAW) continue;
        move.category = MAKRUK_DRAW;
        move.matePlies = 0;
        move.group = isOpen ? 0 : move.repetition == Repetition::BY_REPLY ? -1 : last;
    }
    using Key = std::pair<int, int>;
    std::vector<std::pair<Key, RankedMove>> order;
    for (const RankedMove& move : moves) order.push_back({{isOpen ? 0 : -move.category, move.group}, move});
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < order.size(); i++) {
        moves[i] = order[i].second;
        moves[i].group = i == 0 ? 0 : moves[i - 1].group + (order[i].first != order[i - 1].first);
    }
}

std::vector<RankedMove> Tables::rank(const MakrukPosition& position) const {
    std::vector<RankedMove> moves;
    if (!handle) return moves;
    const auto root = std::make_unique<MakrukRoot>();
    const int32_t result = makruk_probe_root(handle, &position, root.get());
    if (result != MAKRUK_OK) {
        if (is_damage(result)) note_failure(position, result);
        return rank_by_category(position);
    }
    // A decided game is played by distance: a certain mate first, the shortest of them. In a drawn one the moves that keep the
    // category are grouped by what they ask of the opponent, and those of a group are equal: the engine chooses.
    std::vector<Ordered> order;
    const std::vector<int> holding = holding_eighths(position, *root);
    for (uint32_t i = 0; i < root->count; i++) {
        const MakrukMove& move = root->moves[i];
        const bool decided = move.category == MAKRUK_WIN || move.category == MAKRUK_LOSS;
        const bool byRank = decided || (move.category == MAKRUK_CURSED_WIN && holding[i] < 8);
        const int mate = certain_mate(position, move);
        order.push_back({{-move.category, mate > 0 ? mate : UNCERTAIN + holding[i], byRank ? int(move.rank) : 0}, &move, mate});
    }
    std::stable_sort(order.begin(), order.end(), [](const Ordered& a, const Ordered& b) { return a.key < b.key; });
    for (size_t i = 0; i < order.size(); i++) {
        const MakrukMove& move = *order[i].move;
        const int group = i == 0 ? 0 : moves.back().group + (order[i].key != order[i - 1].key);
        moves.push_back({move.from, move.to, group, move.category, order[i].matePlies});
    }
    return moves;
}

std::vector<int> Tables::holding_eighths(const MakrukPosition& position, const MakrukRoot& root) const {
    std::vector<int> holding(root.count, 8);
    const int32_t best = root.count ? root.moves[0].category : MAKRUK_LOSS;
    if (best != MAKRUK_CURSED_WIN && best != MAKRUK_DRAW) return holding;
    std::vector<MakrukPosition> replies(MAKRUK_MAX_MOVES);
    for (uint32_t i = 0; i < root.count && root.moves[i].category == best; i++) {
        MakrukPosition after = position;
        if (makruk_position_play(&after, root.moves[i].uci) != MAKRUK_OK) return std::vector<int>(root.count, 8);
        const int32_t count = makruk_legal_moves(&after, nullptr, replies.data());
        int32_t held = 0;
        for (size_t reply = 0; reply < size_t(std::max(count, 0)); reply++) {
            const int32_t found = category(replies[reply], 0);
            if (found < MAKRUK_LOSS) return std::vector<int>(root.count, 8);
            held += found != MAKRUK_WIN;
        }
        if (count > 0) holding[i] = (8 * held + count - 1) / count;
    }
    return holding;
}

std::vector<RankedMove> Tables::rank_by_category(const MakrukPosition& position) const {
    std::vector<MakrukMove> legal(MAKRUK_MAX_MOVES);
    std::vector<MakrukPosition> after(MAKRUK_MAX_MOVES);
    const int32_t count = makruk_legal_moves(&position, legal.data(), after.data());
    std::vector<RankedMove> moves;
    int best = 0;
    for (size_t i = 0; i < size_t(std::max(count, 0)); i++) {
        const int32_t found = category(after[i], 0);
        const int known = found < MAKRUK_LOSS ? 0 : MAKRUK_LOSS + MAKRUK_WIN - found;
        best = std::max(best, known);
        moves.push_back({legal[i].from, legal[i].to, 0, known, 0});
    }
    // No move is better than a win, or than the root. If a known move reaches that, the open ones are not needed; if none does,
    // the best move is open.
    const int32_t root = category(position, 0);
    const bool isReached = best == MAKRUK_WIN || best == root;
    const bool isBelow = !isReached && root >= MAKRUK_LOSS;
    if (best == 0) return {};
    const auto order = [&](const RankedMove& move) {
        if (move.category == 0) return isReached ? MAKRUK_WIN + 1 : 0;
        return move.category == best && !isBelow ? 0 : 1 + MAKRUK_WIN - move.category;
    };
    std::stable_sort(moves.begin(), moves.end(),
                     [&](const RankedMove& a, const RankedMove& b) { return order(a) < order(b); });
    for (size_t i = 1; i < moves.size(); i++)
        moves[i].group = moves[i - 1].group + (order(moves[i]) != order(moves[i - 1]));
    return moves;
}

void Tables::note_failure(const MakrukPosition& position, int32_t result) const {
    int32_t none = 0;
    if (!failed.compare_exchange_strong(none, result)) return;
    failedAt = position;
    noted.store(true, std::memory_order_release);
}

std::string Tables::failure() {
    if (!noted.load(std::memory_order_acquire)) return {};
    char sentence[512] = "";
    makruk_explain(handle, &failedAt, sentence, sizeof sentence);
    const std::string name = makruk_result_name(failed);
    noted = false;
    failed = 0;
    return "Makruk tables: " + name + (*sentence ? std::string(": ") + sentence : "");
}

} // namespace Makruk

#endif // MAKRUK_TABLES_OFF
