// The check of a message as a function, whose size is measured.
#include "json/validate.hpp"

namespace bench {

mcp::json::Verdict check(std::string_view text, mcp::json::Outline& outline) {
  return mcp::json::validate(text, outline);
}

}  // namespace bench
