#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# replay.script: what tests/replay does with traces of the mixer on a PC.
# usage: script.bash ROOT FOLDER OF THE MIXER
set -u
root=$1 programs=$2
source "$root/tests/traces/replays.bash"
trace=$folder/trace

says() { grep -qF -- "$1" "$folder/report" || fail "the report does not say: $1"; }

{
  printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
  printf '"clientInfo":{"name":"c","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
  printf '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_speed","arguments":{"speed":"slow",'
  printf '"level":3,"pin":"4711"}}}\n{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"mixer://motor"}}\n'
} >"$folder/input"
"$programs/mixer" --record "$trace" <"$folder/input" >/dev/null || fail 'the mixer does not record'

replay 0 "$trace" "$programs/mixer"
says 'replay: no difference in'
replay 0 --step "$trace" "$programs/mixer"
says ' ms: ~closed 1'
replay 0 --boot 1 "$trace" "$programs/mixer"
replay 2 --boot 2 "$trace" "$programs/mixer"
says 'the trace has fewer starts of the device'
# A program that differs.
sed 's/30 turns/31 turns/' "$trace" >"$folder/other"
replay 1 "$folder/other" "$programs/mixer"
says 'the program writes another byte, after byte'
says '  recorded: ~write'
says '  played:   {"jsonrpc":"2.0","id":2'
# The sensor is in the trace.
sed 's/^~value (/~value )/; s/"text":"40"/"text":"41"/' "$trace" >"$folder/other"
replay 0 "$folder/other" "$programs/mixer"
# Each line that is missing, and files that are none.
lines=$(wc -l <"$trace")
for ((line = 2; line <= lines; ++line)); do
  sed "${line}d" "$trace" >"$folder/other"
  replay 2 "$folder/other" "$programs/mixer"
  replay 2 --conversation "$folder/other"
done
replay 2 "$folder/input"
says "the text has no line '~mote trace 1'"
replay 2 "$folder/nothing"
replay 2 --unknown "$trace"
replay 2
replay 2 "$trace" "$folder/nothing"
says 'cannot start'
sed 's/^~mote trace 1/& first/; /^~boot/d; s/^~end .*/~end '"$((lines - 4))"'/' "$trace" >"$folder/other"
replay 2 "$folder/other" "$programs/mixer"
says 'the ring has overwritten the start of the device'
# A conversation of it.
replay 0 --conversation "$trace"
says '{"rule":"Trace of mixer 1.0.0, boot 0123cdef","source":"trace","device":"mixer"}'
says '{"expect":{"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"mixer://motor","text":"40"}]}}}'
printf '~mote trace 1\n~read 1 GET / HTTP/1.1\\r\\n\\r\\n\n~end 1\n' >"$folder/other"
replay 2 --conversation "$folder/other"
says 'only a trace of one UART'
echo 'tests/replay plays, finds differences and damage, and makes a conversation'
