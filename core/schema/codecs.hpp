// SPDX-License-Identifier: Apache-2.0
// Common code for reading arguments and writing outputs.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "mcp/detail/listing.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/params.hpp"

namespace mcp::detail {

/// Appends `position.x` or `channels[2]` to a text.
void append_path(json::Writer& out, const ArgumentPath& path);

/// The codec of the value at `path`: `info` is its row, or the row of the list that contains it.
inline const ParamCodec& codec_of(const ParamInfo& info, const ArgumentPath& path) {
  return path.name.empty() ? *info.list->codec : *info.codec;
}
inline ParamType type_of(const ParamInfo& info, const ArgumentPath& path) {
  return path.name.empty() ? info.list->type : info.type;
}

/// Reads the argument at `path` into `member`, or its default if `value` is missing. Errc::failed after it has written
/// the error of the call.
Errc decode_value(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call);
/// Ends the call as failed: the argument at `path` must be what `info` allows.
Errc reject_argument(const ParamInfo& info, const ArgumentPath& path, Call& call, bool all_bounds = false);
/// Reads the items of a list, which have the row of their list, with a codec of their own: a row made for them would
/// take much of the stack. `check` gets the index and the address of each one, and returns Errc::failed after it has
/// written the error of the call.
[[gnu::always_inline]] inline Errc decode_items(const ParamInfo& info, json::Value value, void* member,
                                                const ArgumentPath& path, Call& call, const auto& check) {
  if (!value.is(json::Type::array)) return reject_argument(info, path, call);
  std::size_t index = 0;
  for (json::Elements elements(value); elements.next(); ++index) {
    void* const place = info.list->access.grow(member);
    if (place == nullptr) return reject_argument(info, path, call);
    Errc errc = decode_value(info, elements.value(), place, {&path, {}, index}, call);
    if (errc == Errc::ok) errc = check(index, place);
    if (errc != Errc::ok) return errc;
  }
  return index >= info.least_items ? Errc::ok : reject_argument(info, path, call);
}
/// Writes the value at `path`. Errors: returns the outcome of OutputSink::reject.
Errc encode_value(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink);

/// The value as the low bits of a number. By memcpy, because the value may have any type of this width: long or int, an
/// enum.
inline std::uint64_t load(const void* value, std::uint8_t width) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  std::uint64_t wide = 0;
  std::memcpy(reinterpret_cast<char*>(&wide) + (is_little ? 0 : sizeof wide - width), value, width);
  return wide;
}

/// The value of a signed type of this width.
inline std::int64_t load_signed(const void* value, std::uint8_t width) {
  const unsigned unused = 64 - 8U * width;
  return static_cast<std::int64_t>(load(value, width) << unused) >> unused;
}

/// The value of an integer of at most 63 bits. If no value below zero is allowed, the type may be unsigned. A negative
/// value of a signed type then reads as more than the maximum.
inline std::int64_t load_integer(const ParamInfo& info, const void* value) {
  if (info.minimum.i() >= 0) return static_cast<std::int64_t>(load(value, info.width));
  return load_signed(value, info.width);
}

inline void append_signed(json::Writer& out, Bound bound) { out.append_number(bound.i()); }
inline void append_unsigned(json::Writer& out, Bound bound) { out.append_number(bound.u()); }
/// The bits of a floating-point number as an integer with the same order, so that a core without an FPU need not link a
/// library for comparisons. NaN is beyond both infinities.
constexpr std::int32_t in_order(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits;
}
constexpr std::int64_t in_order(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
constexpr std::int64_t in_order(std::int64_t value) { return value; }
constexpr std::uint64_t in_order(std::uint64_t value) { return value; }
static_assert(in_order(-0.0) == in_order(0.0) && in_order(-1.0F) < in_order(-0.5F) && in_order(-0.5F) < in_order(0.5F));

/// True within both bounds, for any of the four types that numbers are read as.
template <class T>
constexpr bool is_within(T value, T minimum, T maximum) {
  return in_order(value) >= in_order(minimum) && in_order(value) <= in_order(maximum);
}

/// The float nearest to a double that rounds to a finite one, ties to even, as in a conversion. A conversion would link
/// a library on a core without an FPU.
constexpr float narrow(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto high = static_cast<std::uint32_t>(bits >> 32);
  const auto low = static_cast<std::uint32_t>(bits);
  const int exponent = static_cast<int>(high >> 20 & 0x7FF) - (1023 - 127);  // as in the bits of a float
  // The fraction of a float, and two more bits: the next one, and whether any later bit is set.
  std::uint32_t fraction = (high & 0xFFFFF) << 5 | low >> 27 | (low << 5 != 0 ? 1 : 0);
  std::uint32_t field = 0;
  if (exponent > 0) {
    field = static_cast<std::uint32_t>(exponent) << 23;
  } else {
    // Below the normal floats, all in units of the smallest: far below, nothing but the last bit is left.
    fraction |= 1u << 25;
    const int shift = exponent < -25 ? 26 : 1 - exponent;
    fraction = fraction >> shift | (fraction << (32 - shift) != 0 ? 1 : 0);
  }
  const bool up = (fraction & 2) != 0 && (fraction & 5) != 0;  // which may carry into the exponent
  return std::bit_cast<float>((high & 0x80000000) | (field + (fraction >> 2) + (up ? 1 : 0)));
}

inline void append_double(json::Writer& out, Bound bound) { out.append_number(bound.d()); }
/// For a float: written with float precision.
inline void append_narrowed(json::Writer& out, Bound bound) { out.append_number(narrow(bound.d())); }
inline void append_float(json::Writer& out, Bound bound) { out.append_number(bound.f()); }

/// Stores a value that the codec has read in a member of this type. Errors: returns false if a string does not fit.
bool store_value(const ParamInfo& info, ParamType type, const Bound& value, void* member);

/// Writes the members of a struct as its table says. Errors: for a value that the table does not allow, returns the
/// outcome of OutputSink::reject.
Errc encode_struct(std::span<const ParamInfo> rows, const void* value, OutputSink& sink);
/// The same without the braces of the object.
Errc encode_struct_members(std::span<const ParamInfo> rows, const void* value, OutputSink& sink);
/// Appends the error text of OutputSink::reject.
void append_invalid(json::Writer& out, const ArgumentPath& path);

/// decode_arguments() for the params of a method, which may have a member `_meta`.
Errc decode_params(std::span<const ParamInfo> rows, json::Value params, void* into, Call& call);

}  // namespace mcp::detail
