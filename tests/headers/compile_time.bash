# SPDX-License-Identifier: Apache-2.0
# Runs a compiler, and fails if it takes more than LIMIT_MS of processor time (user and system). The least of three runs
# counts: other programs on the machine only make a run slower.
# usage: compile_time.bash LIMIT_MS COMPILER ARGUMENT...
set -euo pipefail
export LC_ALL=C TIMEFORMAT='%3U %3S'

limit=$1
shift
times=$(mktemp)
trap 'rm -f "$times"' EXIT
exec 3>&2
least=
for run in 1 2 3; do
  { time "$@" 2>&3; } 2>"$times"
  read -r user system <"$times"
  ms=$((10#${user/./} + 10#${system/./}))
  echo "run $run: $ms ms"
  if [[ -z $least ]] || ((ms < least)); then least=$ms; fi
done
echo "$least ms of processor time, at most $limit ms"
((least <= limit))
