// error: a_job_outlives_its_message_and_cannot_take_a_string_view_use_a_FixedString
#include <mcp/server.hpp>

struct Job {
  struct Arguments {
    std::string_view text;
  };
  Arguments arguments;
  mcp::Step step(mcp::JobContext& context) { return context.done(); }
};
constexpr auto job_params = mcp::params(mcp::param<&Job::Arguments::text>("text"));
constexpr mcp::Tool tools[] = {mcp::job<Job>({.name = "a"}, job_params)};
