// SPDX-License-Identifier: Apache-2.0
#include "esphome_arguments.h"

#ifdef USE_MCP_SERVER

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "esphome_state.h"

namespace mote_esphome {

using mcp::json::Value;
using mcp::json::Writer;

namespace {

// The value of "#rrggbb", or -1.
std::int32_t color_of(std::string_view text) {
  constexpr std::size_t size = 7;
  if (text.size() != size || text[0] != '#') return -1;
  std::int32_t color = 0;
  for (const char c : text.substr(1)) {
    const char letter = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      color = color * 16 + (c - '0');
    } else if (letter >= 'a' && letter <= 'f') {
      color = color * 16 + (letter - 'a' + 10);
    } else {
      return -1;
    }
  }
  return color;
}

// Not by the writer, because ESPHome has the code for floats in any case.
void write_bound(Writer& schema, const char* name, float value) {
  if (!std::isfinite(value)) return;
  Digits digits;
  schema.key(std::string_view(name));
  schema.raw(digits_of(digits, value));
}

void describe(Writer& schema, const char* text) {
  if (*text == '\0') return;
  schema.key("description");
  schema.string(std::string_view(text));
}

}  // namespace

Arguments::Arguments(Writer& schema) : schema_(&schema) {
  schema.key("properties");
  schema.object_begin();
}

bool Arguments::begin(const char* name, const char* type, Need need, Value& given, Argument& argument) {
  const unsigned bit = 1U << declared_;
  const std::size_t number = declared_;
  names_[declared_++] = name;
  if (need == Need::required) required_ = static_cast<std::uint8_t>(required_ | bit);
  if (schema_ != nullptr) {
    schema_->key(std::string_view(name));
    schema_->object_begin();
    schema_->key("type");
    schema_->string(std::string_view(type));
    return false;
  }
  if (call_ == nullptr) {
    argument = {(values_->given & bit) != 0, values_->numbers[number]};
    return false;
  }
  given = mcp::json::find_member(object_, std::string_view(name));
  if (given.present()) {
    ++found_;
    return !failed_;
  }
  if (need == Need::required) reject(name, "given");
  return false;
}

void Arguments::store(Argument& argument, float value) {
  const std::size_t number = declared_ - 1U;
  values_->given = static_cast<std::uint8_t>(values_->given | 1U << number);
  values_->numbers[number] = value;
  argument = {true, value};
}

template <class Value>
void Arguments::show(const Argument& argument, const Value& value) {
  if (text_ == nullptr || !argument.given) return;
  if (found_++ != 0) text_->add(", ");
  text_->add(names_[declared_ - 1U], " ", value);
}

void Arguments::reject(const char* name, const char* what) {
  if (failed_) return;
  failed_ = true;
  result_ = call_->fail("Argument \"", name, "\" must be ", what, ".");
}

Argument Arguments::flag(const char* name, Need need) {
  Value given;
  Argument argument;
  if (!begin(name, "boolean", need, given, argument)) {
    if (schema_ != nullptr) schema_->object_end();
    show(argument, argument.is_true());
    return argument;
  }
  if (given.type() != mcp::json::Type::boolean) {
    reject(name, "true or false");
  } else {
    store(argument, given.is_true() ? 1 : 0);
  }
  return argument;
}

Argument Arguments::number(const char* name, const Range& range, Need need) {
  Value given;
  Argument argument;
  if (!begin(name, range.type, need, given, argument)) {
    Digits digits;
    show(argument, digits_of(digits, argument.value));
    if (schema_ == nullptr) return argument;
    write_bound(*schema_, "minimum", range.min);
    write_bound(*schema_, "maximum", range.max);
    describe(*schema_, range.unit);
    schema_->object_end();
    return argument;
  }
  const bool is_integer = *range.type == 'i';
  double value = 0;
  mcp::json::NumberStatus status{};
  const bool is_number = given.number(value, status) && status == mcp::json::NumberStatus::ok;
  // The range is that of floats, as the entity has it: 0.1 is less than 0.1F. Infinity is no float of JSON.
  const bool is_float = is_number && std::fabs(value) <= static_cast<double>(std::numeric_limits<float>::max());
  const float rounded = is_float ? static_cast<float>(value) : 0;
  if (is_float && !(rounded < range.min) && !(rounded > range.max) && (!is_integer || value == std::floor(value))) {
    store(argument, rounded);
    return argument;
  }
  if (failed_) return argument;
  failed_ = true;
  Digits min;
  Digits max;
  result_ = call_->fail("Argument \"", name, is_integer ? "\" must be an integer from " : "\" must be a number from ",
                        digits_of(min, range.min), " to ", digits_of(max, range.max), ".");
  return argument;
}

std::string_view Arguments::text(const char* name, std::size_t min, std::size_t max, const char* description,
                                 Need need) {
  Value given;
  Argument argument;
  max = std::min(max, sizeof(values_->text));
  if (!begin(name, "string", need, given, argument)) {
    const std::string_view kept(values_ == nullptr ? "" : values_->text, argument.given ? values_->text_size : 0);
    show(argument, kept);
    if (argument.given) return kept;
    if (schema_ == nullptr) return {};
    describe(*schema_, description);
    if (min > 0) schema_->member("minLength", static_cast<std::uint32_t>(min));
    schema_->member("maxLength", static_cast<std::uint32_t>(max));
    schema_->object_end();
    return {};
  }
  const std::string_view value = given.string();
  if (value.data() == nullptr || value.size() < min || value.size() > max) {
    if (failed_) return {};
    failed_ = true;
    result_ = call_->fail("Argument \"", name, "\" must be a string of ", static_cast<std::uint32_t>(min), " to ",
                          static_cast<std::uint32_t>(max), " bytes.");
    return {};
  }
  store(argument, 0);
  std::memcpy(values_->text, value.data(), value.size());
  values_->text_size = static_cast<std::uint8_t>(value.size());
  return value;
}

Argument Arguments::color(const char* name) {
  Value given;
  Argument argument;
  if (!begin(name, "string", Need::optional, given, argument)) {
    show(argument, static_cast<std::uint32_t>(argument.value));
    if (schema_ == nullptr) return argument;
    describe(*schema_, "#rrggbb");
    schema_->object_end();
    return argument;
  }
  const std::string_view text = given.string();
  const std::int32_t color = text.data() == nullptr ? -1 : color_of(text);
  if (color < 0) {
    reject(name, "a color such as #ff8000");
  } else {
    store(argument, static_cast<float>(color));
  }
  return argument;
}

Argument Arguments::choice_of(const char* name, std::size_t count, const Names& names, Need need) {
  Value given;
  Argument argument;
  if (!begin(name, "string", need, given, argument)) {
    if (argument.given) show(argument, names.at(argument.index()));
    if (schema_ == nullptr) return argument;
    schema_->key("enum");
    schema_->array_begin();
    for (std::size_t i = 0; i < count; ++i) {
      if (const char* const one = names.at(i)) schema_->string(std::string_view(one));
    }
    schema_->array_end();
    schema_->object_end();
    return argument;
  }
  const std::string_view value = given.string();
  for (std::size_t i = 0; i < count && value.data() != nullptr; ++i) {
    const char* const one = names.at(i);
    if (one == nullptr || value != one) continue;
    store(argument, static_cast<float>(i));
    return argument;
  }
  if (failed_) return argument;
  failed_ = true;
  result_ = call_->fail("Argument \"", name, "\" must be one of:", [&](mcp::TextWriter& text) {
    const char* separator = " ";
    for (std::size_t i = 0; i < count; ++i) {
      const char* const one = names.at(i);
      if (one == nullptr) continue;
      text.add(separator, one);
      separator = ", ";
    }
    text.add(".");
  });
  return argument;
}

void Arguments::end_schema() {
  schema_->object_end();
  schema_->key("required");
  schema_->array_begin();
  for (std::size_t i = 0; i < declared_; ++i) {
    if ((required_ & 1U << i) != 0) schema_->string(std::string_view(names_[i]));
  }
  schema_->array_end();
}

bool Arguments::check_names() {
  for (mcp::json::Members member(object_); member.next();) {
    const auto is_this = [&](const char* name) { return member.key() == std::string_view(name); };
    if (std::any_of(names_, names_ + std::min<std::size_t>(declared_, Values::most), is_this)) continue;
    result_ = call_->fail("There is no argument \"", member.key(), "\".");
    return false;
  }
  if (found_ != 0 || declared_ == 0) return true;
  result_ = call_->fail("Give at least one argument.");
  return false;
}

bool Arguments::act() {
  if (schema_ != nullptr) {
    end_schema();
    return false;
  }
  if (acts_) return true;
  if (!failed_) failed_ = !check_names();
  return false;
}

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
