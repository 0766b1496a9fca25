// SPDX-License-Identifier: Apache-2.0
/// @file
/// The device's own figures: the use of each pool and ring, messages, errors and times, as a resource.
/// @code
/// void add_figures(mcp::FigureWriter& out) {
///   out.gauge("flash_log", board::log_size(), mcp::FigureUnit::bytes, "Size of the log in flash");
///   out.memory("arena", {.size = 20'480, .used = 8'192, .high_water = 12'288, .full = 0});
/// }
/// constexpr mcp::Resource resources[] = {mcp::health_resource<add_figures>()};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/frame_pool.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void a_row_of_health_resource_must_not_have_a_read_function_or_a_stream();
}  // namespace compile_error

/// The figures of one pool or ring: numbers of slots, or bytes.
struct PoolFigures {
  std::uint32_t size = 0;        ///< All slots or bytes.
  std::uint32_t used = 0;        ///< In use now.
  std::uint32_t high_water = 0;  ///< The most that were in use at the same time since the start.
  std::uint32_t full = 0;        ///< Requests that found no slot, or records that were lost for lack of space.
};

/// The unit of a value, for its name: `_ms` or `_bytes` follows it in JSON, `_seconds` or `_bytes` in Prometheus text.
enum class FigureUnit : std::uint8_t {
  none,          ///< A number of things.
  milliseconds,  ///< A time.
  bytes,         ///< A size.
};

/// One of several values with the same name, such as `errors` with the label `code`.
struct FigureLabel {
  std::string_view key = {};   ///< Letters of a-z and `_`. Empty: there is no label.
  std::string_view text = {};  ///< Any UTF-8.
};

/// One value.
struct FigureValue {
  std::string_view name = {};          ///< Without its unit.
  std::uint64_t value = 0;             ///< The value, in its unit.
  FigureUnit unit = FigureUnit::none;  ///< The unit.
  bool is_counter = false;             ///< It only grows until the device starts again.
  FigureLabel label = {};              ///< One of several with this name.
  std::string_view description = {};   ///< For people. May be empty.
};

/// Takes figures, one by one. The server writes JSON and Prometheus text with it. An application derives from it to
/// read the figures itself (Server::figures()), and gets one to add its own figures (health_resource()).
/// Names have letters of a-z, digits and `_`, and begin with a letter. Lifetime: strings need to live until the call
/// returns. Context: main loop; must not block.
class FigureWriter {
 public:
  /// The figures of a pool of slots.
  void pool(std::string_view name, const PoolFigures& figures) { do_pool(name, figures, false); }
  /// The figures of memory, in bytes.
  void memory(std::string_view name, const PoolFigures& figures) { do_pool(name, figures, true); }
  /// The figures of a FramePool. A slot counts as used at some time if a byte of it is not zero.
  template <std::size_t slot_count, std::size_t slot_size>
  void frames(std::string_view name, FramePool<slot_count, slot_size>& frame_pool) {
    put_frames(name, frame_pool.frames());
  }
  /// A value that may become smaller. `description`: a sentence for people.
  void gauge(std::string_view name, std::uint64_t value, FigureUnit unit = FigureUnit::none,
             std::string_view description = {}) {
    do_value({.name = name, .value = value, .unit = unit, .description = description});
  }
  /// A value that only grows.
  void counter(std::string_view name, std::uint64_t value, FigureUnit unit = FigureUnit::none,
               std::string_view description = {}) {
    do_value({.name = name, .value = value, .unit = unit, .is_counter = true, .description = description});
  }
  /// One of several values with this name that only grow. Write all of them in a row.
  void counter(std::string_view name, FigureLabel label, std::uint64_t value, std::string_view description = {}) {
    do_value({.name = name, .value = value, .is_counter = true, .label = label, .description = description});
  }

 protected:
  constexpr FigureWriter() = default;
  ~FigureWriter() = default;

 private:
  virtual void do_pool(std::string_view name, const PoolFigures& figures, bool is_bytes) = 0;
  virtual void do_value(const FigureValue& figure) = 0;
  void put_frames(std::string_view name, const detail::Frames& frames);
};

/// A function that adds figures of the application. It is called several times for each request, and must write the
/// same names in the same order each time, also if values have changed. Context: main loop; must not block.
using AddFigures = void (*)(FigureWriter& out);

namespace detail {

/// Writes all figures as JSON. The function of the row of health_resource().
Errc write_health(ReadResult& out, AddFigures add);

template <AddFigures add>
Errc read_health(ReadResult& out) {
  return write_health(out, add);
}

}  // namespace detail

/// Makes the row `mote://health`, whose body is JSON with the figures of the server, and links the code that counts.
/// `add` adds figures of the application; nullptr: none. Members that `row` sets replace the defaults: set the scope
/// with `health_resource({.scope = "service"})`. It is required if the Definition has scopes, because the figures tell
/// one client what others do.
/// RAM: 112 bytes in the Storage. Limits: the body takes up to 1,500 bytes of Limits::transmit_size, by the pools that
/// the Definition uses. Errors: -32603 replaces a longer body.
template <AddFigures add = nullptr>
consteval Resource health_resource(Resource row = {}) {
  if (row.read != nullptr || row.stream.on())
    compile_error::a_row_of_health_resource_must_not_have_a_read_function_or_a_stream();
  if (row.uri.empty()) row.uri = "mote://health";
  if (row.name.empty()) row.name = "health";
  if (row.description.empty()) row.description = "Use of pools and memory, counts of messages and errors";
  if (row.mime_type.empty()) row.mime_type = "application/json";
  row.read = detail::read_health<add>;
  row.figures = true;
  return row;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
