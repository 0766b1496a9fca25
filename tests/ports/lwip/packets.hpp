// SPDX-License-Identifier: Apache-2.0
// Frames on the wire, made and read byte by byte: Ethernet, ARP, IPv4, UDP, and messages of DNS. Written for tests from
// the RFCs, so that a decoder without lwIP reads the output of lwIP.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test {

using Bytes = std::vector<std::uint8_t>;
using Mac = std::array<std::uint8_t, 6>;
using Ip = std::array<std::uint8_t, 4>;

inline constexpr Mac to_all{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/// Big-endian numbers and texts in a row.
class Writer {
 public:
  Writer& u8(unsigned value);
  Writer& u16(unsigned value);
  Writer& u32(std::uint32_t value);
  template <typename Range>
  Writer& all(const Range& range) {
    bytes.insert(bytes.end(), range.begin(), range.end());
    return *this;
  }
  Bytes bytes;
};

std::uint16_t check_sum(const std::uint8_t* bytes, std::size_t size, std::uint32_t start = 0);

// ---- ARP -----------------------------------------------------------------------------------------------------------

struct Arp {
  unsigned operation = 0;  // 1 request, 2 reply
  Mac from_mac{};
  Ip from{};
  Ip to{};
};
Bytes arp_frame(const Arp& arp, const Mac& to_mac, const Mac& target_mac);
std::optional<Arp> read_arp(const Bytes& frame);

// ---- UDP -----------------------------------------------------------------------------------------------------------

struct Udp {
  Mac from_mac{};
  Mac to_mac{};
  Ip from{};
  Ip to{};
  unsigned from_port = 0;
  unsigned to_port = 0;
  unsigned time_to_live = 255;
  Bytes data;
};
Bytes udp_frame(const Udp& udp);
/// Nothing when it is another kind of packet. One that is damaged ends the program, unless it `may_be_damaged`: then it
/// is nothing, too.
std::optional<Udp> read_udp(const Bytes& frame, bool may_be_damaged = false);
/// The protocol of an IPv4 packet (IGMP is 2), or nothing.
std::optional<unsigned> protocol_of(const Bytes& frame);

// ---- DHCP ----------------------------------------------------------------------------------------------------------

/// The offer (kind 2), acknowledgement (kind 5) or refusal (kind 6) of a lease of `lease_s` seconds, from a server to
/// the sender of `request`. `options` are more options, and `in_fields` those in the fields for a file name and a
/// server's name.
Bytes dhcp_frame(const Bytes& request, unsigned kind, Ip lease, Ip server, const Mac& server_mac, const Bytes& options,
                 const std::vector<Bytes>& in_fields = {}, std::uint32_t lease_s = 86'400);

// ---- DNS -----------------------------------------------------------------------------------------------------------

namespace dns {

inline constexpr unsigned a = 1, ptr = 12, txt = 16, aaaa = 28, srv = 33, nsec = 47, any = 255;
inline constexpr unsigned in = 1, flush = 0x8000, unicast = 0x8000;
inline constexpr Ip group{224, 0, 0, 251};
inline constexpr Mac group_mac{0x01, 0x00, 0x5E, 0x00, 0x00, 0xFB};
inline constexpr unsigned port = 5353;

struct Question {
  std::string name;  // with dots; one within a label is "\."
  unsigned type = 0;
  unsigned klass = in;
};

struct Record {
  std::string name;
  unsigned type = 0;
  unsigned klass = 0;
  std::uint32_t ttl = 0;
  Bytes data;
  // Of data, as the type has it:
  std::string target;              // PTR, SRV, NSEC
  std::vector<unsigned> types;     // NSEC, up to 255
  unsigned srv_port = 0;           // SRV
  std::vector<std::string> texts;  // TXT
  [[nodiscard]] bool flushes() const { return (klass & flush) != 0; }
};

struct Message {
  unsigned id = 0;
  unsigned flags = 0;
  std::vector<Question> questions;
  std::vector<Record> answers;
  std::vector<Record> authorities;
  std::vector<Record> additionals;
  [[nodiscard]] bool is_answer() const { return (flags & 0x8000) != 0; }
  [[nodiscard]] const Record* find(std::string_view name, unsigned type) const;
};

Bytes write_name(std::string_view name);
/// A record with this data.
Record record(std::string_view name, unsigned type, Bytes data, std::uint32_t ttl = 120);
Record srv_record(std::string_view name, unsigned at_port, std::string_view host);
Bytes write(const Message& message);
/// Nothing for a malformed message: truncated, with an endless name, or with bytes after its end.
std::optional<Message> read(const Bytes& bytes);

}  // namespace dns
}  // namespace test
