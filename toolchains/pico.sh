# Shell functions that build projects of the pico-sdk. tests/run and examples/demo source it after packages.sh, in the
# root folder of the project.

pico_packages=(cmake:cmake ninja:ninja-build g++:g++ python3:python3 arm-none-eabi-gcc:gcc-arm-none-eabi
  arm-none-eabi-size:binutils-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-dev)

# Sets `sdk` to the options that tell CMake where the pico-sdk is: that of PICO_SDK_PATH, or of toolchains/fetch-sources.
find_pico_sdk() {
  sdk=(-DPICO_SDK_PATH="${PICO_SDK_PATH-}")
  [[ -z ${PICO_SDK_PATH-} ]] || return 0
  toolchains/fetch-sources build/sources pico-sdk tinyusb picotool
  sdk=(-DPICO_SDK_PATH="$PWD/build/sources/pico-sdk" -DPICO_TINYUSB_PATH="$PWD/build/sources/tinyusb"
    -Dpicotool_DIR="$PWD/build/picotool/lib/cmake/picotool")
  # It makes UF2 files. Without libusb it needs only a compiler, and boards in reach are no use here.
  [[ ! -e build/picotool/bin/picotool ]] || return 0
  cmake -S build/sources/picotool -B build/picotool/build -G Ninja "${sdk[0]}" -DPICOTOOL_NO_LIBUSB=ON \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_INSTALL_PREFIX="$PWD/build/picotool"
  cmake --build build/picotool/build
  cmake --install build/picotool/build
}

# build_pico BOARD SOURCE FOLDER [CMAKE ARGUMENT...]: builds the project SOURCE for BOARD (pico, pico_w, pico2) in FOLDER.
# With pico_target, it builds this target alone.
build_pico() {
  local board=$1 source=$2 folder=$3 sdk
  shift 3
  find_pico_sdk
  # Images use no function of libstdc++.a, but the pico-sdk names it. Debian's package of it has 313 MB.
  if [[ $(arm-none-eabi-gcc -print-file-name=libstdc++.a) != /* ]]; then
    mkdir -p build/empty
    arm-none-eabi-ar rc build/empty/libstdc++.a
    sdk+=(-DCMAKE_EXE_LINKER_FLAGS=-L"$PWD/build/empty")
  fi
  cmake -S "$source" -B "$folder" -G Ninja "${sdk[@]}" -DPICO_BOARD="$board" -DCMAKE_BUILD_TYPE=MinSizeRel "$@"
  cmake --build "$folder" ${pico_target:+--target "$pico_target"}
}
