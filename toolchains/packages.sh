# Shell functions that install the packages of a build or a test. tests/run and examples/demo source it, with `set -euo
# pipefail`. It fetches only missing packages. Debian packages go into the system, npm packages into the build folder.

# need_packages ITEM...: an ITEM is the name of a Debian package, or COMMAND:PACKAGE where any COMMAND on the PATH will do.
need_packages() {
  local item missing=() as_root=()
  for item in "$@"; do
    if [[ $item == *:* ]]; then
      command -v "${item%%:*}" >/dev/null || missing+=("${item#*:}")
    else
      [[ $(dpkg-query -W -f='${db:Status-Status}' "$item" 2>/dev/null) == installed ]] || missing+=("$item")
    fi
  done
  (( ${#missing[@]} )) || return 0

  if ! command -v apt-get >/dev/null; then
    echo "missing, and there is no apt-get to install it with: ${missing[*]}" >&2
    echo "These are names of Debian packages. Without them, cmake --preset host builds the library and the examples." >&2
    return 1
  fi
  if (( EUID != 0 )); then
    if ! command -v sudo >/dev/null; then
      echo "missing; install as root: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing: ${missing[*]}" >&2
  "${as_root[@]}" apt-get -qq update >/dev/null
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}" >/dev/null
}

# The official client needs Node.js 18, the version of Debian 12. Debian's npm trusts no host without ca-certificates,
# which it only recommends.
need_node() {
  local major=0
  if command -v node >/dev/null; then major=$(node -p 'process.versions.node.split(".")[0]'); fi
  if (( major < 18 )); then need_packages nodejs; fi
  need_packages npm:npm ca-certificates
}

# need_client SOURCE FOLDER: installs the npm packages that SOURCE/package-lock.json names into FOLDER, if it changed.
need_client() {
  local source=$1 folder=$2 wanted
  need_node
  wanted=$(cat "$source/package.json" "$source/package-lock.json" | sha256sum)
  if [[ -f $folder/installed && $(<"$folder/installed") == "$wanted" ]]; then return 0; fi
  mkdir -p "$folder"
  cp "$source/package.json" "$source/package-lock.json" "$folder"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  echo "$wanted" >"$folder/installed"
}

host_packages=(cmake:cmake ninja:ninja-build g++:g++ libgtest-dev libmbedtls-dev)
mqtt_packages=(mosquitto:mosquitto)
page_packages=(chromium:chromium)
host_32_packages=(g++-multilib)
fuzz_packages=(rapidjson-dev node-llhttp)
# Of the versions of LLVM in Debian 12, 19 is the newest that is not there for browsers alone. clang-tidy is 22, because from
# 21 on it does not match the system's headers: half the time.
lint_packages=(clang-tidy-22:clang-tidy-22 clang++-19:clang-19 cppcheck:cppcheck)
docs_packages=(doxygen:doxygen)
libcxx_packages=(clang++-19:clang-19 libc++-19-dev)
coverage_packages=(clang++-19:clang-19 llvm-cov-19:llvm-19 libclang-rt-19-dev)
board_packages=(make:make arm-none-eabi-gcc:gcc-arm-none-eabi arm-none-eabi-size:binutils-arm-none-eabi
  libnewlib-arm-none-eabi libstdc++-arm-none-eabi-dev qemu-system-arm:qemu-system-arm)
riscv_packages=(riscv64-unknown-elf-gcc:gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf libstdc++-arm-none-eabi-dev
  qemu-system-riscv32:qemu-system-misc)
xtensa_packages=(xtensa-lx106-elf-g++:gcc-xtensa-lx106 libstdc++-arm-none-eabi-dev qemu-system-xtensa:qemu-system-misc)
arduino_packages=(cmake:cmake ninja:ninja-build ccache:ccache arduino-ctags:arduino-ctags
  arm-none-eabi-gcc:gcc-arm-none-eabi arm-none-eabi-size:binutils-arm-none-eabi libnewlib-arm-none-eabi
  libstdc++-arm-none-eabi-dev)
