#!/bin/sh
# Asks an engine about positions of Makruk in which the count matters, one check for each of the patches that need no tables.
#
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu

usage="usage: makruk_count.sh [ENGINE [CHECK]...]
ENGINE is ./stockfish by default. The checks are no-move-rule, count-in-the-key and null-moves-count, by default all. Needs expect."
case ${1:-} in -h | --help) echo "$usage"; exit 0 ;; esac
command -v expect > /dev/null || { echo "makruk_count.sh: expect is needed" >&2; exit 2; }
engine=${1:-./stockfish}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- no-move-rule count-in-the-key null-moves-count
for check in "$@"; do
    case $check in no-move-rule | count-in-the-key | null-moves-count) ;; *) echo "$usage" >&2; exit 2 ;; esac
done

expect - "$engine" "$@" << 'END_OF_EXPECT'
set checks [lassign $argv engine]
set timeout 120
set stty_init -echo
match_max 1000000
log_user 0

proc fail {what} {
    puts stderr "makruk_count.sh: $what"
    exit 1
}

# Returns what the engine prints up to a line that matches.
proc text_until {pattern} {
    expect {
        -re $pattern { return $expect_out(buffer) }
        timeout { fail "the engine prints no $pattern" }
        eof { fail "the engine ends before it prints $pattern" }
    }
}

# The last score of a search, and its nodes. The engine keeps what it has found in earlier searches.
proc search {fen depth} {
    send "position fen $fen\ngo depth $depth\n"
    set text [text_until {bestmove \S+}]
    set scores [regexp -all -inline {score (?:cp|mate) -?\d+} $text]
    set nodes [regexp -all -inline { nodes \d+} $text]
    return [list [string range [lindex $scores end] 6 end] [lindex [lindex $nodes end] 1]]
}

proc forget {} {
    send "ucinewgame\nisready\n"
    text_until {readyok}
}

# Without a rule of n moves, plies since a capture change nothing: neither a distant mate nor the nodes.
proc no-move-rule {} {
    foreach board {8/8/2k5/8/P7/8/1R6/R5K1 8/8/8/4k3/P7/8/8/RR5K} {
        forget
        set expected [search "$board w - - 0 1" 16]
        if {![regexp {^mate \d} [lindex $expected 0]]} { fail "$board w - - 0 1: expected a mate, found $expected" }
        foreach plies {70 80 85 88 95 130} {
            forget
            set found [search "$board w - - $plies 90" 16]
            if {$found ne $expected} { fail "$board w - - $plies 90: expected $expected, found $found" }
        }
    }
}

# What is found with one number of plies left is not used with another: a draw does not hide a win, nor a win a draw.
proc count-in-the-key {} {
    set win {mate \d+|cp \d\d\d\d}
    set draw {cp 0}
    foreach {board first first_score second second_score} [list \
        8/8/8/8/1RK5/8/k7/8 29 $draw 6 $win \
        8/8/8/8/8/7R/4K1k1/8 29 $draw 6 $win \
        8/2K5/7R/k7/8/8/8/8 21 $draw 6 $win \
        8/1k2K3/R7/8/8/8/8/8 6 $win 21 $draw \
        8/8/8/8/8/1R3K2/8/3k4 6 $win 21 $draw \
        8/8/8/6k1/8/5RK1/8/8 6 $win 21 $draw \
    ] {
        forget
        foreach {ply expected} [list $first $first_score $second $second_score] {
            set found [lindex [search "$board w - 32 $ply 1" 14] 0]
            if {![regexp "^($expected)$" $found]} { fail "$board w - 32 $ply 1: expected $expected, found $found" }
        }
    }
}

# A null move takes a ply of the count. With none left after it the game is drawn; otherwise the reply is a node more.
proc null-moves-count {} {
    foreach {fen nodes} {
        "8/2k5/3n4/8/4S3/3KR3/8/8 b - 128 127 1" 334
        "8/2k5/3n4/8/4S3/3KR3/8/8 w - 128 126 1" 2472
        "8/2k5/3m4/8/4N3/3KR3/8/8 b - 128 127 1" 236
    } {
        forget
        set found [search $fen 12]
        if {$found ne [list "cp 0" $nodes]} { fail "$fen: expected {cp 0} $nodes, found $found" }
    }
}

spawn -noecho $engine
send "uci\n"
text_until {uciok}
send "setoption name UCI_Variant value makruk\nisready\n"
text_until {readyok}
foreach check $checks { $check }
send "quit\n"
expect eof
END_OF_EXPECT
echo "makruk_count.sh: the engine knows the count ($*)"
