// SPDX-License-Identifier: Apache-2.0
// Checks the same texts with mote's JSON reader and others, for an instruction counter (tests/bench/counts):
// instructions per byte. The others also build a tree, in memory of the caller if they accept it. RapidJSON builds none
// and checks UTF-8, like mote.
//
// usage: bench_json_O2 [mote]
//   mote  only mote
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json/validate.hpp"
#include "measured.hpp"
#include "requests.hpp"

#ifdef WITH_RAPIDJSON
#include <rapidjson/error/error.h>
#include <rapidjson/reader.h>
#endif
#ifdef WITH_YYJSON
#include <yyjson.h>
#endif
#ifdef WITH_CJSON
#include <cJSON.h>
#endif

namespace {

bool check_with_mote(std::string_view text) {
  mcp::json::MemberIndex outline;
  return mcp::json::validate(text, outline).fault == mcp::json::ErrorKind::none;
}

#ifdef WITH_RAPIDJSON
bool check_with_rapidjson(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::BaseReaderHandler<> nothing;
  rapidjson::Reader reader;
  return !reader.Parse<rapidjson::kParseValidateEncodingFlag>(stream, nothing).IsError();
}
#endif

#ifdef WITH_YYJSON
bool check_with_yyjson(std::string_view text) {
  alignas(16) static char memory[1 << 20];
  yyjson_alc allocator;
  yyjson_alc_pool_init(&allocator, memory, sizeof memory);
  const yyjson_doc* const document =
      yyjson_read_opts(const_cast<char*>(text.data()), text.size(), YYJSON_READ_NOFLAG, &allocator, nullptr);
  return document != nullptr;
}
#endif

#ifdef WITH_CJSON
bool check_with_cjson(std::string_view text) {
  cJSON* const tree = cJSON_ParseWithLength(text.data(), text.size());
  cJSON_Delete(tree);
  return tree != nullptr;
}
#endif

struct Text {
  std::string_view name;
  std::string json;
};

// Data as a home server may send it: readings with strings in several languages, numbers, flags, nesting; 64 KB.
std::string large_document() {
  std::string json =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"import","arguments":{"rooms":[)";
  for (int i = 0; json.size() < 65'000; ++i) {
    if (i != 0) json += ',';
    json += R"({"id":)" + std::to_string(1000 + i) + R"(,"name":"Küche )" + std::to_string(i) +
            R"(","note":"a \"quoted\" word, a tab\tand a line\nof text","celsius":21.)" + std::to_string(i % 100) +
            R"(,"offset":-1.5e-3,"heated":true,"window":false,"sensor":null,"history":[)";
    for (int hour = 0; hour < 8; ++hour) json += std::to_string(180 + (i * 7 + hour) % 60) + (hour != 7 ? "," : "");
    json += R"(],"tags":["温度","sensor-)" + std::to_string(i) + R"("]})";
  }
  return json + "]}}}";
}

void measure(const std::string& library, bool (*check)(std::string_view), const std::vector<Text>& texts) {
  constexpr unsigned long times = 20;
  for (const Text& text : texts) {
    if (!check(text.json)) {
      static_cast<void>(std::fprintf(stderr, "%s refuses the %s\n", library.c_str(), std::string(text.name).c_str()));
      std::exit(1);
    }
    bench::measure("json " OPTIMISATION ", " + std::string(text.name) + ", " + library, times, times * text.json.size(),
                   2, [&] { static_cast<void>(check(text.json)); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Text> texts = {{"envelope of a call", std::string(bench::call_everything)},
                                   {"initialize", std::string(bench::initialize)},
                                   {"document of 64 KB", large_document()}};
  measure("mote", check_with_mote, texts);
  if (argc == 2 && std::string_view(argv[1]) == "mote") return 0;
#ifdef WITH_YYJSON
  measure("yyjson " YYJSON_VERSION_STRING, check_with_yyjson, texts);
#endif
#ifdef WITH_RAPIDJSON
  measure("RapidJSON " RAPIDJSON_VERSION_STRING, check_with_rapidjson, texts);
#endif
#ifdef WITH_CJSON
  measure(std::string("cJSON ") + cJSON_Version(), check_with_cjson, texts);
#endif
}
