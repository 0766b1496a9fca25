// SPDX-License-Identifier: Apache-2.0
// Runs the steps of jobs. Output goes to the transmit buffer of their session or to the memory of their task.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/send_context.hpp"
#include "mcp/input_request.hpp"

namespace mcp {

class ReadContext;
struct Tool;

namespace detail {
struct ReadHead;
}

namespace protocol {
class Request;
}

class JobRunner {
 public:
  explicit JobRunner(protocol::SendContext& context)
      : context_(context), storage_(context.storage), out_(context.out) {}

  /// Writes the next message of this job, if there is one. True if it wrote a message.
  bool run(memory::Handle handle);

  /// Takes the next step, with an answer of the client if there is one; `responses`: the answers of a client without a
  /// session, by their keys. True when a message was written.
  bool step(memory::Handle handle, const Answer& answer, json::Value responses = {});

  /// Goes on with a job in the answer to the call of a client without a session. Returns the code of the error that
  /// this answer is, or 0.
  int resume(memory::Handle handle, json::Value responses);

  /// Takes the step of a read. If it is the last one, writes the response.
  static Step step_read(const detail::ReadHead& head, void* job, Step (*step)(void*, ReadContext&),
                        AskContext& context);

  /// Takes the last step of a job that must end, of which nothing is sent, and gives its slot back.
  void end(memory::Handle handle);

 private:
  // The next action of end_round() for a stateless client: send the input requests of the step, or make a task of the
  // job.
  enum class Rest : std::uint8_t { none, inputs, task };

  bool answer_too_late(memory::Handle handle, detail::Job& job);
  void release(memory::Handle handle);
  bool end_round(memory::Handle handle, json::Writer::Mark start, bool written);
  [[gnu::noinline]] bool become_task(memory::Handle handle);
  bool end_call(const detail::Job& job, rpc::Response& response, Call& call, Errc errc);
  void last_step(memory::Handle handle);
  [[gnu::noinline]] bool say_too_late(std::size_t index, const detail::Job& job);
  void audit(const detail::Job& job, AuditRecord::Outcome outcome, int error_code);
  rpc::Response begin_result(json::Writer& out, std::size_t index, const detail::Job& job);
  bool write_progress(std::size_t index, detail::Job& job);
  [[nodiscard]] bool is_for(const detail::Job& job) const;
  [[nodiscard]] bool may_become_task(const detail::Job& job) const;
  [[nodiscard]] json::Writer buffer_of(const detail::Job& job) const;

  protocol::SendContext& context_;
  const detail::StorageView& storage_;
  json::Writer& out_;
  int code_ = 0;  // of the answer that was written
  Rest rest_ = Rest::none;
};

namespace protocol {

/// Takes a slot for a job that answers this request, and returns its state. nullptr after an error.
void* begin_read_job(Request& request, const Tool& kind);

}  // namespace protocol

inline AskContext::AskContext(rpc::Response& response, Content::Known known, protocol::SendContext& context,
                              detail::Job& job, bool ending, const Answer& answer, json::Value responses)
    : JobContext(response, known, context, job, ending),
      answer_(answer),
      responses_(responses),
      answered_(job.inputs),
      writer_(response, context, job.inputs, true, job.task) {
  job.inputs = {};
}

}  // namespace mcp
