# Shell functions of the scripts in this folder, which build mote with the SDK of a vendor. A script sources this file with
# `set -euo pipefail`. It sets `root` to the folder of mote, `out` to a folder for what the script builds and downloads
# (the variable OUT, or build/sdk), and `script` to the name of the script.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
out=${OUT:-$root/build/sdk}
script=tests/sdk/vendor/${0##*/}
mkdir -p "$out"

# missing TEXT: ends the script, because the machine lacks something, or an argument is wrong.
missing() {
  echo "$script: $1" >&2
  exit 2
}

# need COMMAND HINT: ends the script if the command is not there.
need() { command -v "$1" >/dev/null || missing "$1 is missing: $2"; }

# read_arguments USAGE ARGUMENT...: ends the script if the first argument is not there, or asks for help.
read_arguments() {
  case ${2-} in
    --help)
      echo "$1"
      exit 0
      ;;
    "" | -*)
      echo "$1" >&2
      exit 2
      ;;
  esac
}

title() { printf '\n== %s\n' "$*"; }

# clone NAME VERSION URL [SUBMODULE...]: sets `cloned` to a clone of the tag VERSION below `out`, with these submodules.
clone() {
  local name=$1 version=$2 url=$3
  shift 3
  [[ $version =~ ^v?[0-9][0-9A-Za-z.-]*$ ]] || missing "$version is neither a folder nor a version, such as v5.4"
  need git "on Debian: apt-get install git ca-certificates"
  cloned=$out/$name-$version
  [[ -e $cloned/.git ]] || git clone -q --depth 1 -b "$version" "$url" "$cloned"
  (($# == 0)) || git -C "$cloned" submodule -q update --init --depth 1 "$@"
}

ping='{"jsonrpc":"2.0","id":1,"method":"ping"}'
pong='{"jsonrpc":"2.0","id":1,"result":{}}'

# responds COMMAND...: the server on stdin and stdout of the program responds to a ping.
responds() {
  local text status=0
  text=$(timeout 120 "$@" <<<"$ping") || status=$?
  if ((status != 0)) || [[ $text != *"$pong"* ]]; then
    printf '%s: %s has not responded to a ping; status %d, output:\n%s\n' "$script" "$1" "$status" "$text" >&2
    return 1
  fi
  echo "It responds to a ping."
}
