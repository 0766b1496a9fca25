// SPDX-License-Identifier: Apache-2.0
// Any frames into lwIP, with a server over HTTP, a name and a clock: none ends the program or leaks memory, and a later
// client is served.
//
// An input is a list of steps: kind, size in two bytes, bytes. A step acts on one level of the protocols: a whole
// frame, a segment of TCP that belongs to the connection, a message of mDNS, a response of a time server.
#include <algorithm>
#include <memory>
#include <utility>

#include "fuzz/target.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "ports/lwip/packets.hpp"
#include "ports/lwip/pools.hpp"
#include "ports/lwip/tap.hpp"
#include "ports/lwip/time.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/http_shape.hpp"

namespace {

using test::Bytes;
using test::Ip;
using test::Mac;
using test::Writer;
using test::lwip_time::now;

constexpr Ip board{10, 0, 0, 1};
constexpr Ip peer{10, 0, 0, 9};
constexpr Mac peer_mac{2, 0, 0, 0, 0, 9};
constexpr unsigned ntp_port = 123;
constexpr std::size_t connections = 2;
constexpr mcp::HttpLimits http_limits{.connections = connections, .head_size = 512};
constexpr std::size_t transmit_size = 2048;
constexpr std::size_t most_steps = 64;

enum Step : std::uint8_t {
  frame,        // as it is
  fixed_frame,  // with the check sums that it should have
  tcp,          // flags, offsets of sequence and acknowledgement, window, data
  mdns,         // a message to the group
  sntp,         // a response to the last request
  wait,         // two bytes: milliseconds, times 16
  steps,
};

// ---- Sent frames ----------------------------------------------------------------------------------------------------

unsigned u16_at(const Bytes& bytes, std::size_t at) { return bytes[at] * 256U + bytes[at + 1]; }
std::uint32_t u32_at(const Bytes& bytes, std::size_t at) { return u16_at(bytes, at) << 16 | u16_at(bytes, at + 2); }

void put_sum(Bytes& bytes, std::size_t at, std::uint16_t sum) {
  bytes[at] = static_cast<std::uint8_t>(sum >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(sum & 0xFF);
}

// Check sums of IPv4 and of its payload, if any.
void fix(Bytes& bytes) {
  constexpr std::size_t ip = 14;
  if (bytes.size() < ip + 20 || u16_at(bytes, 12) != 0x0800) return;
  const std::size_t header = (bytes[ip] & 0xFU) * 4;
  const std::size_t end = std::min<std::size_t>(bytes.size(), ip + u16_at(bytes, ip + 2));
  if (header < 20 || ip + header + 8 > end) return;
  put_sum(bytes, ip + 10, 0);
  put_sum(bytes, ip + 10, test::check_sum(bytes.data() + ip, header));
  const unsigned protocol = bytes[ip + 9];
  const std::size_t data = ip + header;
  std::size_t at = 2;
  std::uint32_t start = 0;
  if (protocol == 6 || protocol == 17) {
    at = protocol == 6 ? 16 : 6;
    start = protocol + static_cast<std::uint32_t>(end - data);
    for (std::size_t i = ip + 12; i < ip + 20; i += 2) start += u16_at(bytes, i);
  }
  if (data + at + 2 > end) return;
  put_sum(bytes, data + at, 0);
  put_sum(bytes, data + at, test::check_sum(bytes.data() + data, end - data, start));
}

Bytes ip_frame(unsigned protocol, const Ip& to, const Bytes& data) {
  Writer writer;
  writer.all(test::Tap::mac).all(peer_mac).u16(0x0800);
  writer.u8(0x45)
      .u8(0)
      .u16(static_cast<unsigned>(20 + data.size()))
      .u32(0)
      .u8(64)
      .u8(protocol)
      .u16(0)
      .all(peer)
      .all(to);
  writer.all(data);
  fix(writer.bytes);
  return writer.bytes;
}

constexpr unsigned fin = 1, syn = 2, rst = 4, push = 8, ack = 16;

/// TCP conversations, one after the other, with their state as far as it is known here.
class Flow {
 public:
  Bytes segment(unsigned flags, std::string_view data, int off = 0, int ack_off = 0, unsigned window = 4'000) {
    if ((flags & syn) != 0) {
      port_ = port_ == 60'999 ? 20'000 : port_ + 1;
      next_ = 1'000;
      acknowledged_ = 0;
    }
    Writer writer;
    writer.u16(port_).u16(80).u32(next_ + static_cast<std::uint32_t>(off));
    writer.u32(acknowledged_ + static_cast<std::uint32_t>(ack_off)).u8(0x50).u8(flags).u16(window).u32(0).all(data);
    return ip_frame(6, board, writer.bytes);
  }
  /// Reads a segment of the server; true if it belongs to this conversation.
  bool hear(const Bytes& bytes) {
    if (test::protocol_of(bytes) != 6U || u16_at(bytes, 36) != port_) return false;
    const unsigned flags = bytes[47];
    const std::size_t header = 34U + (bytes[46] >> 4) * 4U;
    const std::size_t size = 14U + u16_at(bytes, 16) - header;
    const std::uint32_t sequence = u32_at(bytes, 38);
    if ((flags & ack) != 0) next_ = u32_at(bytes, 42);
    if ((flags & syn) != 0) acknowledged_ = sequence;
    if (sequence == acknowledged_) {
      acknowledged_ += static_cast<std::uint32_t>(size) + ((flags & (syn | fin)) != 0 ? 1 : 0);
      received.append(bytes.begin() + static_cast<std::ptrdiff_t>(header),
                      bytes.begin() + static_cast<std::ptrdiff_t>(header + size));
    }
    return size != 0 || (flags & (syn | fin)) != 0;
  }
  std::string received;

 private:
  unsigned port_ = 20'000;
  std::uint32_t next_ = 0;
  std::uint32_t acknowledged_ = 0;
};

Flow flow;  // ports are not used again soon: lwIP remembers them from one input to the next

// ---- The device ----------------------------------------------------------------------------------------------------

constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"t","version":"1"}}})";

std::string request() {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: "
         "application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(initialize.size()) + "\r\n\r\n" + std::string(initialize);
}

class Device {
 public:
  Device() { network_.use(board, {255, 255, 255, 0}, {}); }

  void hear(Bytes bytes) {
    tap_.received.push_back(std::move(bytes));
    turn();
  }
  void turn() {
    for (int turns = 0; turns < 20; ++turns) {
      static_cast<void>(transport_.poll(now));
      static_cast<void>(network_.poll(now));
      listen();
      if (tap_.received.empty()) return;
    }
  }
  void pass(mcp::Millis ms, mcp::Millis step_ms) {
    for (const mcp::Millis end = now + ms; now != end; turn()) now += std::min(step_ms, end - now);
  }

  Bytes time_answer(std::string_view data) const {
    Bytes answer(data.begin(), data.end());
    if (answer.size() >= 32 && question_.size() == 48) std::copy_n(question_.begin() + 40, 8, answer.begin() + 24);
    return test::udp_frame({.from_mac = peer_mac,
                            .to_mac = test::Tap::mac,
                            .from = peer,
                            .to = board,
                            .from_port = ntp_port,
                            .to_port = question_port_,
                            .data = answer});
  }

  /// An ordinary client: it announces its address, connects, sends a request and reads to the end.
  [[nodiscard]] bool serves() {
    hear(test::arp_frame({.operation = 1, .from_mac = peer_mac, .from = peer, .to = board}, test::to_all, {}));
    flow.received.clear();
    hear(flow.segment(syn, ""));
    hear(flow.segment(ack, ""));
    hear(flow.segment(ack | push, request()));
    for (int turns = 0; turns < 40 && flow.received.find("\"result\"") == std::string::npos; ++turns) pass(50, 50);
    const bool is_served = flow.received.starts_with("HTTP/1.1 200") &&
                           flow.received.find("\"protocolVersion\":\"2025-11-25\"") != std::string::npos;
    pass(1'000, 100);
    hear(flow.segment(ack | fin, ""));
    hear(flow.segment(ack, ""));
    return is_served;
  }

 private:
  void listen() {
    const std::vector<Bytes> sent = std::exchange(tap_.sent, {});
    for (const Bytes& bytes : sent) {
      if (flow.hear(bytes)) tap_.received.push_back(flow.segment(ack, ""));
      const auto arp = test::read_arp(bytes);
      if (arp && arp->operation == 1 && arp->to == peer)
        tap_.received.push_back(test::arp_frame({2, peer_mac, peer, board}, test::Tap::mac, test::Tap::mac));
      const auto udp = test::read_udp(bytes);
      if (!udp) continue;
      if (udp->from_port == test::dns::port && !test::dns::read(udp->data))
        fuzz::fail("a message of mDNS that is none");
      if (udp->to_port != ntp_port) continue;
      question_ = udp->data;
      question_port_ = udp->from_port;
    }
  }

  test::Tap tap_;
  test::CountingEntropy entropy_;
  mcp::lwip::Network network_{tap_, entropy_, now};
  mcp::lwip::MdnsResponder responder_{network_, {.host = "thermometer", .name = "Thermometer"}};
  mcp::lwip::SntpClock clock_{network_, {.server = peer}};
  mcp::lwip::TcpConnection pool_[connections + 1];
  mcp::lwip::TcpListener listener_{network_, pool_, 80};
  test::Bench bench_{test::features, {.receive_size = 1024, .transmit_size = transmit_size, .sessions = 2}};
  using Storage = mcp::HttpStorage<test::shape<transmit_size>, http_limits>;
  std::unique_ptr<Storage> storage_ = std::make_unique<Storage>();
  mcp::HttpOptions options_{};
  mcp::HttpTransport transport_{bench_.server, listener_, bench_.entropy, *storage_, options_};
  Bytes question_;
  unsigned question_port_ = 0;
};

void take(Device& device, unsigned step, std::string_view text) {
  Bytes bytes(text.begin(), text.end());
  fuzz::Bytes numbers(text);
  switch (step) {
    case frame: return device.hear(std::move(bytes));
    case fixed_frame: fix(bytes); return device.hear(std::move(bytes));
    case tcp: {
      const unsigned flags = numbers.byte();
      const int off = static_cast<std::int8_t>(numbers.byte());
      const int ack_off = static_cast<std::int8_t>(numbers.byte());
      const unsigned window = numbers.byte() * 256U + numbers.byte();
      return device.hear(flow.segment(flags, numbers.rest(), off, ack_off, window));
    }
    case mdns:
      return device.hear(test::udp_frame({.from_mac = peer_mac,
                                          .to_mac = test::dns::group_mac,
                                          .from = peer,
                                          .to = test::dns::group,
                                          .from_port = test::dns::port,
                                          .to_port = test::dns::port,
                                          .data = bytes}));
    case sntp: return device.hear(device.time_answer(text));
    default: {
      const mcp::Millis ms = (numbers.byte() * 256U + numbers.byte()) * 16U;
      return device.pass(ms, ms < 10'000 ? 250 : 1'000);
    }
  }
}

void expect_all(memp_t pool, std::size_t size, const char* what) {
  if (const std::size_t left = test::Taken(pool).size(); left != size)
    fuzz::fail(what, std::to_string(left), std::to_string(size));
}

bool run(std::string_view input) {
  test::reset_device();
  auto device = std::make_unique<Device>();
  device->pass(6'000, 100);
  fuzz::Bytes bytes(input);
  for (std::size_t count = 0; count < most_steps && !bytes.empty(); ++count) {
    const unsigned step = bytes.byte() % steps;
    const std::size_t size = bytes.byte() * 256U + bytes.byte();
    take(*device, step, bytes.text(size));
  }
  // Its connections have timed out by then.
  device->pass(200'000, 250);  // TCP's timer runs once in a turn
  if (!device->serves()) fuzz::fail("an ordinary client is not served", flow.received);
  device->pass(200'000, 250);
  device.reset();
  expect_all(MEMP_PBUF_POOL, PBUF_POOL_SIZE, "a frame is kept");
  expect_all(MEMP_TCP_PCB, MEMP_NUM_TCP_PCB, "a connection is kept");
  expect_all(MEMP_TCP_SEG, MEMP_NUM_TCP_SEG, "a segment is kept");
  expect_all(MEMP_PBUF, MEMP_NUM_PBUF, "a piece is kept");
  void* const all = mem_malloc(MEM_SIZE - 64);
  if (all == nullptr) fuzz::fail("memory is kept");
  mem_free(all);
  return true;
}

// ---- Where it begins -----------------------------------------------------------------------------------------------

std::string step(Step what, const Bytes& bytes) {
  std::string text(1, static_cast<char>(what));
  text += static_cast<char>(bytes.size() >> 8);
  text += static_cast<char>(bytes.size() & 0xFF);
  return text.append(bytes.begin(), bytes.end());
}
std::string segment(unsigned flags, std::string_view data) {
  return step(tcp, Writer().u8(flags).u8(0).u8(0).u16(4'000).all(data).bytes);
}
std::string waiting(unsigned ms) { return step(wait, Writer().u16(ms / 16).bytes); }

std::string message(unsigned flags, std::vector<test::dns::Question> questions, std::vector<test::dns::Record> answers,
                    std::vector<test::dns::Record> authorities = {}) {
  return step(mdns, test::dns::write({.flags = flags,
                                      .questions = std::move(questions),
                                      .answers = std::move(answers),
                                      .authorities = std::move(authorities),
                                      .additionals = {}}));
}

std::vector<std::string> seeds() {
  using namespace test::dns;
  const std::string service = "Thermometer._mcp._tcp.local.";
  const std::string host = "thermometer.local.";
  const std::string type = "_mcp._tcp.local.";
  const Bytes address(peer.begin(), peer.end());
  const std::string whole = request();
  Writer time;
  time.u8(0x24).u8(2).u8(6).u8(0xEC).u32(0).u32(0).u32(0x47505320).u32(0).u32(0).u32(0).u32(0);
  time.u32(0xEE000000).u32(0).u32(0xEE000000).u32(0x80000000);
  Bytes refusal = time.bytes;
  refusal[1] = 0;
  std::copy_n(std::string_view("DENY").begin(), 4, refusal.begin() + 12);
  const Bytes echo = ip_frame(1, board, Writer().u8(8).u8(0).u16(0).u16(1).u16(1).all(std::string_view("ping")).bytes);
  const Bytes groups = ip_frame(2, {224, 0, 0, 1}, Writer().u8(0x11).u8(10).u16(0).u32(0).bytes);
  const Bytes closed_port = test::udp_frame({peer_mac, test::Tap::mac, peer, board, 7, 9, 64, Bytes(8, 'x')});
  const Bytes lease = test::udp_frame({peer_mac, test::to_all, peer, {255, 255, 255, 255}, 67, 68, 64, Bytes(300, 1)});
  return {
      step(frame, test::arp_frame({1, peer_mac, peer, board}, test::to_all, {})),
      step(frame, test::arp_frame({2, peer_mac, board, board}, test::Tap::mac, test::Tap::mac)),
      step(fixed_frame, echo) + step(fixed_frame, groups) + step(fixed_frame, closed_port) + step(fixed_frame, lease),
      segment(syn, "") + segment(ack, "") + segment(ack | push, whole) + segment(ack | fin, ""),
      segment(syn, "") + segment(ack, "") + segment(ack, whole.substr(0, 60)) + segment(ack, whole.substr(60)) +
          segment(rst, ""),
      segment(syn, "") + segment(syn, "") + segment(syn, "") + segment(syn, "") + segment(syn, "") + waiting(5'000),
      segment(syn, "") + segment(ack, "") + segment(ack | fin, "x") + waiting(30'000) + segment(ack, ""),
      message(0, {{type, ptr, in}}, {}),
      message(0x0200, {{type, ptr, in}}, {record(type, ptr, write_name(service), 4'500)}) +
          message(0, {}, {record(type, ptr, write_name("O." + type), 4'500)}) + waiting(600),
      message(0, {{service, any, in | unicast}, {host, a, in}}, {srv_record(service, 80, host)}),
      message(0x8400, {}, {record(host, a, address), srv_record(service, 1, "other.local.")}) + waiting(400) +
          message(0x8400, {}, {record(service, txt, {0})}),
      message(0x8400, {}, {record(host, a, address)}) + waiting(300) +
          message(0, {{host, any, in}, {service, any, in}}, {},
                  {record(host, a, address), srv_record(service, 80, "z.local.")}) +
          waiting(2'000),
      waiting(500'000) + step(sntp, time.bytes) + step(sntp, time.bytes),
      waiting(500'000) + step(sntp, refusal),
  };
}

std::vector<std::string> words() {
  std::vector<std::string> all{std::string("\xC0\x0C", 2),
                               std::string("\0\xFF", 2),
                               "\xFF\xFF",
                               std::string(2, '\0'),
                               "\5local",
                               "\4_mcp",
                               "\4_tcp",
                               "\x0BThermometer",
                               "\r\n\r\n",
                               "POST /mcp HTTP/1.1\r\n",
                               std::string("\x02\x04\x02\x18", 4),
                               std::string("\x08\x00\x45", 3)};
  return all;
}

// A step more, one less, two that change places, or bytes within one.
void change(std::string& input, fuzz::Random& random) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at + 3 <= input.size();) {
    const std::size_t size =
        3U + static_cast<std::uint8_t>(input[at + 1]) * 256U + static_cast<std::uint8_t>(input[at + 2]);
    all.push_back(input.substr(at, size));
    at += size;
  }
  static const std::vector<std::string> begin = seeds();
  if (all.empty()) all.push_back(begin.front());
  std::string& one = all[random.below(all.size())];
  switch (random.below(6)) {
    case 0: all.push_back(begin[random.below(begin.size())]); break;
    case 1: all.erase(all.begin() + static_cast<std::ptrdiff_t>(random.below(all.size()))); break;
    case 2: std::swap(one, all[random.below(all.size())]); break;
    case 3: one[0] = static_cast<char>(random.below(steps)); break;
    default: {
      std::string bytes = one.substr(3);
      for (std::size_t changes = 1 + random.below(4); changes != 0; --changes) {
        const std::size_t at = random.below(bytes.size() + 1);
        const auto byte = static_cast<char>(random.next());
        if (at == bytes.size() || random.one_in(6)) {
          bytes.insert(at, 1 + random.below(8), byte);
        } else if (random.one_in(6)) {
          bytes.erase(at, 1 + random.below(8));
        } else {
          bytes[at] = random.one_in(2) ? byte : static_cast<char>(bytes[at] ^ 1 << random.below(8));
        }
      }
      one = step(static_cast<Step>(one[0]), Bytes(bytes.begin(), bytes.end()));
    }
  }
  input.clear();
  for (const std::string& each : all) input += each;
}

}  // namespace

namespace fuzz {
const Target lwip_target{"lwip", run, seeds, words, change, 8'192};
}  // namespace fuzz
