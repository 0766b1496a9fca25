// SPDX-License-Identifier: Apache-2.0
// The text of a trace. The format is in core/kit/trace/README.md.
#include "json/utc_time.hpp"
#include "kit/trace/characters.hpp"
#include "kit/trace/trace_records.hpp"

namespace mcp::detail {
namespace {

// The text of a kind of record. n: a number, c: a number of 16 bits, x: 8 hexadecimal digits, X: 16 hexadecimal digits,
// b: all other bytes.
struct Layout {
  const char* word;
  const char* items;
};

// In the order of TraceKind.
constexpr Layout layouts[] = {
    {"", ""},              // none
    {"boot", "x"},         //
    {"poll", "n"},         //
    {"polls", "nc"},       //
    {"read", "nb"},        //
    {"read.more", "nb"},   //
    {"write", "nb"},       //
    {"write.more", "nb"},  //
    {"wrote", "nnx"},      //
    {"closed", "n"},       //
    {"failed", "n"},       //
    {"wclosed", "n"},      //
    {"wfailed", "n"},      //
    {"accept", "nnX"},     //
    {"waiting", "n"},      //
    {"dial", "nnnb"},      //
    {"undialed", "nnb"},   //
    {"reason", "nn"},      //
    {"finish", "n"},       //
    {"close", "n"},        //
    {"entropy", "b"},      //
    {"noentropy", "n"},    //
    {"key", "n"},          //
    {"code", "b"},         //
    {"nocode", ""},        //
    {"hidden", ""},        //
    {"utc", "n"},          //
    {"value", "b"},        //
    {"updated", "n"},      //
    {"woken", "n"},        //
    {"log", "nnb"},        //
    {"loglost", "n"},      //
    {"pause", ""},         //
    {"resume", ""},        //
};
static_assert(std::size(layouts) == static_cast<std::size_t>(TraceKind::count));

// Reads the data of a record.
class DataReader {
 public:
  explicit DataReader(const TraceRecord& record) : record_(record) {}

  bool number(std::uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == record_.size) return false;
      const std::uint8_t byte = record_[at_++];
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool fixed(unsigned size, std::uint64_t& number) {
    number = 0;
    if (record_.size - at_ < size) return false;
    for (unsigned i = 0; i < size; ++i) number |= std::uint64_t{record_[at_++]} << 8 * i;
    return true;
  }
  [[nodiscard]] bool has_more() const { return at_ < record_.size; }
  std::uint8_t byte() { return record_[at_++]; }

 private:
  const TraceRecord& record_;
  std::uint32_t at_ = 0;
};

// Reads one item, and writes it if `out` is not nullptr.
bool read_item(char item, DataReader& data, TextOut* out) {
  std::uint64_t number = 0;
  if (item == 'b') {
    // A reader interprets a + as the number of calls without a result.
    for (bool is_first = true; data.has_more(); is_first = false) {
      const std::uint8_t byte = data.byte();
      if (out == nullptr) continue;
      if (is_first && byte == '+') {
        out->put("\\x2b");
      } else {
        out->put_byte(byte);
      }
    }
    return true;
  }
  const bool is_valid = item == 'n'   ? data.number(number)
                        : item == 'c' ? data.fixed(2, number)
                        : item == 'x' ? data.fixed(4, number)
                                      : data.fixed(8, number);
  if (!is_valid || out == nullptr) return is_valid;
  if (item == 'n' || item == 'c') out->put_number(number);
  if (item == 'x') out->put_hex(number, 8);
  if (item == 'X') out->put_hex(number, 16);
  return true;
}

bool read_record(const TraceRecord& record, TextOut* out) {
  const unsigned kind = record.kind & ~unsigned{blocked_flag};
  if (kind == 0 || kind >= std::size(layouts)) return false;
  const Layout& layout = layouts[kind];
  DataReader data(record);
  if (out != nullptr) {
    out->put('~');
    out->put(layout.word);
  }
  if ((record.kind & blocked_flag) != 0) {
    std::uint64_t blocked = 0;
    if (!data.number(blocked)) return false;
    if (out != nullptr) {
      out->put(" +");
      out->put_number(blocked);
    }
  }
  for (const char* item = layout.items; *item != '\0'; ++item) {
    if (out != nullptr) out->put(' ');
    if (!read_item(*item, data, out)) return false;
  }
  if (data.has_more()) return false;
  if (out != nullptr) out->put('\n');
  return true;
}

}  // namespace

void TextOut::put(char c) {
  ++total;
  if (function != nullptr) {
    function(c);
  } else if (skip != 0) {
    --skip;
  } else if (left != 0) {
    *memory++ = c;
    --left;
  }
}

void TextOut::put(const char* text) {
  while (*text != '\0') put(*text++);
}

void TextOut::put_number(std::uint64_t number) {
  char digits[20];
  std::size_t size = 0;
  do {
    digits[size++] = static_cast<char>('0' + json::divide(number, 10));
  } while (number != 0);
  while (size != 0) put(digits[--size]);
}

void TextOut::put_hex(std::uint64_t number, unsigned digits) {
  while (digits != 0) put(hex_digits[number >> 4 * --digits & 0xF]);
}

void TextOut::put_byte(std::uint8_t byte) {
  const auto c = static_cast<char>(byte);
  if (c >= ' ' && c <= '~' && c != '\\') {
    put(c);
    return;
  }
  put('\\');
  if (c == '\\') return put('\\');
  if (c == '\n') return put('n');
  if (c == '\r') return put('r');
  if (c == '\t') return put('t');
  put('x');
  put_hex(byte, 2);
}

NextRecord next_record(TraceBytes ring, TraceRange& range, TraceRecord& record) {
  const std::uint32_t size = range.end - range.first;
  if (size == 0) return NextRecord::none;
  if (size > ring.size) return NextRecord::damaged;
  const std::uint32_t mask = ring.size - 1;
  if (const std::uint8_t kind = ring.bytes[range.first & mask]; is_short_poll(kind)) {
    record = {.ring = ring, .at = ++range.first, .kind = kind, .size = 0};
    return NextRecord::found;
  }
  if (size < record_head_size) return NextRecord::damaged;
  record = {.ring = ring,
            .at = range.first + record_head_size,
            .kind = ring.bytes[range.first & mask],
            .size = ring.bytes[(range.first + 1) & mask]};
  if (size - record_head_size < record.size) return NextRecord::damaged;
  std::uint8_t check = record_check(record.kind, record.size);
  for (std::uint32_t i = 0; i < record.size; ++i) check = record_check(check, record[i]);
  if (check != ring.bytes[(range.first + 2) & mask] || !read_record(record, nullptr)) return NextRecord::damaged;
  range.first = record.at + record.size;
  return NextRecord::found;
}

void write_record(const TraceRecord& record, TextOut& out) {
  if (!is_short_poll(record.kind)) {
    static_cast<void>(read_record(record, &out));
    return;
  }
  out.put("~poll ");
  out.put_number(record.kind & longest_short_poll);
  out.put('\n');
}

void write_title(bool has_lost, TextOut& out) { out.put(has_lost ? "~mote trace 1 first\n" : "~mote trace 1\n"); }

void write_end(std::uint32_t count, bool is_damaged, TextOut& out) {
  out.put(is_damaged ? "~damaged " : "~end ");
  out.put_number(count);
  out.put('\n');
}

}  // namespace mcp::detail
