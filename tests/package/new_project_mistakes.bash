#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What toolchains/new-project says of wrong arguments. It then writes nothing.
#
# usage: new_project_mistakes.bash ROOT WORK
set -euo pipefail

root=$1 work=$2
rm -rf "$work"
mkdir -p "$work/projects"
cd "$work/projects"
failures=0
report() {
  echo "$*"
  failures=$((failures + 1))
}

# says STATUS TEXT ARGUMENT...: the program `program` ends with STATUS, and prints TEXT.
program=$root/toolchains/new-project
says() {
  local wanted=$1 text=$2 output status=0 before after
  shift 2
  before=$(ls -A)
  output=$("$program" "$@" 2>&1 </dev/null) || status=$?
  after=$(ls -A)
  if ((status != wanted)) || [[ $output != *"$text"* ]]; then
    report "new-project $* ends with $status, and not with $wanted and '$text': $output"
  fi
  [[ $before == "$after" ]] || report "new-project $* has written: $after"
}
refuses() { says 2 "$@"; }

kinds="--pc, --board BOARD, --pico, --arduino, --esp-idf, --stm32, --zephyr"
says 0 "Usage: toolchains/new-project NAME --board BOARD" --help
says 0 "lm3s6965evb" -h
refuses "the name of the project is missing" --pc
refuses "the kind of project is missing; give one of $kinds" greenhouse
refuses "unknown option --esp32; the options are $kinds, --mote FOLDER, --help" greenhouse --esp32
refuses "two kinds of project, --esp-idf and --pc: give one" greenhouse --esp-idf --pc
refuses "two names, greenhouse and lamp: give one" greenhouse lamp --pc
refuses "the name is empty; give a name such as greenhouse" "" --pc
refuses "--board needs a board, one of: " greenhouse --board
refuses "--board needs a board, one of: " greenhouse --board --pc
boards=$(cd "$root/ports/boards" && echo */)
refuses "unknown board lm3s; --board needs one of: ${boards//\//}" greenhouse --board lm3s
refuses "--mote needs the folder of mote" greenhouse --pc --mote
refuses "the folder /a b has a character other than" greenhouse --pc --mote "/a b"

long=a234567890123456789012345678901234567890123456789012345678901234
for name in 1st green-house "green house" grün ../greenhouse a.b _a "$long" '@name@' 'a;b'; do
  refuses "$name is not a name: use 1 to 63 letters, digits and underscores, and begin with a letter" "$name" --pc
done
for name in class int test main mote mote_core app all co_await; do
  refuses "$name is a word of C++, or a target that CMake, an SDK or mote has: choose another name" "$name" --pc
done
mkdir folder
: >file
ln -s nowhere link
for name in folder file link; do
  refuses "$name exists: choose another name, or delete it" "$name" --pc
done
if (($(id -u) != 0)); then
  chmod a-w .
  refuses "the folder greenhouse cannot be made" greenhouse --pc
  chmod u+w .
fi

# The longest name.
"$program" "${long%4}" --pc >/dev/null || report "63 characters are no name"
[[ -f ${long%4}/CMakeLists.txt ]] || report "63 characters are no project"

# Each board has its processor.
for board in "$root"/ports/boards/*/; do
  board=$(basename "$board")
  "$program" "on_$board" --board "$board" >/dev/null || report "no project for $board"
  # shellcheck disable=SC2016 # a variable of CMake
  toolchain=$(sed -n 's|.*mote}/\${folder}/\([a-z0-9-]*[.]cmake\) CACHE.*|\1|p' "on_$board/CMakeLists.txt")
  [[ -f $root/toolchains/$toolchain ]] || report "$board has the toolchain file '$toolchain'"
done
grep -q arm-cortex-m0.cmake on_microbit/CMakeLists.txt || report "microbit has no Cortex-M0"

# connects COUNT ARGUMENT...: the program for a host and its arguments are COUNT words in a shell.
connects() {
  local wanted=$1 said name=$2
  shift
  said=$("$root/toolchains/new-project" "$@")
  eval "set -- ${said##* --write -- exec }"
  (($# == wanted)) || report "the command of $name has $# words, and not $wanted: $*"
  [[ ${!#} == "$PWD/build/$name"* ]] || report "the command of $name ends with ${!#}"
}
mkdir "$work/my projects"
cd "$work/my projects"
connects 1 shed --pc
connects 3 barn --board lm3s6965evb

# Beside mote, the project names it by a relative path, so that both can be moved.
mkdir -p "$work/beside/mote/toolchains"
cp -r "$root/toolchains/new-project" "$root/toolchains/new-project.d" "$work/beside/mote/toolchains"
cp "$root/CMakeLists.txt" "$work/beside/mote"
cd "$work/beside"
mote/toolchains/new-project greenhouse --esp-idf >/dev/null
grep -qx '    path: ../../mote' greenhouse/main/idf_component.yml || report "the component of ESP-IDF is not ../../mote"
mote/toolchains/new-project lamp --stm32 >/dev/null
grep -q '^set(MOTE_DIR "../mote" ' lamp/CMakeLists.txt || report "mote is not ../mote"
mote/toolchains/new-project tank --esp-idf --mote /opt/mote-1 >said 2>&1
grep -q "Make a link to /opt/mote-1 that is called mote" said || report "no word of the name of the component: $(<said)"

# An installation has no sources of mote, and without a board no board.
mkdir -p "$work/prefix/lib/mote"
cp -r "$work/beside/mote/toolchains" "$work/prefix/lib/mote"
program=$work/prefix/lib/mote/toolchains/new-project
refuses "unknown board virt; --board needs one, and this installation of mote has none" sensor --board virt
"$program" sensor --pico >said 2>&1
grep -q "copy them to sensor/mote" said || report "no word of the sources of mote: $(<said)"
grep -q '^set(MOTE_DIR "mote" ' sensor/CMakeLists.txt || report "mote is not in the project"
grep -q "npx mote-attach config" sensor/README.md || report "attach is not that of npm"

((failures == 0))
echo "each mistake has its sentence"
