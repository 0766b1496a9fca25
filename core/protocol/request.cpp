#include "protocol/request.hpp"

namespace mcp::protocol {

bool Request::enabled(Area area, std::size_t index) const {
  return storage.disabled.empty() || !memory::BitSet(storage.disabled).test(definition.rows_before(area) + index);
}

bool Request::id_is_running() const {
  const auto is_this = [&](memory::Handle client, const char* its_id, std::size_t size) {
    return client.index == session_index && json::equal(std::string_view(its_id, size), id());
  };
  for (std::size_t i = 0; i < storage.jobs.capacity(); ++i) {
    const mcp::detail::Job* const job = storage.jobs.find(storage.jobs.at(i));
    if (job != nullptr && is_this(job->session, storage.job_id(i), job->id_size)) return true;
  }
  for (std::size_t i = 0; i < storage.streams.capacity(); ++i) {
    const mcp::detail::Stream* const stream = storage.streams.find(storage.streams.at(i));
    if (stream != nullptr && is_this(stream->session, storage.stream_id(i), stream->id_size)) return true;
  }
  return false;
}

void close_children(Outbound outbound) {
  for (std::size_t i = 0; i < Definition::feature_count; ++i) {
    const Feature* const feature = outbound.definition.feature(i);
    if (feature != nullptr && feature->close != nullptr) feature->close(outbound);
  }
}

void end_list_capability(json::Writer& out, const Definition& definition) {
  if (definition.list_changes.on()) out.fragment("\"listChanged\":true");
  out.object_end();
}

bool Request::read_call(std::string_view& name, json::Value& arguments) {
  constexpr std::string_view names[] = {"name", "arguments"};
  json::Value values[2];
  if (json::find_members(params, names, values) != json::no_key) {
    return fail(rpc::invalid_request, "A member of params is given twice."), false;
  }
  if (!values[0].is(json::Type::string)) return fail(rpc::invalid_params, "This method needs a name."), false;
  name = values[0].string();
  arguments = values[1];
  if (!arguments.present() || arguments.is(json::Type::object)) return true;
  return fail(rpc::invalid_params, "arguments must be an object."), false;
}

bool Request::finish() {
  if (result_end()) return true;
  fail(Errc::no_space, {});
  return false;
}

void Request::empty_result() {
  result_begin();
  finish();
}

void Request::fail(int code, json::Text message) {
  error_begin(code);
  out.append(message);
  error_end();
}

void Request::fail(Errc errc, std::string_view uri) {
  const ErrorText error = describe(errc);
  if (error.code == resource_not_found) {
    error_begin(error.code);
    out.append(error.text);
    error_data_begin();
    out.fragment("{\"uri\":");
    out.string(uri);
    out.object_end();
    if (error_data_end()) return;
  }
  fail(error.code, error.text);
}

}  // namespace mcp::protocol
