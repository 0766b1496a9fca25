// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace {

constexpr std::size_t longest_name = 253;  // of DNS

// Prints the error and the usage on stderr. Returns false.
bool reject(const char* program, const char* what, const char* value) {
  static_cast<void>(std::fprintf(
      stderr,
      "%s %s\n"
      "usage: %s [--port N] [--host ADDRESS] [--token T] [--sensor FILE] [--allow-host NAME]...\n"
      "  --port N           8080 if not given; 0: any free one\n"
      "  --host ADDRESS     127.0.0.1 if not given; 0.0.0.0 or :: for all addresses of this machine\n"
      "  --token T          serve only clients that send \"Authorization: Bearer T\"\n"
      "  --sensor FILE      the temperature in thousandths of a degree Celsius; if not given, the sensor of the "
      "processor\n"
      "  --allow-host NAME  a name of this machine in URLs, for each port, or NAME:PORT for one; %zu at most\n",
      what, value, program, Arguments::max_names));
  return false;
}

bool read_port(const char* text, std::uint16_t& port) {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || number > 0xFFFF) return false;
  port = static_cast<std::uint16_t>(number);
  return true;
}

bool is_address(const char* text) {
  in6_addr ignored;
  return inet_pton(AF_INET, text, &ignored) == 1 || inet_pton(AF_INET6, text, &ignored) == 1;
}

// As in a URL, where an IPv6 address is in brackets.
bool is_name(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";
  return !text.empty() && text.size() <= longest_name && text.find_first_not_of(allowed) == text.npos;
}

// Returns false if the value is invalid for this option.
bool take(std::string_view option, const char* value, const char* program, Arguments& arguments) {
  if (option == "--port") {
    if (!read_port(value, arguments.port)) return reject(program, "--port is a number from 0 to 65535, not", value);
  } else if (option == "--host") {
    if (!is_address(value)) return reject(program, "--host is an IPv4 or IPv6 address, not", value);
    arguments.host = value;
  } else if (option == "--token") {
    if (*value == '\0') return reject(program, "--token must not be empty", value);
    arguments.token = value;
  } else if (option == "--sensor") {
    arguments.sensor = value;
  } else {
    if (!is_name(value)) return reject(program, "--allow-host is a name as in a URL, not", value);
    if (arguments.names_count == Arguments::max_names) return reject(program, "too many names:", value);
    arguments.names[arguments.names_count++] = value;
  }
  return true;
}

}  // namespace

bool read_arguments(int argc, char** argv, Arguments& arguments) {
  constexpr std::string_view options[] = {"--port", "--host", "--token", "--sensor", "--allow-host"};
  const char* const program = argv[0];
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (std::ranges::find(options, option) == std::end(options)) return reject(program, "there is no option", argv[i]);
    if (i + 1 == argc) return reject(program, "a value is missing after", argv[i]);
    if (!take(option, argv[i + 1], program, arguments)) return false;
  }
  return true;
}

bool is_loopback(const char* address) {
  in_addr v4;
  if (inet_pton(AF_INET, address, &v4) == 1) return ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
  in6_addr v6;
  return inet_pton(AF_INET6, address, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}
