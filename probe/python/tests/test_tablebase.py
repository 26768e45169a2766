"""The installed package, on the tables in MAKRUK_TABLES (all materials of up to four men at least)."""

import json
import os
import pathlib
import pickle
import shutil
import signal
import threading
import time

import pytest

from makruk_probe import (
    Category,
    CorruptTableError,
    MissingTableError,
    PositionError,
    ProbeError,
    Tablebase,
    open_tablebase,
)

FOLDER = pathlib.Path(os.environ["MAKRUK_TABLES"])
ARMED = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
BARE = "7k/8/5K2/8/8/8/8/R7 b - 32 6 1"


@pytest.fixture(scope="module")
def tablebase():
    return Tablebase(FOLDER)


def test_a_verdict_has_everything(tablebase):
    verdict = tablebase.probe("8/8/8/8/8/4b1k1/4R3/K7 w")
    assert (verdict.fen, verdict.material, verdict.side) == (ARMED, "KRvKS", "white")
    assert (verdict.category, str(verdict.category)) == (Category.WIN, "win")
    assert (verdict.dtm, verdict.dtz, bool(verdict.count), verdict.count.attacker_moves_left) == (31, 45, False, 65)
    assert (verdict.checkmate, verdict.stalemate, verdict.category.is_drawn) == (False, False, False)
    assert verdict.can_mate == {"white": True, "black": True}
    cursed = tablebase.probe("8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1")
    count = cursed.count
    assert (cursed.category, bool(count), count.rule, count.limit, count.ply) == (Category.CURSED_WIN, True, "board", 128, 85)
    assert Category.LOSS < Category.BLESSED_LOSS < Category.DRAW < cursed.category < Category.WIN
    with pytest.raises(AttributeError):
        verdict.dtm = 1


def test_moves_are_ranked_and_carry_the_count(tablebase):
    moves = tablebase.moves(ARMED)
    assert [move.category for move in moves] == sorted((move.category for move in moves), reverse=True)
    assert (moves[0].san, moves[0].dtz, moves[0].count.limit, moves[0].count.ply) == ("Re1", 45, 128, 1)
    capture = next(move for move in moves if move.uci == "e2e3")
    assert (capture.bares_king, capture.capture, capture.dtm, capture.dtz) == (True, True, 31, None)
    assert (capture.begins_count, capture.promotion) == (True, False)
    assert tablebase.best_move(ARMED).uci == moves[0].uci
    assert tablebase.best_move("R5k1/8/6K1/8/8/8/8/8 b - - 0 1") is None
    with pytest.raises(ValueError, match="tricky"):
        tablebase.best_move(ARMED, "brilliant")


def test_statistics_are_those_of_the_tables(tablebase):
    materials = {totals["material"]: totals for totals in tablebase.statistics()}
    assert sum(bool(totals[metric]) for totals in materials.values() for metric in ["dtm", "dtz"]) == len(tablebase)
    assert tablebase.largest == max(totals["men"] for totals in materials.values()) >= 4
    [rook] = tablebase.statistics("KvKR")
    assert rook == materials["KRvK"] and rook["dtz"] is None
    assert rook["dtm"]["bytes"] == (FOLDER / "KRvK.dtm").stat().st_size
    assert materials["KNMvK"]["dtm"]["white"]["win"] == 472_900
    # The longest wins, without the count and in time.
    for name, metric, plies in [("KRvKS", "dtz", (73, 73)), ("KSMvK", "dtm", (113, 81))]:
        white = materials[name][metric]["white"]
        assert (white["max_win_plies"], white["max_win_within_count_plies"]) == plies, name
        in_time = [count for plies, count in white["histogram"] if 0 < plies <= white["max_win_within_count_plies"]]
        assert sum(in_time) == white["win_within_count"]


def test_a_damaged_table_is_told_from_a_missing_one(tmp_path):
    shutil.copy(FOLDER / "KRvK.dtm", tmp_path)
    data = bytearray((FOLDER / "KNvK.dtm").read_bytes())
    data[20] ^= 1
    (tmp_path / "KNvK.dtm").write_bytes(data)
    tablebase = Tablebase(str(tmp_path))
    assert tablebase.probe(BARE).category == Category.LOSS
    with pytest.raises(CorruptTableError):
        tablebase.probe("8/8/8/8/8/6k1/N7/K7 w")
    with pytest.raises(CorruptTableError):
        tablebase.statistics()
    # A table that one folder lacks may be in another.
    both = Tablebase([tmp_path, FOLDER])
    assert both.probe(ARMED).dtz == 45


def test_threads_share_a_tablebase(tablebase):
    fens = [f"8/8/8/8/8/4s1k1/4R3/K7 w - 128 {ply} 1" for ply in range(200)]
    expected = [verdict.category for verdict in tablebase.probe_many(fens)]
    assert len(set(expected)) == 2
    found = []

    def ask():
        found.append([tablebase.probe(fen).category for fen in fens])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_never_waits_for_a_thread_of_its_parent():
    """MAKRUK_FORKS=2000 forks more often."""
    fens = [f"7k/8/8/8/8/2{first}5/5{second}2/K7 w" for first, second in ["Rr", "Rn", "Rs", "Nn", "Ss", "Mm"]]

    def ask(tables, fens):
        for answer in tables.probe_many(fens, errors="return"):
            assert not isinstance(answer, MissingTableError)
        return len(tables)

    for fork in range(int(os.environ.get("MAKRUK_FORKS", "6"))):
        # Nothing is open yet: the threads open tables, and hold locks, while the process forks.
        tables = Tablebase(FOLDER)
        threads = [threading.Thread(target=ask, args=(tables, fens[n:] + fens[:n])) for n in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(fork % 8 * 2e-4)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                signal.alarm(10)
                status = 0 if ask(tables, fens) > 0 else 1
            finally:
                os._exit(status)
        for thread in threads:
            thread.join()
        # The alarm ends a child that waits for ever.
        assert os.waitpid(child, 0)[1] == 0, f"fork {fork}"


def test_values_are_small_and_hashable(tablebase):
    count = tablebase.moves(ARMED)[0].count
    assert {count: 1}[count] == 1
    assert (repr(count), repr(tablebase.probe(ARMED).count)) == ("Count(board: limit=128, ply=1)", "Count(none)")
    assert repr(tablebase.probe(ARMED)) == "Verdict(KRvKS: win, dtm=31, dtz=45)"


class Board:
    """A board of another library, which knows its FEN."""

    def __init__(self, fen):
        self.text = fen

    def fen(self):
        return self.text


class Node:
    """One that has it as an attribute."""

    fen = ARMED


def test_boards_are_positions(tablebase):
    expected = tablebase.probe(ARMED)
    assert tablebase.probe(Board(ARMED)) == tablebase.probe(Node()) == expected
    assert tablebase.moves(Board(ARMED))[0].san == "Re1"
    assert tablebase.probe_many([ARMED, Board(ARMED), Node()]) == 3 * [expected]
    with pytest.raises(TypeError, match="found int"):
        tablebase.probe(7)


def test_defaults_are_for_what_no_table_covers(tablebase):
    pawns = "7r/8/8/4P3/8/k7/8/KRR5 w - - 0 1"
    many = "rnsmksnr/8/8/8/8/8/8/RNSMKSNR w"
    missing = "8/8/8/8/8/3rs1k1/4R3/K2R4 w - - 0 1"
    for fen in [pawns, many, missing]:
        assert tablebase.get(fen) is None
        assert tablebase.get(fen, default="nothing") == "nothing"
        assert tablebase.get_category(fen, Category.DRAW) == Category.DRAW
        with pytest.raises(ProbeError):
            tablebase.category(fen)
    assert tablebase.get(ARMED) == tablebase.probe(ARMED)
    assert tablebase.get_category(ARMED) == tablebase.category(ARMED) == Category.WIN
    for ask in [tablebase.get, tablebase.get_category]:
        with pytest.raises(PositionError):
            ask("no position")


def test_what_the_tables_have(tablebase):
    for item in ["KRvKS", "KSvKR", ARMED, Board(ARMED), "7k/8/8/8/8/8/8/K7 w"]:
        assert item in tablebase, item
    for item in ["KRRvKRS", "8/8/8/8/8/3rs1k1/4R3/K2R4 w", "rnsmksnr/8/8/8/8/8/8/RNSMKSNR w"]:
        assert item not in tablebase, item
    with pytest.raises(ValueError):
        "nonsense" in tablebase


def test_values_are_dictionaries_for_json(tablebase):
    verdict = json.loads(json.dumps(tablebase.probe(BARE).to_dict()))
    count = {"rule": "pieces", "limit": 32, "ply": 6, "attacker_moves_left": 13}
    assert (verdict["category"], verdict["dtm"], verdict["count"]) == ("loss", -4, count)
    # No notes are left out, as in JSON elsewhere.
    assert verdict.keys() == {name for name in dir(tablebase.probe(BARE)) if name[0] != "_"} - {"to_dict", "notes"}
    assert tablebase.probe("8/8/8/8/8/4b1k1/4R3/K7 w").to_dict()["notes"] == ["B was read as a khon (S)"]
    move = tablebase.best_move(ARMED)
    assert json.loads(json.dumps(move.to_dict()))["san"] == "Re1"
    assert move.to_dict().keys() == {name for name in dir(move) if name[0] != "_"} - {"to_dict"}


def test_moves_have_their_squares_and_the_position_after_them(tablebase):
    move = tablebase.best_move(ARMED)
    assert (str(move), move.from_square, move.to_square) == ("e2e1", 12, 4)
    assert move.fen == "8/8/8/8/8/4s1k1/8/K3R3 b - 128 1 1"
    assert [made.fen for made in tablebase.line(ARMED)[:1]] == [move.fen]
    assert tablebase.probe(move.fen).category == -move.category


def test_errors_stand_in_their_places(tablebase):
    fens = [ARMED, "no position", BARE]
    for ask in [tablebase.probe_many, tablebase.moves_many]:
        with pytest.raises(PositionError, match="position 1 of the list") as raised:
            ask(fens)
        assert (raised.value.index, raised.value.fen) == (1, "no position")
        [returned] = [value for value in ask(fens, errors="return") if isinstance(value, ProbeError)]
        assert (returned.index, returned.reason) == (1, "bad_fen")
    assert tablebase.moves_many([ARMED, BARE]) == [tablebase.moves(ARMED), tablebase.moves(BARE)]
    assert tablebase.probe_many(fen for fen in fens[:1]) == [tablebase.probe(ARMED)]
    with pytest.raises(TypeError, match="in a list"):
        tablebase.probe_many(ARMED)
    first, error, last = tablebase.probe_many(fens, errors="return")
    assert (first, last) == (tablebase.probe(ARMED), tablebase.probe(BARE))
    assert isinstance(error, PositionError) and error.reason == "bad_fen"
    with pytest.raises(ValueError, match="'return'"):
        tablebase.probe_many([], errors="ignore")


def test_a_tablebase_is_closed_by_with(tmp_path):
    with Tablebase(FOLDER) as tables:
        assert tables and tables.probe(BARE).dtm
    assert not tables
    for ask in [lambda: tables.probe(BARE), lambda: tables.moves(BARE), lambda: tables.statistics()]:
        with pytest.raises(ValueError, match="closed"):
            ask()
    tables.close()
    empty = Tablebase(tmp_path)
    assert not empty and len(empty) == 0
    for path, error in [(tmp_path / "nowhere", FileNotFoundError), (pathlib.Path(__file__), NotADirectoryError)]:
        with pytest.raises(error) as raised:
            open_tablebase(path)
        assert raised.value.filename == str(path)


def test_values_and_tablebases_are_pickled(tablebase):
    verdict = tablebase.probe(BARE)
    moves = tablebase.moves(BARE)
    categories = [Category.LOSS, Category.BLESSED_LOSS, Category.DRAW, Category.CURSED_WIN, Category.WIN]
    for value in [*categories, verdict.count, verdict, *moves]:
        copy = pickle.loads(pickle.dumps(value))
        assert (type(copy), copy) == (type(value), value)
    copy = pickle.loads(pickle.dumps(tablebase))
    assert (copy.folders, copy.probe(BARE)) == (tablebase.folders, verdict)


def test_a_category_is_an_enumeration(tablebase):
    assert [str(category) for category in Category] == ["loss", "blessed-loss", "draw", "cursed-win", "win"]
    assert Category("win") is Category["WIN"] is tablebase.probe(ARMED).category
    assert (f"{Category.CURSED_WIN}", repr(Category.WIN), Category.WIN.value) == ("cursed-win", "Category.WIN", 2)
    verdict = tablebase.probe(ARMED)
    assert verdict.category == "win" and verdict.category != "loss" and "win" == verdict.category
    assert verdict.category in ["loss", "win"] and verdict.category != None  # noqa: E711
    assert [category > "draw" for category in Category] == [False, False, False, True, True]
    assert ["draw" >= category for category in Category] == [True, True, True, False, False]
    assert (-Category.WIN, -Category.DRAW, Category(-1)) == (Category.LOSS, Category.DRAW, Category.BLESSED_LOSS)
    for word in ["Win", "brilliant"]:
        for compare in [lambda: verdict.category == word, lambda: verdict.category < word]:
            with pytest.raises(ValueError, match=word):
                compare()
    for compare in [lambda: verdict.category == 2, lambda: 2 != verdict.category, lambda: verdict.category > 0]:
        with pytest.raises(TypeError, match="Category|`value` is its number"):
            compare()
    with pytest.raises(ValueError, match="brilliant"):
        Category("brilliant")


def test_the_names_of_python_chess(tmp_path):
    with open_tablebase(tmp_path) as tables:
        assert (tables.get_dtm(BARE), tables.get_wdl(BARE, 7)) == (None, 7)
        assert tables.add_directory(FOLDER) == tables.add_directory(FOLDER) == len(tables) > 10
        assert tables.folders == [tmp_path, FOLDER]
        assert (tables.get_wdl(ARMED), tables.get_dtm(ARMED), tables.get_dtz(ARMED)) == (2, 31, 45)
        assert (tables.probe_wdl(ARMED), tables.probe_dtm(ARMED), tables.probe_dtz(ARMED)) == (2, 31, 45)
        drawn = "8/8/8/8/8/5nk1/8/K6R b - - 0 1"
        assert (tables.probe_wdl(drawn), tables.probe_dtm(drawn), tables.probe_dtz(drawn)) == (0, 0, 0)
        cursed = "8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1"
        assert [tables.get_wdl(fen) for fen in [cursed, BARE]] == [1, -2]
        with pytest.raises(FileNotFoundError):
            tables.add_directory(tmp_path / "nowhere")
        (tmp_path / "file").write_text("")
        with pytest.raises(NotADirectoryError):
            tables.add_directory(tmp_path / "file")
    with pytest.raises(ValueError, match="closed"):
        tables.add_directory(FOLDER)


def test_a_missing_table_is_named_with_what_helps(tablebase, tmp_path):
    ways = r"`makruk-gen build KRvKS .*` makes it \(seconds\), `.* fetch --from URL KRvKS .*` fetches it \(8.6 MB with all"
    with pytest.raises(MissingTableError, match=ways):
        Tablebase(tmp_path).probe(ARMED)
    fen = "8/8/8/8/8/3rs1k1/4R3/K2R4 w - - 0 1"
    with pytest.raises(MissingTableError) as raised:
        tablebase.probe(fen)
    error = raised.value
    assert (error.material, error.fen, error.index) == ("KRRvKRS", fen, None)
    assert isinstance(error, KeyError) and issubclass(PositionError, ValueError)
    assert error.remedy.startswith("`makruk-gen build KRRvKRS` makes it (6 men: hours") and str(error).endswith(error.remedy)
    with pytest.raises(PositionError, match=r"1\\x00") as raised:
        tablebase.probe(ARMED + "\0")
    assert (raised.value.material, raised.value.remedy) == (None, None)


def test_a_board_of_chess_is_refused(tablebase):
    class Board:
        uci_variant = "chess"

        def fen(self):
            return "8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1"

    with pytest.raises(PositionError, match="position of chess, not of Makruk: the board is a .*Board") as raised:
        tablebase.probe(Board())
    assert raised.value.reason == "bad_fen"
    verdict = tablebase.probe(Board().fen())
    assert (verdict.material, verdict.notes) == ("KRvKS", ["B was read as a khon (S)"])
    Board.uci_variant = "makruk"
    assert tablebase.probe(Board()).material == "KRvKS"
