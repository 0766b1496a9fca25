// SPDX-License-Identifier: Apache-2.0
// The arguments of a control. Each control declares them once, at run time, because ESPHome knows the range of a number
// and the options of a select only then.
#pragma once

#include "esphome_rows.h"

#ifdef USE_MCP_SERVER

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <mcp/call.hpp>
#include <mcp/json/value.hpp>
#include <mcp/json/writer.hpp>
#include <mcp/text_pieces.hpp>

namespace mote_esphome {

/// The arguments of one call, checked. They are kept until the call has acted.
struct Values {
  static constexpr std::size_t most = 8;
  float numbers[most];  ///< In the order of their declaration. A flag is 0 or 1, a choice its number, a color 0xRRGGBB.
  char text[MOTE_ESPHOME_TEXT_SIZE];
  std::uint8_t text_size;
  std::uint8_t given;  ///< A bit for each.
};

/// One argument that is given, or not.
struct Argument {
  bool given = false;
  float value = 0;
  [[nodiscard]] bool is_true() const { return value != 0; }
  [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(value); }
};

/// Whether a call needs an argument.
enum class Need : std::uint8_t { optional, required };

/// Takes the declarations of a control. It writes their JSON Schema, or checks the arguments of a call, or shows them
/// to the user, or gives the control the arguments that were checked. Limits: Values::most arguments, one of them a
/// text.
class Arguments {
 public:
  /// Writes the members of the schema object.
  explicit Arguments(mcp::json::Writer& schema);
  /// Checks the arguments of a call, and stores them in `into`. Errors: the call fails (see result()).
  Arguments(mcp::json::Value object, mcp::Call& call, Values& into) : object_(object), call_(&call), values_(&into) {
    into = {};
  }
  /// Writes the arguments of a call for the user: "on true, brightness 50".
  Arguments(mcp::TextWriter& text, Values& from) : text_(&text), values_(&from) {}
  /// Gives the control its arguments.
  explicit Arguments(Values& from) : values_(&from), acts_(true) {}

  Argument flag(const char* name, Need need = Need::optional);
  /// `min` and `max` may be infinite. `unit` is for the model.
  Argument number(const char* name, float min, float max, const char* unit = "", Need need = Need::optional) {
    return number(name, {min, max, unit, "number"}, need);
  }
  Argument integer(const char* name, float min, float max, Need need = Need::optional) {
    return number(name, {min, max, "", "integer"}, need);
  }
  /// A text of `min` to `max` bytes. Lifetime of the view: until act() in the check of a call, else that of Values.
  std::string_view text(const char* name, std::size_t min, std::size_t max, const char* description, Need need);
  /// A color as "#rrggbb".
  Argument color(const char* name);
  /// One of `count` names. `at(i)` returns a name, or nullptr for one that does not exist now.
  template <class At>
  Argument choice(const char* name, std::size_t count, const At& at, Need need = Need::optional) {
    const auto call = [](const void* function, std::size_t i) { return (*static_cast<const At*>(function))(i); };
    return choice_of(name, count, {call, &at}, need);
  }
  template <std::size_t N>
  Argument choice(const char* name, const char* const (&names)[N], std::size_t count = N, Need need = Need::optional) {
    return choice(
        name, count, [&](std::size_t i) { return names[i]; }, need);
  }

  /// True if the arguments of a call are being checked.
  [[nodiscard]] bool checks() const { return call_ != nullptr; }
  /// Ends the call: argument `name` must be `what`.
  void reject(const char* name, const char* what);
  /// After all declarations: true if the control shall act.
  bool act();
  /// Says which value the entity will report. Without it, the entity has reported its state when the control ends.
  void expect(float value) {
    expected_ = value;
    expects_ = true;
  }

  [[nodiscard]] bool expects() const { return expects_; }
  [[nodiscard]] float expected() const { return expected_; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] mcp::Errc result() const { return result_; }

 private:
  struct Range {
    float min;
    float max;
    const char* unit;
    const char* type;
  };
  struct Names {
    const char* (*call)(const void* function, std::size_t i);
    const void* function;
    [[nodiscard]] const char* at(std::size_t i) const { return call(function, i); }
  };

  Argument number(const char* name, const Range& range, Need need);
  Argument choice_of(const char* name, std::size_t count, const Names& names, Need need);
  // Declares the next argument. True if there is a value to check. For a schema, the object of the argument stays open.
  bool begin(const char* name, const char* type, Need need, mcp::json::Value& given, Argument& argument);
  void store(Argument& argument, float value);
  // Writes a value for the user, if it is given.
  template <class Value>
  void show(const Argument& argument, const Value& value);
  void end_schema();
  bool check_names();

  mcp::json::Writer* schema_ = nullptr;
  mcp::json::Value object_;
  mcp::Call* call_ = nullptr;
  mcp::TextWriter* text_ = nullptr;
  Values* values_ = nullptr;
  const char* names_[Values::most] = {};
  mcp::Errc result_ = mcp::Errc::ok;
  float expected_ = 0;
  std::uint8_t declared_ = 0;
  std::uint8_t found_ = 0;
  std::uint8_t required_ = 0;  // a bit for each
  bool acts_ = false;
  bool expects_ = false;
  bool failed_ = false;
};

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
