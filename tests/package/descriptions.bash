#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Descriptions of boards that toolchains/emulate rejects, each with its sentence. Called by ctest.
set -u
emulate=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: >"$folder/image.elf"
failures=0

# rejects SENTENCE BOARD [ARGUMENT...]
rejects() {
  local output status
  output=$("$emulate" "$2" "$folder/image.elf" "${@:3}" 2>&1 </dev/null)
  status=$?
  if ((status != 2)) || [[ $output != *"$1"* ]]; then
    echo "expected status 2 and: $1" >&2
    echo "status $status: $output" >&2
    ((++failures))
  fi
}

# rejects_lines SENTENCE LINE...: the description has these lines.
rejects_lines() {
  printf '%s\n' "${@:2}" >"$folder/own.emulator"
  rejects "$1" "$folder/own.emulator"
}

rejects "there is no board 'own'; there is: lm3s6965evb microbit " own
rejects "cannot read the description of a board" "$folder/none.emulator"
rejects "has no description, a file NAME.emulator" "$folder/"
good=('qemu qemu-system-arm' 'machine stm32vldiscovery')
rejects_lines "own.emulator:2: unknown key 'processor'; the keys are: qemu package machine" "${good[0]}" 'processor arm'
rejects_lines "own.emulator:1: the key 'machine' has no value" 'machine'
rejects_lines "own.emulator:3: the key 'machine' is given twice" "${good[@]}" "${good[1]}"
rejects_lines "own.emulator:1: the value of 'machine' has a space: a b" 'machine a b'
rejects_lines "own.emulator:1: '/bin/sh' is no emulator" 'qemu /bin/sh'
rejects_lines "own.emulator:1: 'sh' is no emulator" 'qemu sh'
rejects_lines "'qemu-system-arm;sh' is no emulator" 'qemu qemu-system-arm;sh'
rejects_lines "has no line 'qemu'" '# a comment' '' "${good[1]}"
rejects_lines "has no line 'machine'" "${good[0]}"
rejects_lines "'8' is no number of a UART, 0 to 7" "${good[@]}" 'uart 8'
rejects_lines "'0x40' is no address and mask" "${good[@]}" 'uart_ready 0x40'
rejects_lines "'1' is no unit and size of a flash, such as 1 32M" "${good[@]}" 'flash 1'
rejects_lines "network and network_device are two interfaces" "${good[@]}" 'network a' 'network_device b'
rejects_lines "qemu-system-none is missing; on Debian: apt-get install a-package" \
  'qemu qemu-system-none' 'package a-package' "${good[1]}"
rejects_lines "qemu-system-none is missing" 'qemu qemu-system-none' "${good[1]}"
printf '%s\n' "${good[@]}" >"$folder/own.emulator"
rejects "this board has no network: $folder/own.emulator has no line 'network'" "$folder/own.emulator" --forward 80
rejects "$folder/own.emulator has no line 'flash'" "$folder/own.emulator" --flash "$folder/flash"
cp "$folder/own.emulator" "$folder/second.emulator"
rejects "has several descriptions; name one of them" "$folder"
# Without the folder for its pipes, and not in the root folder then.
printf '%s\n' "${good[@]}" 'uart_ready 0x40 0x1' >"$folder/second.emulator"
TMPDIR=$folder/none rejects "cannot make a temporary folder" "$folder/second.emulator"

((failures == 0))
