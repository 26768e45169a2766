"""Asks the Python package questions about the tables of a folder, one JSON object per line, and prints the answers."""

import json
import sys

from makruk_probe import Category, ProbeError, Tablebase

TABLES = Tablebase(sys.argv[1])


def plain(answer):
    if isinstance(answer, Exception):
        return {"class": type(answer).__name__, "reason": getattr(answer, "reason", None), "error": str(answer)}
    if isinstance(answer, Category):
        return {"category": str(answer)}
    if isinstance(answer, dict):
        return answer
    return [plain(part) for part in answer] if isinstance(answer, list) else answer.to_dict()


def ask(question):
    kind, fen = question["ask"], question.get("fen")
    if kind == "probe":
        return TABLES.probe(fen)
    if kind == "category":
        return TABLES.category(fen)
    if kind == "moves":
        return TABLES.moves(fen)
    if kind == "line":
        return TABLES.line(fen, defence=question.get("defence", "safest"), max_plies=question.get("max_plies", 2000))
    if kind == "play":
        made = TABLES.best_move(fen, question.get("policy", "safest"))
        return [] if made is None else [made]
    if kind == "statistics":
        return TABLES.statistics(question["material"])
    many = TABLES.moves_many if question["moves"] else TABLES.probe_many
    return many(question["fens"], errors="return")


for line in sys.stdin:
    try:
        answer = ask(json.loads(line))
    except (ProbeError, ValueError) as error:
        answer = error
    print(json.dumps(plain(answer)), flush=True)
