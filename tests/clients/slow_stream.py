"""Streams positions and reads the answers slowly: python slow_stream.py STUBS ADDRESS STREAMS POSITIONS.

grpcio sends each message in a frame of its own. Prints the number of answers; fails if a stream or a call beside them does.
"""

import sys
import threading
import time

import grpc

sys.path.insert(0, sys.argv[1])
from makruk.v1 import tablebase_pb2 as makruk  # noqa: E402
from makruk.v1 import tablebase_pb2_grpc as services  # noqa: E402

FEN = "8/8/8/8/3k4/8/8/R3K3 w - - 0 {}"
# Seconds that any answer may take.
PATIENCE = 300

streams, positions = int(sys.argv[3]), int(sys.argv[4])
# All of them share one connection.
channel = grpc.insecure_channel(sys.argv[2])
tablebase = services.TablebaseStub(channel)
failures, answered = [], [0] * streams


def read(stream):
    requests = (makruk.ProbeStreamRequest(fen=FEN.format(number)) for number in range(1, positions + 1))
    try:
        for number, answer in enumerate(tablebase.ProbeStream(requests, timeout=PATIENCE), 1):
            if answer.result.position.fen != FEN.format(number):
                raise ValueError(f"answer {number} of stream {stream} is {answer}")
            answered[stream] = number
            # Nothing is read for a second, and then slowly.
            time.sleep(1 if number == 1 else 0.0002)
    except (grpc.RpcError, ValueError) as error:
        failures.append(f"stream {stream} after {answered[stream]} answers: {error}")


threads = [threading.Thread(target=read, args=(stream,)) for stream in range(streams)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    tablebase.Probe(makruk.ProbeRequest(fen=FEN.format(1)), timeout=PATIENCE)
    time.sleep(0.1)
if failures or answered != [positions] * streams:
    sys.exit("\n".join(failures[:5]) or f"{answered}")
print(sum(answered))
