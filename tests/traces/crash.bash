#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# replay.crash: a crash on a board becomes a failing test on the PC. The mixer crashes on the emulated board after a
# certain conversation, and its fault handler prints the trace on the UART. The same program on the PC crashes at the same
# step of this trace. Without the bug it plays the whole trace.
# usage: crash.bash ROOT IMAGE FOLDER OF THE HOST'S MIXER
set -u
root=$1 image=$2 programs=$3
[[ -x $programs/mixer && -x $programs/mixer_fixed ]] ||
  { echo 'skipped: the mixer is not built; the host preset does that'; exit 77; }
command -v node >/dev/null || { echo 'skipped: there is no Node.js; tests/run installs it'; exit 77; }
source "$root/tests/traces/replays.bash"
log=$folder/uart.log

# say ID LINE: sends a line to the board, and waits for the response to ID, so that each request is a turn of its own.
say() {
  send "$2"
  while IFS= read -r -t 60 line <&"$from"; do
    printf '%s\n' "$line" >>"$log"
    [[ $line == *"\"id\":$1,"* ]] && return
  done
  fail "no response to $1"
}
send() { printf '%s\n' "$1" >&"$to" || fail 'the board reads no more'; }
call() {
  printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"set_speed","arguments":%s}}' "$1" "$2"
}
coproc board { exec timeout -k 5 60 "$root/toolchains/emulate" lm3s6965evb "$image" 2>"$folder/report"; }
emulator=$board_PID
# Bash unsets board and board_PID, and closes their files, when the coprocess has ended.
trap 'kill ${board_PID-} 2>/dev/null; rm -rf "$folder"' EXIT
trap '' PIPE
exec {from}<&"${board[0]}" {to}>&"${board[1]}" {board[1]}>&-
say 1 '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'\
'"clientInfo":{"name":"c","version":"1"}}}'
send '{"jsonrpc":"2.0","method":"notifications/initialized"}'
say 2 "$(call 2 '{"speed":"slow","level":3,"pin":"4711"}')"
say 3 '{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"mixer://motor"}}'
send "$(call 4 '{"speed":"fast","level":9,"pin":"4711"}')"
exec {to}>&-
cat <&"$from" >>"$log"
status=0
wait "$emulator" || status=$?
((status == 101)) || fail "the board ends with status $status instead of a fault"
grep -q '^mote: fault pc=0x00000000' "$log" || fail 'the board reports no fault'
grep -q 4711 <(grep '^~' "$log" | sed 's/^~read[^ ]* 1 //' | tr -d '\n') && fail 'the trace contains a PIN'

# The crash is after the last step of the trace.
replay 139 "$log" "$programs/mixer"
pattern='signal 11 stops the program after step ([0-9]+) of ([0-9]+) '
[[ $(<"$folder/report") =~ $pattern ]] ||
  fail 'the report does not name the step'
((BASH_REMATCH[1] == BASH_REMATCH[2])) || fail 'the program crashes at another step'
replay 0 "$log" "$programs/mixer_fixed"
grep -q "no difference in ${BASH_REMATCH[2]} steps" "$folder/report" || fail 'the program without the bug ends elsewhere'
cat "$folder/report"

# The conversation ends with the call that crashes.
replay 0 --conversation "$log"
sed -i "s/boot [0-9a-f]*/boot 0/; /mixer:..motor.,.text/s/\"text\":\"[0-9]*\"/\"text\":\"40\"/" "$folder/report"
diff "$root/tests/traces/crash.jsonl" "$folder/report" >&2 || fail 'another conversation'

# A line that the UART has damaged or lost, and a log that ends too early.
sed 's/^~poll 18$/~poll x/; s/^~boot /~boot x/' "$log" >"$folder/damaged"
replay 2 "$folder/damaged" "$programs/mixer"
grep -n '^~read' "$log" | tail -1 | cut -d: -f1 | xargs -I{} sed '{}d' "$log" >"$folder/damaged"
replay 2 "$folder/damaged" "$programs/mixer"
head -c "$(($(stat -c %s "$log") - 20))" "$log" >"$folder/damaged"
replay 2 "$folder/damaged" "$programs/mixer"
