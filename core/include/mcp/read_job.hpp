// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads that take time: a resource whose body comes from a job, such as a slow sensor.
/// @code
/// struct ReadMoisture {
///   bool started;
///   mcp::Step step(mcp::ReadContext& context) {
///     board::led(context.stop_requested() || started ? 0 : 100);  // powers the sensor
///     if (context.stop_requested()) return context.done();
///     if (!started) return started = true, context.sleep(750);
///     return context.done(context.body().number(board::celsius()));
///   }
/// };
/// constexpr mcp::Resource resources[] = {mcp::read_job<ReadMoisture>({.uri = "sensor://soil", .name = "soil"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

#include "mcp/errors.hpp"
#include "mcp/job.hpp"
#include "mcp/job_context.hpp"
#include "mcp/json/text.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/tool.hpp"

namespace mcp {

namespace compile_error {
void a_row_of_read_job_must_not_have_a_read_function_or_a_stream();
}  // namespace compile_error

/// One step of a read. The body is sent only if the step ends with done(). Lifetime: valid until the step returns.
/// Context: main loop; the step must not block.
class ReadContext {
 public:
  /// Returns the body. The last step writes it, as Resource::read does.
  [[nodiscard]] ReadResult& body() { return body_; }
  /// Returns the time of this step in milliseconds.
  [[nodiscard]] Millis now() const { return context_.now(); }
  /// Returns true in the last step of a read that must end, as JobContext::stop_requested(). The server sends no body.
  [[nodiscard]] bool stop_requested() const { return context_.stop_requested(); }
  /// Sends the progress of the read, as JobContext::progress().
  void progress(std::uint32_t progress, std::uint32_t total = 0, json::Text message = "") {
    context_.progress(progress, total, message);
  }
  /// Returns who is reading, as far as a job knows it. See Caller. Lifetime: valid until the step returns.
  [[nodiscard]] Caller caller() const { return context_.caller(); }
  /// Returns a name of this read, by which another task or an interrupt ends its sleep, as JobContext::handle().
  [[nodiscard]] JobHandle handle() const;

  /// Ends the read with the body. Pass what the last function of body() returned.
  /// Errors: as for Resource::read.
  [[nodiscard]] Step done(Errc errc = Errc::ok) { return context_.done(errc); }
  /// The next step follows after `sleep_ms` milliseconds (below 2^31). Other requests are served meanwhile.
  [[nodiscard]] Step sleep(Millis sleep_ms) { return context_.sleep(sleep_ms); }
  /// The next step follows after the pending steps of other jobs.
  [[nodiscard]] Step again() { return context_.again(); }

  /// @cond server
  ReadContext(JobContext& context, const ReadResult& body) : context_(context), body_(body) {}
  /// @endcond

 private:
  JobContext& context_;
  ReadResult body_;
};

namespace detail {

/// What the response needs of the request and its row. The bytes outlive the job: they are in a table, or in the job.
struct ReadHead {
  const char* uri;
  const char* mime_type;
  std::uint16_t uri_size;
  std::uint16_t mime_type_size;
  Millis ttl_ms;
};

/// The state of a read in the slot of its job.
template <class J>
struct ReadState {
  ReadHead head;
  J job;
};

template <class J>
concept ReadsInSteps = std::is_trivially_copyable_v<J> && alignof(J) <= 8 && requires(J& job, ReadContext& context) {
  { job.step(context) } -> std::same_as<Step>;
};
// A job for a template copies what it needs of the variables, and the server copies the URI.
template <class J>
concept ReadsVariables = ReadsInSteps<J> && requires(J& job, const UriVariables& variables, std::string_view uri) {
  { job.begin(variables) } -> std::same_as<Errc>;
  { job.uri.assign(uri) } -> std::same_as<bool>;
};

/// Runs one step of a read, and writes the response if it is the end.
Step step_read(const ReadHead& head, void* job, Step (*step)(void* job, ReadContext& context), AskContext& context);
/// Takes a slot for the read that `out` belongs to, and fills its head. Returns nullptr after an error.
void* start_read(ReadResult& out, const Tool& kind);
/// The same for a template.
void* start_read_of_template(ReadResult& out, const Tool& kind);
/// The URI of the request.
std::string_view requested_uri(const ReadResult& out);

// The variables become the struct that a params() table describes.
template <class J, class S>
concept ReadsTypedVariables = ReadsInSteps<J> && std::same_as<decltype(J::variables), S> &&
    requires(J& job, std::string_view uri) {
  { job.uri.assign(uri) } -> std::same_as<bool>;
};

template <class J>
void* begin_read(void* memory, std::uint16_t) {
  new (memory) ReadState<J>{};
  return nullptr;
}

template <class J>
Step step_read_job(void* state, AskContext& context) {
  ReadState<J>& read = *static_cast<ReadState<J>*>(state);
  const auto step = [](void* job, ReadContext& read_context) { return static_cast<J*>(job)->step(read_context); };
  return step_read(read.head, &read.job, step, context);
}

template <class J, Millis time_limit_ms>
inline constexpr JobKind read_kind{sizeof(ReadState<J>),
                                   begin_read<J>,
                                   step_read_job<J>,
                                   limit_or_0<time_limit_ms>(),
                                   false,
                                   false,
                                   "The read exceeded its time limit."};
// The tool that a job has instead of a row. No client can call it.
template <class J, Millis time_limit_ms>
inline constexpr Tool read_tool{
    .info = {.name = "resources/read"}, .job = &read_kind<J, time_limit_ms>, .is_job = true};

template <class J, Millis time_limit_ms>
Errc read_by_job(ReadResult& out) {
  static_cast<void>(start_read(out, read_tool<J, time_limit_ms>));
  return Errc::handled;
}

// Starts a job that has read its variables.
template <class J>
Errc start_template_read(J& job, ReadResult& out, const Tool& kind) {
  if (!job.uri.assign(requested_uri(out))) return Errc::invalid_argument;
  void* const memory = start_read_of_template(out, kind);
  if (memory == nullptr) return Errc::handled;
  ReadState<J>& state = *static_cast<ReadState<J>*>(memory);
  state.job = job;
  state.head.uri = state.job.uri.view().data();
  state.head.uri_size = static_cast<std::uint16_t>(state.job.uri.view().size());
  return Errc::handled;
}

template <class J, Millis time_limit_ms>
Errc read_by_template_job(const UriVariables& variables, ReadResult& out) {
  J job{};
  if (const Errc errc = job.begin(variables); errc != Errc::ok) return errc;
  return start_template_read(job, out, read_tool<J, time_limit_ms>);
}

template <class J, const auto& params, Millis time_limit_ms>
Errc read_by_typed_job(const UriVariables& variables, ReadResult& out) {
  J job{};
  const Errc errc = decode_variables(rows_of<params>(), variables, &job.variables, out);
  if (errc != Errc::ok) return errc;
  return start_template_read(job, out, read_tool<J, time_limit_ms>);
}

template <class J>
consteval std::uint16_t read_size() {
  static_assert(sizeof(ReadState<J>) <= 0xFFFF, "a read job has at most 65000 bytes");
  return static_cast<std::uint16_t>(sizeof(ReadState<J>));
}

}  // namespace detail

/// Makes a resource whose body comes from a job: J has the state of one read, and a function
/// `Step step(mcp::ReadContext&)`. Clients can cancel the read. If it is not done after `time_limit_ms` (as for job()),
/// it gets its last step, and the client gets the error -32603.
/// J is trivially copyable, and starts as J{}. A cancelled read, and one that has lost its session or connection, gets
/// its last step, too. Limits: each read uses one of Limits::jobs. Errors: if all are in use, the client gets -32603
/// with `retry_after_key`.
template <class J, Millis time_limit_ms = 0>
consteval Resource read_job(Resource row) {
  static_assert(detail::ReadsInSteps<J>,
                "a read job is trivially copyable and has a member function Step step(mcp::ReadContext&)");
  if (row.read != nullptr || row.stream.on())
    compile_error::a_row_of_read_job_must_not_have_a_read_function_or_a_stream();
  row.read = detail::read_by_job<J, time_limit_ms>;
  row.job_size = detail::read_size<J>();
  return row;
}

/// Makes a template whose bodies come from a job. `J::begin` reads the variables before the job takes a slot. The
/// server copies the URI of the request into `J::uri`.
/// Errors: an error of `begin` goes to the client, as for Resource::read. A URI that does not fit into `J::uri` gets
/// -32602.
template <class J, Millis time_limit_ms = 0>
consteval ResourceTemplate read_job(ResourceTemplate row) {
  static_assert(detail::ReadsVariables<J>,
                "a read job of a template is trivially copyable and has Step step(mcp::ReadContext&), Errc "
                "begin(const mcp::UriVariables&) and a FixedString uri");
  if (row.read != nullptr) compile_error::a_row_of_read_job_must_not_have_a_read_function_or_a_stream();
  row.read = detail::read_by_template_job<J, time_limit_ms>;
  row.job_size = detail::read_size<J>();
  return row;
}

/// Makes a template whose bodies come from a job with typed variables: `J::variables` is the struct that the table
/// `params` describes, as for resource_template(). The server also copies the URI of the request into `J::uri`.
/// Errors: a variable that breaks the table gets -32602 and takes no slot.
template <class J, const auto& params, Millis time_limit_ms = 0>
requires(detail::ParamsOf<decltype(params)>::given) consteval ResourceTemplate read_job(ResourceTemplate row) {
  // `requires`: a constant with the time limit of the function above is no table.
  using S = typename detail::ParamsOf<decltype(params)>::Struct;
  static_assert(
      detail::ReadsTypedVariables<J, S>,
      "a read job of a template is trivially copyable and has Step step(mcp::ReadContext&), the struct of its "
      "params() as variables and a FixedString uri");
  detail::check_job_params(params.rows, detail::rows_of<params>().size());
  if (row.read != nullptr) compile_error::a_row_of_read_job_must_not_have_a_read_function_or_a_stream();
  detail::set_variables<params>(row);
  row.read = detail::read_by_typed_job<J, params, time_limit_ms>;
  row.job_size = detail::read_size<J>();
  return row;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
