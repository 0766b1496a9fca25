#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries one promise of a board's port, or of toolchains/emulate itself. Called by ctest.
# usage: check.bash TEST EMULATE BOARD IMAGE [ARGUMENT OF THE TEST...]
set -u
test=$1 emulate=$2 board=$3 image=$4
limit_s=60  # For everything that is waited for: it only ends tests that have already failed.

folder=$(mktemp -d)
started=()
finish() {
  # Ends only processes that this script started, by their number.
  for id in "${started[@]}"; do kill -s KILL "$id" 2>/dev/null; done
  rm -rf "$folder"
}
trap finish EXIT

fail() {
  echo "FAILED: $1" >&2
  [[ -s $folder/messages ]] && cat "$folder/messages" >&2
  exit 1
}

# Gives the text $1 to the image and checks that it answers exactly $2 and ends with status $3.
answers() {
  local status
  printf '%s' "$1" | timeout -k 5 "$limit_s" "$emulate" "$board" "$image" >"$folder/output" 2>"$folder/messages"
  status=$?
  printf '%s' "$2" | cmp - "$folder/output" >&2 || fail "other output than expected"
  ((status == $3)) || fail "status $status instead of $3"
}

# Starts the emulator with a pipe at both ends and waits until the image has answered. Sets id and output. Descriptor 9 is for
# all_gone: it is handed down to every process, whatever becomes of its stdout.
start() {
  coproc SERVER { exec "$@" 9>&1 2>"$folder/messages"; }
  id=$SERVER_PID
  exec {output}<&"${SERVER[0]}"
  started+=("$id")
  echo hello >&"${SERVER[1]}"
  local answer
  read -r -t "$limit_s" -u "$output" answer || fail "no answer"
  [[ $answer == hello ]] || fail "answer '$answer'"
  read -r -a children <"/proc/$id/task/$id/children"
  started+=("${children[@]}")
  ((${#children[@]} > 0)) || fail "no child process: what is tested here has changed"
}

# Waits until the emulator and every process it started have ended. Then no process holds the other end of `output`.
all_gone() {
  local status=0
  while ((status == 0)); do
    read -r -t "$limit_s" -u "$output"
    status=$?
  done
  ((status <= 128)) || fail "a process is left behind"
  exec {output}<&-
}

# Opens a control socket: the emulator is to be started with these arguments.
open_qmp() {
  mkfifo "$folder/qmp.in" "$folder/qmp.out"
  exec {to_qmp}<>"$folder/qmp.in" {from_qmp}<>"$folder/qmp.out"
  with_qmp=(-chardev "pipe,id=qmp,path=$folder/qmp" -mon chardev=qmp,mode=control)
}

# Sends the command $1 to the emulator and waits until it has answered, with `reply`.
qmp() {
  reply=
  echo "$1" >&"$to_qmp"
  while [[ $reply != *'"return"'* ]]; do
    read -r -t "$limit_s" -u "$from_qmp" reply || fail "no answer from QMP to $1"
    [[ $reply == *'"error"'* ]] && fail "$reply"
  done
}

# Prints the deepest use of a stack of $1 bytes: it is at the lowest addresses of RAM, and unused parts have the pattern
# of start-up. Fails above $1 - 256 bytes, the reserve for code that no test reaches.
check_stack() {
  local words ram=0x20000000 unused=0
  [[ $board == virt ]] && ram=0x80100000
  qmp "{\"execute\":\"human-monitor-command\",\"arguments\":{\"command-line\":\"xp /$(($1 / 4))wx $ram\"}}"
  words=$(grep -oE '0x[0-9a-f]{8}\b' <<<"${reply//:/ }")
  while read -r word; do
    [[ $word == 0xc0de57ac ]] || break
    ((unused += 4))
  done <<<"$words"
  echo "deepest stack: $(($1 - unused)) bytes of $1"
  ((unused >= 256)) || fail "only $unused bytes of stack are left"
}

# The first message of an MCP client.
initialize='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
initialize+='"clientInfo":{"name":"curl","version":"1"}}}'

# ---- The UART ------------------------------------------------------------------------------------------------------

# Many times more than the ring holds, in one go; no line begins with '!'.
uart_echo() {
  local text
  text=$(for ((i = 0; i < 4000; ++i)); do echo "line $i of the text"; done)
  answers "$text" "$text" 0
}

# While the image is busy it does not read: the ring fills up, and other bytes wait outside.
uart_backpressure() {
  local text
  text=$(for ((i = 0; i < 500; ++i)); do echo "line $i of the text"; done)
  answers $'!busy\n'"$text"$'\n!busy\n'"$text" $'done\n'"$text"$'\ndone\n'"$text" 0
}

uart_errors() { answers $'!errors\n' $'0\n' 0; }

# ---- Clock, sleep, sensor, LED, stack ------------------------------------------------------------------------------

# Sends the command $1, which is answered with $2; more is for the emulator. Input stays open: an image that sleeps when
# it ends is one that has finished.
commands() {
  local answer
  start "$emulate" "$board" "$image" "${@:3}"
  echo "!$1" >&"${SERVER[1]}"
  read -r -t "$limit_s" -u "${SERVER[0]}" answer && [[ $answer == "$2" ]] || fail "answer '$answer'"
}
# Time is counted in instructions here: a machine that has no time for the emulator does not make the clock jump.
clock() { commands clock steady -- -icount shift=6; }
sleep_ends() { commands sleep slept; }
# Each of 51 sleeps may make the clock late by the time of its instructions. Not with sleep=off, which runs the timers twice
# before the processor wakes (QEMU 7.2): the second interrupt of a clock is lost.
drift() { commands drift exact -- -icount shift=3; }

# What interrupts a sleep of 10 s of the board's clock, between the two interrupts of the application. Exception 15 is
# SysTick, which is the clock. On the LM3S6965EVB its counter ends each 320 ms, and timer 0 (exception 35) ends the sleep. On
# the Netduino Plus 2 it ends each 798.9 ms, and ends the sleep, too. If the PC stops the emulator for longer, the clock is
# late, and the end of the sleep takes more alarms. A tick would make 10,000.
sleep_interrupts() {
  local mark expected count
  case $board in
    lm3s6965evb) mark=16 expected=32 ;;
    netduinoplus2) mark=22 expected=13 ;;
  esac
  commands idle idle -- -d int -D "$folder/log"
  grep -oE 'taking pending .*exception [0-9]+' "$folder/log" | grep -oE '[0-9]+$' |
    awk -v "mark=$mark" '$0 == mark { ++marks; next } marks == 1' >"$folder/idle"
  sort "$folder/idle" | uniq -c
  count=$(wc -l <"$folder/idle")
  ((count >= expected - 1 && count <= 4 * expected)) || fail "$count interrupts in 10 s of sleep instead of $expected"
}
interrupt() { answers $'!interrupt\n' $'woken\n' 0; }
led() { answers $'!led on\n!led off\n' $'no yes\nyes no\n' 0; }
pins() { answers $'!pins\n' $'pins\n' 0; }
capture() { answers $'!capture\n' $'captured\n' 0; }
voltage() { answers $'!voltage\n' $'noise\n' 0; }
stack_high_water() { answers $'!stack\n' $'plausible\n' 0; }
random() { answers $'!random\n' $'random\n' 0; }
no_generator() { answers $'!random\n' $'no generator\n' 0; }
float_unit() { answers $'!float\n' $'3375\n' 0; }
no_sensor() { answers $'!temperature\n' $'no sensor\n' 0; }
missing_device() { answers $'!missing\n!temperature\n' $'missing\n0\n' 0; }

# One value after the other, set through the emulator: both signs, steps of 62.5 in hundredths, the ends of the range. A
# value outside of the range of the data sheet is an error.
temperature() {
  local value answer
  open_qmp
  start "$emulate" "$board" "$image" -- "${with_qmp[@]}"
  qmp '{"execute":"qmp_capabilities"}'
  local set='{"execute":"qom-set","arguments":{"path":"/machine/peripheral/t0","property":"temperature","value":'
  for value in 0:0 21500:21500 21563:21560 -62:-60 -40000:-40000 125000:125000 \
    '127938:no sensor' 0:0 '-128000:no sensor' 21500:21500; do
    qmp "$set${value%:*}}}"
    echo '!temperature' >&"${SERVER[1]}"
    read -r -t "$limit_s" -u "$output" answer || fail "no answer"
    [[ $answer == "${value#*:}" ]] || fail "${value%:*} was set, $answer was read"
  done
}

# ---- How an image ends ---------------------------------------------------------------------------------------------

main_returns() {
  answers m '' 42
  answers x '' 3
  answers e '' 9
}

# Boards without memory protection, and those without registers that say the cause of a fault.
has_protection=true has_causes=true
[[ $board == microbit ]] && has_protection=false has_causes=false
# A jump to address 0, where a board with flash at another address forbids every access.
cfsr_at_0=00020000
[[ $board == netduinoplus2 ]] && cfsr_at_0=00000001

# Gives the text $1 to the image, which prints $2 and one line about a fault, and ends with status $3. Sets `fault`: the
# values of the line by their names.
declare -A fault
report() {
  local names='pc lr' line name status pattern=
  $has_causes && names+=' cfsr hfsr mmfar bfar'
  [[ $board == virt ]] && names='mepc ra mcause mtval'
  printf '%s' "$1" | timeout -k 5 "$limit_s" "$emulate" "$board" "$image" >"$folder/output" 2>"$folder/messages"
  status=$?
  ((status == $3)) || fail "status $status instead of $3 after '$1'"
  for name in $names; do pattern+=" $name=0x([0-9a-f]{8})"; done
  line=$(<"$folder/output")
  [[ $line =~ ^"$2"$'\n'"mote: fault"$pattern$ ]] || fail "not a line about a fault after '$1': $line"
  printf '%s\n' "$line" | cmp - "$folder/output" >&2 || fail "the line does not end"
  fault=()
  local at=1
  for name in $names; do fault[$name]=${BASH_REMATCH[at++]}; done
  echo "$1: ${line##*$'\n'}"
}

# The address $1 (pc or lr, of RISC-V mepc or ra) of the report is in the function $2 of the image.
is_in() {
  local start size type name address
  case $board.$1 in
    virt.pc) address=0x${fault[mepc]} ;;
    virt.lr) address=0x${fault[ra]} ;;
    *) address=0x${fault[$1]} ;;
  esac
  while read -r start size type name; do
    [[ $name == "$2" ]] && ((address >= 0x$start && address < 0x$start + 0x$size)) && return
  done < <("${NM:?}" --print-size "$image")
  fail "$1 $address is not in $2"
}

# The registers of the report have these values: NAME=VALUE of a Cortex-M, or of RISC-V.
has() {
  local pair
  for pair in "$@"; do
    [[ ! -v fault[${pair%=*}] || ${fault[${pair%=*}]} == "${pair#*=}" ]] || fail "${pair%=*} is ${fault[${pair%=*}]}, not ${pair#*=}"
  done
}

faults() {
  local how
  if $has_protection; then
    report w '' 101
    is_in pc write_to_flash
    has cfsr=00000082 hfsr=40000000 mmfar=00000000 mcause=00000007 mtval=00000000
  fi
  report r '' 101
  is_in pc read_unmapped
  has cfsr=00000082 hfsr=40000000 mmfar=12345678 mcause=00000005 mtval=12345678
  report u '' 101
  is_in pc run_illegal_instruction
  has cfsr=00010000 hfsr=40000000 mcause=00000002
  report j '' 101
  has pc=1ffff000 cfsr=00000001 hfsr=40000000 mepc=1ffff000 mcause=00000001 mtval=1ffff000
  is_in lr jump_to_nowhere
  report i '' 101  # An interrupt without a handler
  has pc=00000000 "cfsr=$cfsr_at_0" mcause=80000003
  report t 'half a line' 101
  is_in pc run_illegal_instruction
  report h '' 55  # mcp_fault() of the image ended it.
  # A fault in mcp_fault(). A Cortex-M locks up then, and its emulator ends.
  [[ $board == virt ]] && report f '' 101
  # The stack pointer is not in RAM, or so near to its end that the processor cannot store PC and LR.
  for how in 0 1 2 3; do
    report "$how" '' 101
    has pc=00000000 mcause=00000002
  done
}

# The fault handler dumps the trace without secrets. After a reset that keeps the RAM, the next start finds it.
trace() {
  local resets=1 status
  [[ $board == virt ]] && resets=0
  printf '{"password":"hunter2"}\nf' | timeout -k 5 "$limit_s" "$emulate" "$board" "$image" >"$folder/output" 2>"$folder/messages"
  status=$?
  ((status == (resets ? 42 : 101))) || fail "status $status"
  (($(grep -c '^~mote trace 1$' "$folder/output") == resets + 1)) || fail "no title: $(cat "$folder/output")"
  (($(grep -c '^~boot b0070001$' "$folder/output") == 1 + 2 * resets)) || fail "no boot: $(cat "$folder/output")"
  grep -q '^~read' "$folder/output" && grep -q '^~write' "$folder/output" || fail "no bytes: $(cat "$folder/output")"
  grep -q '^~.*\(hunter\|unter2\|nter2\)' "$folder/output" && fail "a secret: $(cat "$folder/output")"
  [[ $(tail -n 1 "$folder/output") == '~end '* ]] || fail "no end: $(cat "$folder/output")"
}

# What the protection opens and forbids below RAM. QEMU 7.2 has neither CCM nor the unique id: it ends in a bus fault what
# the protection lets through.
memory_map() {
  report $'!ccm\n' '' 101
  has cfsr=00008200 bfar=10000000
  report $'!end of ccm\n' '' 101
  has cfsr=00008200 bfar=1000fffc
  report $'!behind ccm\n' '' 101
  has cfsr=00000082 mmfar=10010000
  report $'!id\n' '' 101
  has cfsr=00008200 bfar=1fff7a10
  report $'!write id\n' '' 101
  has cfsr=00000082 mmfar=1fff7a10
}

assertions() {
  local line
  # The same on the UART and for the emulator.
  line=$(grep -n "case 'a'" "${BASH_SOURCE[0]%/*}/fault.cpp")
  answers a $'\n'"mote: fault.cpp:${line%%:*}: MCP_ASSERT failed"$'\n' 102
  grep -qx "fault.cpp:${line%%:*}: MCP_ASSERT failed" "$folder/messages" || fail "the message does not name the place"
  answers b $'\nmote: abort:0: MCP_ASSERT failed\n' 102
  answers p $'\nmote: __cxa_pure_virtual:0: MCP_ASSERT failed\n' 102
  answers s $'\nmote: %s: __pos (which is %zu) > __size (which is %zu):0: MCP_ASSERT failed\n' 102
}

# A Cortex-M has no place to store PC and LR: the return address comes from the stack.
stack_guard() {
  report '' '' 101
  has pc=00000000 cfsr=00000092
  is_in "$([[ $board == virt ]] && echo pc || echo lr)" recurse
}

# ---- Interrupts and subscriptions ------------------------------------------------------------------------------------

# Sends the message $1 and reads the next line, which must contain $2, into `answer`. With $3, notifications of
# `updated` may come before it, and are counted in `told`.
ask() {
  echo "$1" >&"${SERVER[1]}"
  listen "$2" "${3-}"
}
listen() {
  read -r -t "$limit_s" -u "${SERVER[0]}" answer || fail "nothing comes; $1 should"
  while [[ -n ${2-} && $answer == *"$updated"* ]]; do
    ((++told))
    read -r -t "$limit_s" -u "${SERVER[0]}" answer || fail "nothing comes; $1 should"
  done
  [[ $answer == *"$1"* ]] || fail "not '$1' but '$answer'"
}

# Starts the image and subscribes to the resource $1.
start_subscribed() {
  updated='"method":"notifications/resources/updated","params":{"uri":"'$1'"}'
  coproc SERVER { exec "$emulate" "$board" "$image" 2>"$folder/messages"; }
  started+=("$SERVER_PID")
  ask "$initialize" '"id":1,"result":'
  echo '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&"${SERVER[1]}"
  ask '{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"'"$1"'"}}' '"id":2,"result":{}'
}

# Sets `interrupts`, and the `turns` that the main loop has had.
read_counts() {
  ask '{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"'"$1"'"}}' '"id":3,"result":' "${2-}"
  [[ $answer =~ interrupts[^0-9]*([0-9]+)[^0-9]*turns[^0-9]*([0-9]+) ]] || fail "no counts: $answer"
  interrupts=${BASH_REMATCH[1]} turns=${BASH_REMATCH[2]}
}

# No client sends: only the timer wakes the board, which notifies its subscriber and sleeps again.
updates_from_isr() {
  local told=0 before
  start_subscribed count://ticks
  read_counts count://ticks
  before=$turns
  ((interrupts == 0)) || fail "$interrupts interrupts before the first"
  ask '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"tick","arguments":{"milliseconds":50}}}' \
    '"id":4,"result":'
  for ((; told < 10; ++told)); do listen "$updated"; done
  ask '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"tick","arguments":{"milliseconds":0}}}' \
    '"id":5,"result":' more
  read_counts count://ticks more
  echo "$interrupts interrupts of the timer, $told notifications, $((turns - before)) turns of the main loop"
  ((told <= interrupts)) || fail "more notifications than interrupts"
  # A turn sends at most 16 bytes of a line of 100, and input comes in pieces of that size, too. A loop that does not
  # sleep takes hundreds of thousands of turns.
  ((turns - before < 200 * interrupts)) || fail "the main loop does not sleep"
}

# All between two turns of the main loop: one notification, and none after it.
interrupt_storm() {
  start_subscribed count://storm
  ask '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"storm","arguments":{"interrupts":10000}}}' \
    '"id":4,"result":'
  listen "$updated"
  ask '{"jsonrpc":"2.0","id":5,"method":"ping"}' '"id":5,"result":{}'
  read_counts count://storm
  ((interrupts == 10000)) || fail "$interrupts interrupts instead of 10000"
  # The session continues.
  ask '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"storm","arguments":{"interrupts":1}}}' \
    '"id":6,"result":'
  listen "$updated"
  read_counts count://storm
  ((interrupts == 10001)) || fail "$interrupts interrupts instead of 10001"
}

# ---- Watchdog ------------------------------------------------------------------------------------------------------

# Sends a command, and checks the next line that is not empty.
expect_line() {
  local line=
  [[ -z $1 ]] || echo "$1" >&"${SERVER[1]}"
  while [[ -z $line ]]; do read -r -t "$limit_s" -u "$output" line || fail "no line '$2'"; done
  [[ $line == "$2" ]] || fail "'$line' instead of '$2'"
}

# A sleep of five times its time, and a handler that is late, do not reset the board. A hang does, and says so once.
watchdog() {
  local round
  # The clock of the board follows its instructions, so that a busy machine causes no reset, and sleeps take no time.
  start "$emulate" "$board" "$image" -- -icount shift=4,sleep=off
  expect_line reason other
  expect_line idle idle
  expect_line late late
  expect_line late late
  expect_line again other
  for round in 1 2; do
    expect_line hang 'mote: reset by the watchdog'
    expect_line reason watchdog
    expect_line again other
    expect_line idle idle
  done
  echo exit >&"${SERVER[1]}"
  all_gone
}

# A workbench: low, high and input at rest. Each end of the program puts the driven pins to rest. Before the watchdog, the
# reset does this, because all pins are inputs after it. Then the program drives them.
workbench() {
  local how rest=01i driven=101 reset=iii
  start "$emulate" "$board" "$image" -- -icount shift=4,sleep=off
  expect_line start "$reset"
  expect_line now "$rest"
  for how in fault assert; do
    expect_line drive "$driven"
    if [[ $how == fault ]]; then
      echo fault >&"${SERVER[1]}"
      read -r -t "$limit_s" -u "$output" line && [[ -z $line ]] || fail "'$line' in place of the line of a fault"
      read -r -t "$limit_s" -u "$output" line && [[ $line == 'mote: fault pc='* ]] || fail "'$line' is no fault"
      expect_line '' "$rest"
    else
      expect_line assert "$rest"
    fi
    expect_line '' "$reset"
    expect_line now "$rest"
  done
  expect_line drive "$driven"
  expect_line hang 'mote: reset by the watchdog'
  expect_line '' "$reset"
  expect_line now "$rest"
  expect_line drive "$driven"
  expect_line refuse refused
  expect_line now "$rest"
  expect_line pulse pulses
  expect_line assert "$rest"
  expect_line '' "$reset"
  expect_line drive "$driven"
  expect_line reset "$reset"
  expect_line now "$rest"
  echo exit >&"${SERVER[1]}"
  all_gone
}

# The interrupt of a timer posts to the mailbox: a client gets updates, a log message, and the result of the job that the
# interrupt wakes.
mailbox_from_isr() {
  local updates=0 messages=0
  start_subscribed count://ticks
  ask '{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"notice"}}' '"id":3,"result":{}'
  echo '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"wait"}}' >&"${SERVER[1]}"
  while listen '"jsonrpc":"2.0"' && [[ $answer != *'"id":4'* ]]; do
    [[ $answer != *"$updated"* ]] || ((++updates))
    [[ $answer != *'"logger":"timer","data":"enough ticks"'* ]] || ((++messages))
  done
  [[ $answer == *'woken by tick 1'[0-9]* ]] || fail "no result of the job: $answer"
  # What was posted with the last wake may follow the result.
  for ((; messages == 0; )); do
    listen '"jsonrpc":"2.0"'
    [[ $answer != *"$updated"* ]] || ((++updates))
    [[ $answer != *'"logger":"timer","data":"enough ticks"'* ]] || ((++messages))
  done
  echo "$updates updates, $messages log messages"
  ((updates >= 1 && updates <= 20)) || fail "$updates updates"
}

# ---- HTTP ------------------------------------------------------------------------------------------------------------

http() { answers '' '' 0; }

# check_host HOST STATUS: a request for this host gets this status.
check_host() {
  local status
  status=$(curl -sS --max-time "$limit_s" -o "$folder/body" -w '%{http_code}' -H "Host: $1" -H 'Accept: text/plain' \
    -H 'Content-Type: application/json' --data "$body" "http://127.0.0.1:$port/mcp")
  [[ $status == "$2" ]] || fail "status $status for the host $1"
}

# The board gets an address, and a port of this machine is its port. Two of them at the same time are two boards.
network() {
  local line port body answer address host
  body='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
  body+='"clientInfo":{"name":"curl","version":"1"}}}'
  for address in first second; do
    mkfifo "$folder/$address"
    exec {told}<>"$folder/$address"
    coproc SERVER { exec "$emulate" "$board" "$image" --forward 80 --forward 81 2>"$folder/$address"; }
    started+=("$SERVER_PID")
    exec {uart}<&"${SERVER[0]}" {input}>&"${SERVER[1]}"
    read -r -t "$limit_s" -u "$uart" line || fail "no word from the board"
    [[ $line == 'listening on http://10.0.2.15/mcp'* ]] || fail "it says '$line'"
    read -r -t "$limit_s" -u "$told" line && [[ $line =~ ^port\ 80\ of\ the\ board\ is\ 127\.0\.0\.1:([0-9]+)$ ]] ||
      fail "no port is told: $line"
    port=${BASH_REMATCH[1]}
    read -r -t "$limit_s" -u "$told" line && [[ $line =~ ^port\ 81\ of\ the\ board\ is\ 127\.0\.0\.1:[0-9]+$ ]] ||
      fail "the second port is not told: $line"
    answer=$(curl -sS --max-time "$limit_s" -H 'Content-Type: application/json' \
      -H 'Accept: application/json, text/event-stream' --data "$body" "http://127.0.0.1:$port/mcp") || fail "no answer"
    [[ $answer == *'"id":1,"result":{"protocolVersion":"2025-11-25"'* ]] || fail "the answer is '$answer'"
    read -r -t "$limit_s" -u "$uart" line && [[ $line == 'listening on http://thermometer.local/mcp'* ]] ||
      fail "it says '$line' in place of its name"
    # A request without Accept: 406 after the host was allowed.
    for host in 10.0.2.15 [fe80::1]:80 localhost thermometer.local thermometer.local.:80; do
      check_host "$host" 406
    done
    for host in evil.example thermometer-2.local thermometer.local.evil.example; do
      check_host "$host" 403
    done
  done
  "$emulate" "$board" "$image" --forward x </dev/null 2>"$folder/messages" && fail "forwards what is no port"
  grep -q -- '--forward takes PORT' "$folder/messages" || fail "does not say what is wrong"
  "$emulate" "$board" "$image" --frames x </dev/null 2>"$folder/messages" && fail "sends frames to what is no port"
  grep -q -- '--frames takes a UDP port' "$folder/messages" || fail "does not say what is wrong"
  "$emulate" "$board" "$image" --frames 9 --forward 80 </dev/null 2>"$folder/messages" && fail "has two networks"
  grep -q 'is another network' "$folder/messages" || fail "does not say what is wrong"
}

# ---- HTTPS -----------------------------------------------------------------------------------------------------------

# Starts the image and waits until it listens. Sets uart and port; certificates are in the folder $1.
start_https() {
  certificates=$1
  local line= told
  mkfifo "$folder/told"
  exec {told}<>"$folder/told"
  open_qmp
  coproc SERVER { exec "$emulate" "$board" "$image" --forward 443 -- "${with_qmp[@]}" 2>"$folder/told"; }
  started+=("$SERVER_PID")
  exec {uart}<&"${SERVER[0]}" {input}>&"${SERVER[1]}"
  # Its own certificate takes memory before it has an address.
  while [[ $line == '' || $line == 'TLS memory:'* ]]; do
    read -r -t "$limit_s" -u "$uart" line || fail "no word from the board"
  done
  [[ $line == 'listening on https://10.0.2.15/mcp'* ]] || fail "it says '$line'"
  # The board may be faster than the report of its port.
  read -r -t "$limit_s" -u "$told" line || fail "no port is told"
  port=${line#port 443 of the board is 127.0.0.1:}
  [[ $port =~ ^[0-9]+$ ]] || fail "it tells '$line'"
  qmp '{"execute":"qmp_capabilities"}'
}

# tls_curl OPTION... sends the message on stdin.
tls_curl() {
  curl -sS --max-time "$limit_s" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' --data @- "$@" "https://127.0.0.1:$port/mcp" 2>"$folder/curl"
}

# converse OPTION...: initialize and a call, with these options for curl.
converse() {
  local answer session
  answer=$(tls_curl -D "$folder/head" "$@" <<<"$initialize") || fail "initialize: $(<"$folder/curl")"
  [[ $answer == *'"id":1,"result":{"protocolVersion":"2025-11-25"'* ]] || fail "the answer is '$answer'"
  session=$(tr -d '\r' <"$folder/head" | sed -n 's/^mcp-session-id: *//Ip')
  answer=$(tls_curl "$@" -H "Mcp-Session-Id: $session" -H 'MCP-Protocol-Version: 2025-11-25' \
    <<<'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set_led","arguments":{"on":true}}}') ||
    fail "call: $(<"$folder/curl")"
  [[ $answer == *'"id":2,"result":'* ]] || fail "the answer is '$answer'"
  curl -sS --max-time "$limit_s" -X DELETE -H "Mcp-Session-Id: $session" "$@" "https://127.0.0.1:$port/mcp" ||
    fail "end of the session"
}

# A client that has made the TCP handshake and sends nothing, until its descriptor `held` is closed.
hold() {
  local line
  mkfifo "$folder/hold.$#.${#started[@]}"
  exec {held}<>"$folder/hold.$#.${#started[@]}"
  exec {said}< <(exec openssl s_client -connect "127.0.0.1:$port" -CAfile "$certificates/authority.pem" "$@" \
    <"/dev/fd/$held" 2>&1)
  holder=$!
  started+=("$holder")
  while read -r -t "$limit_s" -u "$said" line; do
    [[ $line == *'alert internal error'* ]] && return 1
    [[ $line == *'Verify return code: 0'* ]] && return 0
  done
  return 1
}

# Reads the UART's lines on TLS memory until one matches $1.
tls_memory() {
  local line
  used=0
  while ((used < $1)); do
    read -r -t "$limit_s" -u "$uart" line || fail "the memory for TLS stays at $used bytes"
    [[ $line =~ ^TLS\ memory:\ ([0-9]+)\ of\ ([0-9]+) ]] || fail "it says '$line'"
    used=${BASH_REMATCH[1]}
  done
}

https() {
  local authority=$2/authority.pem
  start_https "$2"
  converse --cacert "$authority" --tls-max 1.2
  converse --cacert "$authority" --tlsv1.3
  tls_curl <<<"$initialize" && fail "a client gets through that does not know the authority"
  tls_curl --cacert "$authority" --tls-max 1.1 --ciphers DEFAULT@SECLEVEL=0 <<<"$initialize" && fail "speaks TLS 1.1"
  curl -sS --max-time "$limit_s" "http://127.0.0.1:$port/mcp" 2>"$folder/curl" && fail "speaks HTTP without TLS"
  converse --cacert "$authority"
  # As many as there are places for, in one version or the other, and one that waits with its handshake done.
  hold -tls1_3 || fail "the first is refused"
  hold -tls1_2 || fail "the second is refused"
  hold -tls1_3 || fail "the third is refused"
  hold -tls1_3 || fail "the fourth makes no handshake"
  tls_memory "$3"
  echo "high water of the memory for TLS: $used bytes or more, budget $4"
  ((used <= $4)) || fail "more than $4 bytes"
  check_stack "$5"
}

# The image with TLS memory for two clients, which requires certificates.
https_mutual() {
  local authority=$2/authority.pem version name
  start_https "$2"
  for version in --tls-max\ 1.2 --tlsv1.3; do
    converse --cacert "$authority" $version --cert "$2/client.pem" --key "$2/client_key.pem"
    tls_curl --cacert "$authority" $version <<<"$initialize" && fail "needs no certificate ($version)"
    for name in stranger expired; do
      tls_curl --cacert "$authority" $version --cert "$2/$name.pem" --key "$2/${name}_key.pem" <<<"$initialize" &&
        fail "takes the certificate of a client that is $name ($version)"
    done
  done
  local options=(-tls1_2 -cert "$2/client.pem" -key "$2/client_key.pem")
  hold "${options[@]}" || fail "the first is refused"
  hold "${options[@]}" || fail "the second is refused"
  local second=$holder
  hold "${options[@]}" && fail "there is memory for a third"
  kill "$second"
  converse --cacert "$authority" --cert "$2/client.pem" --key "$2/client_key.pem"
  check_stack "$3"
}

# ---- toolchains/emulate --------------------------------------------------------------------------------------------

ends_with_input() {
  answers '' '' 0
  answers 'no end of line' 'no end of line' 0
  [[ -s $folder/messages ]] && fail "messages in good order"
  start "$emulate" "$board" "$image"
  exec {SERVER[1]}>&-
  wait "$id" || fail "status $?"
  all_gone
  timeout -k 5 "$limit_s" "$emulate" "$board" "$image" <&- || fail "status $? without stdin"
}

exit_status() {
  answers $'a\n!exit\n' $'a\n' 7
  start "$emulate" "$board" "$image"
  echo '!exit' >&"${SERVER[1]}"
  wait "$id"
  (($? == 7)) || fail "status $? instead of 7"
  all_gone
}

terminates() {
  local signal
  for signal in TERM:143 HUP:129; do
    start "$emulate" "$board" "$image"
    kill -s "${signal%:*}" "$id"
    wait "$id"
    (($? == ${signal#*:})) || fail "status $? after ${signal%:*}"
    all_gone
  done
}

# SIGKILL cannot be forwarded, but no process may stay behind.
killed() {
  start "$emulate" "$board" "$image"
  kill -s KILL "$id"
  wait "$id" 2>/dev/null
  all_gone
}

arguments() {
  local output
  output=$("$emulate" --help) || fail "--help: status $?"
  [[ $output == Usage:* && $output == *"$board"* ]] || fail "--help: $output"
  output=$("$emulate" no_such_board "$image" 2>&1) && fail "accepted a board that is not there"
  [[ $output == *"$board"* ]] || fail "does not list the boards: $output"
  output=$("$emulate" "$board" "$folder/no_such_image" 2>&1) && fail "accepted an image that is not there"
  [[ $output == *no_such_image* ]] || fail "does not name the image: $output"
  output=$("$emulate" "$board" "$image" more 2>&1) && fail "accepted an argument without --"
  output=$("$emulate" 2>&1) && fail "accepted no arguments"
  mkdir "$folder/path"
  output=$(PATH=$folder/path "$BASH" "$emulate" "$board" "$image" 2>&1) && fail "runs without an emulator"
  [[ $output == *"apt-get install qemu-system-"* ]] || fail "does not say what to install: $output"
}

# Prints measured times in the log. Other tests run at the same time, so only processor time has a limit.
start_up_time() {
  local began_us=${EPOCHREALTIME/./} process line fields ticks=0
  start "$emulate" "$board" "$image"
  local took_us=$((${EPOCHREALTIME/./} - began_us))
  for process in "$id" "${children[@]}"; do
    read -r line <"/proc/$process/stat"
    # After the name: field 3 is the state, fields 14 and 15 are the user and system time.
    read -r -a fields <<<"${line##*) }"
    ((ticks += fields[11] + fields[12]))
  done
  local busy_ms=$((ticks * 1000 / $(getconf CLK_TCK)))
  echo "start to first answer: $((took_us / 1000)) ms, of them busy: $busy_ms ms"
  ((busy_ms < 2000)) || fail "was busy for $busy_ms ms"
}

case $test in
  https*) "$test" "${@:4}" ;;
  sleep) sleep_ends ;;  # `sleep` itself is needed here.
  *) "$test" ;;
esac
exit 0
