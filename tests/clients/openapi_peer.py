"""Holds a server to its OpenAPI description: python openapi_peer.py ADDRESS, a server with all tables of up to four
men.

Asks every operation for answers and failures. Every answer must fit its schema, which follows from the type of the
answer; every status that is described must occur. That the parameters are those that are read, a test of the service
asserts.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from openapi_spec_validator import validate

SERVER = "http://" + sys.argv[1]
ROOK = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
# As XBoard writes it.
NOTED = "8/8/8/8/8/4s1k1/4R3/K7 w 0 1"
LOST = "8/8/8/8/3k4/8/8/R3K3 b - 32 8 9"
SAVE = "8/8/8/8/8/8/7R/K2r2k1 w - - 0 1"
FIVE = "8/8/8/8/3k4/8/8/RR2K1N1 w - - 0 1"
PAWN = "8/8/8/8/3k4/P7/8/R3K3 w - - 0 1"
ARRAY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w"
GAMES = f"""[White "A"]
[FEN "8/8/8/8/3k4/8/8/R3K3 w - - 0 1"]
1. Kd2 Ke4 2. Ra4+ Kf3 3. Kd3 *

[FEN "{FIVE}"]
1. Ra4+ 1-0

[FEN "8/8/8/8/3k4/8/8/R3K3 w - - 0 1"]
1. Ra9 *

[FEN "8/8/8/8/3k4/8/8/R3K3 w - - 0 1"]
1. Rb2 *

[FEN "8/8/8/8/3k4/8/8/R3K3 w - - 0 1"]
1. Kd2 {{
"""

# Operation, parameters or body, status.
REQUESTS = [
    ("GET /v1/probe", {"fen": ROOK}, 200),
    ("GET /v1/probe", {"fen": NOTED}, 200),
    ("GET /v1/explore", {"fen": NOTED}, 200),
    ("GET /makruk", {"fen": NOTED}, 200),
    ("GET /makruk/mainline", {"fen": NOTED}, 200),
    ("GET /v1/probe", {"fen": LOST.replace(" ", "_"), "moves": "false"}, 200),
    ("GET /v1/probe", {"fen": PAWN}, 200),
    ("GET /v1/probe", {"fen": ARRAY}, 400),
    ("GET /v1/probe", {}, 400),
    ("GET /v1/probe", {"fen": FIVE}, 404),
    ("POST /v1/batch", {"fens": [ROOK, "nonsense", FIVE], "moves": True}, 200),
    ("POST /v1/batch", {"fens": ROOK}, 400),
    ("POST /v1/batch", {"fens": ["x" * 200_000]}, 413),
    ("GET /v1/line", {"fen": ROOK, "defence": "tricky"}, 200),
    ("GET /v1/line", {"fen": SAVE}, 200),
    ("GET /v1/line", {"fen": NOTED}, 200),
    ("GET /v1/line", {"fen": ROOK, "max_plies": -1}, 400),
    ("GET /v1/line", {"fen": FIVE}, 404),
    ("GET /v1/play", {"fen": ROOK, "policy": "fastest"}, 200),
    ("GET /v1/play", {"fen": "k6R/8/1K6/8/8/8/8/8 b - - 0 1"}, 200),
    ("GET /v1/play", {"fen": NOTED}, 200),
    ("GET /v1/play", {"fen": "8/8 w"}, 400),
    ("GET /v1/play", {"fen": FIVE}, 404),
    ("GET /v1/tables", {}, 200),
    ("GET /v1/tables", {"men": "few"}, 400),
    ("GET /v1/tables/{material}", {"material": "KRvKR", "longest": "true"}, 200),
    ("GET /v1/tables/{material}", {"material": "KNMvK"}, 200),
    ("GET /v1/tables/{material}", {"material": "KXvK"}, 400),
    ("GET /v1/tables/{material}", {"material": "KSMvKM"}, 404),
    ("GET /v1/tables/{material}/saves", {"material": "KRvKS"}, 200),
    ("GET /v1/tables/{material}/saves", {"material": "KvK"}, 400),
    ("GET /v1/tables/{material}/saves", {"material": "KSMvKM"}, 404),
    ("GET /v1/explore", {"fen": "8/8/8/8/8/4s1k1/4R3/K7 w - 128 90 50", "counts": "white"}, 200),
    ("GET /v1/explore", {"fen": SAVE}, 200),
    ("GET /v1/explore", {"fen": FIVE}, 200),
    ("GET /v1/explore", {"fen": ARRAY}, 200),
    ("GET /v1/explore", {"fen": PAWN}, 200),
    ("GET /v1/explore", {"fen": "8/8/8/8/3k4/8/8/4K3 w - - 0 1"}, 200),
    ("GET /v1/explore", {"fen": "nonsense"}, 400),
    ("POST /v1/analyse", {"pgn": GAMES}, 200),
    ("POST /v1/analyse", {"pgn": "1. Re1", "from": ROOK}, 200),
    ("POST /v1/analyse", {"pgn": "1. e4"}, 200),
    ("POST /v1/analyse", {"pgn": 1, "from": "nonsense"}, 400),
    ("POST /v1/analyse", {"pgn": "x" * 200_000}, 413),
    ("GET /v1/materials", {}, 200),
    ("GET /v1/materials", {"men": "few"}, 400),
    ("GET /v1/saves", {"material": "KRvKR,KRvK", "where": "sacrifice=last", "limit": 50, "side": "black"}, 200),
    ("GET /v1/saves", {"material": "KRvK", "kind": "wins", "limit": 5}, 200),
    ("GET /v1/saves", {"material": "KRPvK", "kind": "wins", "limit": 5}, 200),
    ("GET /v1/saves", {"material": "KRvKS", "kind": "wins", "where": "poisoned=any", "limit": 5}, 200),
    ("GET /v1/saves", {"material": "KSvKM", "kind": "zugzwangs"}, 200),
    ("GET /v1/saves", {"material": "KRvKR", "brief": "true", "images": "true", "cursor": "KRvKR:white:9"}, 200),
    ("GET /v1/saves", {}, 400),
    ("GET /v1/saves", {"material": "KRvKR", "where": "unique and x"}, 400),
    ("GET /v1/saves", {"material": "KSMvKM"}, 404),
    ("GET /v1/saves/{material}", {"material": "KRvKR"}, 200),
    ("GET /v1/saves/{material}", {"material": "KRvKR", "sample": 200}, 200),
    ("GET /v1/saves/{material}", {"material": "KvK"}, 400),
    ("GET /v1/saves/{material}", {"material": "KSMvKM"}, 404),
    ("GET /makruk", {"fen": ROOK.replace(" ", "_")}, 200),
    ("GET /makruk", {"fen": LOST}, 200),
    ("GET /makruk", {"fen": SAVE}, 200),
    ("GET /makruk", {"fen": PAWN}, 200),
    ("GET /makruk", {"fen": FIVE}, 200),
    ("GET /makruk", {"fen": "k6R/8/1K6/8/8/8/8/8 b - - 0 1"}, 200),
    ("GET /makruk", {"fen": "k6R/8/1K6/8/8/8/8/8 b - 32 35 1"}, 200),
    ("GET /makruk", {"fen": "k7/8/K7/8/8/8/8/1R6 b - 32 10 1"}, 200),
    ("GET /makruk", {"fen": "8/8/8/8/3k4/8/8/4K3 w - - 0 1"}, 200),
    ("GET /makruk", {"fen": ARRAY}, 200),
    ("GET /makruk", {"fen": "nonsense"}, 400),
    ("GET /makruk/mainline", {"fen": ROOK}, 200),
    ("GET /makruk/mainline", {"fen": SAVE.replace(" ", "_")}, 200),
    ("GET /makruk/mainline", {"fen": "8/8/8/8/3k4/8/8/4K3 w - - 0 1"}, 200),
    ("GET /makruk/mainline", {"fen": "nonsense"}, 400),
    ("GET /makruk/mainline", {"fen": FIVE}, 404),
    ("GET /board.png", {"fen": ROOK.replace(" ", "_"), "flip": "", "men": "traditional"}, 200),
    ("GET /board.png", {"fen": "nonsense", "flip": "yes", "men": "wooden"}, 400),
    ("GET /v1/openapi.json", {}, 200),
    ("GET /healthz", {}, 200),
    ("GET /readyz", {}, 200),
    ("GET /metrics", {}, 200),
]
# Statuses of a server that is in trouble.
UNSEEN_STATUSES = {("GET /readyz", "503")}


class Description:
    def __init__(self, document):
        validate(document)
        self.document = document

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for name in node["$ref"].removeprefix("#/").split("/"):
                target = target[name.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def check(self, schema, answer, context):
        validator = Draft202012Validator({"components": self.document["components"], **schema})
        error = best_match(validator.iter_errors(answer))
        if error:
            sys.exit(f"{context}: {error.json_path}: {error.message[:1000]}")


def ask(method, path, query, body, headers=None):
    url = SERVER + path + ("?" + urllib.parse.urlencode(query) if query else "")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def ask_to_the_end(method, path, query, body):
    """Where a page of positions is empty, because the time of the request was up, asks for the pages after it. Returns
    the query of the answer, too."""
    while True:
        request = (method, path, query, body)
        status, headers, answer = ask(*request)
        if status == 200 and path == "/v1/saves" and b'"saves":[]' in answer:
            cursor = json.loads(answer)["cursor"]
            if cursor not in (None, query.get("cursor"), query.get("until")):
                query = {**query, "cursor": cursor}
                continue
        return query, status, headers, answer


_, _, text = ask("GET", "/v1/openapi.json", {}, None)
description = Description(json.loads(text))
operations = {
    f"{method.upper()} {path}": operation
    for path, item in description.document["paths"].items()
    for method, operation in item.items()
}
asked = {name for name, _, _ in REQUESTS}
assert asked == set(operations), asked ^ set(operations)

# The examples are answers as the schemas have them.
for name, operation in operations.items():
    media = [*operation.get("requestBody", {}).get("content", {}).values(), *operation["responses"]["200"]["content"].values()]
    # Of pictures there is none.
    for kind in [kind for kind in media if kind]:
        description.check(kind["schema"], kind["example"], f"{name}: the example")

statuses = set()
for name, given, expected in REQUESTS:
    method, path = name.split()
    operation = operations[name]
    described = [description.resolve(parameter) for parameter in operation.get("parameters", [])]
    query = dict(given) if method == "GET" else {}
    for parameter in described:
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", query.pop(parameter["name"]))
    context = f"{name} {given!r:.200}"
    query, status, headers, answer = ask_to_the_end(method, path, query, given if method == "POST" else None)
    assert status == expected, f"{context}: {status} {answer[:500]}"
    assert headers["x-request-id"], context
    key = str(status) if str(status) in operation["responses"] else "default"
    statuses.add((name, key))
    response = description.resolve(operation["responses"][key])
    (media, content), = response["content"].items()
    assert headers.get_content_type() == media, f"{context}: {headers['content-type']}"
    if media == "application/json":
        description.check(content["schema"], json.loads(answer), context)
    if "304" in operation["responses"] and status == 200:
        status, _, answer = ask(method, path, query, None, {"if-none-match": headers["etag"]})
        assert (status, answer) == (304, b""), context
        statuses.add((name, "304"))

for name, operation in operations.items():
    # Every described status occurs; `default` by a method that no path has.
    method, path = name.split()
    if "default" in operation["responses"]:
        status, headers, answer = ask("DELETE", path.replace("{material}", "KRvK"), {}, None)
        assert status == 405, f"DELETE {path}: {status}"
        response = description.resolve(operation["responses"]["default"])
        description.check(response["content"]["application/json"]["schema"], json.loads(answer), f"DELETE {path}")
        statuses.add((name, "default"))

described = {(name, status) for name, operation in operations.items() for status in operation["responses"]}
assert described - statuses == UNSEEN_STATUSES, described ^ statuses
status, _, answer = ask("GET", "/v1/nothing", {}, None)
description.check({"$ref": "#/components/schemas/Error"}, json.loads(answer), "GET /v1/nothing")
assert status == 404
print(f"{len(REQUESTS)} requests, {len(operations)} operations")
