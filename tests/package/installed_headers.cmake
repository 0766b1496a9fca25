# SPDX-License-Identifier: Apache-2.0
# Each header of an installation compiles and links in a project that finds the package, and each library of the
# installation links alone with those that it names. A header without a row below is an error. The licenses of mote and
# of mbedTLS are there.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${MOTE_BUILD} --prefix ${WORK}/prefix OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
set(folder ${WORK}/prefix/include/mote)
set(licenses ${WORK}/prefix/share/licenses/mote)
if(NOT EXISTS ${licenses}/LICENSE OR EXISTS ${folder}/third_party/mbedtls AND NOT EXISTS ${licenses}/LICENSE.mbedtls)
  message(FATAL_ERROR "the installation lacks the license of mote or mbedTLS in ${licenses}")
endif()

# A header in mcp/ports, its library, and a function with a use of one symbol: parameters and body. Headers without a
# use have inline code only.
set(uses
  "ethernet|ports||"
  "fake_i2c|ports||"
  "fake_pins|ports||"
  "flash|ports||"
  "flash_records|flash|mcp::FlashRecords& records|static_cast<void>(records.format())"
  "i2c|ports||"
  "interrupt_ring|ports||"
  "mbedtls_arena|mbedtls||mcp::mbedtls::set_arena({})"
  "mbedtls_dialer|mbedtls_client|mcp::Entropy& entropy|mcp::mbedtls::TlsClient client({}, entropy)"
  "mbedtls_hmac|mbedtls||mcp::mbedtls::Hmac hmac"
  "mbedtls_tls|mbedtls|mcp::Entropy& entropy|mcp::mbedtls::TlsServer tls({}, entropy)"
  "network_report|ports||"
  "pins|ports||"
  "pl011|ports||"
  "posix|posix||static_cast<void>(mcp::posix::now())"
  "posix_dialer|posix||static_cast<void>(mcp::posix::names())"
  "posix_i2c|posix||mcp::posix::I2cDevice bus(nullptr)"
  "posix_pins|posix||mcp::posix::GpioChip chip(nullptr)"
  "posix_records|posix||mcp::posix::FileRecords records(nullptr)"
  "posix_replay|posix||mcp::posix::Replay replay"
  "posix_sensors|posix||mcp::posix::KernelSensors sensors({})"
  "posix_tcp|posix||mcp::posix::TcpListener listener({}, nullptr, 0)"
  "posix_trace_reader|posix|mcp::posix::TraceReader& reader, mcp::posix::TraceStep& step|reader.next(step)"
  "sockets|sockets||mcp::sockets::TcpListener listener({}, nullptr, 0)"
  "sockets_dialer|sockets||static_cast<void>(mcp::sockets::look_up(nullptr))"
  "uart_stream|ports||"
  "word_fifo|ports||")

set(project "cmake_minimum_required(VERSION 3.21)\nproject(consumer LANGUAGES CXX)\nfind_package(mote REQUIRED)\n")
file(GLOB_RECURSE headers RELATIVE ${folder} ${folder}/mcp/*.hpp)
set(text "")
foreach(header IN LISTS headers)
  if(header MATCHES "^mcp/detail/(prelude|epilogue).hpp$")
    continue()
  elseif(NOT header MATCHES "^mcp/ports/(.*)\\.hpp$")
    string(APPEND text "#include <${header}>\n")
    continue()
  endif()
  set(name ${CMAKE_MATCH_1})
  set(uses_of_header ${uses})
  list(FILTER uses_of_header INCLUDE REGEX "^${name}[|]")
  if(NOT uses_of_header MATCHES "^[^|]*[|]([^|]*)[|]([^|]*)[|](.*)$")
    message(FATAL_ERROR "the installation has <${header}>, which this test does not know")
  endif()
  file(WRITE ${WORK}/source/${name}.cpp
    "#include <${header}>\nvoid use(${CMAKE_MATCH_2}) { ${CMAKE_MATCH_3}; }\nint main() {}\n")
  string(APPEND project "add_executable(use_${name} ${name}.cpp)\n"
    "target_link_libraries(use_${name} PRIVATE mote::${CMAKE_MATCH_1} mote::posix)\n")
endforeach()
file(WRITE ${WORK}/source/all.cpp "${text}int main() {}\n")
string(APPEND project "add_executable(all_of_core all.cpp)\n"
  "target_link_libraries(all_of_core PRIVATE mote::transports mote::posix)\n")

# One driver of each family with the library that has it. This project has RTTI, and the library has not.
file(WRITE ${WORK}/source/devices.cpp "#include <mcp/devices/ads1115.hpp>
#include <mcp/devices/bme280.hpp>
#include <mcp/devices/ina219.hpp>
#include <mcp/devices/lm75.hpp>
#include <mcp/devices/sht4x.hpp>
#include <mcp/ports/posix_i2c.hpp>
mcp::I2cBus& bus();
mcp::I2cBus& bus() {
  static mcp::posix::I2cDevice device(nullptr);
  return device;
}
constinit mcp::Ads1115 input{bus, 0x48, mcp::Ads1115::Input::a0, mcp::Ads1115::Range::v4_096};
constinit mcp::Bme280 air{bus, 0x76};
constinit mcp::Ina219<100000> battery{bus, 0x40};
constinit mcp::Lm75 room{bus, 0x48};
constinit mcp::Sht4x outside{bus, 0x44};
mcp::Sensor* const sensors[] = {&input, &air, &battery, &room, &outside};
int main() {
  for (mcp::Sensor* sensor : sensors) static_cast<void>(sensor->begin());
}
")
string(APPEND project "add_executable(use_devices devices.cpp)\n"
  "target_link_libraries(use_devices PRIVATE mote::devices mote::posix)\n")

# Each library with all its objects.
file(GLOB archives RELATIVE ${WORK}/prefix/lib ${WORK}/prefix/lib/libmote_*.a)
if(NOT archives)
  message(FATAL_ERROR "the installation has no libraries in ${WORK}/prefix/lib")
endif()
foreach(archive IN LISTS archives)
  string(REGEX REPLACE "^libmote_(.*)\\.a$" "\\1" name ${archive})
  if(name MATCHES "_sources$")
    continue()  # links with the library that it is the sources of
  endif()
  string(APPEND project "add_executable(library_${name} main.cpp)\ntarget_link_libraries(library_${name} PRIVATE"
    " -Wl,--whole-archive $<TARGET_FILE:mote::${name}> -Wl,--no-whole-archive mote::${name} mote::posix)\n")
endforeach()
file(WRITE ${WORK}/source/main.cpp "int main() {}\n")
file(WRITE ${WORK}/source/CMakeLists.txt "${project}")

execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build -- -k 0 OUTPUT_VARIABLE output ERROR_VARIABLE output
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "building ends with ${result}:\n${output}")
endif()
