// SPDX-License-Identifier: Apache-2.0
// Connections to servers through lwIP: both ends and the name server are in one lwIP, with a wire of the test between
// them. Nothing waits: time is an argument.
#include <gtest/gtest.h>
#include <lwip/dns.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/udp.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lwip_turns.hpp"
#include "mcp/ports/lwip_dialer.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "packets.hpp"
#include "pools.hpp"
#include "support/device.hpp"
#include "support/seeded_entropy.hpp"
#include "time.hpp"
#include "wire.hpp"

using mcp::DialProblem;
using mcp::IoResult;
using mcp::IoStatus;
using mcp::lwip::DialedConnection;
using mcp::lwip::Network;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpDialer;
using mcp::lwip::TcpListener;
using test::numbers;
using test::status_of_read;
using test::Taken;
using test::TakenMemory;
using test::lwip_time::now;

namespace {

static_assert(sizeof(void*) != 4 || sizeof(mcp::lwip::DialedConnection) == TCP_WND + 40, "lwip_dialer.hpp says so");

constexpr mcp::lwip::Ip4 mask{255, 255, 255, 0};
constexpr mcp::lwip::Ip4 no_gateway{};
constexpr std::uint16_t port = 1883;

/// Responds to queries for its names, when the test wants it.
class NameServer {
 public:
  std::map<std::string, mcp::lwip::Ip4> names;
  bool responds = true;
  std::vector<std::string> asked;

  explicit NameServer(netif& interface) : interface_(&interface) {
    pcb_ = udp_new();
    EXPECT_EQ(udp_bind(pcb_, netif_ip_addr4(&interface), 53), ERR_OK);
    udp_recv(pcb_, on_query, this);
  }
  ~NameServer() { udp_remove(pcb_); }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  /// Responds to the last query.
  void respond() {
    test::dns::Message response = query_;
    response.flags = 0x8180;
    const std::string& name = query_.questions.at(0).name;
    if (const auto found = names.find(name); found != names.end()) {
      response.answers.push_back(test::dns::record(name, test::dns::a, {found->second.begin(), found->second.end()}));
      response.answers.back().klass = test::dns::in;
    } else {
      response.flags |= 3;
    }
    const test::Bytes bytes = test::dns::write(response);
    pbuf* const data = pbuf_alloc(PBUF_TRANSPORT, static_cast<u16_t>(bytes.size()), PBUF_RAM);
    ASSERT_NE(data, nullptr);
    pbuf_take(data, bytes.data(), static_cast<u16_t>(bytes.size()));
    EXPECT_EQ(udp_sendto_if(pcb_, data, &from_, from_port_, interface_), ERR_OK);
    pbuf_free(data);
  }

 private:
  static void on_query(void* self, udp_pcb*, pbuf* data, const ip_addr_t* from, u16_t from_port) {
    auto& server = *static_cast<NameServer*>(self);
    test::Bytes bytes(data->tot_len);
    pbuf_copy_partial(data, bytes.data(), data->tot_len, 0);
    pbuf_free(data);
    const auto query = test::dns::read(bytes);
    ASSERT_TRUE(query.has_value() && query->questions.size() == 1);
    server.asked.push_back(query->questions[0].name);
    server.query_ = *query;
    ip_addr_copy(server.from_, *from);
    server.from_port_ = from_port;
    if (server.responds) server.respond();
  }

  netif* interface_;
  udp_pcb* pcb_;
  test::dns::Message query_;
  ip_addr_t from_{};
  u16_t from_port_ = 0;
};

class LwipDialing : public testing::Test, protected test::Turns {
 protected:
  test::Wire wire;
  test::SeededEntropy entropy;
  Network server{wire.server, entropy, now};
  Network network{wire.client, entropy, now};
  TcpConnection pool[2];
  DialedConnection dialed[2];
  std::unique_ptr<TcpListener> listener;
  std::unique_ptr<NameServer> names;
  std::unique_ptr<TcpDialer> dialer;

  LwipDialing() {
    server.use({10, 0, 0, 1}, mask, no_gateway);
    network.use({10, 0, 0, 2}, mask, no_gateway);
    network.use_name_server({10, 0, 0, 1});
    listener = std::make_unique<TcpListener>(server, pool, port);
    EXPECT_TRUE(listener->ok());
    names = std::make_unique<NameServer>(server.interface());
    names->names["broker.example."] = {10, 0, 0, 1};
    dialer = std::make_unique<TcpDialer>(network, dialed);
  }

  // Nothing is left in any pool when all connections have ended and the time to remember them and the names has passed.
  ~LwipDialing() override {
    dialer.reset();
    listener.reset();
    wire.faults = {};
    wire.whole = true;
    names->responds = true;
    pass(300'000);
    names.reset();
    test::expect_free_tcp_pools();
    EXPECT_EQ(Taken(MEMP_UDP_PCB).size(), std::size_t{MEMP_NUM_UDP_PCB});
  }

  // One turn. Returns the milliseconds until the next timer.
  mcp::Millis turn() override {
    const mcp::Millis due = std::min(server.poll(now), network.poll(now));
    return wire.server.received.empty() && wire.client.received.empty() ? due : 0;
  }

  mcp::Connection* dial(std::string_view host = "10.0.0.1", std::uint16_t to = port) {
    mcp::Connection* const connection = dialer->dial(host, to);
    EXPECT_NE(connection, nullptr);
    return connection;
  }
  // Writes when it is connected. Returns the status of the last write.
  IoStatus write(mcp::Connection& connection, std::string_view bytes, mcp::Millis limit_ms = 60'000) {
    IoResult result{};
    static_cast<void>(until(
        [&] {
          result = connection.write(bytes);
          return result.status != IoStatus::would_block;
        },
        limit_ms));
    EXPECT_TRUE(result.status != IoStatus::ok || result.size == bytes.size());
    return result.status;
  }
  std::string read(mcp::Connection& connection, std::size_t size) {
    std::string all;
    char bytes[700];
    static_cast<void>(until([&] {
      const IoResult result = connection.read(std::span(bytes).first(std::min(sizeof bytes, size - all.size())));
      all.append(bytes, result.size);
      return all.size() == size || result.status == IoStatus::closed || result.status == IoStatus::failed;
    }));
    return all;
  }
  IoStatus end_of(mcp::Connection& connection) {
    IoResult result{};
    char bytes[64];
    static_cast<void>(until([&] {
      result = connection.read(bytes);
      return result.status == IoStatus::closed || result.status == IoStatus::failed;
    }));
    return result.status;
  }
  mcp::Connection* accept() {
    mcp::Connection* connection = nullptr;
    EXPECT_TRUE(until([&] { return (connection = listener->accept()) != nullptr; }));
    return connection;
  }
  void expect_works(mcp::Connection& connection) {
    EXPECT_EQ(write(connection, "question"), IoStatus::ok);
    mcp::Connection* const end = accept();
    ASSERT_NE(end, nullptr);
    EXPECT_EQ(read(*end, 8), "question");
    EXPECT_EQ(write(*end, "answer"), IoStatus::ok);
    EXPECT_EQ(read(connection, 6), "answer");
    end->close();
  }
  void expect_fails(mcp::Connection& connection, DialProblem reason) {
    EXPECT_EQ(end_of(connection), IoStatus::failed);
    EXPECT_EQ(connection.write(std::string_view("x")).status, IoStatus::failed);
    EXPECT_EQ(dialer->reason(), reason) << dialer->problem();
    connection.close();
  }
};

// ---- Connecting ----------------------------------------------------------------------------------------------------

TEST_F(LwipDialing, ConnectsToAnAddress) {
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
  connection->finish();  // has no effect yet
  expect_works(*connection);
  EXPECT_EQ(connection->peer(), 0x0A00'0001U);
  EXPECT_EQ(end_of(*connection), IoStatus::closed);
  EXPECT_EQ(dialer->reason(), DialProblem::none);
  connection->close();
}

TEST_F(LwipDialing, ConnectsToAName) {
  std::string host = "broker.example";
  mcp::Connection* const connection = dial(host);
  host.assign("another name, as the memory is the caller's");
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->peer(), 0U);
  expect_works(*connection);
  EXPECT_EQ(names->asked.size(), 1U);
  EXPECT_EQ(names->asked[0], "broker.example.");
  connection->close();
  // lwIP knows the address now.
  mcp::Connection* const next = dial("broker.example");
  ASSERT_NE(next, nullptr);
  expect_works(*next);
  EXPECT_EQ(names->asked.size(), 1U);
  next->close();
}

TEST_F(LwipDialing, ReportsARefusedConnection) {
  mcp::Connection* const connection = dial("10.0.0.1", port + 1);
  ASSERT_NE(connection, nullptr);
  expect_fails(*connection, DialProblem::refused);
  EXPECT_STREQ(dialer->problem(), "the host refuses the connection");
  mcp::Connection* const next = dial();
  ASSERT_EQ(next, connection);
  expect_works(*next);
}

TEST_F(LwipDialing, ReportsAHostThatDoesNotRespond) {
  mcp::Connection* const connection = dial("10.0.0.99");
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(until([&] { return status_of_read(*connection) == IoStatus::failed; }, 600'000));
  expect_fails(*connection, DialProblem::no_response);
}

TEST_F(LwipDialing, ReportsANetworkThatIsDown) {
  network.use({}, {}, {});
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  expect_fails(*connection, DialProblem::unreachable);
}

TEST_F(LwipDialing, ConnectsWhenTheCableIsThereAgain) {
  wire.whole = false;
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  pass(5'000);
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  wire.whole = true;
  expect_works(*connection);
}

TEST_F(LwipDialing, ConnectsOverABadWire) {
  wire.faults = {.lost = 10, .doubled = 10, .damaged = 10, .delayed = 10};
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    mcp::Connection* const connection = dial(i % 2 == 0 ? "10.0.0.1" : "broker.example");
    ASSERT_NE(connection, nullptr);
    expect_works(*connection);
    connection->close();
    pass(60'000);
  }
}

TEST_F(LwipDialing, ReportsMissingMemory) {
  {
    const Taken all(MEMP_TCP_PCB);
    expect_fails(*dial(), DialProblem::no_memory);
  }
  {
    const TakenMemory all;
    expect_fails(*dial(), DialProblem::no_memory);
  }
  entropy.fails = true;
  expect_fails(*dial(), DialProblem::no_memory);
  entropy.fails = false;
  expect_works(*dial());
}

// ---- Names ---------------------------------------------------------------------------------------------------------

TEST_F(LwipDialing, ReportsUnknownNames) {
  for (const char* const host : {"other.example", "::1"}) expect_fails(*dial(host), DialProblem::unknown_host);
  EXPECT_STREQ(dialer->problem(), "the name of the host is unknown");
  names->responds = false;
  mcp::Connection* const connection = dial("late.example");
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(until([&] { return status_of_read(*connection) == IoStatus::failed; }, 120'000));
  expect_fails(*connection, DialProblem::unknown_host);
}

TEST_F(LwipDialing, ReportsAMissingNameServer) {
  network.use_name_server({});
  expect_fails(*dial("other.example"), DialProblem::no_name_server);
  EXPECT_STREQ(dialer->problem(), "no name server responds");
}

TEST_F(LwipDialing, LimitsTheLookUps) {
  names->responds = false;
  for (int i = 0; i < DNS_TABLE_SIZE; ++i) {
    mcp::Connection* const connection = dial("host" + std::to_string(i) + ".example");
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
    connection->close();
  }
  expect_fails(*dial("another.example"), DialProblem::no_memory);
  expect_works(*dial());
}

// lwIP would look for a random port without end.
TEST_F(LwipDialing, LooksUpNoNameWithoutRandomNumbers) {
  entropy.fails = true;
  expect_fails(*dial("broker.example"), DialProblem::no_memory);
  EXPECT_TRUE(names->asked.empty());
  entropy.fails = false;
  expect_works(*dial("broker.example"));
}

// It fails after the check, while lwIP looks for a port and an id that no other look-up has.
TEST_F(LwipDialing, DialReturnsWhenTheEntropyFailsForGood) {
  names->responds = false;
  std::vector<mcp::Connection*> looking_up;
  for (const char* const host : {"first.example", "second.example"}) {
    entropy.left = 1;
    looking_up.push_back(dialer->dial(host, port));
    ASSERT_NE(looking_up.back(), nullptr);
    EXPECT_EQ(status_of_read(*looking_up.back()), IoStatus::would_block);
  }
  for (mcp::Connection* const one : looking_up) one->close();
  pass(60'000);
}

// The response belongs to a connection that was closed. Its object has another look-up, or none.
TEST_F(LwipDialing, IgnoresTheResponseForAClosedConnection) {
  names->responds = false;
  mcp::Connection* const closed = dial("broker.example");
  ASSERT_NE(closed, nullptr);
  EXPECT_TRUE(until([&] { return names->asked.size() == 1; }));
  closed->close();
  mcp::Connection* const connection = dial("10.0.0.1", port + 1);
  ASSERT_EQ(connection, closed);
  EXPECT_EQ(end_of(*connection), IoStatus::failed);
  connection->close();
  mcp::Connection* const next = dial("other.example");
  ASSERT_EQ(next, closed);
  names->respond();
  pass(100);
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_EQ(status_of_read(*next), IoStatus::would_block);
  next->close();
}

TEST_F(LwipDialing, TwoDialersLookUpAtTheSameTime) {
  DialedConnection more[1];
  TcpDialer other(network, more);
  mcp::Connection* const first = dial("broker.example");
  mcp::Connection* const second = other.dial("other.example", port);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_EQ(end_of(*second), IoStatus::failed);
  EXPECT_EQ(other.reason(), DialProblem::unknown_host);
  EXPECT_EQ(dialer->reason(), DialProblem::none);
  expect_works(*first);
  first->close();
  second->close();
}

// ---- Connections ---------------------------------------------------------------------------------------------------

// As for a listener: a slow reader stops the sender, and no byte is lost.
TEST_F(LwipDialing, SlowReaderStopsTheSender) {
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(*connection, "x"), IoStatus::ok);
  mcp::Connection* const end = accept();
  ASSERT_NE(end, nullptr);
  const std::string text = numbers(20'000);
  std::string_view rest = text;
  const auto send = [&] {
    if (!rest.empty()) rest.remove_prefix(end->write(rest).size);
    return rest.empty();
  };
  EXPECT_FALSE(until(send, 30'000));
  EXPECT_LE(text.size() - rest.size(), std::size_t{TCP_WND + TCP_SND_BUF});
  std::string got;
  EXPECT_TRUE(until([&] {
    static_cast<void>(send());
    char bytes[100];
    const IoResult result = connection->read(bytes);
    got.append(bytes, result.size);
    return got.size() == text.size();
  }));
  EXPECT_EQ(got, text);
  // The other way.
  rest = text;
  got.clear();
  EXPECT_TRUE(until([&] {
    if (!rest.empty()) rest.remove_prefix(connection->write(rest).size);
    char bytes[100];
    const IoResult result = end->read(bytes);
    got.append(bytes, result.size);
    return got.size() == text.size() + 1;
  }));
  EXPECT_EQ(got, "x" + text);
  connection->close();
  end->close();
}

TEST_F(LwipDialing, EndsInBothDirections) {
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(*connection, "question"), IoStatus::ok);
  connection->finish();
  mcp::Connection* const end = accept();
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(read(*end, 100), "question");
  EXPECT_EQ(write(*end, "answer"), IoStatus::ok);
  end->finish();
  EXPECT_EQ(read(*connection, 100), "answer");
  EXPECT_EQ(end_of(*connection), IoStatus::closed);
  connection->close();
  end->close();
}

TEST_F(LwipDialing, ResetFailsTheConnection) {
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(*connection, "x"), IoStatus::ok);
  ASSERT_NE(accept(), nullptr);
  listener.reset();
  EXPECT_EQ(end_of(*connection), IoStatus::failed);
  EXPECT_EQ(dialer->reason(), DialProblem::none) << "it was connected";
  connection->close();
}

TEST_F(LwipDialing, SendsAllBytesBeforeTheEnd) {
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(*connection, "last words"), IoStatus::ok);
  connection->close();
  mcp::Connection* const end = accept();
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(read(*end, 100), "last words");
  EXPECT_EQ(end_of(*end), IoStatus::closed);
}

TEST_F(LwipDialing, ReportsThatAllConnectionsAreInUse) {
  mcp::Connection* const first = dial();
  mcp::Connection* const second = dial();
  ASSERT_TRUE(first != nullptr && second != nullptr && first != second);
  EXPECT_EQ(dialer->dial("10.0.0.1", port), nullptr);
  EXPECT_EQ(dialer->reason(), DialProblem::in_use);
  first->close();
  EXPECT_EQ(dial(), first);
}

TEST_F(LwipDialing, ClosesInEachState) {
  mcp::Connection* connection = nullptr;
  for (int turns = 0; turns < 20; ++turns) {
    SCOPED_TRACE(turns);
    for (const char* const host : {"10.0.0.1", "broker.example", "other.example"}) {
      connection = dial(host);
      ASSERT_EQ(connection, &static_cast<mcp::Connection&>(dialed[0]));
      for (int i = 0; i < turns; ++i) turn();
      connection->close();
      EXPECT_NE(dialer->reason(), DialProblem::no_response);
    }
    pass(60'000);
    while (mcp::Connection* const end = listener->accept()) end->close();
    pass(60'000);
  }
  connection = dial();
  ASSERT_NE(connection, nullptr);
  expect_works(*connection);
}

TEST_F(LwipDialing, DestroyedDialerEndsItsConnections) {
  names->responds = false;
  ASSERT_NE(dial("broker.example"), nullptr);
  mcp::Connection* const connection = dial();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(*connection, "x"), IoStatus::ok);
  mcp::Connection* const end = accept();
  ASSERT_NE(end, nullptr);
  EXPECT_TRUE(until([&] { return names->asked.size() == 1; }));
  dialer.reset();
  EXPECT_EQ(end_of(*end), IoStatus::failed);
  names->respond();
  pass(100);
  EXPECT_EQ(listener->accept(), nullptr);
  dialer = std::make_unique<TcpDialer>(network, dialed);
  ASSERT_NE(dial(), nullptr);
  dialer.reset();  // on its way
  end->close();
}

}  // namespace
