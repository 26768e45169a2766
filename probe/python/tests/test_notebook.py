"""Idioms of notebooks, with the installed package and the tables in MAKRUK_TABLES."""

import collections
import os
import pickle

import numpy as np
import pandas as pd
import pytest

from makruk_probe import Category, Tablebase

ORDER = ["loss", "blessed-loss", "draw", "cursed-win", "win"]
# A win, cursed from ply 85 of the count on, a blessed loss and a loss of the other side; and draws.
FENS = [
    *(f"8/8/8/8/8/4s1k1/4R3/K7 w - 128 {ply} 1" for ply in range(60, 100, 5)),
    "7k/8/5K2/8/8/8/8/R7 b - 32 6 1",
    "8/8/8/8/2k5/8/8/K5R1 b - 32 20 1",
    "8/8/8/8/8/5nk1/8/K6R b - - 0 1",
    "7k/8/8/8/8/8/8/K7 w - - 0 1",
]


@pytest.fixture(scope="module")
def verdicts():
    found = Tablebase(os.environ["MAKRUK_TABLES"]).probe_many(FENS)
    assert {str(verdict.category) for verdict in found} == set(ORDER)
    return found


@pytest.fixture(scope="module")
def words(verdicts):
    return [str(verdict.category) for verdict in verdicts]


@pytest.fixture(scope="module")
def frame(verdicts):
    return pd.DataFrame({name: getattr(verdict, name) for name in ["fen", "category", "dtm"]} for verdict in verdicts)


def test_equal_objects_have_equal_hashes():
    for category in Category:
        assert category == str(category) and hash(category) == hash(str(category))


def test_sets(verdicts):
    found = {verdict.category for verdict in verdicts}
    assert "win" in found and found == set(ORDER) and found - {"win"} == set(ORDER[:-1])


def test_dictionaries(verdicts):
    by_category = {verdict.category: verdict for verdict in verdicts}
    assert by_category["win"] is by_category[Category.WIN]
    assert {"win": 1}[Category.WIN] == 1


def test_counters(verdicts, words):
    assert collections.Counter(verdict.category for verdict in verdicts) == collections.Counter(words)
    assert collections.Counter(verdict.category for verdict in verdicts)["win"] == words.count("win") > 1


def test_groups(frame, words):
    groups = frame.groupby("category")
    # In the order of the categories, not of the alphabet.
    assert [str(category) for category, _ in groups] == ORDER
    assert len(groups.get_group("win")) == groups.size()["win"] == words.count("win")


def test_masks(frame, words):
    wins = words.count("win")
    assert (frame.category == "win").sum() == (frame.category == Category.WIN).sum() == wins
    assert len(frame[frame.category.isin(["win", "cursed-win"])]) == wins + words.count("cursed-win")
    assert (frame.category > "draw").sum() == (frame.category > Category.DRAW).sum() == wins + words.count("cursed-win")
    assert len(frame.query("category == 'win'")) == wins
    # No category is a number; pandas hides that the comparison refuses it.
    assert not (frame.category == 2).any()
    with pytest.raises(TypeError):
        frame.category > 0


def test_value_counts(frame, words):
    counts = frame.category.value_counts()
    assert counts["win"] == counts[Category.WIN] == words.count("win")
    assert counts.sum() == len(words)


def test_sorting(frame, verdicts):
    expected = sorted(Category, key=lambda category: category.value)
    assert sorted({verdict.category for verdict in verdicts}) == expected
    assert list(frame.sort_values("category").category.unique()) == expected
    assert (frame.category.min(), frame.category.max()) == ("loss", "win")
    ordered = pd.Categorical(frame.category, categories=list(Category), ordered=True)
    assert (ordered.max(), (ordered == "win").sum()) == ("win", (frame.category == "win").sum())


def test_numpy(verdicts, words):
    array = np.array([verdict.category for verdict in verdicts])
    assert (array == "win").sum() == (array == Category.WIN).sum() == words.count("win")
    assert np.isin(array, ["win"]).sum() == words.count("win")
    assert [str(category) for category in np.unique(array)] == ORDER
    assert (array > Category.DRAW).sum() == words.count("win") + words.count("cursed-win")
    with pytest.raises(TypeError):
        array == 2


def test_frames_of_objects_and_of_dictionaries(frame, verdicts, words):
    dictionaries = pd.DataFrame(verdict.to_dict() for verdict in verdicts)
    assert (dictionaries.category == frame.category).all() and (frame.category == dictionaries.category).all()
    assert (dictionaries.category == "win").sum() == words.count("win")
    assert len(frame.merge(dictionaries, on=["fen", "category"])) == len(verdicts)
    assert "win" in frame.to_csv() and "Category" not in frame.to_csv()
    flat = pd.json_normalize([verdict.to_dict() for verdict in verdicts])
    assert list(flat["count.rule"]) == [verdict.count.rule for verdict in verdicts]


def test_pickles(frame, verdicts):
    assert pickle.loads(pickle.dumps(verdicts)) == verdicts
    copy = pickle.loads(pickle.dumps(frame))
    assert copy.equals(frame) and copy.category[0] is frame.category[0]
