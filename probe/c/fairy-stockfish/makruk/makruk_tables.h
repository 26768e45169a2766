// The endgame tables of Makruk for an engine: options, ranked roots, probes of a search.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// This file and makruk_tables.cpp know the reader and no engine. makruk_search.cpp joins them to Fairy-Stockfish.

#ifndef MAKRUK_TABLES_H_INCLUDED
#define MAKRUK_TABLES_H_INCLUDED

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "makruk_tb.h"

namespace Makruk {

/// How a move leads to the third occurrence of a position, which is a draw.
enum class Repetition { NONE, BY_MOVE, BY_REPLY };

/// A legal move of a root that the tables cover.
struct RankedMove {
    int from;      // 0 (a1) to 63 (h8)
    int to;
    int group;     // 0 for the moves to search; the others only for more than one line
    int category;  // MAKRUK_LOSS to MAKRUK_WIN, from the side that moves; 0 if the tables leave it open
    int matePlies; // signed plies to mate where no count can interfere, this move included; 0 if unknown
    Repetition repetition = Repetition::NONE; // the tables do not know the game: set by the caller of draw_repetitions()
};

/// Makes draws of the moves that repeat a position, and of those better than a draw that the opponent may answer so.
/// Groups the moves anew, the best first: such moves before other draws, since the opponent may overlook his reply.
void draw_repetitions(std::vector<RankedMove>& moves);

/// The tables of a path. One thread calls set_path() and preload() while no other probes.
class Tables {
public:
    Tables() = default;
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;
    ~Tables();

    /// Opens the tables of a list of folders, in place of those open before. An empty list and "<empty>" close them.
    /// Returns lines for the user.
    std::vector<std::string> set_path(const std::string& path);

    /// Reads tables into memory: materials and numbers of men as for makruk_preload(). Returns lines for the user.
    std::vector<std::string> preload(const std::string& what);

    /// The men of the largest material with a table; 0 without tables.
    int men() const { return largest; }

    /// The category of a legal position, MAKRUK_LOSS to MAKRUK_WIN; a failure is 0 or less. flags are those of
    /// makruk_probe_search(), which writes bounds unless they are NULL.
    int32_t category(const MakrukPosition& position, uint32_t flags, MakrukBounds* bounds = nullptr) const;

    /// The legal moves of a root, the best group first. Returns no moves if the tables do not cover the root, or if it
    /// has none. From category tables alone, the moves of a group have one category. Moves that these leave open are in
    /// the first group, with those that are as good as any known, unless a known move is certainly the best.
    std::vector<RankedMove> rank(const MakrukPosition& position) const;

    /// A sentence about the first damaged or unreadable table that a probe met since the last call, or an empty text.
    std::string failure();

private:
    /// Of a drawn root, for each move that keeps the category, the eighths of the replies that hold; otherwise 8.
    std::vector<int> holding_eighths(const MakrukPosition& position, const MakrukRoot& root) const;
    std::vector<RankedMove> rank_by_category(const MakrukPosition& position) const;
    void note_failure(const MakrukPosition& position, int32_t result) const;

    MakrukTables* handle = nullptr;
    int largest = 0;
    // The first failure wins; the position that failed is written by that thread alone.
    mutable std::atomic<int32_t> failed{0};
    mutable std::atomic<bool> noted{false};
    mutable MakrukPosition failedAt{};
};

/// Mixes a small number into a hash key.
inline uint64_t scattered(uint64_t number) {
    number *= UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ (number >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return number ^ (number >> 32);
}

/// The last answers of the tables, by a key of the board without the count. Each has the counts for which it holds, so
/// a position that comes back under another count need not be probed again. Threads share them without locks.
class Answers {
public:
    void clear() {
        for (auto& entry : entries) entry.store(0, std::memory_order_relaxed);
    }

    /// The category of a position with `left` plies left, or 0.
    int32_t find(uint64_t key, int left) const {
        const uint64_t entry = entries[key % SIZE].load(std::memory_order_relaxed);
        const bool holds = left >= int(entry >> 13 & SPAN) - ZERO && left <= int(entry & SPAN) - ZERO;
        return entry >> 29 == key >> 29 && holds ? int32_t(entry >> 26 & 7) : 0;
    }

    void store(uint64_t key, int32_t category, const MakrukBounds& bounds) {
        entries[key % SIZE].store((key >> 29 << 29) | uint64_t(category) << 26 | place(bounds.holds_from) << 13
                                  | place(bounds.holds_to), std::memory_order_relaxed);
    }

private:
    static constexpr uint64_t SIZE = 1 << 16, SPAN = (1 << 13) - 1;
    static constexpr int ZERO = 1 << 12;

    static uint64_t place(int32_t left) { return left < -ZERO ? 0 : left + ZERO > int(SPAN) ? SPAN : uint64_t(left + ZERO); }

    std::atomic<uint64_t> entries[SIZE] = {};
};

} // namespace Makruk

#endif // MAKRUK_TABLES_H_INCLUDED
