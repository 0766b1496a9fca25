// SPDX-License-Identifier: Apache-2.0
// The mDNS announcements of the device, as frames: the test plays all other devices in the network, and uses its own
// decoder. The tests do not wait, because time is an argument.
#include <gtest/gtest.h>
#include <lwip/udp.h>

#include <memory>

#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "names.hpp"
#include "pools.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"

namespace dns = test::dns;
using mcp::lwip::Announcement;
using mcp::lwip::Authorization;
using mcp::lwip::MdnsResponder;
using mcp::lwip::Network;
using test::Bytes;
using test::Ip;
using test::Mac;
using test::lwip_time::now;

namespace {

constexpr Ip board{10, 0, 0, 1};
constexpr Ip other{10, 0, 0, 9};
constexpr Mac other_mac{2, 0, 0, 0, 0, 9};
constexpr std::string_view type = "_mcp._tcp.local.";
constexpr std::string_view all_types = "_services._dns-sd._udp.local.";
constexpr std::string_view reverse = "1.0.0.10.in-addr.arpa.";
const std::vector<std::string> texts{"path=/mcp", "proto=http", "auth=none"};

struct Heard {
  mcp::Millis at;
  test::Udp udp;
  dns::Message message;
};

class Mdns : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  Announcement announcement{.host = "thermometer", .name = "Thermometer", .port = 80};
  std::unique_ptr<MdnsResponder> responder;
  std::vector<Heard> heard;  // messages of mDNS, in the order in which they were sent
  unsigned reports = 0;      // of IGMP

  Mdns() { network.use(board, {255, 255, 255, 0}, {}); }

  // Nothing is left when it is gone.
  ~Mdns() override {
    responder.reset();
    pass(60'000);
    EXPECT_EQ(test::Taken(MEMP_SYS_TIMEOUT).size(), std::size_t{MEMP_NUM_SYS_TIMEOUT});
    EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
    EXPECT_EQ(test::Taken(MEMP_IGMP_GROUP).size(), std::size_t{MEMP_NUM_IGMP_GROUP - 1});
    void* const all = mem_malloc(MEM_SIZE - 64);
    EXPECT_NE(all, nullptr);
    mem_free(all);
  }

  void listen() {
    for (const Bytes& frame : tap.sent) {
      if (test::protocol_of(frame) == 2U) ++reports;
      const auto udp = test::read_udp(frame);
      if (!udp || udp->from_port != dns::port) continue;
      const auto message = dns::read(udp->data);
      ASSERT_TRUE(message.has_value()) << "a message that is none";
      heard.push_back({now, *udp, *message});
    }
    tap.sent.clear();
  }

  void pass(mcp::Millis ms) {
    const mcp::Millis end = now + ms;
    for (;;) {
      const mcp::Millis due = network.poll(now);
      listen();
      if (now == end) return;
      now += std::min({due, end - now, mcp::Millis{10}});
    }
  }

  void start() {
    responder = std::make_unique<MdnsResponder>(network, announcement);
    ASSERT_TRUE(responder->ok());
  }

  void announce() {
    start();
    pass(40'000);  // recent announcements are not repeated
    ASSERT_TRUE(responder->is_announced());
    heard.clear();
  }

  void say(const Bytes& data, unsigned from_port = dns::port, Ip to = dns::group, Ip from = other) {
    tap.received.push_back(test::udp_frame({.from_mac = other_mac,
                                            .to_mac = to == dns::group ? dns::group_mac : test::Tap::mac,
                                            .from = from,
                                            .to = to,
                                            .from_port = from_port,
                                            .to_port = dns::port,
                                            .data = data}));
    tap.received.push_front(is_at_frame());  // it knows the address of the querier
  }
  static Bytes is_at_frame() {
    return test::arp_frame({.operation = 1, .from_mac = other_mac, .from = other, .to = board}, test::to_all, {});
  }
  static dns::Message question(std::string_view name, unsigned record_type, unsigned klass = dns::in) {
    dns::Message message;
    message.questions.push_back({std::string(name), record_type, klass});
    return message;
  }

  // Returns the messages within 600 ms: one or none.
  std::optional<Heard> ask(const dns::Message& message, unsigned from_port = dns::port, Ip to = dns::group) {
    pass(1'100);  // the same is not said twice in a second
    heard.clear();
    say(dns::write(message), from_port, to);
    pass(600);
    EXPECT_LE(heard.size(), 1U);
    return heard.empty() ? std::nullopt : std::optional(heard.front());
  }
  std::optional<Heard> ask(std::string_view name, unsigned record_type, unsigned klass = dns::in) {
    return ask(question(name, record_type, klass));
  }
  void answers(std::string_view name, unsigned record_type, Bytes data) {
    dns::Message message;
    message.flags = 0x8400;
    message.answers.push_back(dns::record(name, record_type, std::move(data)));
    say(dns::write(message));
  }

  static std::string service(std::string_view name = "Thermometer") { return std::string(name) + "._mcp._tcp.local."; }

  static void expect_address(const dns::Message& message, std::string_view host = "thermometer.local.") {
    const dns::Record* const record = message.find(host, dns::a);
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->data, Bytes(board.begin(), board.end()));
    EXPECT_EQ(record->ttl, 120U);
  }
  static void expect_service(const dns::Message& message, std::string_view name = "Thermometer",
                             std::string_view host = "thermometer.local.") {
    const dns::Record* const place = message.find(service(name), dns::srv);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->srv_port, 80U);
    EXPECT_EQ(place->target, host);
    const dns::Record* const text = message.find(service(name), dns::txt);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(text->texts, texts);
  }
};

// ---- Coming and going -----------------------------------------------------------------------------------------------

TEST_F(Mdns, ProbesThreeTimesAndAnnouncesTwice) {
  start();
  EXPECT_TRUE(tap.hears_groups);
  EXPECT_FALSE(responder->is_announced());
  pass(5'000);
  EXPECT_TRUE(responder->is_announced());
  EXPECT_GE(reports, 1U);
  ASSERT_EQ(heard.size(), 5U);
  for (const Heard& each : heard) {
    EXPECT_EQ(each.udp.to, dns::group);
    EXPECT_EQ(each.udp.to_mac, dns::group_mac);
    EXPECT_EQ(each.udp.time_to_live, 255U);
    EXPECT_EQ(each.udp.to_port, dns::port);
    EXPECT_EQ(each.message.id, 0U);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const dns::Message& probe = heard[i].message;
    EXPECT_FALSE(probe.is_answer());
    ASSERT_EQ(probe.questions.size(), 2U);
    EXPECT_EQ(probe.questions[0].name, "thermometer.local.");
    EXPECT_EQ(probe.questions[1].name, service());
    EXPECT_EQ(probe.questions[0].type, dns::any);
    // For devices that probe for the same name at the same time.
    EXPECT_EQ(probe.authorities.size(), 2U);
    if (i != 0) {
      EXPECT_NEAR(heard[i].at - heard[i - 1].at, 250, 10);
    }
  }
  for (std::size_t i = 3; i < 5; ++i) {
    const dns::Message& message = heard[i].message;
    EXPECT_EQ(message.flags, 0x8400U);
    expect_address(message);
    expect_service(message);
    const dns::Record* const pointer = message.find(type, dns::ptr);
    ASSERT_NE(pointer, nullptr);
    EXPECT_EQ(pointer->target, service());
    // Shared records must not have the cache-flush bit.
    EXPECT_FALSE(pointer->flushes());
    EXPECT_TRUE(message.find("thermometer.local.", dns::a)->flushes());
    EXPECT_EQ(message.find(all_types, dns::ptr)->target, type);
    EXPECT_EQ(message.find(reverse, dns::ptr)->target, "thermometer.local.");
  }
  EXPECT_NEAR(heard[4].at - heard[3].at, 1'000, 10);
}

// For ARP. The timers of IGMP and DHCP do not run.
TEST_F(Mdns, WakesTheDeviceOnceASecondWhenNothingHappens) {
  announce();
  unsigned polls = 0;
  for (const mcp::Millis end = now + 10'000; now != end; ++polls) now += std::min(network.poll(now), end - now);
  EXPECT_LE(polls, 11U);
}

TEST_F(Mdns, SendsGoodbye) {
  announce();
  pass(1'100);
  responder.reset();
  pass(5'000);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_TRUE(heard[0].message.is_answer());
  for (const auto& [name, record_type] : {std::pair(std::string(type), dns::ptr),
                                          {service(), dns::srv},
                                          {service(), dns::txt},
                                          {"thermometer.local.", dns::a}}) {
    const dns::Record* const record = heard[0].message.find(name, record_type);
    ASSERT_NE(record, nullptr) << name;
    EXPECT_EQ(record->ttl, 0U);
  }
  EXPECT_FALSE(ask(type, dns::ptr));
  // And comes back.
  heard.clear();
  announce();
  EXPECT_TRUE(ask(type, dns::ptr));
}

TEST_F(Mdns, CanBeDestroyedAtAnyMoment) {
  for (mcp::Millis moment = 0; moment < 3'000; moment += 90) {
    start();
    pass(moment);
    say(dns::write(question(type, dns::ptr)));
    say(dns::write(question(type, dns::ptr, dns::in | dns::unicast)));
    pass(moment % 140);
    responder.reset();
    pass(200);
  }
  pass(40'000);
}

TEST_F(Mdns, ProbesAgainWhenTheAddressOrTheLinkChanges) {
  announce();
  network.use({10, 0, 0, 7}, {255, 255, 255, 0}, {});
  pass(3'000);
  ASSERT_EQ(heard.size(), 5U);
  EXPECT_EQ(heard[4].message.find("thermometer.local.", dns::a)->data, (Bytes{10, 0, 0, 7}));
  heard.clear();
  tap.plugged = false;
  pass(3'000);
  tap.plugged = true;
  pass(3'000);
  EXPECT_EQ(heard.size(), 5U);
  EXPECT_TRUE(responder->is_announced());
  // Without an address there is nothing to say.
  network.use({}, {}, {});
  heard.clear();
  pass(5'000);
  EXPECT_TRUE(heard.empty());
  network.use(board, {255, 255, 255, 0}, {});
  pass(5'000);
  EXPECT_EQ(heard.size(), 5U);
}

// ---- Queries --------------------------------------------------------------------------------------------------------
// ------------------------------------------------------------------------------------------------------

TEST_F(Mdns, AnswersATypeQueryWithAllRecords) {
  announce();
  const auto answer = ask(type, dns::ptr);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->udp.to, dns::group);
  ASSERT_EQ(answer->message.answers.size(), 1U);
  EXPECT_EQ(answer->message.answers[0].target, service());
  EXPECT_EQ(answer->message.answers[0].ttl, 120U);
  EXPECT_EQ(answer->message.additionals.size(), 3U);
  expect_service(answer->message);
  expect_address(answer->message);
  // A response to shared queries waits 20 to 120 ms.
  EXPECT_GE(now - 600 + 120, answer->at);
}

TEST_F(Mdns, AnswersEachQuery) {
  announce();
  EXPECT_EQ(ask(all_types, dns::ptr)->message.answers.at(0).target, type);
  EXPECT_EQ(ask(service(), dns::srv)->message.answers.at(0).srv_port, 80U);
  EXPECT_EQ(ask(service(), dns::txt)->message.answers.at(0).texts, texts);
  EXPECT_EQ(ask(service(), dns::any)->message.answers.size(), 2U);
  expect_address(ask("thermometer.local.", dns::a)->message);
  expect_address(ask("THERMOMETER.LOCAL.", dns::a)->message);
  expect_address(ask("thermometer.local.", dns::any)->message);
  EXPECT_EQ(ask(reverse, dns::ptr)->message.answers.at(0).target, "thermometer.local.");
  EXPECT_FALSE(ask("thermometer.local.", dns::txt));
  EXPECT_FALSE(ask("other.local.", dns::a));
  EXPECT_FALSE(ask("_http._tcp.local.", dns::ptr));
  EXPECT_FALSE(ask(type, dns::srv));
  EXPECT_FALSE(ask(type, dns::ptr, 3));
  EXPECT_FALSE(ask("2.0.0.10.in-addr.arpa.", dns::ptr));
  EXPECT_FALSE(ask(".", dns::any));
}

TEST_F(Mdns, AnnouncesPathPortAndAuthorization) {
  announcement.path = "/devices/1/mcp";
  announcement.is_https = true;
  announcement.port = 443;
  announcement.authorization = Authorization::bearer;
  announce();
  EXPECT_EQ(ask(service(), dns::srv)->message.answers.at(0).srv_port, 443U);
  const std::vector<std::string> said{"path=/devices/1/mcp", "proto=https", "auth=bearer"};
  EXPECT_EQ(ask(service(), dns::txt)->message.answers.at(0).texts, said);
  responder.reset();
  announcement.authorization = Authorization::oauth;
  announce();
  EXPECT_EQ(ask(service(), dns::txt)->message.answers.at(0).texts.at(2), "auth=oauth");
}

TEST_F(Mdns, AcceptsAnyCharactersInAName) {
  announcement.name = "Küche.1 \"oben\"";
  announce();
  EXPECT_EQ(ask(type, dns::ptr)->message.answers.at(0).target, service("Küche\\.1 \"oben\""));
  expect_service(ask(service("Küche\\.1 \"oben\""), dns::any)->message, "Küche\\.1 \"oben\"");
}

TEST_F(Mdns, OmitsKnownAnswers) {
  announce();
  dns::Message message = question(type, dns::ptr);
  message.answers.push_back(dns::record(type, dns::ptr, dns::write_name(service()), 4'500));
  EXPECT_FALSE(ask(message));
  message.answers[0].ttl = 50;  // it will not know for long
  EXPECT_TRUE(ask(message));
  message.answers[0] = dns::record(type, dns::ptr, dns::write_name(service("Other")), 4'500);
  EXPECT_TRUE(ask(message));
}

// RFC 6762 section 7.2: known answers continue later. The device does not wait for them, and stores no packet.
TEST_F(Mdns, AnswersATruncatedQueryAtOnce) {
  announce();
  dns::Message message = question(type, dns::ptr);
  message.flags = 0x0200;
  for (unsigned i = 0; i < 8; ++i)
    message.answers.push_back(dns::record(type, dns::ptr, dns::write_name(service(std::string(1, 'a'))), 4'500));
  EXPECT_TRUE(ask(message));
  for (unsigned i = 0; i < 20; ++i) say(dns::write(message));
  pass(100);
  EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
  dns::Message rest;
  rest.answers = message.answers;
  EXPECT_FALSE(ask(rest));
}

TEST_F(Mdns, AnswersByUnicastOnRequest) {
  announce();
  EXPECT_EQ(ask(type, dns::ptr)->udp.to, dns::group);
  const auto answer = ask(type, dns::ptr, dns::in | dns::unicast);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->udp.to, other);
  EXPECT_EQ(answer->udp.to_port, dns::port);
  expect_service(answer->message);
  // Asked directly.
  const auto direct = ask(question(service(), dns::srv), dns::port, board);
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->udp.to, other);
  // Queries from other networks are ignored.
  heard.clear();
  say(dns::write(question(service(), dns::srv)), dns::port, board, {192, 168, 7, 7});
  pass(600);
  EXPECT_TRUE(heard.empty());
}

// A resolver that knows nothing of mDNS (RFC 6762 section 6.7).
TEST_F(Mdns, AnswersAnOrdinaryResolver) {
  announce();
  dns::Message message = question("thermometer.local.", dns::a);
  message.id = 4'711;
  const auto answer = ask(message, 50'000);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->udp.to, other);
  EXPECT_EQ(answer->udp.to_port, 50'000U);
  EXPECT_EQ(answer->message.id, 4'711U);
  ASSERT_EQ(answer->message.questions.size(), 1U);
  EXPECT_EQ(answer->message.questions[0].name, "thermometer.local.");
  const dns::Record* const record = answer->message.find("thermometer.local.", dns::a);
  ASSERT_NE(record, nullptr);
  EXPECT_LE(record->ttl, 10U);
  EXPECT_FALSE(record->flushes());
}

// ---- Names that are taken -------------------------------------------------------------------------------------------

TEST_F(Mdns, UsesAnotherNameIfItsNameIsTaken) {
  start();
  pass(300);
  answers("thermometer.local.", dns::a, {10, 0, 0, 9});
  pass(5'000);
  EXPECT_EQ(test::host_of(*responder), "thermometer-2");
  EXPECT_EQ(test::name_of(*responder), "Thermometer");
  EXPECT_TRUE(responder->is_announced());
  expect_service(heard.back().message, "Thermometer", "thermometer-2.local.");
  expect_address(heard.back().message, "thermometer-2.local.");
  // The name of the service, after its announcement: the querier asks again, and gets a response.
  const std::string mine = service();
  answers(mine, dns::srv, dns::srv_record(mine, 81, "other.local.").data);
  pass(400);
  EXPECT_FALSE(responder->is_announced());
  EXPECT_EQ(test::name_of(*responder), "Thermometer");
  answers(mine, dns::srv, dns::srv_record(mine, 81, "other.local.").data);
  pass(5'000);
  EXPECT_EQ(test::name_of(*responder), "Thermometer (2)");
  EXPECT_TRUE(responder->is_announced());
  expect_service(heard.back().message, "Thermometer (2)", "thermometer-2.local.");
  EXPECT_FALSE(ask(mine, dns::srv));
}

// The list of HttpOptions::hosts, at the same place all the time.
TEST_F(Mdns, ListsTheAnnouncedHostName) {
  start();
  const std::span<const std::string_view> hosts = responder->hosts();
  ASSERT_EQ(hosts.size(), 1U);
  EXPECT_EQ(hosts[0], "");
  pass(300);
  EXPECT_EQ(hosts[0], "");
  pass(5'000);
  EXPECT_EQ(hosts[0], "thermometer.local");
  // Another device has the name: first the responder probes for it again.
  answers("thermometer.local.", dns::a, {10, 0, 0, 9});
  pass(400);
  EXPECT_EQ(hosts[0], "");
  answers("thermometer.local.", dns::a, {10, 0, 0, 9});
  pass(5'000);
  EXPECT_EQ(hosts[0], "thermometer-2.local");
  // A new address.
  network.use({10, 0, 0, 2}, {255, 255, 255, 0}, {});
  pass(100);
  EXPECT_EQ(hosts[0], "");
  pass(5'000);
  EXPECT_EQ(hosts[0], "thermometer-2.local");
}

TEST_F(Mdns, ListsTheLongestHostName) {
  const std::string longest(57, 'a');
  announcement.host = longest;
  announce();
  EXPECT_EQ(responder->hosts()[0], longest + ".local");
}

TEST_F(Mdns, ListsNoHostNameWhenItFails) {
  announcement.host = "";
  responder = std::make_unique<MdnsResponder>(network, announcement);
  EXPECT_FALSE(responder->ok());
  pass(1'000);
  EXPECT_EQ(responder->hosts()[0], "");
}

TEST_F(Mdns, IgnoresItsOwnRecords) {
  announce();
  answers("thermometer.local.", dns::a, Bytes(board.begin(), board.end()));
  answers(service(), dns::srv, dns::srv_record(service(), 80, "thermometer.local.").data);
  pass(3'000);
  EXPECT_TRUE(responder->is_announced());
  EXPECT_TRUE(heard.empty());
}

// Every name is in use: after 15 conflicts in 10 s it probes every 5 s at most (RFC 6762 section 8.1).
TEST_F(Mdns, ProbesSlowlyWhenAllNamesAreTaken) {
  start();
  std::size_t probes = 0;
  mcp::Millis slow_since = 0;
  std::string host;
  for (unsigned i = 0; i < 20'000 && host != "thermometer-20"; ++i) {
    pass(10);
    for (const Heard& each : heard) {
      if (each.message.is_answer()) continue;
      ++probes;
      if (probes > 17 && slow_since != 0) {
        EXPECT_GE(each.at - slow_since, 4'990U) << probes;
      }
      slow_since = probes >= 17 ? each.at : 0;
    }
    if (!heard.empty()) answers(heard.back().message.questions.at(0).name, dns::a, {10, 0, 0, 9});
    heard.clear();
    host = test::host_of(*responder);
  }
  EXPECT_EQ(host, "thermometer-20");
  EXPECT_GT(probes, 17U);
}

// ---- Two devices that probe at the same time (RFC 6762 section 8.2) -------------------------------------------------

class MdnsTie : public Mdns {
 protected:
  // The first probe of a device with this address and announcement.
  Bytes probe() {
    responder.reset();
    pass(1'000);
    heard.clear();
    start();
    while (heard.empty()) pass(10);
    return heard.front().udp.data;
  }
  // Returns whether the device waits for a second when it hears `theirs` after its first probe. Then it has its names.
  bool waits(const Bytes& theirs, Ip to = dns::group) {
    static_cast<void>(probe());
    const mcp::Millis first = now;
    say(theirs, dns::port, to);
    pass(4'000);
    EXPECT_TRUE(responder->is_announced());
    EXPECT_EQ(test::host_of(*responder), announcement.host);
    EXPECT_GE(heard.size(), 2U);
    return heard.size() >= 2 && heard[1].at - first >= 990;
  }
};

const std::string host_name = "thermometer.local.";
const std::string service_name = "Thermometer._mcp._tcp.local.";

dns::Message probe_for(const std::string& name, std::vector<dns::Record> records) {
  dns::Message message;
  message.questions.push_back({name, dns::any, dns::in});
  message.authorities = std::move(records);
  return message;
}
dns::Record address_record(Bytes data) { return dns::record(host_name, dns::a, std::move(data)); }

TEST_F(MdnsTie, DeviceWithEarlierRecordsWaits) {
  const dns::Record same = address_record({10, 0, 0, 1});
  const dns::Record later = address_record({10, 0, 0, 9});
  const dns::Record earlier = address_record({10, 0, 0, 0});
  dns::Record chaos = earlier;
  chaos.klass = 3;
  const struct {
    const char* what;
    std::vector<dns::Record> records;
    bool waits;
  } cases[] = {
      {"none", {}, false},
      {"earlier", {earlier}, false},
      {"later", {later}, true},
      {"the same", {same}, false},
      {"the same, and one more", {same, dns::record(host_name, dns::aaaa, Bytes(16))}, true},
      {"later, then earlier", {later, earlier}, false},
      {"earlier, then later", {earlier, later}, false},
      {"unsigned bytes", {address_record({200, 0, 0, 0})}, true},
      {"shorter", {address_record({10, 0, 0})}, false},
      {"empty", {address_record({})}, false},
      {"longer", {address_record({10, 0, 0, 1, 0})}, true},
      {"a later type", {dns::record(host_name, dns::txt, {0})}, true},
      {"an earlier type", {dns::record(host_name, 0, {0})}, false},
      {"a later class", {chaos}, true},
      {"of another name", {dns::record("thermometer-2.local.", dns::a, {10, 0, 0, 9})}, false},
      {"of the name in other letters", {dns::record("THERMOMETER.local.", dns::a, {10, 0, 0, 9})}, true},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.what);
    EXPECT_EQ(waits(dns::write(probe_for(host_name, each.records))), each.waits);
  }
}

TEST_F(MdnsTie, DeviceWithEarlierServiceWaits) {
  const struct {
    unsigned port;
    const char* host;
    bool waits;
  } cases[] = {
      {79, "zzz.local.", false},          {81, "aaa.local.", true},
      {336, "aaa.local.", true},  // the high byte
      {80, "thermometer.local.", false},  {80, "thermometes.local.", true},
      {80, "thermomete.local.", false},  // the length of a label is before its letters
      {80, "thermometer.locam.", true},   {80, "Thermometer.local.", false},  // bytes, not letters
      {80, "thermometer.local.a.", true},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(std::string(each.host) + std::to_string(each.port));
    const dns::Record record = dns::srv_record(service_name, each.port, each.host);
    EXPECT_EQ(waits(dns::write(probe_for(service_name, {record}))), each.waits);
  }
}

// Else each of two devices could wait for the other one, for ever.
TEST_F(MdnsTie, HostNameDecidesForBothNames) {
  for (const bool host_wins : {true, false}) {
    const Bytes theirs = host_wins ? Bytes{10, 0, 0, 0} : Bytes{10, 0, 0, 9};
    dns::Message both = probe_for(host_name, {address_record(theirs)});
    both.questions.push_back({service_name, dns::any, dns::in});
    both.authorities.push_back(dns::srv_record(service_name, host_wins ? 81 : 79, "a.local."));
    EXPECT_EQ(waits(dns::write(both)), !host_wins);
  }
}

TEST_F(MdnsTie, DeviceWaitsForProbesOnly) {
  const dns::Message later = probe_for(host_name, {address_record({10, 0, 0, 9})});
  EXPECT_TRUE(waits(dns::write(later)));
  EXPECT_FALSE(waits(dns::write(later), board)) << "not to the group";
  dns::Message message = later;
  message.flags = 0x2800;
  EXPECT_FALSE(waits(dns::write(message))) << "another operation";
  message = later;
  message.questions[0].name = "other.local.";
  EXPECT_FALSE(waits(dns::write(message))) << "a question for another name";
  message.questions.clear();
  EXPECT_FALSE(waits(dns::write(message))) << "no question";
  message = later;
  message.answers.swap(message.authorities);
  EXPECT_FALSE(waits(dns::write(message))) << "a known answer";
  // An option of EDNS, as some devices send.
  message = later;
  message.additionals.push_back(dns::record("x.", 41, {0, 0, 0, 0}));
  EXPECT_TRUE(waits(dns::write(message))) << "with an additional record";
}

TEST_F(MdnsTie, IgnoresNamesThatItCannotRead) {
  // A target that leads to itself, behind equal data.
  Bytes probe = dns::write(probe_for(service_name, {dns::record(service_name, dns::srv, {0, 0, 0, 0, 0, 80, 0, 0})}));
  const std::size_t target = probe.size() - 2;
  probe[target] = static_cast<std::uint8_t>(0xC0 | target >> 8);
  probe[target + 1] = static_cast<std::uint8_t>(target);
  EXPECT_FALSE(waits(probe));
  // A name that leads to itself, and then one that decides.
  dns::Message message = probe_for("x.", {});
  message.questions.push_back({host_name, dns::any, dns::in});
  message.authorities.push_back(address_record({10, 0, 0, 9}));
  probe = dns::write(message);
  probe[12] = 0xC0;
  probe[13] = 12;
  probe.erase(probe.begin() + 14);
  EXPECT_TRUE(waits(probe));
}

// Of two devices with the same name, exactly one waits: whichever of its probes the other one hears.
TEST_F(MdnsTie, OneOfTwoDevicesWaits) {
  struct Device {
    Ip address;
    const char* host;
    std::uint16_t port;
  };
  const Device devices[] = {{{10, 0, 0, 1}, "thermometer", 80},  {{10, 0, 0, 2}, "thermometer", 80},
                            {{10, 0, 0, 1}, "thermometer", 443}, {{10, 0, 0, 3}, "thermometers", 80},
                            {{10, 0, 0, 4}, "boiler", 8080},     {{10, 0, 0, 1}, "boiler", 80}};
  const auto become = [this](const Device& device) {
    responder.reset();
    network.use(device.address, {255, 255, 255, 0}, {});
    announcement.host = device.host;
    announcement.port = device.port;
  };
  for (const Device& one : devices) {
    become(one);
    const Bytes first = probe();
    EXPECT_FALSE(waits(first)) << "its own probe";
    for (const Device& another : devices) {
      if (&one == &another) continue;
      become(another);
      const Bytes second = probe();
      const bool second_waits = waits(first);
      become(one);
      EXPECT_NE(waits(second), second_waits) << one.host << " and " << another.host;
    }
  }
}

TEST_F(MdnsTie, AnnouncedDeviceDoesNotWait) {
  announce();
  say(dns::write(probe_for(host_name, {address_record({10, 0, 0, 9})})));
  pass(600);
  EXPECT_TRUE(responder->is_announced());
}

// A device that probes for a name in use gets a response at once.
TEST_F(Mdns, DefendsItsNames) {
  announce();
  dns::Message probe = question(service(), dns::any);
  probe.authorities.push_back(dns::srv_record(service(), 1, "other.local."));
  const auto answer = ask(probe);
  ASSERT_TRUE(answer);
  expect_service(answer->message);
  EXPECT_LE(answer->at, now - 600 + 20);
}

// ---- Malformed messages ---------------------------------------------------------------------------------------------

TEST_F(Mdns, IgnoresAMessageWithANameOfMoreThan100Bytes) {
  announce();
  const std::string label(43, 'x');
  for (const bool is_longer : {false, true}) {
    dns::Message message = question(label + (is_longer ? "x." : ".") + label + "._udp.local.", dns::a);
    message.questions.push_back({"thermometer.local.", dns::a, dns::in});
    EXPECT_EQ(dns::write_name(message.questions[0].name).size(), is_longer ? 101U : 100U);
    EXPECT_NE(ask(message).has_value(), is_longer);
  }
}

TEST_F(Mdns, IgnoresMalformedQueries) {
  announce();
  dns::Message message = question("thermometer.local.", dns::a);
  message.answers.push_back(dns::srv_record(service("Other"), 80, "other.local."));
  const Bytes whole = dns::write(message);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    say({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    pass(1);
  }
  pass(600);
  EXPECT_TRUE(heard.empty());
  EXPECT_TRUE(ask(message));
  // An operation that is not a query.
  message.flags = 0x2800;
  EXPECT_FALSE(ask(message));
}

TEST_F(Mdns, RejectsWrongCountsAndLengths) {
  announce();
  const Bytes name = dns::write_name(service());
  for (const unsigned flags : {0U, 0x8400U}) {
    for (unsigned section = 0; section < 4; ++section) {
      // 65535 of them, of which the packet has one; lengths that lead back to its beginning.
      for (const unsigned size : {0U, 1U, 4U, 0xFFFFU, 0x10000U - 10 - static_cast<unsigned>(name.size())}) {
        test::Writer writer;
        writer.u16(0).u16(flags);
        for (unsigned i = 0; i < 4; ++i) writer.u16(i == section ? 0xFFFF : 0);
        writer.all(name).u16(dns::srv).u16(dns::in).u32(120).u16(size).u32(0);
        say(writer.bytes);
        pass(1);
      }
    }
  }
  // Names that point at themselves, at each other, forward, outside; labels of other kinds.
  for (const Bytes& odd : {Bytes{0xC0, 12}, Bytes{0xC0, 14, 0xC0, 12}, Bytes{0xC0, 200}, Bytes{0xFF, 0xFF},
                           Bytes{0x40, 0}, Bytes{0x80}, Bytes{63}, Bytes(200, 1)}) {
    test::Writer writer;
    writer.u16(0).u16(0).u16(1).u16(0).u16(0).u16(0).all(odd).u16(dns::any).u16(dns::in);
    say(writer.bytes);
    pass(1);
  }
  pass(600);
  EXPECT_TRUE(heard.empty());
  EXPECT_TRUE(responder->is_announced());
  EXPECT_TRUE(ask(type, dns::ptr));
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

TEST_F(Mdns, SendsNoAnswerWithoutMemory) {
  announce();
  {
    const test::TakenMemory taken;
    EXPECT_FALSE(ask(type, dns::ptr));
    EXPECT_FALSE(ask(service(), dns::srv));
  }
  EXPECT_TRUE(ask(type, dns::ptr));
  EXPECT_TRUE(ask(service(), dns::srv));
  tap.takes_frames = false;
  EXPECT_FALSE(ask(service(), dns::srv));
  tap.takes_frames = true;
  EXPECT_TRUE(ask(service(), dns::srv));
}

TEST_F(Mdns, ProbesLaterWithoutMemory) {
  start();
  {
    const test::TakenMemory taken;
    pass(3'000);
    EXPECT_TRUE(heard.empty());
    EXPECT_FALSE(responder->is_announced());
  }
  pass(3'000);
  EXPECT_TRUE(responder->is_announced());
}

TEST_F(Mdns, FailsWithoutMemoryAtItsStart) {
  const auto is_ok = [&] { return MdnsResponder(network, announcement).ok(); };
  EXPECT_TRUE(is_ok());
  {
    const test::TakenMemory taken;
    EXPECT_FALSE(is_ok());
  }
  {
    const test::Taken taken(MEMP_IGMP_GROUP);
    EXPECT_FALSE(is_ok());
  }
  start();
  EXPECT_FALSE(is_ok());  // the network has one
  responder.reset();
  const std::string long_text(58, 'x');
  announcement.path = long_text;
  EXPECT_TRUE(is_ok());
  announcement.host = std::string_view(long_text).substr(0, 57);
  announcement.name = std::string_view(long_text).substr(0, 55);
  // The longest name, and then with a number after it.
  start();
  pass(300);
  for (const std::string& name : {std::string(announcement.host) + ".local.", service(announcement.name)}) {
    answers(name, dns::txt, {0});
    pass(300);
  }
  pass(5'000);
  EXPECT_EQ(test::host_of(*responder), std::string(announcement.host) + "-2");
  EXPECT_EQ(test::name_of(*responder), std::string(announcement.name) + " (2)");
  EXPECT_EQ(heard.back().message.find(service(test::name_of(*responder)), dns::txt)->texts.at(0), "path=" + long_text);
  responder.reset();
  announcement.host = long_text;
  EXPECT_FALSE(is_ok());
  announcement.host = "";
  EXPECT_FALSE(is_ok());
  announcement.host = "h";
  announcement.name = "";
  EXPECT_FALSE(is_ok());
  announcement.name = std::string_view(long_text).substr(0, 56);
  EXPECT_FALSE(is_ok());
  announcement.name = "n";
  const std::string too_long(59, 'x');
  announcement.path = too_long;
  EXPECT_FALSE(is_ok());
  announcement.path = "";
  EXPECT_TRUE(is_ok());
  pass(60'000);
  EXPECT_EQ(test::host_of(MdnsResponder(network, {.host = "", .name = "n"})), "");
  EXPECT_EQ(test::name_of(MdnsResponder(network, {.host = "", .name = "n"})), "");
}

}  // namespace
