#include "protocol/request.hpp"

namespace mcp::protocol {

bool Request::finish() {
  if (result_end()) return true;
  fail(Errc::no_space, {});
  return false;
}

void Request::empty_result() {
  result_begin();
  finish();
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
