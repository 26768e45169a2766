"""Calls a server with stubs generated from the .proto: python grpcio_peer.py STUBS ADDRESS [CERTIFICATE], positions on standard input.

Writes each answer in the shape of `makruk-probe query --json --moves`, one a line, having asked every method.
"""

import json
import sys
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

sys.path.insert(0, sys.argv[1])
from makruk.v1 import tablebase_pb2 as makruk  # noqa: E402
from makruk.v1 import tablebase_pb2_grpc as services  # noqa: E402

# Seconds that any answer may take.
PATIENCE = 300


def name(enum, value):
    prefix, text = enum.DESCRIPTOR.values[0].name.removesuffix("UNSPECIFIED"), enum.Name(value)
    return text.removeprefix(prefix).lower().replace("_", "-")


def optional(message, field):
    return getattr(message, field) if message.HasField(field) else None


def worth(message):
    return {
        "category": name(makruk.Category, message.category),
        "dtm": optional(message, "dtm_plies"),
        "dtz": optional(message, "dtz_plies"),
    }


def as_json(answer):
    count = answer.count
    return {
        "fen": answer.fen,
        "material": answer.material,
        "side": name(makruk.Side, answer.side),
        **worth(answer),
        "count": {
            "rule": name(makruk.CountRule, count.rule),
            "limit": optional(count, "limit_plies"),
            "ply": optional(count, "elapsed_plies"),
            "attacker_moves_left": optional(count, "attacker_moves_left"),
        },
        "checkmate": answer.checkmate,
        "stalemate": answer.stalemate,
        **({"notes": list(answer.notes)} if answer.notes else {}),
        "moves": [
            {
                "uci": mv.uci,
                "san": mv.san,
                **worth(mv),
                "capture": mv.capture,
                "promotion": mv.promotion,
                "bares_king": mv.bares_king,
                "begins_count": mv.begins_count,
            }
            for mv in answer.moves
        ],
    }


def reason(error):
    for detail in rpc_status.from_call(error).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            assert info.domain == "makruk.v1", info
            return info.reason


if len(sys.argv) > 3:
    with open(sys.argv[3], "rb") as file:
        channel = grpc.secure_channel(sys.argv[2], grpc.ssl_channel_credentials(file.read()))
else:
    channel = grpc.insecure_channel(sys.argv[2])
tables = services.TablebaseStub(channel)
fens = sys.stdin.read().splitlines()
answers = []
for fen in fens:
    try:
        answers.append(as_json(tables.Probe(makruk.ProbeRequest(fen=fen, include_moves=True), timeout=PATIENCE)))
    except grpc.RpcError as error:
        answers.append({"reason": reason(error).lower()})


def of_result(result):
    if result.WhichOneof("result") == "position":
        return as_json(result.position)
    return {"reason": name(makruk.ErrorReason, result.error.reason).replace("-", "_")}


batch = tables.ProbeBatch(makruk.ProbeBatchRequest(fens=fens, include_moves=True), timeout=PATIENCE)
assert [of_result(result) for result in batch.results] == answers
requests = (makruk.ProbeStreamRequest(fen=fen, include_moves=True) for fen in fens)
assert [of_result(answer.result) for answer in tables.ProbeStream(requests, timeout=PATIENCE)] == answers

won = next(answer for answer in answers if answer.get("category") == "win")
parts = list(tables.BestLine(makruk.BestLineRequest(fen=won["fen"]), timeout=PATIENCE))
assert parts[0].start.fen == won["fen"] and parts[-1].end == makruk.LINE_END_CHECKMATE
assert parts[1].move.move.uci == won["moves"][0]["uci"]
played = tables.Play(makruk.PlayRequest(fen=won["fen"], policy=makruk.POLICY_SAFEST), timeout=PATIENCE)
assert played.move.uci == won["moves"][0]["uci"] and played.HasField("fen")

listed = tables.ListTables(makruk.ListTablesRequest(men=3), timeout=PATIENCE).tables
assert [table.material for table in listed] == ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK", "KPvK"], listed


def statistics_with_longest_wins(material):
    """Asks again while the service still searches the longest wins."""
    request = makruk.TableStatisticsRequest(material=material, include_longest=True)
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = tables.TableStatistics(request, timeout=PATIENCE)
        if not (answer.dtm.white.longest_pending or answer.dtm.black.longest_pending):
            return answer
        assert time.monotonic() < deadline, f"{material}: the search for the longest wins takes more than {PATIENCE} s"
        time.sleep(0.05)


statistics = statistics_with_longest_wins("KRvK")
assert statistics.dtm.white.max_win_plies == 31 and not statistics.dtm.white.HasField("max_loss_plies")
assert len(statistics.dtm.white.longest_win_fens) == 10 and not statistics.HasField("dtz")

for answer in answers:
    print(json.dumps(answer))
