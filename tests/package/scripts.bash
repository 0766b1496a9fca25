# SPDX-License-Identifier: Apache-2.0
# On a system without apt-get, each script names the programs and packages that it needs, and fails.
# usage: scripts.bash ROOT WORK
set -euo pipefail

root=$1 work=$2
rm -rf "$work"
mkdir -p "$work/bin"
for name in bash env dirname basename cat flock mkdir mktemp rm id sed awk grep sha256sum uname; do
  ln -s "$(type -P "$name")" "$work/bin/$name"
done
: >"$work/image.elf"

failures=0
# refuses NAME TEXT COMMAND...: COMMAND fails, and its output contains TEXT.
refuses() {
  local name=$1 text=$2 output status=0
  shift 2
  output=$(PATH=$work/bin "$@" 2>&1 </dev/null) || status=$?
  if ((status == 0)) || [[ $output != *"$text"* ]]; then
    echo "$name ends with $status, and its output has no '$text': $output"
    failures=$((failures + 1))
  fi
}

missing="missing, and there is no apt-get to install it with:"
# A copy, because the run that this test is part of holds the lock of its folder.
mkdir -p "$work/tree/tests" "$work/tree/toolchains"
cp "$root/tests/run" "$root/tests/steps.sh" "$work/tree/tests/"
cp "$root"/toolchains/*.sh "$root/toolchains/fetch-sources" "$work/tree/toolchains/"
refuses tests/run "$missing" "$work/tree/tests/run" --quick
refuses tests/run "libgtest-dev" "$work/tree/tests/run" --quick
refuses tests/run "cmake --preset host" "$work/tree/tests/run" --quick
refuses tests/run "gcc-arm-none-eabi" "$work/tree/tests/run" --preset lm3s6965evb
refuses examples/demo "$missing" "$root/examples/demo"
refuses examples/demo "gcc-arm-none-eabi" "$root/examples/demo"
refuses fetch-sources "no apt-get to obtain lwip mbedtls with" "$root/toolchains/fetch-sources" "$work/sources"
refuses fetch-sources "-DMOTE_FETCH_SOURCES=ON" "$root/toolchains/fetch-sources" "$work/sources"
# A name alone is no folder.
refuses fetch-sources "no apt-get to obtain arduino-cli with" "$work/tree/toolchains/fetch-sources" arduino-cli
refuses fetch-sources "unknown name arduino" "$work/tree/toolchains/fetch-sources" "$work/sources" arduino
[[ ! -e $work/tree/arduino-cli ]] || { echo "fetch-sources has made a folder of a name"; failures=$((failures + 1)); }
refuses emulate "qemu-system-arm is missing" "$root/toolchains/emulate" lm3s6965evb "$work/image.elf"
refuses emulate "qemu-system-riscv32 is missing" "$root/toolchains/emulate" virt "$work/image.elf"
refuses make-certificates "openssl is missing" "$root/toolchains/make-certificates" "$work/certificates"
refuses stack-bound "node" "$root/toolchains/stack-bound" "$work/image.elf"
((failures == 0))
echo "each script names what it needs"
