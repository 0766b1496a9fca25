# SPDX-License-Identifier: Apache-2.0
# For scripts with the variable `root`: runs tests/replay. The variable `folder` is a temporary folder.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "FAILED: $1" >&2
  head -c 4000 "$folder/report" >&2
  exit 1
}

# replay WANTED_STATUS ARGUMENT...: the report is in the file.
replay() {
  local wanted=$1 status=0
  "$root/tests/replay" "${@:2}" >"$folder/report" 2>&1 || status=$?
  ((status == wanted)) || fail "tests/replay ${*:2} ends with status $status instead of $wanted"
}
