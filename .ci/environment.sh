# shellcheck shell=bash
# Sourced by the scripts beside it. `$target` is the target folder.

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo --non-interactive "$@"; fi
}

# A virtual environment under the target folder with these packages, made if it is not there or is not whole.
environment() {
    local venv=$target/$1 check=$2
    shift 2
    if ! "$venv/bin/python" -c "$check" 2>/dev/null; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" </dev/null
        "$venv/bin/python" -c "$check"
    fi
}

# Python that fails unless the environment has exactly the packages of a list.
has() {
    echo "import importlib.metadata as m, sys
for line in open('$1'):
    name, _, version = line.partition('#')[0].strip().partition('==')
    assert not name or m.version(name.partition('[')[0]) == version, name"
}

# A folder in which Wine runs programs, with the library that it lacks.
wine_prefix() {
    export WINEPREFIX=$target/wine WINEDEBUG=-all
    local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
    [ ! -e "$library" ] || return 0
    wineboot --init
    x86_64-w64-mingw32-gcc -shared -o "$library" tests/data/windows/bcryptprimitives.c -ladvapi32
}
