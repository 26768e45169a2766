// SPDX-License-Identifier: MIT OR Apache-2.0

#ifndef MAKRUK_TABLES_OFF

#include "makruk_search.h"

#include <algorithm>

#include "../misc.h"
#include "../movegen.h"
#include "../thread.h"
#include "../timeman.h"
#include "../variant.h"

using namespace Stockfish;

namespace Makruk {

int searchMen = 0;
int searchDepth = 0;
bool isActive = false;

namespace {

Tables tables;
/// The most men that the option and the tables allow.
int coveredMen = 0;
Answers answers;

/// Cold bytes are read where at least this depth remains: a read of some 20 microseconds saves more than that there.
constexpr int READ_DEPTH = 6;

void print(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) sync_cout << "info string " << line << sync_endl;
}

/// The tables that a search uses must not change under it.
void wait_for_search() {
    if (!Threads.empty()) Threads.main()->wait_for_search_finished();
}

void on_path(const UCI::Option& path) {
    wait_for_search();
    answers.clear();
    print(tables.set_path(path));
    print(tables.preload(Options["MakrukPreload"]));
}

void on_preload(const UCI::Option& what) {
    wait_for_search();
    print(tables.preload(what));
}

/// The value of a win that the count draws, in units of Fairy-Stockfish: opponents without tables lose some of them.
constexpr int CURSED = 20;

/// A bitboard of 64 bits, a1 first.
uint64_t squares(Bitboard board) {
#ifdef LARGEBOARDS
    uint64_t squares = 0;
    while (board) {
        const Square square = pop_lsb(board);
        squares |= uint64_t(1) << (8 * rank_of(square) + file_of(square));
    }
    return squares;
#else
    return board;
#endif
}

int square_number(Square square) { return 8 * rank_of(square) + file_of(square); }

MakrukPosition position_of(const Position& pos) {
    MakrukPosition position;
    position.white = squares(pos.pieces(WHITE));
    position.black = squares(pos.pieces(BLACK));
    position.kings = squares(pos.pieces(KING));
    position.rooks = squares(pos.pieces(ROOK));
    position.knights = squares(pos.pieces(KNIGHT));
    position.khons = squares(pos.pieces(KHON));
    position.mets = squares(pos.pieces(MET));
    position.pawns = squares(pos.pieces(PAWN));
    position.limit = uint32_t(pos.counting_limit(0));
    position.ply = uint32_t(pos.counting_ply(0));
    position.fullmove = 1;
    position.side = pos.side_to_move() == WHITE ? MAKRUK_WHITE : MAKRUK_BLACK;
    return position;
}

/// The value of a category. Wins are ordered by the plies to them.
Value value_of(int32_t category, int ply) {
    switch (category) {
    case MAKRUK_WIN: return VALUE_MATE_IN_MAX_PLY - ply - 1;
    case MAKRUK_CURSED_WIN: return VALUE_DRAW + CURSED;
    case MAKRUK_BLESSED_LOSS: return VALUE_DRAW - CURSED;
    case MAKRUK_LOSS: return VALUE_MATED_IN_MAX_PLY + ply + 1;
    default: return VALUE_DRAW;
    }
}

/// Whether the position stands on the board for the third time. Repetitions within a search are not counted.
bool is_third(const Position& pos) {
    Value value;
    // The end that the count makes is in the categories.
    const bool expired = pos.counting_limit(0) && pos.counting_ply(0) > pos.counting_limit(0);
    return !expired && pos.is_optional_game_end(value, 1) && value == VALUE_DRAW;
}

/// How a move of the root leads to the third occurrence of a position of the game.
Repetition repetition(Position& pos, Move move) {
    StateInfo states[2];
    pos.do_move(move, states[0]);
    Repetition found = is_third(pos) ? Repetition::BY_MOVE : Repetition::NONE;
    if (found == Repetition::NONE) {
        for (const auto& reply : MoveList<LEGAL>(pos)) {
            pos.do_move(reply, states[1]);
            if (is_third(pos)) found = Repetition::BY_REPLY;
            pos.undo_move(reply);
        }
    }
    pos.undo_move(move);
    return found;
}

} // namespace

void add_options(UCI::OptionsMap& options) {
    options["MakrukPath"] << UCI::Option("<empty>", on_path);
    options["MakrukPreload"] << UCI::Option("<empty>", on_preload);
    options["MakrukProbeDepth"] << UCI::Option(0, 0, 100);
    options["MakrukProbeLimit"] << UCI::Option(7, 0, 7);
}

bool rank_root_moves(Position& pos, Search::RootMoves& rootMoves, bool& rootInTables) {
    const auto makruk = variants.find("makruk");
    const int men = std::min(int(Options["MakrukProbeLimit"]), tables.men());
    isActive = men > 0 && makruk != variants.end() && pos.variant() == makruk->second;
    searchMen = 0;
    rootInTables = false;
    if (!isActive) return false;
    searchMen = coveredMen = men;
    searchDepth = int(Options["MakrukProbeDepth"]);
    const std::string failure = tables.failure();
    if (!failure.empty()) print({failure});
    if (pos.count<ALL_PIECES>() > men) return true;

    std::vector<RankedMove> ranked = tables.rank(position_of(pos));
    const auto find = [&](const Search::RootMove& root) {
        const int from = square_number(from_sq(root.pv[0])), to = square_number(to_sq(root.pv[0]));
        return std::find_if(ranked.begin(), ranked.end(),
                            [&](const RankedMove& m) { return m.from == from && m.to == to; });
    };
    for (const Search::RootMove& root : rootMoves) {
        const auto move = find(root);
        if (move == ranked.end()) return true;
        move->repetition = repetition(pos, root.pv[0]);
    }
    draw_repetitions(ranked);
    bool isKnown = true;
    for (Search::RootMove& root : rootMoves) {
        const auto move = find(root);
        root.tbRank = -move->group;
        root.tbScore = move->matePlies > 0 ? mate_in(move->matePlies)
                     : move->matePlies < 0 ? mated_in(-move->matePlies)
                                           : value_of(move->category, 0);
        isKnown &= move->group > 0 || move->category != 0;
    }
    std::stable_sort(rootMoves.begin(), rootMoves.end(),
                     [](const Search::RootMove& a, const Search::RootMove& b) { return a.tbRank > b.tbRank; });
    // The search of a ranked root does not probe: all its moves keep the category, so each would be worth the same, and a win
    // would come no nearer. Without probes the evaluation makes progress, and finds what is difficult for the opponent. Moves
    // that the tables leave open are for a search that probes.
    rootInTables = isKnown;
    if (isKnown) searchMen = 0;
    return true;
}

bool extend_pv(Position& pos, std::vector<Move>& pv) {
    if (!isActive || pv[0] == MOVE_NONE) return false;
    // At most a tenth of the time that the search took.
    const TimePoint until = now() + Time.elapsed() / 10;
    const size_t searched = pv.size();
    std::vector<StateInfo> states(MAX_PLY);
    size_t made = 0;
    for (; made < searched && made < MAX_PLY; made++) pos.do_move(pv[made], states[made]);
    Value end;
    while (made == pv.size() && made < MAX_PLY && pos.count<ALL_PIECES>() <= coveredMen && !pos.is_game_end(end) && now() <= until) {
        const std::vector<RankedMove> ranked = tables.rank(position_of(pos));
        // A drawn game has no line that is better than others.
        if (ranked.empty() || (ranked[0].category != MAKRUK_WIN && ranked[0].category != MAKRUK_LOSS)) break;
        for (const auto& move : MoveList<LEGAL>(pos)) {
            if (square_number(from_sq(move)) != ranked[0].from || square_number(to_sq(move)) != ranked[0].to) continue;
            pv.push_back(move);
            break;
        }
        if (made < pv.size()) {
            pos.do_move(pv[made], states[made]);
            made++;
        } else {
            break;
        }
    }
    for (size_t i = made; i-- > 0;) pos.undo_move(pv[i]);
    return pv.size() > searched;
}

bool probe_tables(Position& pos, int ply, int depth, Value& value) {
    const bool isCounted = pos.counting_limit(0) != 0, hasPawns = pos.count<PAWN>() != 0;
    const int left = isCounted ? pos.counting_limit(0) - pos.counting_ply(0) : 0;
    // The key without the count.
    const Key key = isCounted ? pos.key() ^ count_key(left) : pos.key();
    int32_t category = isCounted || hasPawns ? answers.find(key, left) : 0;
    if (!category) {
        // In the quiescence search, a look-up in one table or none.
        const uint32_t flags = depth >= READ_DEPTH ? 0 : depth > 0 ? MAKRUK_IN_MEMORY : MAKRUK_IN_MEMORY | MAKRUK_CATEGORY_ONLY;
        MakrukBounds bounds;
        category = tables.category(position_of(pos), flags, &bounds);
        // A read from disk takes longer than nodes do, so the clock is due.
        if (depth >= READ_DEPTH && pos.this_thread() == Threads.main()) Threads.main()->callsCnt = 0;
        if (category < MAKRUK_LOSS) return false;
        if (isCounted || hasPawns) answers.store(key, category, bounds);
    }
    pos.this_thread()->tbHits.fetch_add(1, std::memory_order_relaxed);
    const bool mated = category == MAKRUK_LOSS && pos.checkers() && !MoveList<LEGAL>(pos).size();
    value = mated ? mated_in(ply) : value_of(category, ply);
    return true;
}

} // namespace Makruk

#endif // MAKRUK_TABLES_OFF
