// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_trace_reader.hpp"

#include <cstring>

namespace mcp::posix {
namespace {

constexpr std::string_view title = "~mote trace ";
constexpr std::size_t code_size = 32;  // of HMAC-SHA-256

// The fields after the first word: 'n' a number of 32 bits, 'N' a number of 64 bits, 'x' 8 and 'X' 16 hexadecimal
// digits, 'w' a word, 'b' bytes to the end of the line, 'B' such bytes or nothing.
struct Syntax {
  std::string_view word;
  TraceVerb verb;
  std::string_view fields;
};
constexpr Syntax verbs[] = {
    {"boot", TraceVerb::boot, "x"},
    {"poll", TraceVerb::poll, "n"},
    {"polls", TraceVerb::polls, "nn"},
    {"read", TraceVerb::read, "nb"},
    {"write", TraceVerb::write, "nb"},
    {"wrote", TraceVerb::wrote, "nnx"},
    {"closed", TraceVerb::closed, "n"},
    {"failed", TraceVerb::failed, "n"},
    {"wclosed", TraceVerb::wclosed, "n"},
    {"wfailed", TraceVerb::wfailed, "n"},
    {"accept", TraceVerb::accept, "nnX"},
    {"waiting", TraceVerb::waiting, "n"},
    {"dial", TraceVerb::dial, "nnnB"},
    {"undialed", TraceVerb::undialed, "nnB"},
    {"reason", TraceVerb::reason, "nn"},
    {"finish", TraceVerb::finish, "n"},
    {"close", TraceVerb::close, "n"},
    {"entropy", TraceVerb::entropy, "b"},
    {"noentropy", TraceVerb::noentropy, "n"},
    {"key", TraceVerb::key, "n"},
    {"code", TraceVerb::code, "b"},
    {"nocode", TraceVerb::nocode, ""},
    {"hidden", TraceVerb::hidden, ""},
    {"utc", TraceVerb::utc, "N"},
    {"value", TraceVerb::value, "b"},
    {"updated", TraceVerb::updated, "n"},
    {"woken", TraceVerb::woken, "n"},
    {"log", TraceVerb::log, "nnB"},
    {"loglost", TraceVerb::loglost, "n"},
    {"pause", TraceVerb::pause, ""},
    {"resume", TraceVerb::resume, ""},
    {"lost", TraceVerb::lost, ""},
    {"end", TraceVerb::end, "n"},
    {"damaged", TraceVerb::end, "n"},
};

// Removes the text before the next space, and the space.
std::string_view take_word(std::string_view& text) {
  const std::size_t size = text.find(' ');
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
  return word;
}

bool read_decimal(std::string_view digits, std::uint64_t most, std::uint64_t& value) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return false;
  value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return false;
    const auto add = static_cast<std::uint64_t>(digit - '0');
    if (value > (most - add) / 10) return false;
    value = 10 * value + add;
  }
  return true;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool read_hex(std::string_view digits, std::size_t size, std::uint64_t& value) {
  if (digits.size() != size) return false;
  value = 0;
  for (const char digit : digits) {
    if (hex_value(digit) < 0) return false;
    value = 16 * value + static_cast<std::uint64_t>(hex_value(digit));
  }
  return true;
}

// Reads one byte of BYTES. Returns false if the text is not a byte.
bool take_byte(std::string_view& text, char& byte) {
  byte = text[0];
  text.remove_prefix(1);
  if (byte != '\\') return byte >= ' ' && byte <= '~';
  if (text.empty()) return false;
  const char kind = text[0];
  text.remove_prefix(1);
  switch (kind) {
    case 'n': byte = '\n'; return true;
    case 'r': byte = '\r'; return true;
    case 't': byte = '\t'; return true;
    case '\\': byte = '\\'; return true;
    case 'x': break;
    default: return false;
  }
  std::uint64_t value = 0;
  if (!read_hex(text.substr(0, 2), 2, value)) return false;
  text.remove_prefix(2);
  byte = static_cast<char>(static_cast<unsigned char>(value));
  return true;
}

bool count_bytes(std::string_view text, std::size_t& count) {
  if (text.empty()) return false;
  for (char byte = 0; !text.empty(); ++count) {
    if (!take_byte(text, byte)) return false;
  }
  return true;
}

bool read_field(char kind, std::string_view& rest, std::uint64_t& value, TraceStep& step) {
  if (kind == 'b' || kind == 'B') {
    const std::string_view bytes = rest;
    rest = {};
    return (kind == 'B' && bytes.empty()) || count_bytes(bytes, step.size);
  }
  const std::string_view word = take_word(rest);
  switch (kind) {
    case 'n': return read_decimal(word, 0xFFFF'FFFF, value);
    case 'N': return read_decimal(word, ~std::uint64_t{0}, value);
    case 'x': return read_hex(word, 8, value);
    case 'X': return read_hex(word, 16, value);
    default: return false;
  }
}

// Reads the fields after the first word. Each line of a step with several lines has the numbers.
bool read_fields(std::string_view rest, std::string_view fields, TraceStep& step) {
  std::uint64_t values[3] = {};
  std::size_t count = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0 && rest.empty() && fields[i] != 'B') return false;
    std::uint64_t value = 0;
    if (!read_field(fields[i], rest, value, step)) return false;
    if (fields[i] != 'b' && fields[i] != 'B') values[count++] = value;
  }
  std::memcpy(step.values, values, sizeof values);
  return rest.empty();
}

const Syntax* find_verb(std::string_view word) {
  for (const Syntax& syntax : verbs) {
    if (syntax.word == word) return &syntax;
  }
  return nullptr;
}

// The first word of a line, ` +B`, and the rest of the line.
struct Line {
  const Syntax* syntax = nullptr;
  bool has_more = false;
  std::uint64_t blocked = 0;
  std::string_view rest = {};
};

bool split(std::string_view text, Line& line) {
  constexpr std::string_view more = ".more";
  text.remove_prefix(1);
  std::string_view word = take_word(text);
  line.has_more = word.ends_with(more);
  if (line.has_more) word.remove_suffix(more.size());
  line.syntax = find_verb(word);
  line.rest = text;
  if (line.syntax == nullptr) return false;
  if (line.has_more && !line.syntax->fields.ends_with('b')) return false;
  if (!text.starts_with('+')) return true;
  line.rest.remove_prefix(1);
  return read_decimal(take_word(line.rest), 0xFFFF'FFFF, line.blocked);
}

bool is_title(std::string_view line) { return line.starts_with(title); }

}  // namespace

// ---- TraceBytes
// ------------------------------------------------------------------------------------------------------

TraceBytes::TraceBytes(const TraceStep& step) : rest_(step.lines) {}

bool TraceBytes::next(char& byte) {
  while (bytes_.empty()) {
    if (!find_line()) return false;
  }
  return take_byte(bytes_, byte);
}

bool TraceBytes::find_line() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  std::string_view text = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  Line line;
  if (!text.starts_with('~') || !split(text, line)) return true;
  for (const char field : line.syntax->fields) {
    if (field != 'b' && field != 'B') static_cast<void>(take_word(line.rest));
  }
  const std::string_view fields = line.syntax->fields;
  bytes_ = fields.ends_with('b') || fields.ends_with('B') ? line.rest : std::string_view();
  return true;
}

// ---- TraceReader
// -----------------------------------------------------------------------------------------------------

bool TraceReader::fail(const char* problem) {
  problem_ = problem;
  return false;
}

// Finds the next line that begins with `~`, without its end. Returns false at the end of the text.
bool TraceReader::next_line(Position& at, std::string_view& line) const {
  while (!at.rest.empty()) {
    const std::size_t end = at.rest.find('\n');
    line = at.rest.substr(0, end);
    at.rest.remove_prefix(end == std::string_view::npos ? at.rest.size() : end + 1);
    ++at.line;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('~')) return true;
  }
  return false;
}

bool TraceReader::find_title(std::string_view text, Position& at) {
  Position place{text, 0};
  std::string_view line;
  bool is_found = false;
  while (next_line(place, line)) {
    if (!is_title(line)) continue;
    is_found = true;
    at = place;
    line_ = place.line;
    std::string_view rest = line.substr(title.size());
    const std::string_view version = take_word(rest);
    lost_beginning_ = rest == "first";
    problem_ = version != "1"                    ? "this program reads version 1 of the format only"
               : rest.empty() || lost_beginning_ ? ""
                                                 : "the title has an unknown word";
  }
  if (!is_found) return fail("the text has no line '~mote trace 1'");
  return *problem_ == '\0';
}

bool TraceReader::open(std::string_view text, std::size_t boot) {
  *this = TraceReader();
  line_ = 1;
  Position at;
  if (!find_title(text, at) || !check(at, boot)) return false;
  line_ = 0;
  return true;
}

// Counts lines and starts, and stores the position of the records of the selected start.
bool TraceReader::check(Position at, std::size_t boot) {
  at_ = at;
  std::size_t wanted_steps = 0;
  lines_ = 0;
  for (;;) {
    const Position before = at;
    TraceStep step;
    if (!read_step(at, step)) return false;
    const bool is_boot = step.verb == TraceVerb::boot;
    if (is_boot && (boot == 0 || boots_ + 1 == boot)) {
      at_ = before;
      boot_ = boots_ + 1;
      wanted_steps = 0;
    }
    if (is_boot) ++boots_;
    const bool is_end = step.verb == TraceVerb::end;
    if (is_end && !has_lost_ && step.values[0] != lines_ - 1) return fail("lines are missing before this line");
    if (is_end) break;
    if (boot == 0 || boots_ == boot || boots_ == 0) ++wanted_steps;
  }
  if (boot > boots_) {
    line_ = at.line;
    return fail("the trace has fewer starts of the device");
  }
  if (boot_ != 0) lost_beginning_ = false;
  steps_ = wanted_steps;
  read_ = 0;
  return true;
}

// Before `~lost`, a line may be cut, and a read or a write may have no last line.
bool TraceReader::take_lost(Position& at, std::string_view text, TraceStep& step) {
  constexpr std::string_view lost = "~lost";
  Position ahead = at;
  if (text != lost && (!next_line(ahead, text) || text != lost)) return false;
  at = ahead;
  step = {.verb = TraceVerb::lost, .line = at.line, .lines = text};
  problem_ = "";
  has_lost_ = true;
  return true;
}

// Reads a step from `at` on, and checks it.
bool TraceReader::read_step(Position& at, TraceStep& step) {
  std::string_view text;
  step = {};
  while (next_line(at, text)) {
    line_ = at.line;
    ++lines_;
    const char* const begin = step.lines.data();
    bool has_more = false;
    if (!read_line(text, at.line, step, has_more)) return take_lost(at, text, step);
    const char* const first = begin != nullptr ? begin : text.data();
    step.lines = {first, static_cast<std::size_t>(text.data() + text.size() - first)};
    has_lost_ = has_lost_ || step.verb == TraceVerb::lost;
    if (!has_more) return step.verb != TraceVerb::code || step.size == code_size || fail("a code has 32 bytes");
  }
  line_ = at.line;
  return fail("the text ends before the line '~end'");
}

// Adds a line to a step, whose lines are empty before the first one.
bool TraceReader::read_line(std::string_view text, std::size_t number, TraceStep& step, bool& has_more) {
  Line line;
  if (!split(text, line)) return fail("the line has an unknown first word");
  const TraceStep before = step;
  if (!read_fields(line.rest, line.syntax->fields, step)) return fail("the line has invalid fields");
  // A recorder counts with 16 bits. A larger number would keep the player busy for hours.
  if (line.syntax->verb == TraceVerb::polls && (step.values[1] == 0 || step.values[1] > 0xFFFF))
    return fail("the number of polls is not 1 to 65535");
  step.verb = line.syntax->verb;
  has_more = line.has_more;
  const bool is_first = before.lines.empty();
  if (is_first) step.line = number;
  if (is_first) step.blocked = static_cast<std::uint32_t>(line.blocked);
  if (is_first || (step.verb == before.verb && step.values[0] == before.values[0])) return true;
  return fail("the line before has no continuation");
}

bool TraceReader::next(TraceStep& step) {
  const Position before = at_;
  if (!read_step(at_, step)) step = {};
  step.number = read_ + 1;
  const bool is_over = step.verb == TraceVerb::end || (step.verb == TraceVerb::boot && read_ != 0);
  if (is_over) {
    step.verb = TraceVerb::end;
    at_ = before;
    return false;
  }
  ++read_;
  return true;
}

}  // namespace mcp::posix
