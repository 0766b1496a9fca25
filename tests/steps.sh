# Shell functions for tests/run: steps with their times. It sources this file with `set -euo pipefail`, in the root folder.
mkdir -p build/steps
# A second run would delete the files of the first, and build in the same folders.
exec {lock}>build/lock
if ! flock -n "$lock"; then
  echo "tests/run: another run is at work in this folder" >&2
  exit 1
fi
rm -f build/steps/*
declare -A background=()
current=''

# Names the step that failed, and ends what is still in the background.
end_steps() {
  local status=$?
  if ((status != 0)) && [[ -n $current ]]; then echo "tests/run: $current failed" >&2; fi
  local group
  for group in $(jobs -p); do kill -- "-$group" 2>/dev/null || true; done
}
trap end_steps EXIT

# step NAME COMMAND...: says what runs, and records how long it took.
step() {
  local name=$1 start=$SECONDS
  shift
  current=$name
  printf '[%4d s] %s\n' "$start" "$name"
  "$@"
  printf '%d\t%s\n' $((SECONDS - start)) "$name" >>build/steps/times
}

# begin NAME COMMAND...: the same, while the script goes on. What it prints is in build/steps/NAME.log.
begin() {
  local name=$1
  printf '[%4d s] %s, in the background\n' "$SECONDS" "$name"
  # A process group of its own, so that end_steps() also ends what the command has started.
  set -m
  (step "$@") </dev/null >"build/steps/$name.log" 2>&1 &
  background[$name]=$!
  set +m
}

# finish NAME...: waits for what begin() started. A failure ends the script with what the command printed.
finish() {
  local name
  for name in "$@"; do
    if ! wait "${background[$name]}"; then
      cat "build/steps/$name.log" >&2
      current=$name
      exit 1
    fi
  done
}

# run_tests COMMAND...: runs ctest. The ten slowest steps and tests come before its summary.
run_tests() {
  current=''
  printf '[%4d s] tests\n' "$SECONDS"
  "$@" | awk -F '\t' '
    BEGIN {
      while ((getline line <"build/steps/times") > 0) {
        split(line, part, "\t")
        times[++count] = part[1]; names[count] = part[2]
      }
    }
    / Test +#[0-9]+: / && match($0, / +[0-9.]+ sec/) {
      times[++count] = substr($0, RSTART, RLENGTH) + 0
      names[count] = $0
      sub(/.*#[0-9]+: /, "", names[count])
      sub(/ .*/, "", names[count])
      names[count] = "test " names[count]
    }
    /% tests passed/ {
      print "\nThe slowest steps:"
      for (row = 1; row <= 10 && row <= count; ++row) {
        best = 0
        for (i = 1; i <= count; ++i) if (!(i in shown) && (!best || times[i] > times[best])) best = i
        shown[best] = 1
        printf "%7.1f s  %s\n", times[best], names[best]
      }
      print ""
    }
    { print; fflush() }'
}

# one_test FOLDER TEST: makes FOLDER.one, in which ctest finds this test of FOLDER alone, in each tier.
one_test() {
  mkdir -p "$1.one"
  # add_test() sorts before set_tests_properties().
  grep -rhF --include=CTestTestfile.cmake "[=[$2]=]" "$1" | sort | sed 's/LABELS "[^"]*"//' >"$1.one/CTestTestfile.cmake"
}
