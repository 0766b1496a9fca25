// SPDX-License-Identifier: Apache-2.0
/// @file
/// All sizes and counts of a server, chosen at compile time.
/// @code
/// constexpr mcp::Definition definition{.name = "thermometer", .version = "1.0.0"};
/// constexpr mcp::Limits limits{.transmit_size = 2048, .sessions = 2};
/// constinit mcp::Storage<definition, limits> storage;
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>

namespace mcp {

/// The sizes of one server. All memory is in the Storage, which counts rows and states of jobs itself. A pool that no
/// row and no flag of the Definition uses takes no memory. A limit that contradicts the Definition does not compile.
/// The error names the row and a sufficient number. RAM figures are for a 32-bit processor.
struct Limits {
  /// Longest message that a client can send, in bytes, without the line end. RAM: this number plus 2.
  /// Errors: a longer message gets -32600 (with its id if the server can find it), and the server serves the next
  /// message. A longer response of the client ends its input request with Outcome::too_large. For sampling, see
  /// Sampling::max_tokens.
  /// Hosts send more than the arguments. Codex adds about 650 bytes of `_meta` to a call, so a short call has 764
  /// bytes, and 1,040 bytes through `toolchains/attach`. A short call of Claude Code has 521 bytes. With a smaller
  /// size, such calls fail.
  std::size_t receive_size = 2048;

  /// Longest message that the server can send, in bytes. RAM: this number plus 1. A list is cut into pages that fit.
  /// Each list item of the Definition and the responses to `initialize` and `server/discover` must fit, with an id of
  /// `id_size` bytes. A smaller value does not compile.
  /// Errors: -32603 replaces any other response that does not fit. A batch is not executed if the buffer cannot hold an
  /// error for each of its requests.
  std::size_t transmit_size = 1024;

  /// `= true`: all tools of the table must fit into the first page of `tools/list`, with an id of `id_size` bytes. Many
  /// hosts read only the first page. Tools found at run time are not counted. Errors: if the tools do not fit, the
  /// Server does not compile, and the error has the required `transmit_size`. mcp::tool_pages is the number of pages.
  bool tools_in_one_page = false;

  /// Sessions at the same time, 1 to 65535. Over HTTP, all stateless requests together use one of them. RAM: 36 bytes
  /// each (and 36 if a task may outlive its session), plus 8 for every 32 resources. If all are in use, `initialize`
  /// ends the longest-idle session of its own owner (TransportInfo::owner) that is idle for `own_session_idle_ms`. If
  /// there is none, it ends a session of another owner that is idle for `session_idle_ms`. A session with a running
  /// call or an open stream is not idle. Errors: if there is no such session, `initialize` is rejected; over HTTP with
  /// 503 and Retry-After. Choose the number of clients that use the device at the same time. Stateless requests need no
  /// session and are never rejected for this reason.
  std::size_t sessions = 1;

  /// Time in milliseconds (below 2^31) after which an idle session may end for a session of another owner. The time
  /// begins with the last message of the client, and again with the end of a call or of a stream.
  std::uint32_t session_idle_ms = 60'000;

  /// As session_idle_ms, for a new session of the same owner. A client that starts again without DELETE may have to
  /// wait for this time. Two clients with one token, or behind one NAT without tokens, are one owner. Choose a time
  /// longer than the pause between two requests of a client without a stream. With 0, `initialize` ends a session
  /// without a stream and without a call at once.
  std::uint32_t own_session_idle_ms = 10'000;

  /// Slots that one owner (TransportInfo::owner) must leave free in each pool with 2 slots or more (`sessions`, `jobs`,
  /// `tasks`, `scheduled_calls`, `streams`, `subscriptions`, `template_subscriptions`), at most 65535. Every owner may
  /// use at least one slot. An unknown owner may use all of them.
  /// Errors: a request beyond the share is rejected with a text that names the share.
  std::size_t reserved_for_others = 1;

  /// Calls and reads that run as jobs at the same time, at most 65535. Needed by tools and reads that are jobs. RAM for
  /// each: 112 bytes, twice `id_size`, and the largest state of a job in the tables (16 bytes more for a read). Jobs
  /// that send input requests to stateless clients take 48 bytes more in all. The slot of a call that waits for a retry
  /// stays reserved until its `requestState` expires. Errors: if all are in use, a call fails, and its result has the
  /// time until a retry (retry_after_key). A read gets -32603 with this time.
  std::size_t jobs = 0;

  /// `= true`: each job keeps the scopes of its request, for Caller::has_scope(). Needs a tool or read that is a job,
  /// and Definition::scopes. RAM: 8 bytes for each of `jobs`; none if `client_info_size` is set, because that memory
  /// includes the scopes.
  bool job_scopes = false;

  /// Bytes for the name and the version of a client, UTF-8, at most 4096; 0: none are kept. Each session and each job
  /// keeps a copy, for Caller::client_name(). Needs the legacy era, or a tool or read that is a job. RAM: 8 bytes and
  /// this number (rounded up to a multiple of 8) for each of `sessions` (in the legacy era) and of `jobs`.
  /// Errors: a name or version that does not fit is empty.
  std::size_t client_info_size = 0;

  /// Running tasks and stored results at the same time, at most 65535. Needed by tools that can be tasks. Each running
  /// task also uses a job. RAM: 96 bytes, twice `id_size`, and `task_result_size` for each. If all are in use, a new
  /// task replaces the task that ended longest ago, if its client has seen the outcome. The client has seen it if it
  /// has fetched the result, requested the task after its end, or cancelled the task.
  /// Errors: if there is no such task, the call gets -32603 with a text that says so.
  std::size_t tasks = 0;

  /// Longest result and longest input request of a task, in bytes of JSON, 192 to 65535. RAM: this number for each
  /// task.
  /// Errors: -32603 replaces a longer result. A longer input request is not sent (Outcome::no_space).
  std::size_t task_result_size = 256;

  /// Longest life of a task from its creation, in milliseconds (below 2^31). A client may request less. The server then
  /// ends a task that still runs.
  std::uint32_t task_ttl_ms = 600'000;

  /// Scheduled calls (mcp/schedule.hpp) and results of such calls at the same time, at most 65535. Needed by
  /// schedulable tools. RAM for each: 56 bytes, the largest argument struct or job of a schedulable tool, and
  /// `scheduled_result_size`. A new call replaces the oldest call that has ended.
  /// Errors: if all are in use, a scheduled call fails, and its result has the time until a retry (retry_after_key).
  std::size_t scheduled_calls = 0;

  /// Longest result of a scheduled call, in bytes of JSON, 160 to 32767. RAM: this number for each call.
  /// Errors: an error replaces a longer result.
  std::size_t scheduled_result_size = 192;

  /// Pending notifications of completed URL elicitations, at most 65535. Needed by `.url_elicitations`. RAM: 48 bytes
  /// each.
  /// Errors: if all are in use, Server::elicitation_completed() returns false.
  std::size_t elicitations = 0;

  /// Streamed bodies (Resource::stream, text_stream_template()) in progress at the same time, at most 65535. Needed by
  /// rows with a stream. RAM: 32 bytes and `id_size` for each. If a template has a stream, each also takes its longest
  /// URI and the struct of its variables.
  /// Errors: if all are in use, a request gets -32603 with a text that says so.
  std::size_t streams = 0;

  /// `subscriptions/listen` requests of stateless clients at the same time, at most 65535. Needed by `.subscriptions`.
  /// RAM: 20 bytes, `id_size` rounded up to 4, and 8 for every 32 resources and tasks, for each.
  /// A client may name all resources in one request. A client with go-sdk sends one request for changes of lists and
  /// one for each resource. It does not report a rejected one to its application. Over HTTP, each such client needs 1 +
  /// the number of subscribable resources. On a wire, requests for one resource share the `id_size` bytes of a slot,
  /// where each takes 3 bytes and its id. With an `id_size` of 40 and ids of up to 3 digits, a slot holds at least 6
  /// more requests.
  /// Errors: if all are in use, a request gets -32603 with a text that says so.
  std::size_t subscriptions = 0;

  /// URIs of templates with subscriptions at the same time, at most 65535. Needed by ResourceTemplate::subscribable.
  /// All subscribers of one URI share its slot. RAM: `uri_size` plus 1 for each, and 2 bits for each session and each
  /// of `subscriptions`.
  /// Errors: if all are in use, a subscription to one more URI gets -32603 with a text that says so.
  std::size_t template_subscriptions = 0;

  /// Longest URI of a template that clients can subscribe to, in bytes, 1 to 65534.
  /// Errors: a subscription to a longer URI gets -32602. `subscriptions/listen` leaves it out of the acknowledgement.
  std::size_t uri_size = 64;

  /// Tool calls and completions that one owner may make in a row, at most 65535; 0: no limit. The owner is the
  /// principal of a token, else the peer, else (if the port does not know its peers) the whole endpoint
  /// (TransportInfo::owner). A new session does not add calls. Set together with `call_interval_ms`.
  /// Errors: one more call fails with a text that has the time to wait.
  std::size_t call_burst = 0;

  /// Time in milliseconds (below 2^31) after which an owner regains one call of `call_burst`.
  std::uint32_t call_interval_ms = 0;

  /// Owners whose calls are counted separately, 1 to 65535. RAM if `call_burst` is set: 12 bytes each, plus 12. While
  /// this number of owners are below `call_burst`, all other owners share one more count.
  std::size_t call_owners = 8;

  /// Ring of log messages, in bytes, 64 to 65535. Needed by `.logging`. Each message takes its text, its logger's name
  /// and 6 bytes. If it is full, the oldest messages are lost, and a client that missed its own messages gets their
  /// number.
  std::size_t log_size = 0;

  /// Memory for an mcp::Mailbox, through which other tasks and interrupts use the server. RAM: 24 bytes, 4 for every
  /// 32 resources beyond the first 32, and 12 for each of `jobs`.
  bool mailbox = false;

  /// The Mailbox is an mcp::TracedMailbox, which records the posts in a trace (mcp/trace.hpp). Needs `mailbox`.
  bool mailbox_trace = false;

  /// Log messages in the Mailbox before the server takes them. Used with `.logging`. RAM: 12 bytes and
  /// `mailbox_log_size` for each.
  /// Errors: if all are in use, Mailbox::log() returns false, and the server logs the number of lost messages.
  std::size_t mailbox_logs = 4;

  /// Longest log message in the Mailbox, including the name of its logger, in bytes, at most 65535. The rest is cut
  /// off.
  std::size_t mailbox_log_size = 64;

  /// Longest request id, in bytes as it is written in the message, with quotes: 3 to 65535, and at most 40 over MQTT.
  /// Jobs that send input requests to stateless clients need at least 8. RAM: twice the number for each job and each
  /// task, once for each stream and each subscription.
  /// Errors: a longer id gets -32600, with this id if it fits. A longer progress token is ignored.
  std::size_t id_size = 40;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
