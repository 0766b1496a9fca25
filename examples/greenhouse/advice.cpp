// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include "beds.hpp"

namespace advice {

mcp::Step AskGardener::step(mcp::AskContext& context) {
  if (context.stop_requested()) return context.done();
  const mcp::Answer answer = context.answer();
  if (answer.outcome() == mcp::Outcome::none) {
    const std::size_t bed = arguments.bed;
    constexpr mcp::Sampling sampling{.max_tokens = 60,
                                     .system_prompt = "You are a gardener. Answer in one sentence.",
                                     .metadata = R"({"topic":"gardening"})"};
    return context.timeout(60'000).sample(sampling, [bed](mcp::SampleMessages& messages) {
      messages.user([bed](mcp::SampleContent& items) {
        static_cast<void>(items.text("In bed ", bed, " grows ", beds::crop(bed), "."));
        static_cast<void>(items.text("The soil has ", plant::moisture(bed - 1), " % moisture and pH ",
                                     mcp::Scaled{plant::acidity(bed - 1), 1}, ". What does it need?"));
      });
    });
  }
  if (answer.outcome() != mcp::Outcome::accepted) return context.done(context.fail_input(answer));
  return context.done(context.result().text(answer.text()));
}

}  // namespace advice
