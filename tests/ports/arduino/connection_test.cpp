// SPDX-License-Identifier: Apache-2.0
// TcpListener and TcpConnection over a Wi-Fi library whose clients the test plays.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "arduino_fakes.hpp"

// Last: their macros have names of the standard library.
#include <WiFi.h>
#include <mote.h>

namespace {

using mcp::IoStatus;

class ArduinoConnection : public testing::Test {
 protected:
  void SetUp() override { test::board.now_ms = 0xFFFF'FFF0; }  // the clock wraps in the tests

  mcp::Connection* accept() { return listener.accept(); }
  bool has_waiting() { return listener.has_waiting(); }

  static std::string read(mcp::Connection& connection, IoStatus status) {
    std::string into(8, '\0');
    const mcp::IoResult result = connection.read(into);
    EXPECT_EQ(result.status, status);
    into.resize(result.size);
    return into;
  }
  static void expect_written(mcp::Connection& connection, std::string_view text, IoStatus status, std::size_t size) {
    const mcp::IoResult result = connection.write(text);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.size, size);
  }

  WiFiServer wifi{80};
  mcp::arduino::TcpConnection<WiFiServer> connections[2];
  mcp::arduino::TcpListener<WiFiServer> listener_{wifi, connections};
  mcp::Listener& listener = listener_;
};

TEST_F(ArduinoConnection, AcceptsNothingWithoutAClient) {
  EXPECT_FALSE(has_waiting());
  EXPECT_EQ(accept(), nullptr);
}

TEST_F(ArduinoConnection, KnowsTheAddressOfItsClient) {
  wifi.connect()->address = 0x0100007F;
  wifi.connect()->address = 0xFF00007F;
  EXPECT_EQ(accept()->peer(), 0x0100007FU);
  EXPECT_EQ(accept()->peer(), 0xFF00007FU);
}

TEST_F(ArduinoConnection, FindsAVanishedClient) {
  const std::shared_ptr<Peer> client = wifi.connect();
  ASSERT_NE(accept(), nullptr);
  EXPECT_EQ(client->vanished_after_s, 60);
}

// The client of an ESP32 has no keepAlive().
struct EspClient : WiFiClient {
  void keepAlive(int, int, int) = delete;
  int setSocketOption(int level, int option, const void* value, std::size_t size) {
    EXPECT_EQ(size, sizeof(int));
    options[{level, option}] = *static_cast<const int*>(value);
    return 0;
  }
  std::map<std::pair<int, int>, int> options;
};

TEST_F(ArduinoConnection, FindsAVanishedClientOfAnEsp32) {
  EspClient client;
  mcp::arduino::detail::keep_alive(client);
  const std::map<std::pair<int, int>, int> expected{{{0xFFF, 8}, 1}, {{6, 3}, 30}, {{6, 4}, 10}, {{6, 5}, 3}};
  EXPECT_EQ(client.options, expected);
}

TEST_F(ArduinoConnection, KeepsOneClientWhileAllConnectionsAreInUse) {
  const std::shared_ptr<Peer> clients[] = {wifi.connect(), wifi.connect(), wifi.connect(), wifi.connect()};
  clients[2]->to_server = "third";
  mcp::Connection* const first = accept();
  mcp::Connection* const second = accept();
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(accept(), nullptr);
  EXPECT_EQ(wifi.waiting.size(), 2U) << "without a free connection, a client stays with the library";
  EXPECT_TRUE(has_waiting());
  EXPECT_TRUE(has_waiting());
  EXPECT_EQ(accept(), nullptr);
  EXPECT_EQ(wifi.waiting.size(), 1U);

  first->close();
  EXPECT_TRUE(clients[0]->is_stopped);
  EXPECT_EQ(clients[0].use_count(), 1) << "the library has its socket again";
  EXPECT_EQ(accept(), first);
  EXPECT_EQ(read(*first, IoStatus::ok), "third");
  EXPECT_TRUE(has_waiting());
  second->close();
  EXPECT_EQ(accept(), second);
  EXPECT_FALSE(has_waiting());
  EXPECT_FALSE(clients[3]->is_stopped);
}

TEST_F(ArduinoConnection, ForgetsAWaitingClientThatHasLeft) {
  wifi.connect();
  wifi.connect();
  ASSERT_NE(accept(), nullptr);
  ASSERT_NE(accept(), nullptr);
  const std::shared_ptr<Peer> gone = wifi.connect();
  EXPECT_TRUE(has_waiting());
  gone->to_server = "x";
  gone->is_open = false;
  EXPECT_TRUE(has_waiting()) << "its bytes can still be read";
  gone->to_server.clear();
  EXPECT_FALSE(has_waiting());
  EXPECT_TRUE(gone->is_stopped);
  EXPECT_EQ(gone.use_count(), 1);
}

TEST_F(ArduinoConnection, ReadsTheLastBytesBeforeTheEnd) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  client->to_server = "0123456789";
  client->is_open = false;
  EXPECT_EQ(read(connection, IoStatus::ok), "01234567");
  EXPECT_EQ(read(connection, IoStatus::ok), "89");
  EXPECT_EQ(read(connection, IoStatus::closed), "");
  EXPECT_EQ(read(connection, IoStatus::closed), "");
}

TEST_F(ArduinoConnection, ReadsBytesThatComeWithTheEndDuringARead) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  client->after_look = [client = client.get()] {
    client->to_server = "late";
    client->is_open = false;
    client->after_look = nullptr;
  };
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  EXPECT_EQ(read(connection, IoStatus::ok), "late");
  EXPECT_EQ(read(connection, IoStatus::closed), "");
}

TEST_F(ArduinoConnection, EndsIfTheBytesOfAClosedConnectionCannotBeRead) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  client->to_server = "lost";
  client->fails_to_read = true;
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  client->is_open = false;
  EXPECT_EQ(read(connection, IoStatus::closed), "");
}

TEST_F(ArduinoConnection, WritesAsMuchAsThereIsSpaceAndNoticesTheEnd) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  client->space = 4;
  expect_written(connection, "abcdef", IoStatus::ok, 4);
  expect_written(connection, "ef", IoStatus::would_block, 0);
  EXPECT_EQ(client->writes, 1U) << "the library would block";
  client->space = 1;
  expect_written(connection, "ef", IoStatus::ok, 1);
  EXPECT_EQ(client->to_client, "abcde");
  client->is_open = false;
  expect_written(connection, "f", IoStatus::closed, 0);
}

TEST_F(ArduinoConnection, WritesToALibraryThatDoesNotCountItsSpace) {
  const std::shared_ptr<Peer> client = wifi.connect();
  client->counts_space = false;
  client->space = 4;
  mcp::Connection& connection = *accept();
  expect_written(connection, "abcdef", IoStatus::ok, 4);
  expect_written(connection, "ef", IoStatus::would_block, 0);
  client->is_open = false;
  expect_written(connection, "ef", IoStatus::closed, 0);
}

TEST_F(ArduinoConnection, ANewClientHasNothingOfTheLastOne) {
  const std::shared_ptr<Peer> first = wifi.connect();
  mcp::Connection* const connection = accept();
  expect_written(*connection, "a", IoStatus::ok, 1);
  connection->finish();
  connection->close();
  const std::shared_ptr<Peer> second = wifi.connect();
  second->counts_space = false;
  ASSERT_EQ(accept(), connection);
  expect_written(*connection, "b", IoStatus::ok, 1);
  EXPECT_EQ(second->to_client, "b");
  test::board.now_ms += 1'000;
  EXPECT_EQ(read(*connection, IoStatus::would_block), "");
}

TEST_F(ArduinoConnection, AFinishedConnectionEndsWhenItsClientIsQuiet) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  connection.finish();
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  test::board.now_ms += 199;
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  client->to_server = "more";
  EXPECT_EQ(read(connection, IoStatus::ok), "more");
  test::board.now_ms += 199;
  EXPECT_EQ(read(connection, IoStatus::would_block), "");
  test::board.now_ms += 1;
  EXPECT_EQ(read(connection, IoStatus::closed), "");
  EXPECT_FALSE(client->is_stopped) << "close() stops it";
}

TEST_F(ArduinoConnection, AFinishedConnectionEndsWithItsClient) {
  const std::shared_ptr<Peer> client = wifi.connect();
  mcp::Connection& connection = *accept();
  connection.finish();
  client->is_open = false;
  EXPECT_EQ(read(connection, IoStatus::closed), "");
}

// ---- Cores with other classes --------------------------------------------------------------------------------------

// A client of an ESP32 on a socket of lwIP. Sources: NetworkClient.cpp of arduino-esp32, sockets.h of lwIP.
struct SocketClient : WiFiClient {
  SocketClient() = default;
  explicit SocketClient(const std::shared_ptr<Peer>& peer) : WiFiClient(peer), is_open(true) {}
  int setSocketOption(int, int, const void*, std::size_t) { return 0; }
  int fd() const { return is_open ? 54 : -1; }
  std::size_t write(const std::uint8_t*, std::size_t) override {
    ADD_FAILURE() << "this write tries for up to 10 s";
    return 0;
  }
  int availableForWrite() override { return 0; }
  bool is_open = false;
};
// A client of ESP32 with TLS.
struct SecureClient : EspClient {
  int fd() const { return 54; }
  void setCACert(const char*) {}
};
struct SocketServer {
  SocketClient accept() { return is_waiting ? is_waiting = false, SocketClient(peer) : SocketClient(); }
  std::shared_ptr<Peer> peer = std::make_shared<Peer>();
  bool is_waiting = true;
};
// The server of the core for the UNO R4.
struct VoidServer {
  void accept() {}
};

Peer* socket_54;

static_assert(mcp::arduino::detail::HasSocket<SocketClient>);
static_assert(!mcp::arduino::detail::HasSocket<WiFiClient>);
static_assert(!mcp::arduino::detail::HasSocket<EspClient>);
static_assert(!mcp::arduino::detail::HasSocket<SecureClient>, "TLS would be passed by");
static_assert(mcp::arduino::detail::AcceptReturnsTheClient<WiFiServer>);
static_assert(!mcp::arduino::detail::AcceptReturnsTheClient<VoidServer>);

TEST(ArduinoSocket, AClientThatReadsSlowlyDoesNotBlockAnEsp32) {
  SocketServer server;
  mcp::arduino::TcpConnection<SocketServer> connections[1];
  mcp::arduino::TcpListener<SocketServer> listener{server, connections};
  socket_54 = server.peer.get();
  mcp::Connection* const connection = static_cast<mcp::Listener&>(listener).accept();
  ASSERT_NE(connection, nullptr);
  const auto expect = [&](std::string_view text, IoStatus status, std::size_t size) {
    const mcp::IoResult result = connection->write(text);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.size, size);
  };
  socket_54->space = 3;
  expect("abcdef", IoStatus::ok, 3);
  expect("def", IoStatus::would_block, 0);
  socket_54->space = 10;
  expect("def", IoStatus::ok, 3);
  EXPECT_EQ(socket_54->to_client, "abcdef");
  socket_54->is_open = false;
  expect("g", IoStatus::closed, 0);
}

}  // namespace

extern "C" ssize_t lwip_send(int socket, const void* from, std::size_t size, int flags) {
  EXPECT_EQ(socket, 54);
  EXPECT_EQ(flags, 0x08) << "MSG_DONTWAIT";
  if (!socket_54->is_open || socket_54->space == 0) return -1;
  const std::size_t moved = size < socket_54->space ? size : socket_54->space;
  socket_54->to_client.append(static_cast<const char*>(from), moved);
  socket_54->space -= moved;
  return static_cast<ssize_t>(moved);
}
