// SPDX-License-Identifier: Apache-2.0
#include "conversations/record.hpp"

#include <cstdlib>
#include <fstream>

#include "support/json.hpp"

namespace test {
namespace {

// Each run of the program starts the file again. The file is closed if nothing is recorded.
std::ofstream& file() {
  const char* const path = std::getenv("MOTE_RECORD");
  static std::ofstream stream = path != nullptr ? std::ofstream(path, std::ios::binary) : std::ofstream();
  return stream;
}

}  // namespace

Record::Record(std::string_view conversation, std::string_view way, std::string_view cut, std::string_view late,
               std::string_view vendor) {
  if (!file().is_open()) return;
  file() << "{\"play\":" << json_string(conversation) << ",\"way\":" << json_string(way);
  if (!cut.empty()) file() << ",\"cut\":" << json_string(cut);
  if (!late.empty()) file() << ",\"late\":" << json_string(late);
  if (!vendor.empty()) file() << ",\"vendor\":" << json_string(vendor);
  file() << "}\n";
}

void Record::put(std::string_view key, std::string_view text) {
  if (file().is_open()) file() << '{' << json_string(key) << ':' << json_string(text) << "}\n";
}

}  // namespace test
