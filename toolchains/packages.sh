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

# need_python SOURCE FOLDER: makes a virtual environment of Python in FOLDER with the packages that
# SOURCE/requirements.txt names with their checksums, if it changed.
need_python() {
  local source=$1 folder=$2 wanted
  need_packages python3:python3 python3-venv ca-certificates
  wanted=$(sha256sum <"$source/requirements.txt")
  if [[ -f $folder/installed && $(<"$folder/installed") == "$wanted" ]]; then return 0; fi
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-input --require-hashes \
    -r "$source/requirements.txt" >&2
  echo "$wanted" >"$folder/installed"
}

# The official Go toolchain, as a module. Debian 12 has Go 1.19, which cannot build the clients, but can obtain modules and
# check them.
go_version=1.26.8
declare -A go_sums=(
  [amd64]=h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=
  [arm64]=h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=)

# need_go FOLDER: sets `go` to a Go command that can build the clients: the system's, or one in FOLDER.
need_go() {
  local folder=$1 minor=0 machine module found
  go=go
  if command -v go >/dev/null; then minor=$(go env GOVERSION | sed -n 's/^go1\.\([0-9]*\).*/\1/p'); fi
  # From 1.21 on, the command obtains a newer toolchain itself.
  if ((${minor:-0} >= 21)); then return 0; fi
  go=$folder/go/bin/go
  if [[ -f $folder/installed && $(<"$folder/installed") == "$go_version" ]]; then return 0; fi
  need_packages golang-1.19-go ca-certificates
  machine=$(dpkg --print-architecture)
  module=golang.org/toolchain@v0.0.1-go$go_version.linux-$machine
  rm -rf "$folder"
  mkdir -p "$folder"
  found=$(GOPATH=$PWD/$folder/path GOFLAGS=-modcacherw /usr/lib/go-1.19/bin/go mod download -json "$module")
  if [[ $found != *"\"Sum\": \"${go_sums[$machine]-none}\""* ]]; then
    echo "the Go toolchain $go_version has another checksum than expected: $found" >&2
    return 1
  fi
  mv "$folder/path/pkg/mod/$module" "$folder/go"
  rm -rf "$folder/path"
  # A module has neither executable files nor other modules inside.
  chmod -R +x "$folder/go/bin" "$folder/go/pkg/tool"
  find "$folder/go" -name _go.mod -execdir mv {} go.mod \;
  echo "$go_version" >"$folder/installed"
}

# need_go_programs SOURCE FOLDER PACKAGE...: builds the Go programs SOURCE/PACKAGE into FOLDER. The checksums of their
# modules are in SOURCE/go.sum.
need_go_programs() {
  local source=$1 folder=$PWD/$2 go
  shift 2
  need_go build/go
  [[ $go != build/* ]] || go=$PWD/$go
  mkdir -p "$folder"
  (cd "$source" && GOFLAGS=-mod=readonly GOTOOLCHAIN=${GOTOOLCHAIN-auto} "$go" build -o "$folder/" "${@/#/./}")
}

# need_java_programs SOURCE FOLDER: puts the jars of SOURCE/pom.xml into FOLDER/jars, compares their checksums with
# SOURCE/jars.sha256, and compiles SOURCE/*.java into FOLDER/classes, if one of these files changed.
need_java_programs() {
  local source=$1 folder=$2 wanted
  need_packages javac:default-jdk-headless mvn:maven ca-certificates-java
  wanted=$(cat "$source"/* | sha256sum)
  if [[ -f $folder/installed && $(<"$folder/installed") == "$wanted" ]]; then return 0; fi
  rm -rf "$folder"
  mkdir -p "$folder/jars"
  mvn -q -B -f "$source/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DoutputDirectory="$PWD/$folder/jars" -DincludeScope=runtime >&2
  (cd "$folder/jars" && sha256sum --quiet --strict -c "$OLDPWD/$source/jars.sha256") >&2
  # No other jar.
  [[ $(ls "$folder/jars" | wc -l) == $(wc -l <"$source/jars.sha256") ]]
  javac -encoding UTF-8 -cp "$folder/jars/*" -d "$folder/classes" "$source"/*.java >&2
  echo "$wanted" >"$folder/installed"
}

# need_rust_program SOURCE FOLDER: builds the program SOURCE into FOLDER. SOURCE/Cargo.lock has the checksums of its crates.
# Without Rust 1.88 or later, which Debian 12 does not have, it builds nothing.
need_rust_program() {
  local source=$1 folder=$2 minor=0
  if command -v cargo >/dev/null; then minor=$(cargo --version | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p'); fi
  if ((${minor:-0} < 88)); then
    echo "without Rust 1.88, the tests clients.rust are skipped" >&2
    return 0
  fi
  cargo build --quiet --locked --manifest-path "$source/Cargo.toml" --target-dir "$folder" >&2
}

# need_linux FOLDER: unpacks the kernel of Debian, the modules that tests use, and busybox into FOLDER. It does not install
# them, because an installed kernel is one that this machine boots.
need_linux() {
  local folder=$1 image
  if [[ -f $folder/installed ]]; then return 0; fi
  rm -rf "$folder"
  mkdir -p "$folder/packages"
  # `set -e` has no effect here, because a caller may go on without it.
  image=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p') &&
    [[ -n $image ]] &&
    (cd "$folder/packages" && apt-get -qq download "$image" busybox-static 2>/dev/null) &&
    dpkg-deb --fsys-tarfile "$folder"/packages/linux-image-*.deb |
    tar -x -C "$folder" --wildcards './boot/vmlinuz-*' './lib/modules/*/kernel/drivers/gpio' \
      './lib/modules/*/kernel/drivers/hwmon' './lib/modules/*/kernel/drivers/i2c' './lib/modules/*/kernel/drivers/iio' &&
    dpkg-deb --fsys-tarfile "$folder"/packages/busybox-static_*.deb | tar -x -C "$folder" ./bin/busybox &&
    rm -r "$folder/packages" && touch "$folder/installed"
}

host_packages=(cmake:cmake ninja:ninja-build g++:g++ libgtest-dev libmbedtls-dev)
# Of the official clients in other languages (tests/clients).
language_packages=(python3:python3 python3-venv go:golang-1.19-go javac:default-jdk-headless mvn:maven)
mqtt_packages=(mosquitto:mosquitto)
page_packages=(chromium:chromium)
host_32_packages=(g++-multilib)
fuzz_packages=(rapidjson-dev node-llhttp)
# Of the versions of LLVM in Debian 12, 19 is the newest that is not there for browsers alone. clang-tidy is 22, because from
# 21 on it does not match the system's headers: half the time.
lint_packages=(clang-tidy-22:clang-tidy-22 clang++-19:clang-19 cppcheck:cppcheck
  shellcheck:shellcheck)
# The oldest compiler that ports/README.md names, beside Debian's clang.
oldest_packages=(g++-11:g++-11)
# Build systems of users, which find an installation.
installed_packages=(meson:meson pkg-config:pkg-config)
docs_packages=(doxygen:doxygen)
libcxx_packages=(clang++-19:clang-19 libc++-19-dev)
coverage_packages=(clang++-19:clang-19 llvm-cov-19:llvm-19 libclang-rt-19-dev)
board_packages=(make:make arm-none-eabi-gcc:gcc-arm-none-eabi arm-none-eabi-size:binutils-arm-none-eabi
  libnewlib-arm-none-eabi libstdc++-arm-none-eabi-dev qemu-system-arm:qemu-system-arm)
riscv_packages=(riscv64-unknown-elf-gcc:gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf libstdc++-arm-none-eabi-dev
  qemu-system-riscv32:qemu-system-misc)
linux_packages=(qemu-system-x86_64:qemu-system-x86)
arduino_packages=(cmake:cmake ninja:ninja-build ccache:ccache arduino-ctags:arduino-ctags
  arm-none-eabi-gcc:gcc-arm-none-eabi arm-none-eabi-size:binutils-arm-none-eabi libnewlib-arm-none-eabi
  libstdc++-arm-none-eabi-dev)
