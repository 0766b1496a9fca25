// SPDX-License-Identifier: Apache-2.0
// A fuzzer without a compiler's help: mutates the seeds of a target, from one number, for so many runs or seconds. The
// same number gives the same inputs. An input that ends the process is written to TARGET.input first.
//
// usage: fuzz TARGET [--runs N] [--seconds N] [--seed N] [--today] [--write FOLDER] [INPUT...]
//   INPUT...        these files alone, once each
//   --today         as many runs or seconds again, from a seed that is made of the date
//   --write FOLDER  writes the seeds there, to begin another fuzzer with
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/target.hpp"

// So that a finding of AddressSanitizer comes here, too.
extern "C" const char* __asan_default_options() { return "abort_on_error=1:detect_leaks=0"; }

namespace {

using fuzz::Random;
using fuzz::Target;

const Target* const targets[] = {
    &fuzz::json_target,  &fuzz::writer_target, &fuzz::http_target, &fuzz::stdio_target,   &fuzz::server_target,
    &fuzz::state_target, &fuzz::uri_target,    &fuzz::mqtt_target, &fuzz::devices_target, &fuzz::workbench_target,
#ifdef MOTE_FUZZ_LWIP
    &fuzz::lwip_target,
#endif
};

const Target* target = nullptr;
std::string current;
std::uint64_t current_seed = 0;  // 0: an input that was not made
char file_name[64];

void keep_input(int signal) {
  const int file = open(file_name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  const bool kept = file >= 0 && write(file, current.data(), current.size()) == static_cast<ssize_t>(current.size());
  char said[128];
  const int size = std::snprintf(said, sizeof said, "%s%s, from seed %llu\n", kept ? "the input is in " : "",
                                 kept ? file_name : target->name, static_cast<unsigned long long>(current_seed));
  static_cast<void>(!write(2, said, static_cast<std::size_t>(size)));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Options {
  std::uint64_t runs = 1000;
  std::uint64_t seconds = 0;
  std::uint64_t seed = 1;
  bool today = false;
  std::string write;
  std::vector<std::string> files;
};

int usage() {
  std::fputs("usage: fuzz TARGET [--runs N] [--seconds N] [--seed N] [--today] [--write FOLDER] [INPUT...]\nTARGET:",
             stderr);
  for (const Target* each : targets) std::fprintf(stderr, " %s", each->name);
  std::fputs("\n", stderr);
  return 2;
}

bool run(std::string input) {
  current = std::move(input);
  return target->run(current);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// Those of the target, and the inputs that found a defect before (regressions/TARGET).
std::vector<std::string> all_seeds() {
  std::vector<std::string> seeds = target->seeds();
  const std::filesystem::path folder = std::filesystem::path(MOTE_FUZZ_REGRESSIONS) / target->name;
  if (!std::filesystem::exists(folder)) return seeds;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) seeds.push_back(read_file(path));
  return seeds;
}

// Keeps a few of the inputs that it made, so that changes add up.
void fuzz_it(const Options& options) {
  std::vector<std::string> inputs = all_seeds();
  const std::size_t seeds = inputs.size();
  for (const std::string& seed : inputs) run(seed);
  current_seed = options.seed;
  Random random(options.seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  std::uint64_t runs = 0;
  for (; options.seconds != 0 || runs < options.runs; ++runs) {
    if (options.seconds != 0 && std::chrono::steady_clock::now() >= end) break;
    std::string input = inputs[random.below(inputs.size())];
    mutate(*target, input, inputs[random.below(inputs.size())], random);
    if (!run(input) || !random.one_in(8)) continue;
    if (inputs.size() < 2 * seeds + 64) {
      inputs.push_back(std::move(input));
    } else {
      inputs[seeds + random.below(inputs.size() - seeds)] = std::move(input);
    }
  }
  std::printf("%s: %zu seeds, %llu runs from seed %llu\n", target->name, seeds, static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
}

int write_seeds(const std::string& folder) {
  std::size_t number = 0;
  for (const std::string& seed : all_seeds()) {
    std::ofstream file(folder + "/" + std::to_string(number++), std::ios::binary);
    if (!(file << seed)) return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  for (const Target* each : targets) {
    if (count > 1 && std::string_view(arguments[1]) == each->name) target = each;
  }
  if (target == nullptr) return usage();
  Options options;
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--")) {
      options.files.emplace_back(argument);
      continue;
    }
    if (argument == "--today") {
      options.today = true;
      continue;
    }
    if (++i == count) return usage();
    const std::string value = arguments[i];
    const bool is_number = !value.empty() && value.size() < 19 && value.find_first_not_of("0123456789") == value.npos;
    if (argument == "--write") {
      options.write = value;
    } else if (!is_number) {
      return usage();
    } else if (argument == "--runs") {
      options.runs = std::stoull(value);
    } else if (argument == "--seconds") {
      options.seconds = std::stoull(value);
    } else if (argument == "--seed") {
      options.seed = std::stoull(value);
    } else {
      return usage();
    }
  }
  if (!options.write.empty()) return write_seeds(options.write);

  std::snprintf(file_name, sizeof file_name, "%s.input", target->name);
  for (const int signal : {SIGABRT, SIGSEGV, SIGTRAP, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, keep_input);
  for (const std::string& name : options.files) run(read_file(name));
  if (!options.files.empty()) return 0;
  fuzz_it(options);
  options.seed = static_cast<std::uint64_t>(std::time(nullptr)) / 86'400;
  if (options.today) fuzz_it(options);
  return 0;
}
