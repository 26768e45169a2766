"""Reads tables by FORMAT.md and RULES.md alone. Standard library only.

format_reader.py FOLDER: answers each line on standard input, "<dtm|dtz> <board> <w|b>", with the stored value: "draw",
"win N" or "loss N", N in plies; "category <board> <w|b>" with "draw", "win M N" or "loss M N", N or both of them
"never" if there may be no conversion or is none.
"""

import functools
import sys
from math import comb, prod
from pathlib import Path

ROLES = "RNSMP"
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
# A white pawn stands on ranks 3 to 5, a black one on 4 to 6; the rank beyond is that of promotion.
PAWNS = {True: range(16, 40), False: range(24, 48)}
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC_TABLE = crc32c_table()


def checksum(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


assert checksum(b"123456789") == 0xE3069283


def region(man):
    """The squares that a man may stand on, in order."""
    white, role = man
    return PAWNS[white] if role == "P" else range(64)


def step(square, files, ranks):
    file, rank = square % 8 + files, square // 8 + ranks
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


@functools.cache
def leaper(white, role, square):
    ahead = 1 if white else -1
    pawn = [(-1, ahead), (1, ahead)]
    steps = {"K": STRAIGHT + DIAGONAL, "N": KNIGHT, "M": DIAGONAL, "S": DIAGONAL + [(0, ahead)], "P": pawn}[role]
    return frozenset(to for files, ranks in steps if (to := step(square, files, ranks)) is not None)


def attacks(white, role, square, occupied):
    """The squares that a man attacks; men are (white, role)."""
    if role != "R":
        return leaper(white, role, square)
    found = set()
    for files, ranks in STRAIGHT:
        to = step(square, files, ranks)
        while to is not None:
            found.add(to)
            to = None if to in occupied else step(to, files, ranks)
    return found


def in_check(men, white):
    king = next(square for man, square in men if man == (white, "K"))
    occupied = {square for _, square in men}
    return any(king in attacks(*man, square, occupied) for man, square in men if man[0] != white)


def letters(men, white):
    return "K" + "".join(role * sum(man == (white, role) for man, _ in men) for role in ROLES)


def canonical(white, black):
    """The name of a material and whether its colours are exchanged."""

    def order(side):
        counts = [side.count(role) for role in ROLES]
        return [-sum(counts)] + [-count for count in counts]

    reversed_ = order(black) < order(white)
    return (f"{black}v{white}", True) if reversed_ else (f"{white}v{black}", False)


def transforms(eight):
    def transform(number, square):
        square ^= (7 if number & 1 else 0) ^ (56 if number & 2 else 0)
        return (square & 7) << 3 | square >> 3 if number & 4 else square

    return [functools.partial(transform, number) for number in range(8 if eight else 2)]


def is_home(white, black, eight):
    if max(abs(white % 8 - black % 8), abs(white // 8 - black // 8)) <= 1 or white % 8 > 3:
        return False
    file, rank = white % 8, white // 8
    return not eight or rank < file or (rank == file and black // 8 <= black % 8)


class Side:
    """One side's blocks."""


class Table:
    def __init__(self, folder, name):
        data = self.data = (folder / name).read_bytes()
        self.name = name
        number = self.number
        assert data[:8] == b"\x89MKT\r\n\x1a\n" and number(8, 4) == 6
        self.chunk = 1 << data[44]
        header = number(12, 4)
        self.checksum = number(header - 4, 4)
        assert checksum(data[: header - 4]) == self.checksum and number(16, 8) == len(data)
        counts = [number(148, 4), number(152, 4)]
        assert header == 192 + 12 * sum(counts)
        self.eight = data[47] == 1
        self.metric = ["dtm", "dtz", "category"][data[46]]
        assert data[44] == (12 if self.metric == "category" else 16) and data[45] == 0
        self.material = self.text(48, 32)
        assert name == f"{self.material}.{self.metric}"
        self.axes = []
        for letter in self.text(128, 16):
            man = (letter.isupper(), letter.upper())
            if self.axes and self.axes[-1][0] == man:
                self.axes[-1][1] += 1
            else:
                self.axes.append([man, 1])
        pairs = [(white, black) for white in range(64) for black in range(64) if is_home(white, black, self.eight)]
        self.slabs = {pair: slab for slab, pair in enumerate(pairs)}
        assert len(self.slabs) == number(24, 8)
        self.reference = None
        if number(40, 4):
            self.reference = table(folder, f"{self.material}.dtm")
            assert self.reference.checksum == number(40, 4)
        at = 188
        self.values, self.sides = [], []
        for count in counts:
            self.values.append([(number(at + 12 * n, 2), number(at + 12 * n + 2, 2)) for n in range(count)])
            at += 12 * count
        for start in (156, 172):
            side = Side()
            side.storage, axis, side.boards, reserved = data[start : start + 4]
            assert reserved == 0
            side.model_len, side.blocks_len = number(start + 4, 4), number(start + 8, 8)
            if side.storage == 2:
                self.cut(side, axis)
            self.sides.append(side)
        at = self.body = header
        for side in self.sides:
            side.model = at
            at += side.model_len
        for side in self.sides:
            side.blocks = at
            at += side.blocks_len
        for side in self.sides:
            side.index = at
            if side.storage == 2:
                at += 5 * (1 - (-len(pairs) * side.slab_blocks // 64))
        self.list = at
        assert len(data) == at + 4 * -(-(at - self.body) // self.chunk)
        assert checksum(data[at:]) == number(144, 4)
        self.sound = set()
        for side, values in zip(self.sides, self.values):
            if side.storage == 2:
                self.read_model(side, len(values))

    def number(self, at, size):
        return int.from_bytes(self.data[at : at + size], "little")

    def text(self, at, size):
        return self.data[at : at + size].rstrip(b"\0").decode("ascii")

    def check(self, start, end):
        """Checks the checksums of the chunks that hold these offsets."""
        for chunk in range((start - self.body) // self.chunk, -(-(end - self.body) // self.chunk)):
            if chunk not in self.sound:
                begin = self.body + self.chunk * chunk
                stored = self.number(self.list + 4 * chunk, 4)
                assert checksum(self.data[begin : min(begin + self.chunk, self.list)]) == stored
                self.sound.add(chunk)

    def cut(self, side, axis):
        side.fast_piece = self.axes[axis][0]
        side.axis = axis
        side.digits = [count - (at == axis) for at, (_, count) in enumerate(self.axes)]
        side.regions = [region(man) for man, _ in self.axes]
        side.sets = [comb(len(squares), digit) for squares, digit in zip(side.regions, side.digits)]
        side.slab_boards = prod(side.sets)
        side.slab_blocks = -(-side.slab_boards // side.boards)

    def read_model(self, side, values):
        self.check(side.model, side.model + side.model_len)
        at = side.model
        side.values = values
        side.usual, side.moved, buckets = self.number(at, 2), self.data[at + 2], self.data[at + 3] + 1
        assert side.moved < 2
        clusters = [count + 1 for count in self.data[at + 4 : at + 7]]
        at += 7
        side.bounds = [self.number(at + 2 * n, 2) for n in range(buckets - 1)]
        at += 2 * (buckets - 1)

        def shares(at, count, total):
            found, start = [], 0
            for n in range(count):
                frequency = self.number(at + 2 * n, 2)
                found.append((start, frequency))
                start += frequency
            assert start == total and all(frequency for _, frequency in found)
            return found

        side.clusters = [shares(at + 48 * n, 24, 1 << 14) for n in range(clusters[2])]
        at += 48 * clusters[2]
        side.codes = [shares(at + 2 * values * n, values, 1 << 12) for n in range(buckets)]
        at += 2 * values * buckets
        side.tables = []
        for size in (3200 * buckets, 45 * clusters[0], 100 * clusters[1]):
            table = []
            while len(table) < size:
                table += [self.data[at]] * (self.data[at + 1] + 1)
                at += 2
            assert len(table) == size
            side.tables.append(table)
        assert at == side.model + side.model_len

    def men_of(self, side, board):
        """The squares of the men that stand still on a board, by axis."""
        ranks = []
        for sets in reversed(side.sets):
            ranks.append(board % sets)
            board //= sets
        squares = []
        for digit, rank, region in zip(side.digits, reversed(ranks), side.regions):
            like = []
            for k in range(digit, 0, -1):
                place = max(n for n in range(len(region)) if comb(n, k) <= rank)
                rank -= comb(place, k)
                like.insert(0, region[place])
            squares.append(like)
        return squares

    def board_of(self, side, squares):
        board = 0
        for digit, sets, like, region in zip(side.digits, side.sets, squares, side.regions):
            rank = sum(comb(region.index(square), i + 1) for i, square in enumerate(sorted(like)[:digit]))
            board = board * sets + rank
        return board

    def scene(self, side, kings, still, white):
        """The stored cells of a board, and each square's kind."""
        men = [((True, "K"), kings[0]), ((False, "K"), kings[1])]
        men += [(man, square) for (man, _), like in zip(self.axes, still) for square in like]
        occupied = {square for _, square in men}
        kinds = [0] * 64
        for man, square in men:
            for to in attacks(*man, square, occupied):
                kinds[to] |= 2 if man[0] == side.fast_piece[0] else 1
        for square in range(64):
            reached = attacks(*side.fast_piece, square, occupied)
            if any(man[0] != side.fast_piece[0] and man[1] != "K" and at in reached for man, at in men):
                kinds[square] |= 4
        cells = []
        if len(occupied) == len(men):
            for square in region(side.fast_piece):
                fits = square not in occupied and all(square > other for other in still[side.axis])
                if fits and not in_check(men + [(side.fast_piece, square)], not white):
                    cells.append(square)
        return cells, kinds

    @functools.lru_cache(maxsize=4096)
    def block(self, white, slab, block):
        """The codes of a block's boards, by square."""
        side = self.sides[not white]
        first = block * side.boards
        boards = range(first, min(first + side.boards, side.slab_boards))
        number = slab * side.slab_blocks + block
        record = side.index + number // 64 * 5
        self.check(record, record + 10)
        start, end = side.blocks + self.number(record, 5), side.blocks + self.number(record + 5, 5)
        self.check(start, end)
        width = self.data[start]
        words = [self.number(start + 1 + 8 * bit, 8) for bit in range(width)]
        length = lambda n: sum((word >> n & 1) << bit for bit, word in enumerate(words))
        start += 1 + 8 * width + sum(length(n) for n in range(number % 64))
        data = self.data[start : start + length(number % 64)]
        assert start + len(data) <= end
        state, left = int.from_bytes(data[:4], "big"), list(data[4:])

        def symbol(shares, total):
            nonlocal state
            slot = state % total
            found = max(n for n, (begin, _) in enumerate(shares) if begin <= slot)
            begin, frequency = shares[found]
            state = frequency * (state // total) + slot - begin
            while state < 1 << 24 and left:
                state = state << 8 | left.pop(0)
            return found

        kings = next(pair for pair, at in self.slabs.items() if at == slab)
        by_kind, by_reference, out = {}, {}, []
        for at, board in enumerate(boards):
            cells, kinds = self.scene(side, kings, self.men_of(side, board), white)
            refers = None
            if self.reference:
                stored = self.reference.sides[not white].storage == 2
                refers = self.reference.block(white, slab, block)[at] if stored else dict.fromkeys(range(64), 0)
            # By file, the codes last seen with the reference's, and those of each kind, and how the last was predicted;
            # by square, the codes.
            files, near, wrong, codes = {}, {}, {}, {}
            # The files as they were below each rank.
            lower = [{}]
            for cell in cells:
                file, kind = cell % 8, kinds[cell]
                while len(lower) <= cell // 8:
                    lower.append(dict(files))
                here = refers[cell] if refers else None

                def shifted(seen):
                    """The code last seen on a file, as far from the reference here as it was there."""
                    if seen is None or here is None or not side.moved:
                        return seen and seen[0]
                    return max(seen[0] + here - seen[1], 0)

                north, west, north_east = (shifted(files.get(at)) for at in (file, file - 1, file + 1))
                north_west = shifted(lower[-1].get(file - 1))
                far_west, far_north = shifted(files.get(file - 2)), shifted(lower[-2].get(file) if cell > 7 else None)
                of_kind = by_kind.get(kind)
                if refers is None:
                    nearest = near.get((file, kind), of_kind)
                    below, beside = step(cell, 0, -1), step(cell, -1, 0)
                    group = 4 * kind + (below is not None and kinds[below] == kind)
                    group += 2 * (beside is not None and kinds[beside] == kind)
                else:
                    known = by_reference.get(here & 255)
                    same = [at in files and files[at][1] == here for at in (file, file - 1)]
                    group = 4 * (same[0] + 2 * same[1] + 4 * (known is not None)) + (kind & 1) + (kind >> 2 & 1) * 2
                    beside = [code for at, code in ((file, north), (file - 1, west)) if at in files and files[at][0]]
                    nearest = known if known is not None else ((beside if side.moved else []) + [of_kind])[0]
                first = lambda *codes: next(code for code in codes if code is not None)
                north = first(north, west, nearest, side.usual)
                west, north_west, north_east = first(west, north), first(north_west, north), first(north_east, north)
                nearest = first(nearest, north)
                off = lambda code: max(-2, min(2, code - nearest)) + 2
                context = (group * 5 + off(north)) * 5 + off(west)
                context = 4 * context + (north_west == north) + 2 * (north_east == north)
                bucket = sum(bound <= nearest for bound in side.bounds) if nearest < side.values else 0
                error = lambda code: (code > nearest) + 2 * (code < nearest)
                second = (wrong.get(file, 0) * 3 + wrong.get(file - 1, 0)) * 5 + off(north_east)
                far_north = first(far_north, north)
                if refers is None:
                    third = (off(first(far_west, west)) * 5 + off(far_north)) * 4 + (0, 1, 1, 2, 2, 2, 3, 3)[cell // 8]
                else:
                    third = (max(-3, min(3, nearest - here)) + 3) * 9 + error(first(of_kind, nearest)) * 3 + error(far_north)
                cluster = side.tables[0][3200 * bucket + context]
                cluster = side.tables[2][100 * side.tables[1][45 * cluster + second] + third]
                found = symbol(side.clusters[cluster], 1 << 14)
                if found == 23:
                    code = symbol(side.codes[bucket], 1 << 12)
                elif found < 5:
                    code = (nearest, north, west, north_east, side.usual)[found]
                else:
                    code = nearest + ((found - 5) // 2 + 1) * (1 if found % 2 else -1)
                codes[cell] = by_kind[kind] = code
                wrong[file] = error(code)
                files[file] = (code, here)
                near |= {(at, kind): code for at in (file - 1, file, file + 1)}
                if refers is not None:
                    by_reference[here & 255] = code
            out.append(codes)
        assert state == 0 and not left
        return out

    def code(self, men, white):
        """The code of a position in the material's colours, whose side is stored."""
        side = self.sides[not white]
        if side.storage == 1:
            return 0
        assert side.storage == 2, "the side is omitted"
        kings = [next(square for man, square in men if man == (white, "K")) for white in (True, False)]
        for transform in transforms(self.eight):
            slab = self.slabs.get((transform(kings[0]), transform(kings[1])))
            if slab is not None:
                break
        squares = [sorted(transform(square) for man, square in men if man == axis) for axis, _ in self.axes]
        board = self.board_of(side, squares)
        block = self.block(white, slab, board // side.boards)
        return block[board % side.boards][squares[side.axis][-1]]

    def value(self, men, white):
        """The value of a position in the material's colours, as (kind, plies)."""
        plies, kind = self.values[not white][self.code(men, white)]
        return (kind, plies)

    def bounds(self, men, white):
        """The class of a position in the material's colours, as (kind, m, n)."""
        code, values = self.code(men, white), self.values[not white]
        plies, kind = values[code]
        if (plies, kind) in ((65535, 1), (65534, 2)):
            return (kind, NEVER, NEVER)
        if kind == 0:
            return DRAW
        if code > 0 and values[code - 1][1] == kind:
            return (kind, values[code - 1][0] + 2, plies)
        return (kind, 1 if kind == 1 else 0, plies)


@functools.cache
def table(folder, name):
    return Table(folder, name)


def in_table(men):
    """The name of a material, whether its colours are exchanged, and the men in the table's colours."""
    name, exchanged = canonical(letters(men, True), letters(men, False))
    seen = [((not man[0], man[1]), square ^ 56) for man, square in men] if exchanged else men
    return name, exchanged, seen


# No conversion: more than any number of plies.
NEVER = float("inf")
DRAW = (0, 0, 0)


def parse(board):
    men = []
    for row, text in enumerate(board.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                men.append(((letter.isupper(), letter.upper()), (7 - row) * 8 + file))
                file += 1
    return men


def main():
    folder = Path(sys.argv[1])
    for line in sys.stdin:
        metric, board, side = line.split()
        name, exchanged, men = in_table(parse(board))
        found = table(folder, f"{name}.{metric}")
        kind, *plies = (found.bounds if metric == "category" else found.value)(men, (side == "w") != exchanged)
        words = [["draw", "win", "loss"][kind]] + ["never" if n == NEVER else str(n) for n in plies if kind]
        print(*words, flush=False)


main()
