# SPDX-License-Identifier: Apache-2.0
# Compiles APPLICATION and STANDARD, and fails if APPLICATION takes more than LIMIT percent of the processor time (user and
# system) of STANDARD. The least of five runs counts: other programs on the machine only make a run slower. A slow machine
# is slow for both.
# usage: compile_time.bash LIMIT APPLICATION STANDARD COMPILER ARGUMENT...
set -euo pipefail
export LC_ALL=C TIMEFORMAT='%3U %3S'

limit=$1
application=$2
standard=$3
shift 3
times=$(mktemp)
trap 'rm -f "$times"' EXIT
exec 3>&2

# Compiles SOURCE and prints the milliseconds.
# usage: milliseconds SOURCE COMPILER ARGUMENT...
milliseconds() {
  local source=$1 user system
  shift
  { time "$@" -c "$source" -o /dev/null 2>&3; } 2>"$times"
  read -r user system <"$times"
  echo $((10#${user/./} + 10#${system/./}))
}

least=
least_standard=
for run in 1 2 3 4 5; do
  ms=$(milliseconds "$application" "$@")
  ms_standard=$(milliseconds "$standard" "$@")
  echo "run $run: $ms ms, standard headers $ms_standard ms"
  if [[ -z $least ]] || ((ms < least)); then least=$ms; fi
  if [[ -z $least_standard ]] || ((ms_standard < least_standard)); then least_standard=$ms_standard; fi
done
percent=$((least * 100 / least_standard))
echo "$least ms of processor time, $percent % of $least_standard ms, at most $limit %"
((percent <= limit))
