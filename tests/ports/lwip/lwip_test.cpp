// SPDX-License-Identifier: Apache-2.0
// TCP through lwIP, and HTTP through that: packets that are lost, doubled, damaged and late, memory that is short,
// cables that are pulled, clients that leave at any moment. Nothing waits: time is an argument.
#include <gtest/gtest.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/tcp.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client.hpp"
#include "lwip_turns.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/ports/lwip_figures.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "pools.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "support/http_shape.hpp"
#include "time.hpp"
#include "wire.hpp"

using mcp::IoResult;
using mcp::IoStatus;
using mcp::lwip::Network;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpListener;
using test::Client;
using test::numbers;
using test::status_of_read;
using test::Taken;
using test::TakenMemory;
using test::lwip_time::now;

extern "C" int mote_lwip_number(const char* digits);

namespace {

static_assert(sizeof(void*) != 4 || sizeof(TcpConnection) == TCP_WND + 36, "lwip_tcp.hpp says so");

constexpr mcp::lwip::Ip4 mask{255, 255, 255, 0};
constexpr mcp::lwip::Ip4 no_gateway{};
using test::http_port;
constexpr std::size_t connections = MOTE_LWIP_CONNECTIONS;
constexpr std::string_view address = "10.0.0.1";

class Lwip : public testing::Test, protected test::Turns {
 protected:
  test::Wire wire;
  test::CountingEntropy entropy;
  Network server{wire.server, entropy, now};
  Network network{wire.client, entropy, now};
  TcpConnection pool[connections];
  std::unique_ptr<TcpListener> listener;
  std::function<mcp::Millis()> application = [] { return mcp::forever; };

  Lwip() {
    server.use({10, 0, 0, 1}, mask, no_gateway);
    network.use({10, 0, 0, 2}, mask, no_gateway);
    listener = std::make_unique<TcpListener>(server, pool, http_port);
    EXPECT_TRUE(listener->ok());
  }

  // Nothing is left in any pool when all connections have ended and the time to remember them has passed.
  ~Lwip() override {
    application = [] { return mcp::forever; };
    listener.reset();
    wire.faults = {};
    wire.whole = true;
    pass(300'000);
    test::expect_free_tcp_pools();
  }

  // One turn of all clients. Returns the milliseconds until the next timer.
  mcp::Millis turn() override {
    mcp::Millis due = application();
    for (Client* const client : Client::all) client->pump();
    due = std::min(due, server.poll(now));
    due = std::min(due, network.poll(now));
    return wire.server.received.empty() && wire.client.received.empty() ? due : 0;
  }

  mcp::Connection* accept() {
    mcp::Connection* connection = nullptr;
    EXPECT_TRUE(until([&] { return (connection = listener->accept()) != nullptr; }));
    return connection;
  }
};

std::string read_all(mcp::Connection& connection) {
  std::string all;
  char bytes[700];
  for (IoResult result = connection.read(bytes); result.status == IoStatus::ok; result = connection.read(bytes)) {
    all.append(bytes, result.size);
  }
  return all;
}

// ---- Bytes ---------------------------------------------------------------------------------------------------------

TEST_F(Lwip, HasAnAddress) {
  char text[16];
  EXPECT_EQ(server.address(text), address);
  EXPECT_TRUE(server.ready());
  server.use({}, {}, {});
  EXPECT_EQ(server.address(text), "0.0.0.0");
  EXPECT_FALSE(server.ready());
}

// netif_find() of lwIP calls it. With the C library of this machine, it calls strtol().
TEST(LwipNumber, ReadsTheNumberOfAnInterface) {
  EXPECT_EQ(mote_lwip_number("0"), 0);
  EXPECT_EQ(mote_lwip_number("107"), 107);
  EXPECT_EQ(mote_lwip_number("12x"), 12);
  EXPECT_EQ(mote_lwip_number(""), 0);
}

TEST_F(Lwip, CarriesBytesBothWays) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  client.send("hello");
  std::string got;
  EXPECT_TRUE(until([&] { return (got += read_all(*connection)) == "hello"; }));
  const IoResult written = connection->write(std::string_view("world"));
  EXPECT_EQ(written.status, IoStatus::ok);
  EXPECT_EQ(written.size, 5U);
  EXPECT_TRUE(until([&] { return client.received == "world"; }));
  connection->close();
  EXPECT_TRUE(until([&] { return client.ended; }));
  EXPECT_FALSE(client.lost);
}

TEST_F(Lwip, ReportsTheAddressOfTheClientAsItsPeer) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->peer(), 0x0A00'0002U);
  client.send("hello");
  client.finish();
  EXPECT_TRUE(until([&] { return client.unsent() == 0; }));
  pass(100);
  connection->finish();
  EXPECT_TRUE(until([&] { return client.ended; }));
  client.reset();
  pass(100);
  EXPECT_EQ(read_all(*connection), "hello");
  EXPECT_EQ(connection->peer(), 0x0A00'0002U);  // also when lwIP has no connection any more
  connection->close();
}

// A message is written in pieces and goes out in as few packets as it fits.
TEST_F(Lwip, SendsPiecesTogether) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  const std::size_t before = wire.frames;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(connection->write(std::string_view("piece ")).status, IoStatus::ok);
  EXPECT_EQ(wire.frames, before);
  static_cast<void>(server.poll(now));
  EXPECT_EQ(wire.frames, before + 1);
  EXPECT_TRUE(until([&] { return client.received == "piece piece piece piece "; }));
  connection->close();
}

TEST_F(Lwip, SlowReaderStopsTheSender) {
  const std::string text = numbers(30'000);
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  client.send(text);
  pass(5'000);
  EXPECT_GE(client.unsent(), text.size() - TCP_WND - TCP_SND_BUF);
  std::string got;
  EXPECT_TRUE(until([&] { return (got += read_all(*connection)).size() == text.size(); }));
  EXPECT_EQ(got, text);
  connection->close();
}

TEST_F(Lwip, SlowReaderDelaysNoOtherClient) {
  const std::string text = numbers(30'000);
  Client slow;
  slow.takes = false;
  mcp::Connection* const to_slow = accept();
  Client quick;
  mcp::Connection* const to_quick = accept();
  ASSERT_NE(to_quick, nullptr);
  std::size_t sent_to_slow = 0;
  std::size_t sent_to_quick = 0;
  const auto write = [&](mcp::Connection& connection, std::size_t& sent) {
    const IoResult result = connection.write(std::string_view(text).substr(sent));
    sent += result.size;
    return result.status;
  };
  application = [&] {
    if (sent_to_slow != text.size()) static_cast<void>(write(*to_slow, sent_to_slow));
    if (sent_to_quick != text.size()) static_cast<void>(write(*to_quick, sent_to_quick));
    return mcp::forever;
  };
  EXPECT_TRUE(until([&] { return quick.received.size() == text.size(); }));
  EXPECT_LE(sent_to_slow, std::size_t{TCP_WND + TCP_SND_BUF});
  EXPECT_EQ(write(*to_slow, sent_to_slow), IoStatus::would_block);
  slow.takes = true;
  EXPECT_TRUE(until([&] { return slow.received.size() == text.size(); }));
  EXPECT_EQ(quick.received, text);
  EXPECT_EQ(slow.received, text);
  application = [] { return mcp::forever; };
  to_slow->close();
  to_quick->close();
}

// ---- Ends ----------------------------------------------------------------------------------------------------------

TEST_F(Lwip, HalfClosedClientGetsItsResponse) {
  Client client;
  client.send("question");
  client.finish();
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  pass(1'000);
  EXPECT_EQ(read_all(*connection), "question");
  EXPECT_EQ(status_of_read(*connection), IoStatus::closed);
  EXPECT_EQ(connection->write(std::string_view("answer")).status, IoStatus::ok);
  EXPECT_TRUE(until([&] { return client.received == "answer"; }));
  connection->close();
  EXPECT_TRUE(until([&] { return client.ended; }));
  EXPECT_FALSE(client.lost);
}

TEST_F(Lwip, ReadsAfterFinish) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("last")).status, IoStatus::ok);
  connection->finish();
  EXPECT_TRUE(until([&] { return client.ended; }));
  EXPECT_EQ(client.received, "last");
  client.send("more");
  client.finish();
  pass(5'000);
  EXPECT_EQ(read_all(*connection), "more");
  EXPECT_EQ(status_of_read(*connection), IoStatus::closed);
  connection->close();
  EXPECT_FALSE(client.lost);
  client.reset();

  // The reverse: lwIP has freed the connection before all bytes were read.
  Client first;
  first.send("first");
  first.finish();
  mcp::Connection* const next = accept();
  ASSERT_NE(next, nullptr);
  pass(1'000);
  next->finish();
  pass(1'000);
  EXPECT_EQ(next->write(std::string_view("x")).status, IoStatus::failed);
  EXPECT_EQ(read_all(*next), "first");
  EXPECT_EQ(status_of_read(*next), IoStatus::closed);
  next->close();
}

// The answer to a message that is too long is written while its sender is still at it.
TEST_F(Lwip, CloseLosesNoWrittenByte) {
  Client client;
  client.send(numbers(20'000));
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  pass(1'000);
  const std::string answer = numbers(TCP_SND_BUF);
  const IoResult written = connection->write(std::string_view(answer));
  EXPECT_EQ(written.size, answer.size());
  connection->close();
  EXPECT_TRUE(until([&] { return client.ended; }));
  EXPECT_EQ(client.received, answer);
  EXPECT_FALSE(client.lost);
  client.finish();
  EXPECT_TRUE(until([&] { return client.unsent() == 0; }));
  EXPECT_FALSE(client.lost);
}

// A peer that does not close its side is reset: soon if it has all bytes, else after its timeout.
TEST_F(Lwip, ResetsAPeerThatDoesNotCloseItsSide) {
  Client client;
  mcp::Connection* connection = accept();
  ASSERT_NE(connection, nullptr);
  connection->close();
  EXPECT_TRUE(until([&] { return client.lost; }, 4'000));

  Client slow;
  slow.takes = false;
  connection = accept();
  ASSERT_NE(connection, nullptr);
  for (int i = 0; i < 8; ++i) {
    static_cast<void>(connection->write(std::string_view(numbers(1'000))));
    pass(100);
  }
  const std::size_t before = Taken(MEMP_TCP_PCB).size();
  connection->close();
  pass(15'000);
  EXPECT_EQ(Taken(MEMP_TCP_PCB).size(), before);
  pass(10'000);
  EXPECT_EQ(Taken(MEMP_TCP_PCB).size(), before + 1);
}

TEST_F(Lwip, ResetFailsReadsAndWrites) {
  Client client;
  mcp::Connection* connection = accept();
  ASSERT_NE(connection, nullptr);
  client.send("hello");
  pass(1'000);
  client.reset();
  pass(1'000);
  EXPECT_EQ(status_of_read(*connection), IoStatus::failed);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
  connection->close();

  // A connection that was not accepted yet is dropped.
  Client brief;
  EXPECT_TRUE(until([&] { return brief.connected; }));
  pass(100);
  brief.reset();
  pass(1'000);
  EXPECT_EQ(listener->accept(), nullptr);
}

TEST_F(Lwip, DetectsAClientThatDisappeared) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  pass(1'000);
  wire.faults.lost = 100;
  pass(58'000);
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  EXPECT_TRUE(until([&] { return status_of_read(*connection) == IoStatus::failed; }, 40'000));
  connection->close();
}

// ---- Memory --------------------------------------------------------------------------------------------------------

TEST_F(Lwip, FurtherClientWaitsForASlot) {
  // The clients are connections of the same lwIP: half of its memory each.
  constexpr std::size_t count = MEMP_NUM_TCP_PCB / 2 - 1;
  listener.reset();
  listener = std::make_unique<TcpListener>(server, std::span(pool).first(count), http_port);
  ASSERT_TRUE(listener->ok());
  std::vector<std::unique_ptr<Client>> all;
  std::vector<mcp::Connection*> accepted;
  for (std::size_t i = 0; i < count + 1; ++i) {
    all.push_back(std::make_unique<Client>());
    pass(100);
  }
  for (std::size_t i = 0; i < count; ++i) {
    accepted.push_back(accept());
    EXPECT_TRUE(all[i]->connected);
  }
  // Its handshake is complete, and its bytes are not acknowledged.
  EXPECT_TRUE(all.back()->connected);
  EXPECT_FALSE(listener->has_waiting());
  all.back()->send("hello");
  pass(100);
  EXPECT_TRUE(listener->has_waiting());
  pass(4'000);
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_FALSE(all.back()->lost);
  accepted[0]->close();
  mcp::Connection* const next = accept();
  EXPECT_EQ(next, accepted[0]);
  EXPECT_EQ(read_all(*next), "hello");
  for (mcp::Connection* const connection : accepted) connection->close();
}

// ---- Figures -------------------------------------------------------------------------------------------------------

/// The figures of lwIP's pools by their names.
class Pools final : public mcp::FigureWriter {
 public:
  Pools() { mcp::lwip::add_memory(*this); }
  mcp::PoolFigures operator[](const std::string& name) const { return pools_.at(name); }

 private:
  void do_pool(std::string_view name, const mcp::PoolFigures& figures, bool is_bytes) override {
    EXPECT_EQ(is_bytes, name == "lwip_heap") << name;
    EXPECT_TRUE(pools_.emplace(name, figures).second) << name;
  }
  void do_value(const mcp::FigureValue& figure) override { ADD_FAILURE() << figure.name; }

  std::map<std::string, mcp::PoolFigures> pools_;
};

TEST_F(Lwip, HasFiguresOfItsMemory) {
  const Pools before;
  EXPECT_EQ(before["lwip_connections"].size, std::uint32_t{MEMP_NUM_TCP_PCB});
  EXPECT_GE(before["lwip_heap"].size, std::uint32_t{MEM_SIZE});
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("a piece")).status, IoStatus::ok);
  const Pools during;
  EXPECT_EQ(during["lwip_connections"].used, before["lwip_connections"].used + 2);  // of both ends
  EXPECT_GE(during["lwip_connections"].high_water, during["lwip_connections"].used);
  EXPECT_GT(during["lwip_heap"].used, before["lwip_heap"].used);
  EXPECT_EQ(during["lwip_segments"].used, before["lwip_segments"].used + 1);
  {
    const test::Taken all(MEMP_TCP_PCB);
    const Pools full;
    EXPECT_EQ(full["lwip_connections"].used, full["lwip_connections"].size);
    EXPECT_EQ(full["lwip_connections"].full, during["lwip_connections"].full + 1);
  }
  connection->close();
}

// A listener with one slot, and a client that uses it.
class LwipOne : public Lwip {
 protected:
  std::unique_ptr<Client> client = std::make_unique<Client>();
  mcp::Connection* connection = nullptr;

  LwipOne() {
    listener.reset();
    listener = std::make_unique<TcpListener>(server, std::span(pool).first(1), http_port);
    connection = accept();
  }

  // Without timers: delivers the frames on the wire.
  void exchange_frames() {
    for (int i = 0; i < 4; ++i) turn();
  }
  void expect_served(Client& one) {
    one.send("hello");
    expect_heard(one);
  }
  void expect_heard(Client& one) {
    connection = accept();
    ASSERT_NE(connection, nullptr);
    std::string got;
    EXPECT_TRUE(until([&] { return (got += read_all(*connection)) == "hello"; }));
    EXPECT_FALSE(one.lost);
  }
};

// The server has not noticed yet that a client is gone: a new client is not rejected.
TEST_F(LwipOne, ClientWaitsForASlotThatIsAboutToBeFree) {
  for (const bool reset : {false, true}) {
    ASSERT_NE(connection, nullptr);
    if (!reset) connection->finish();
    reset ? client->reset() : client->finish();
    pass(100);
    auto next = std::make_unique<Client>();
    next->send("hello");
    pass(100);
    EXPECT_FALSE(next->lost);
    EXPECT_EQ(next->received, "");
    connection->close();
    expect_heard(*next);
    client = std::move(next);
  }
  connection->close();
}

// The order is that of their retries, which come in the same tick here.
TEST_F(LwipOne, ServesAllWaitingClientsWhenSlotsAreFree) {
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<Client>());
    clients.back()->send("hello");
    pass(10);
  }
  client->reset();
  const auto is_served = [](const auto& one) { return one->received == "yes"; };
  for (std::size_t i = 0; i < clients.size(); ++i) {
    connection->close();
    connection = accept();
    ASSERT_NE(connection, nullptr);
    EXPECT_TRUE(until([&] { return read_all(*connection) == "hello"; }));
    EXPECT_EQ(connection->write(std::string_view("yes")).status, IoStatus::ok);
    EXPECT_TRUE(until([&] { return std::ranges::count_if(clients, is_served) == static_cast<std::ptrdiff_t>(i + 1); }));
    (*std::ranges::find_if(clients, is_served))->finish();
  }
  connection->close();
}

TEST_F(LwipOne, WaitingClientThatLeftUsesNoSlot) {
  auto next = std::make_unique<Client>();
  next->send("hello");
  pass(100);
  next.reset();
  pass(2'000);
  EXPECT_FALSE(listener->has_waiting());
  connection->close();
  exchange_frames();
  EXPECT_EQ(listener->accept(), nullptr);
  Client another;
  expect_served(another);
  connection->close();
}

// The answer to a SYN is in the memory of its frame.
TEST_F(LwipOne, AnswersASynWithoutMemory) {
  connection->close();
  Client next;
  turn();  // the SYN, which takes memory of the same lwIP
  {
    const TakenMemory taken;
    EXPECT_TRUE(until([&] { return next.connected; }, 150));
  }
  expect_served(next);
  connection->close();
}

// And sets no flag of a transport, which may no longer exist.
TEST_F(LwipOne, DestroyedListenerKeepsNoClient) {
  Client next;
  next.send("hello");
  pass(100);
  bool ready = false;
  connection->note_input_at(&ready);
  listener.reset();
  EXPECT_FALSE(ready);
  EXPECT_TRUE(until([&] { return next.lost; }, 10'000));
}

// As many connections as fit in memory have got a FIN, and are silent.
TEST_F(Lwip, ClosingConnectionGivesItsMemoryToANewClient) {
  for (const bool is_heard : {true, false}) {
    const std::string text = numbers(is_heard ? 100 : TCP_WND + 300);
    std::vector<std::unique_ptr<Client>> clients;
    while (clients.size() < MEMP_NUM_TCP_PCB / 2) {
      clients.push_back(std::make_unique<Client>());
      clients.back()->takes = is_heard;
      mcp::Connection* const connection = accept();
      ASSERT_NE(connection, nullptr);
      std::size_t sent = 0;
      EXPECT_TRUE(
          until([&] { return (sent += connection->write(std::string_view(text).substr(sent)).size) == text.size(); }));
      connection->close();
    }
    Client next;
    next.send("hello");
    for (int i = 0; i < 8; ++i) turn();
    mcp::Connection* connection = listener->accept();
    EXPECT_EQ(connection != nullptr, is_heard);
    const auto is_lost = [](const auto& client) { return client->lost; };
    EXPECT_EQ(std::ranges::count_if(clients, is_lost), is_heard ? 1 : 0);
    // Unacknowledged bytes are not lost.
    for (const auto& client : clients) client->takes = true;
    if (connection == nullptr) connection = accept();
    ASSERT_NE(connection, nullptr);
    EXPECT_TRUE(
        until([&] { return std::ranges::all_of(clients, [&](const auto& one) { return one->received == text; }); }));
    connection->close();
    clients.clear();
    next.reset();
    pass(300'000);
  }
}

TEST_F(Lwip, IsServedInOrder) {
  Client first;
  pass(100);
  Client second;
  pass(100);
  EXPECT_TRUE(listener->has_waiting());
  mcp::Connection* const one = accept();
  EXPECT_TRUE(listener->has_waiting());
  mcp::Connection* const two = accept();
  EXPECT_FALSE(listener->has_waiting());
  first.send("first");
  second.send("second");
  pass(100);
  EXPECT_EQ(read_all(*one), "first");
  EXPECT_EQ(read_all(*two), "second");
  one->close();
  two->close();
}

TEST_F(Lwip, ClientRetriesWithoutMemoryForAConnection) {
  Client client;
  client.send("hello");
  {
    const Taken taken(MEMP_TCP_PCB);
    pass(2'000);
    EXPECT_EQ(listener->accept(), nullptr);
  }
  EXPECT_FALSE(client.lost);
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  connection->close();
  pass(5'000);
}

TEST_F(Lwip, WritesWaitForMemory) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  pass(1'000);
  for (const memp_t pool_name : {MEMP_TCP_SEG, MEMP_MAX}) {
    client.received.clear();
    {
      const std::unique_ptr<Taken> taken(pool_name == MEMP_MAX ? nullptr : new Taken(pool_name));
      const std::unique_ptr<TakenMemory> memory(pool_name == MEMP_MAX ? new TakenMemory : nullptr);
      EXPECT_EQ(connection->write(std::string_view(numbers(500))).status, IoStatus::would_block);
      pass(1'000);
    }
    EXPECT_EQ(connection->write(std::string_view("now")).status, IoStatus::ok);
    EXPECT_TRUE(until([&] { return client.received == "now"; }));
  }
  connection->close();
}

TEST_F(Lwip, FramesWaitForMemory) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  {
    const Taken taken(MEMP_PBUF_POOL);
    client.send("hello");
    for (int i = 0; i < 20; ++i) turn();
    EXPECT_EQ(read_all(*connection), "");
    EXPECT_FALSE(wire.server.received.empty());
  }
  std::string got;
  EXPECT_TRUE(until([&] { return (got += read_all(*connection)) == "hello"; }));
  connection->close();
}

TEST_F(Lwip, RetriesAFrameThatTheInterfaceRejects) {
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  wire.server.takes_frames = false;
  EXPECT_EQ(connection->write(std::string_view("hello")).status, IoStatus::ok);
  pass(1'000);
  EXPECT_EQ(client.received, "");
  wire.server.takes_frames = true;
  EXPECT_TRUE(until([&] { return client.received == "hello"; }));
  connection->close();
}

TEST_F(Lwip, DropsATooLongFrame) {
  wire.server.received.push_back(test::Frame(1514, 0xFF));
  Client client;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  connection->close();
}

TEST_F(Lwip, WithoutEntropyAcceptsNoConnection) {
  entropy.fails = true;
  Client client;
  EXPECT_TRUE(until([&] { return client.lost; }));
  EXPECT_EQ(listener->accept(), nullptr);
  entropy.fails = false;
  Client another;
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  connection->close();
}

TEST_F(Lwip, RejectsASecondListenerOnAPort) {
  TcpConnection more[1];
  TcpListener second(server, more, http_port);
  EXPECT_FALSE(second.ok());
  EXPECT_EQ(second.accept(), nullptr);
  TcpListener third(server, more, http_port + 1);
  EXPECT_TRUE(third.ok());
  TcpListener fourth(server, more, http_port + 2);
  EXPECT_FALSE(fourth.ok());  // MEMP_NUM_TCP_PCB_LISTEN
}

TEST_F(Lwip, ServesManyConnectionsInSuccession) {
  for (int i = 0; i < 300; ++i) {
    Client client;
    client.send("hello");
    mcp::Connection* const connection = accept();
    ASSERT_NE(connection, nullptr) << i;
    std::string got;
    ASSERT_TRUE(until([&] { return (got += read_all(*connection)) == "hello"; })) << i;
    if (i % 2 == 0) client.finish();
    ASSERT_EQ(connection->write(std::string_view("world")).status, IoStatus::ok);
    connection->close();
    ASSERT_TRUE(until([&] { return client.ended; })) << i;
    EXPECT_EQ(client.received, "world");
    client.finish();
    turn();
  }
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

constexpr mcp::HttpLimits http_limits{
    .connections = connections, .head_size = 512, .request_timeout_ms = 900'000, .idle_timeout_ms = 900'000};
constexpr std::size_t transmit_size = 2048;

constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"t","version":"1"}}})";

std::string post(std::string_view body, std::string_view session) {
  std::string text = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n";
  text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  if (!session.empty()) text += "MCP-Session-Id: " + std::string(session) + "\r\nMCP-Protocol-Version: 2025-11-25\r\n";
  return text + "\r\n" + std::string(body);
}

class LwipHttp : public Lwip {
 protected:
  test::Bench bench{test::features,
                    {.receive_size = 1024,
                     .transmit_size = transmit_size,
                     .sessions = 4,
                     .jobs = 3,
                     .job = 128,
                     .own_session_idle_ms = 0}};
  using Storage = mcp::HttpStorage<test::shape<transmit_size>, http_limits>;
  std::unique_ptr<Storage> storage = std::make_unique<Storage>();
  mcp::HttpOptions options{};
  mcp::HttpTransport transport{bench.server, *listener, bench.entropy, *storage, options};

  LwipHttp() {
    test::reset_device();
    application = [this] { return transport.poll(now); };
  }
  ~LwipHttp() override {
    pass(1'200'000);
    application = [] { return mcp::forever; };
  }

  // Checks the response as strictly as all tests.
  test::HttpResponse response(Client& client, mcp::Millis limit_ms = 900'000) {
    test::HttpResponse response;
    test::FakeConnection heard;
    test::HttpClient reader(heard);
    EXPECT_TRUE(until(
        [&] {
          if (client.received.empty()) return client.lost;
          static_cast<void>(heard.write(std::string_view(std::exchange(client.received, {}))));
          response = reader.response();
          return response.status != 0 || client.lost;
        },
        limit_ms));
    return response;
  }

  std::string open(Client& client) {
    client.send(post(initialize, {}));
    const std::string session = response(client).header("mcp-session-id");
    client.send(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session));
    EXPECT_EQ(response(client).status, 202);
    return session;
  }
};

TEST_F(LwipHttp, ServesRequests) {
  Client client;
  const std::string session = open(client);
  for (int i = 0; i < 20; ++i) {
    client.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", session));
    const test::HttpResponse answer = response(client);
    EXPECT_EQ(answer.status, 200);
    EXPECT_NE(answer.body.find(R"("id":2,"result":{"tools":[)"), std::string::npos);
  }
}

TEST_F(LwipHttp, ServesRequestsOnABadWire) {
  std::size_t frames = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    wire.random.seed(seed);
    wire.faults = {.lost = 5, .doubled = 5, .damaged = 5, .delayed = 10};
    Client client;
    const std::string session = open(client);
    for (int i = 0; i < 10; ++i) {
      client.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", session));
      const test::HttpResponse answer = response(client);
      ASSERT_EQ(answer.status, 200) << "seed " << seed << ", request " << i;
      ASSERT_NE(answer.body.find(R"("id":2,"result":{"tools":[)"), std::string::npos);
    }
    client.reset();
    wire.faults = {};
    pass(200'000);
  }
  frames = wire.frames;
  EXPECT_GT(frames, 2'000U);
}

// The client leaves after each number of frames: in the handshake, in a request, in an answer.
TEST_F(LwipHttp, SurvivesAClientThatResetsAtAnyMoment) {
  for (std::size_t moment = 0; moment < 40; ++moment) {
    {
      Client client;
      const std::size_t end = wire.frames + moment;
      client.send(post(initialize, {}));
      client.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", "none"));
      static_cast<void>(until([&] { return wire.frames >= end; }, 2'000));
      client.reset();
    }
    pass(1'000);
    Client next;
    next.send(post(initialize, {}));
    ASSERT_EQ(response(next).status, 200) << moment;
    next.reset();
  }
}

// The same with the end of its side only, and with a cable that is pulled for good.
TEST_F(LwipHttp, SurvivesAClientThatHalfClosesAtAnyMoment) {
  const std::string request = post(initialize, {});
  for (std::size_t size = 0; size < request.size(); size += 7) {
    Client client;
    client.send(std::string_view(request).substr(0, size));
    client.finish();
    ASSERT_TRUE(until([&] { return client.ended; })) << size;
    EXPECT_FALSE(client.lost);
  }
}

TEST_F(LwipHttp, SurvivesAPulledCable) {
  Client client;
  const std::string session = open(client);
  for (const mcp::Millis away_ms : {100U, 2'000U, 9'000U}) {
    client.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", session));
    const std::size_t end = wire.frames + 1;
    static_cast<void>(until([&] { return wire.frames >= end; }, 2'000));
    wire.whole = false;
    pass(away_ms);
    EXPECT_EQ(server.ready(), away_ms < 500);
    wire.whole = true;
    const test::HttpResponse answer = response(client);
    EXPECT_EQ(answer.status, 200) << away_ms;
  }
  // For good: nothing is left of the client, and the next one is served.
  wire.whole = false;
  client.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", session));
  pass(1'200'000);
  client.reset();
  wire.whole = true;
  pass(1'000);
  Client next;
  next.send(post(R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})", session));
  EXPECT_EQ(response(next).status, 200);
}

TEST_F(LwipHttp, SendsListChangesOnAStream) {
  Client client;
  Client listening;
  const std::string session = open(client);
  listening.send("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMCP-Session-Id: " + session +
                 "\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n");
  EXPECT_TRUE(until([&] { return listening.received.find("\r\n\r\n") != std::string::npos; }));
  EXPECT_TRUE(test::act_on_features(bench.server, "disable content"));
  EXPECT_TRUE(until(
      [&] { return listening.received.find(R"("method":"notifications/tools/list_changed")") != std::string::npos; }));
  // After an hour of silence, keep-alive probes the client, and it responds.
  pass(3'600'000);
  EXPECT_FALSE(listening.lost);
  EXPECT_FALSE(listening.ended);
  listening.received.clear();
  EXPECT_TRUE(test::act_on_features(bench.server, "enable content"));
  EXPECT_TRUE(until(
      [&] { return listening.received.find(R"("method":"notifications/tools/list_changed")") != std::string::npos; }));
}

}  // namespace
