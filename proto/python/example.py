"""A client of the tables in Python: python example.py [ADDRESS] against a running `makruk-probe serve`.

Install requirements.txt first. The stubs are generated from the .proto at import; to keep them as files instead:

    python -m grpc_tools.protoc -I proto --python_out=. --grpc_python_out=. makruk/v1/tablebase.proto
"""

# %% The stubs, from the .proto in this repository.
import pathlib
import sys

import grpc
from grpc_status import rpc_status
from google.rpc import error_details_pb2

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
makruk, services = grpc.protos_and_services("makruk/v1/tablebase.proto")

address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
tables = services.TablebaseStub(grpc.insecure_channel(address))


def category(answer):
    """CATEGORY_CURSED_WIN as "cursed-win"."""
    return makruk.Category.Name(answer.category).removeprefix("CATEGORY_").lower().replace("_", "-")


# %% One position. Missing values are omitted: test with HasField, not for 0.
fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
answer = tables.Probe(makruk.ProbeRequest(fen=fen, include_moves=True), timeout=5)
print(f"{answer.material}: {category(answer)}, mate in {answer.dtm_plies} plies without a count, "
      f"conversion in {answer.dtz_plies}, {answer.count.attacker_moves_left} moves left")
for move in answer.moves[:3]:
    dtz = move.dtz_plies if move.HasField("dtz_plies") else "none"
    print(f"  {move.san:6} {category(move):12} DTZ {dtz}")

# %% Many positions. An invalid one fails alone.
fens = [fen, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1", "not a position"]
for result in tables.ProbeBatch(makruk.ProbeBatchRequest(fens=fens), timeout=5).results:
    if result.WhichOneof("result") == "position":
        print(f"{result.position.fen}: {category(result.position)}")
    else:
        print(f"{makruk.ErrorReason.Name(result.error.reason)}: {result.error.message}")

# %% The best line, as it is found.
san = []
for part in tables.BestLine(makruk.BestLineRequest(fen=fens[1], defence=makruk.POLICY_TRICKY)):
    if part.WhichOneof("part") == "move":
        san.append(part.move.move.san)
    elif part.WhichOneof("part") == "end":
        print(" ".join(san), makruk.LineEnd.Name(part.end))

# %% A failure has a code, a reason to match, and a message.
try:
    tables.Probe(makruk.ProbeRequest(fen="8/8/8/8/3k4/8/8/RRNNK3 w - - 0 1"), timeout=5)
except grpc.RpcError as error:
    for detail in rpc_status.from_call(error).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            print(error.code().name, info.reason, dict(info.metadata))
