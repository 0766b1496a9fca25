// SPDX-License-Identifier: Apache-2.0
// Names of mDNS that another device uses or claims: which device takes another name, and when. The test plays all
// other devices, and sets the time.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mdns_device.hpp"
#include "names.hpp"

namespace test::mdns {
namespace {

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
  // A new address: the other device does not respond.
  network.use({10, 0, 0, 2}, {255, 255, 255, 0}, {});
  pass(100);
  EXPECT_EQ(hosts[0], "");
  pass(5'000);
  EXPECT_EQ(hosts[0], "thermometer.local");
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
  // A message of its own that an access point sends back.
  dns::Message message;
  message.flags = 0x8400;
  message.answers.push_back(dns::record("thermometer.local.", dns::nsec, dns::write_name("thermometer.local.")));
  say(dns::write(message), dns::port, dns::group, board);
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

// The other device leaves, or still has the names. Clients of the name with a number are served all the time.
TEST_F(Mdns, TriesItsOwnNamesAgainAfterAnHour) {
  announce();
  bool has_other = true;
  const std::string own_host = "thermometer.local.";
  // Lets time pass, in which the other device responds to each probe for its names.
  const auto pass_with_other = [&](mcp::Millis ms) {
    for (const mcp::Millis end = now + ms; now < end;) {
      pass(50);
      for (const Heard& each : std::exchange(heard, {})) {
        for (const dns::Question& question : each.message.questions) {
          if (!has_other || each.message.is_answer()) continue;
          if (question.name == own_host) answers(own_host, dns::a, {10, 0, 0, 9});
          if (question.name == service()) answers(service(), dns::srv, dns::srv_record(service(), 81, own_host).data);
        }
      }
    }
  };
  answers(own_host, dns::a, {10, 0, 0, 9});
  answers(service(), dns::srv, dns::srv_record(service(), 81, own_host).data);
  pass_with_other(10'000);
  EXPECT_EQ(test::host_of(*responder), "thermometer-2");
  EXPECT_EQ(test::name_of(*responder), "Thermometer (2)");
  EXPECT_EQ(responder->hosts()[0], "thermometer-2.local");
  for (unsigned hour = 1; hour <= 3; ++hour) {
    pass_with_other(3'500'000);
    EXPECT_EQ(test::host_of(*responder), "thermometer-2");
    has_other = hour != 3;
    bool was_unnamed = false;
    for (unsigned i = 0; i < 1'200; ++i) {
      pass_with_other(100);
      was_unnamed = was_unnamed || !responder->is_announced();
      EXPECT_NE(responder->hosts()[0], "");
    }
    EXPECT_TRUE(was_unnamed);
    EXPECT_TRUE(responder->is_announced());
    EXPECT_EQ(test::host_of(*responder), has_other ? "thermometer-2" : "thermometer");
    EXPECT_EQ(test::name_of(*responder), has_other ? "Thermometer (2)" : "Thermometer");
  }
  EXPECT_EQ(responder->hosts()[0], "thermometer.local");
}

// A responder that claims each name. When it has gone, the device has its own name again.
TEST_F(Mdns, ReturnsToItsNameAfterAnotherDeviceClaimedAllNames) {
  start();
  std::size_t probes = 0;
  for (const mcp::Millis end = now + 3'000'000; now < end;) {
    pass(100);
    if (heard.empty()) continue;
    ++probes;
    for (const dns::Question& question : heard.back().message.questions) answers(question.name, dns::a, {10, 0, 0, 9});
    heard.clear();
  }
  EXPECT_LE(probes, 200U);  // 98 for each name
  EXPECT_FALSE(responder->is_announced());
  EXPECT_EQ(responder->hosts()[0], "");
  pass(3'700'000);
  EXPECT_TRUE(responder->is_announced());
  EXPECT_EQ(test::host_of(*responder), "thermometer");
  EXPECT_EQ(test::name_of(*responder), "Thermometer");
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

}  // namespace
}  // namespace test::mdns
