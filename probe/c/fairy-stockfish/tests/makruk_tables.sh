#!/bin/sh
# Asks an engine with the endgame tables of Makruk about positions, and compares what it prints with what the tables have.
#
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu

usage="usage: makruk_tables.sh [ENGINE [TABLES]]
ENGINE is ./stockfish by default, TABLES the folder beside this script, which has all tables of three men. Needs expect."
case ${1:-} in -h | --help) echo "$usage"; exit 0 ;; esac
[ $# -le 2 ] || { echo "$usage" >&2; exit 2; }
command -v expect > /dev/null || { echo "makruk_tables.sh: expect is needed" >&2; exit 2; }
engine=${1:-./stockfish}
tables=${2:-$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)/tables}

expect - "$engine" "$tables" << 'END_OF_EXPECT'
lassign $argv engine tables
set timeout 120
set stty_init -echo
match_max 1000000
log_user 0

proc fail {what} {
    puts stderr "makruk_tables.sh: $what"
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

proc set_option {name value} {
    send "setoption name $name value $value\nisready\n"
    return [text_until {readyok}]
}

# The last score, the hits of the tables and the best move of a search.
proc search {fen} {
    send "ucinewgame\nposition fen $fen\ngo depth 10\n"
    set text [text_until {bestmove \S+}]
    set scores [regexp -all -inline {score (?:cp|mate) -?\d+} $text]
    set hits [regexp -all -inline {tbhits \d+} $text]
    regexp {bestmove (\S+)} $text all best
    return [list [string range [lindex $scores end] 6 end] [lindex [lindex $hits end] 1] $best [regexp Makruk $text]]
}

# A search has to print this score and to ask the tables so often at least. With moves, one of them has to be the best.
proc check {fen score hits {moves {}}} {
    lassign [search $fen] found_score found_hits best
    if {![regexp "^$score$" $found_score]} { fail "$fen: expected the score $score, found $found_score" }
    if {$found_hits < $hits} { fail "$fen: expected $hits tbhits or more, found $found_hits" }
    if {$moves ne {} && $best ni $moves} { fail "$fen: expected $moves, found $best" }
}

spawn -noecho $engine
send "uci\n"
set options [text_until {uciok}]
foreach option {MakrukPath MakrukPreload MakrukProbeDepth MakrukProbeLimit} {
    if {![regexp "option name $option " $options]} { fail "there is no option $option" }
}

# The path may come before the variant. A wrong one is explained.
if {![regexp {info string Makruk tables: no tables in } [set_option MakrukPath $tables/none]]} { fail "a wrong path is not explained" }
set found [set_option MakrukPath $tables]
if {![regexp {Makruk tables: \d+ materials of up to \d+ men, complete to [3-7] men; category tables: } $found]} {
    fail "expected all tables of three men, found $found"
}
set_option UCI_Variant makruk

# One move mates in 14, which the count of a rook, begun now, just leaves: FEN without a count, with it, and with two plies less.
set rook "8/R7/8/8/5k2/8/K7/8 w -"
check "$rook - 0 1" {mate 14} 17 a2b3
check "$rook 32 5 1" {mate 14} 17 a2b3
check "$rook 32 7 1" {cp -?\d\d?} 17
# A mate by the one final move counts.
check "7k/8/6K1/8/8/8/8/R7 w - 32 32 1" {mate 1} 1 a1a8
# The bare king holds out as long as he can, and draws by the stalemate or the capture that he gets.
check "1K6/1R6/7k/8/8/8/8/8 b - 32 6 1" {mate -13} 3 h6g5
check "8/8/8/8/8/1k6/R7/7K b - 32 6 1" {cp 0} 1 b3a2
# A khon mates by luck alone, a knight and a pawn do not.
check "4k3/8/3SK3/8/8/8/8/8 w - 88 5 1" {mate 1} 1 d6e7
check "4k3/8/3NK3/8/8/8/8/8 w - 128 5 1" {cp 0} 1
check "8/8/8/5k2/3P4/8/3K4/8 w - - 0 1" {cp 0} 1
# The search asks about the captures of four men.
check "8/8/3k4/3r4/8/8/3R1K2/8 w - 128 10 1" {cp 0} 1

# Other variants ask no table and say nothing, those with a count of their own included.
foreach variant {cambodian asean makpong chess} {
    set_option UCI_Variant $variant
    lassign [search "$rook - 0 1"] score hits best names_makruk
    if {$hits != 0 || $names_makruk || $score eq "mate 14"} { fail "$variant: $score with $hits tbhits" }
}
# Nor does Makruk with the limit 0, or without tables.
set_option UCI_Variant makruk
foreach {option value back} [list MakrukProbeLimit 0 7 MakrukPath <empty> $tables] {
    set_option $option $value
    lassign [search "$rook - 0 1"] score hits
    if {$hits != 0} { fail "$option $value: $hits tbhits" }
    set_option $option $back
}
check "$rook - 0 1" {mate 14} 17 a2b3
send "quit\n"
expect eof
END_OF_EXPECT
echo "makruk_tables.sh: the engine prints what the tables have"
