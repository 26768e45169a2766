"""Tables of a site, from servers on this machine: a good one, and those that give something else."""

import contextlib
import functools
import http.server
import os
import pathlib
import pickle
import shutil
import subprocess
import threading

import pytest

from makruk_probe import MissingTableError, Tablebase, UnreadableTableError

FOLDER = pathlib.Path(os.environ["MAKRUK_TABLES"])
PROBE = os.environ.get("MAKRUK_PROBE")
FEN = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"

pytestmark = pytest.mark.skipif(not PROBE, reason="MAKRUK_PROBE names the program that makes sites")


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Answers requests for ranges, and spoils the bytes of tables on demand."""

    asked = []
    spoils = False

    def do_GET(self):
        Ranges.asked.append(self.path)
        path = pathlib.Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        data = path.read_bytes()
        if self.spoils and path.suffix in (".dtm", ".dtz"):
            data = bytes(byte ^ 1 for byte in data)
        ranges = self.headers["Range"]
        parts = []
        for part in ranges.removeprefix("bytes=").split(",") if ranges else []:
            first, last = map(int, part.split("-"))
            parts.append((f"bytes {first}-{last}/{len(data)}", data[first : last + 1]))
        self.send_response(206 if parts else 200)
        if len(parts) == 1:
            [(place, data)] = parts
            self.send_header("Content-Range", place)
        elif parts:
            self.send_header("Content-Type", "multipart/byteranges; boundary=x")
            data = b"".join(b"--x\r\nContent-Range: %b\r\n\r\n%b\r\n" % (place.encode(), part) for place, part in parts)
            data += b"--x--\r\n"
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(site, handler=Ranges):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder, site = tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("site")
    for material in ["KRvKS", "KRvK", "KSvK"]:
        for file in FOLDER.glob(f"{material}.*"):
            shutil.copy(file, folder)
    subprocess.run([PROBE, "site", "--tables", folder, "--out", site, "--guide-only"], check=True, capture_output=True)
    return folder, site


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_a_site_answers_as_the_folder_does(site):
    folder, site = site
    here = Tablebase(folder)
    with served(site) as address, Tablebase(address) as tables:
        assert (tables.folders, len(tables), tables.largest) == ([address], len(here), 4)
        assert ("KRvKS" in tables, FEN in tables, "KNvK" in tables, bool(tables)) == (True, True, False, True)
        for ask in [Tablebase.probe, Tablebase.moves, Tablebase.line, Tablebase.category, Tablebase.best_move]:
            assert ask(tables, FEN) == ask(here, FEN)
        assert tables.probe_many([FEN, FEN]) == here.probe_many([FEN, FEN])
        assert tables.statistics() == here.statistics()
        with pytest.raises(MissingTableError, match="there is no table KRvKN.dtm here") as raised:
            tables.probe("8/8/8/8/8/4n1k1/4R3/K7 w")
        assert (raised.value.material, raised.value.remedy) == ("KRvKN", None)
        for wrong in [lambda: tables.add_directory(folder), lambda: Tablebase([address, folder])]:
            with pytest.raises(ValueError, match="those of one site"):
                wrong()
        # A second tablebase has the bytes of the first, from the disk; so has a copy.
        Ranges.asked.clear()
        for again in [Tablebase(address), pickle.loads(pickle.dumps(tables))]:
            assert again.moves(FEN) == here.moves(FEN)
        assert Ranges.asked == ["/guide/catalogue"] * 2
        # Threads take turns, and a forked process connects anew.
        found = []
        threads = [threading.Thread(target=lambda: found.append(Tablebase.line(tables, FEN))) for _ in range(3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert found == [here.line(FEN)] * 3
        if hasattr(os, "fork"):
            child = os.fork()
            if child == 0:
                os._exit(0 if tables.probe(FEN) == here.probe(FEN) else 1)
            assert os.waitpid(child, 0)[1] == 0
    assert not tables
    with pytest.raises(ValueError, match="closed"):
        tables.probe(FEN)


def test_a_site_that_gives_something_else_is_an_error(site, tmp_path):
    _, site = site
    with served(site, type("Spoils", (Ranges,), {"spoils": True})) as address:
        with pytest.raises(UnreadableTableError, match=f"{address} cannot be read: .* not those that the guide describes"):
            Tablebase(address).probe(FEN)
    # The server is gone.
    with pytest.raises(ConnectionError, match=f"{address} cannot be read: [^(]*$"):
        Tablebase(address)
    with served(tmp_path) as address, pytest.raises(ConnectionError, match="it has no guide/catalogue; .*`makruk-gen fetch"):
        Tablebase(address)
    with pytest.raises(ValueError, match="expected http:// or https:// with a host"):
        Tablebase("https://")
