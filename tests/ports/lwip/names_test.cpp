// SPDX-License-Identifier: Apache-2.0
// The mDNS announcements of the device, as frames: the test plays all other devices in the network, and uses its own
// decoder. The tests do not wait, because time is an argument.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mdns_device.hpp"
#include "names.hpp"

namespace test::mdns {
namespace {

using mcp::lwip::Authorization;

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
  EXPECT_FALSE(ask("other.local.", dns::a));
  EXPECT_FALSE(ask("_http._tcp.local.", dns::ptr));
  EXPECT_FALSE(ask(type, dns::srv));
  EXPECT_FALSE(ask(type, dns::ptr, 3));
  EXPECT_FALSE(ask("2.0.0.10.in-addr.arpa.", dns::ptr));
  EXPECT_FALSE(ask(".", dns::any));
}

// RFC 6762 section 6.1: a client that asks for an address of IPv6 would wait for seconds.
TEST_F(Mdns, DeniesOtherTypesOfItsHost) {
  announce();
  const auto is_denied = [](const std::optional<Heard>& answer) {
    const dns::Record* const record = answer ? answer->message.find("thermometer.local.", dns::nsec) : nullptr;
    if (record == nullptr) return false;
    EXPECT_EQ(answer->udp.to, dns::group);
    EXPECT_EQ(answer->udp.to_port, dns::port);
    EXPECT_EQ(answer->message.flags, 0x8400U);
    EXPECT_EQ(answer->message.answers.size(), 1U);
    EXPECT_TRUE(record->flushes());
    EXPECT_EQ(record->ttl, 120U);
    EXPECT_EQ(record->target, "thermometer.local.");
    EXPECT_EQ(record->types, std::vector<unsigned>{dns::a});
    return true;
  };
  for (const unsigned record_type : {dns::aaaa, dns::txt, 65U})
    EXPECT_TRUE(is_denied(ask("Thermometer.local.", record_type)));
  EXPECT_TRUE(is_denied(ask("thermometer.local.", dns::aaaa, dns::in | dns::unicast)));
  // Both types in one query, in each order: two responses.
  for (const unsigned first : {dns::a, dns::aaaa}) {
    dns::Message message = question("thermometer.local.", first);
    message.questions.push_back({"thermometer.local.", first == dns::a ? dns::aaaa : dns::a, dns::in});
    pass(1'100);
    heard.clear();
    say(dns::write(message));
    pass(600);
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_TRUE(is_denied(heard[0]));
    expect_address(heard[1].message);
  }
  // No response to another query.
  EXPECT_FALSE(ask("other.local.", dns::aaaa));
  EXPECT_FALSE(ask("thermometer.local.", dns::aaaa, 3));
  EXPECT_FALSE(ask(question("thermometer.local.", dns::aaaa), 50'000));
  EXPECT_FALSE(ask(question("thermometer.local.", dns::aaaa), dns::port, board));
  dns::Message message = question("thermometer.local.", dns::aaaa);
  message.flags = 0x2800;
  EXPECT_FALSE(ask(message));
  message.flags = 0x8400;
  EXPECT_FALSE(ask(message));
}

// lwIP drops the queries of a second in which it has sent a message to the group.
TEST_F(Mdns, AnswersForItsAddressAfterAnotherResponse) {
  announce();
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_TRUE(ask(all_types, dns::ptr));
    heard.clear();
    for (unsigned repeated = 0; repeated < 10; ++repeated) {
      say(dns::write(question("thermometer.local.", dns::a)));
      pass(20);
    }
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].udp.to, dns::group);
    EXPECT_EQ(heard[0].message.flags, 0x8400U);
    expect_address(heard[0].message);
    EXPECT_TRUE(heard[0].message.answers.at(0).flushes());
  }
}

TEST_F(Mdns, DeniesTypesToTheGroupOnceInASecond) {
  announce();
  pass(2'000);
  heard.clear();
  for (unsigned i = 0; i < 500; ++i) {
    say(dns::write(question("thermometer.local.", dns::aaaa)));
    pass(10);
  }
  EXPECT_GE(heard.size(), 5U);
  EXPECT_LE(heard.size(), 6U);
  heard.clear();
  // Before the name is checked.
  responder.reset();
  pass(1'000);
  start();
  pass(300);
  heard.clear();
  say(dns::write(question("thermometer.local.", dns::aaaa)));
  pass(100);
  EXPECT_TRUE(heard.empty());
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
}  // namespace test::mdns
