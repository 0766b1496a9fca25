// The device of the tests: a Definition with every kind of parameter, body, failure and template. What its handlers did
// can be seen; nothing else is kept.
#pragma once

#include <string_view>

#include "mcp/server.hpp"

namespace test {

/// What the handlers act on.
struct DeviceState {
  int counter;        // test://counter
  unsigned calls;     // of any tool's handler since reset_device()
  std::size_t large;  // bytes of test://large
};
extern DeviceState device;

/// As it is before every conversation.
void reset_device();

/// "features" (features.cpp), "asking" (asking.cpp), "coroutines" and "frames" (coroutines.cpp), "full", "bare" (no
/// tables), "tools", "resources" (nothing subscribable) or "templates": nullptr for any other name.
const mcp::Definition* find_definition(std::string_view name);

/// The row of the full definition's resource table, or nullptr.
const mcp::Resource* find_resource(std::string_view uri);

/// The device of features.cpp, and what can happen at it: `enable NAME`, `disable NAME`, `log LEVEL LOGGER TEXT`.
extern const mcp::Definition features;
bool act_on_features(mcp::Server& server, std::string_view action);

/// The device of asking.cpp, and what can happen at it: `complete ID` and `refuse to complete ID` (the end of an
/// elicitation, which the server takes or not), `forget`.
extern const mcp::Definition asking;
bool act_on_asking(mcp::Server& server, std::string_view action);

/// The devices of coroutines.cpp, and what can happen at them: `forget running` (how many calls were started). The
/// tools of the first exist a second time as jobs: with its twin the same conversation is the same, byte for byte.
extern const mcp::Definition coroutines;
extern const mcp::Definition frames;
const mcp::Definition* find_twin(const mcp::Definition& definition);
bool act_on_coroutines(std::string_view action);

/// Something happens at the device: `update URI`, `update_from_isr URI`, `count` (test://counter grows by one, without
/// a word to the server). False when there is no such action.
bool act(mcp::Server& server, std::string_view action);

}  // namespace test
