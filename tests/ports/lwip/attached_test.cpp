// SPDX-License-Identifier: Apache-2.0
// The port on a lwIP that an application has started, with interfaces, connections and timers of its own, and without
// a Network. Nothing waits: time is a number of the test.
#include <gtest/gtest.h>
#include <lwip/etharp.h>
#include <lwip/init.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/tcp.h>
#include <lwip/timeouts.h>
#include <lwip/udp.h>
#include <netif/ethernet.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client.hpp"
#include "lwip_time_server.hpp"
#include "mcp/ports/lwip_dialer.hpp"
#include "mcp/ports/lwip_interface.hpp"
#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "names.hpp"
#include "packets.hpp"
#include "pools.hpp"
#include "support/bench.hpp"

namespace dns = test::dns;
using mcp::IoStatus;
using mcp::lwip::Interface;
using mcp::lwip::Reach;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpListener;
using test::Bytes;
using test::Client;
using test::http_port;
using test::Ip;

namespace {

mcp::Millis now = 1;
mcp::Millis tick = 0;  // how much time passes in each call of sys_now()

constexpr Ip server_address{10, 0, 0, 1};
constexpr Ip client_address{10, 0, 0, 2};
constexpr Ip second_address{10, 1, 0, 1};
constexpr Ip other_address{10, 1, 0, 2};

/// An interface with the driver of the application: frames go to its peer.
class Driver {
 public:
  Driver(std::uint8_t number, Ip address) : number_(number), address_(address) { add(); }
  ~Driver() { remove(); }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  netif interface = {};
  Driver* peer = nullptr;
  std::deque<Bytes> received;
  std::vector<Bytes> sent;

  void add() {
    ip4_addr_t address;
    ip4_addr_t mask;
    ip4_addr_t gateway = {};
    IP4_ADDR(&address, address_[0], address_[1], address_[2], address_[3]);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    ASSERT_NE(netif_add(&interface, &address, &mask, &gateway, this, start, ethernet_input), nullptr);
    netif_set_up(&interface);
    netif_set_link_up(&interface);
    is_added_ = true;
  }
  void remove() {
    if (is_added_) netif_remove(&interface);
    is_added_ = false;
    received.clear();
  }
  void deliver() {
    while (!received.empty()) {
      const Bytes frame = std::move(received.front());
      received.pop_front();
      pbuf* const data = pbuf_alloc(PBUF_RAW, static_cast<u16_t>(frame.size()), PBUF_POOL);
      if (data == nullptr) return;
      pbuf_take(data, frame.data(), static_cast<u16_t>(frame.size()));
      if (interface.input(data, &interface) != ERR_OK) pbuf_free(data);
    }
  }

 private:
  static err_t start(netif* interface) {
    const auto& driver = *static_cast<Driver*>(interface->state);
    const std::uint8_t mac[6] = {2, 0, 0, 0, 0, driver.number_};
    std::copy(std::begin(mac), std::end(mac), interface->hwaddr);
    interface->hwaddr_len = 6;
    interface->mtu = 1500;
    interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_IGMP;
    interface->output = etharp_output;
    interface->linkoutput = send;
    return ERR_OK;
  }
  static err_t send(netif* interface, pbuf* data) {
    auto& driver = *static_cast<Driver*>(interface->state);
    Bytes frame(data->tot_len);
    pbuf_copy_partial(data, frame.data(), data->tot_len, 0);
    frame.resize(std::max<std::size_t>(frame.size(), 60));
    driver.sent.push_back(frame);
    if (driver.peer != nullptr && driver.peer->is_added_) driver.peer->received.push_back(std::move(frame));
    return ERR_OK;
  }

  std::uint8_t number_;
  Ip address_;
  bool is_added_ = false;
};

/// Another application of the same lwIP: sends back what it gets at port 7.
class Echo {
 public:
  Echo() {
    tcp_pcb* const pcb = tcp_new();
    EXPECT_EQ(tcp_bind(pcb, IP4_ADDR_ANY, 7), ERR_OK);
    listening_ = tcp_listen(pcb);
    tcp_accept(listening_, [](void*, tcp_pcb* connection, err_t) {
      tcp_recv(connection, [](void*, tcp_pcb* from, pbuf* data, err_t) {
        if (data == nullptr) return tcp_close(from);
        tcp_recved(from, data->tot_len);
        EXPECT_EQ(tcp_write(from, data->payload, data->len, TCP_WRITE_FLAG_COPY), ERR_OK);
        pbuf_free(data);
        return tcp_output(from);
      });
      return err_t{ERR_OK};
    });
  }
  ~Echo() { EXPECT_EQ(tcp_close(listening_), ERR_OK); }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

 private:
  tcp_pcb* listening_;
};

class Attached : public testing::Test {
 protected:
  Driver server{1, server_address};
  Driver client{2, client_address};
  Driver second{3, second_address};
  Driver other{4, other_address};
  test::CountingEntropy entropy;
  Interface interface { server.interface, entropy };
  TcpConnection pool[2];
  std::unique_ptr<TcpListener> listener;
  mcp::Millis due = 0;
  mcp::Millis slept = 0;  // when the main loop began to sleep for `due`

  Attached() {
    server.peer = &client;
    client.peer = &server;
    second.peer = &other;
    other.peer = &second;
    listen();
  }
  ~Attached() override {
    listener.reset();
    pass(300'000);
    EXPECT_EQ(test::Taken(MEMP_TCP_PCB).size(), std::size_t{MEMP_NUM_TCP_PCB});
    EXPECT_EQ(test::Taken(MEMP_TCP_SEG).size(), std::size_t{MEMP_NUM_TCP_SEG});
    EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
  }

  void listen(Reach reach = Reach::all_interfaces) {
    listener.reset();
    listener = std::make_unique<TcpListener>(interface, pool, http_port, reach);
    ASSERT_TRUE(listener->ok());
  }

  // The main loop of the application: frames, timers, the port.
  void turn() {
    for (Client* const each : Client::all) each->pump();
    for (Driver* const driver : {&server, &client, &second, &other}) driver->deliver();
    sys_check_timeouts();
    due = interface.poll();
  }
  bool until(const std::function<bool()>& is_so, mcp::Millis limit_ms = 30'000) {
    for (const mcp::Millis end = now + limit_ms; now < end; now += 10) {
      turn();
      if (is_so()) return true;
    }
    return false;
  }
  void pass(mcp::Millis ms) {
    EXPECT_FALSE(until([] { return false; }, ms));
  }
  mcp::Connection* accept() {
    mcp::Connection* connection = nullptr;
    EXPECT_TRUE(until([&] { return (connection = listener->accept()) != nullptr; }));
    return connection;
  }
  // A request and its response on a connection of its own.
  void expect_served(Ip from = client_address, Ip to = server_address) {
    Client one(from, to);
    mcp::Connection* const connection = accept();
    ASSERT_NE(connection, nullptr);
    one.send("request");
    std::string got;
    EXPECT_TRUE(until([&] { return (got += read_all(*connection)) == "request"; })) << got;
    EXPECT_EQ(connection->write(std::string_view("response")).size, 8U);
    EXPECT_TRUE(until([&] { return one.received == "response"; })) << one.received;
    connection->close();
    EXPECT_TRUE(until([&] { return one.ended; }));
  }
  // The main loop sleeps as long as the port allows, and other parts of the program do not wake it.
  bool until_asleep(const std::function<bool()>& is_so, mcp::Millis limit_ms) {
    for (const mcp::Millis end = now + limit_ms; now < end; now += 10) {
      if (now - slept >= due) {
        turn();
        slept = now;
      }
      run_lwip();
      if (is_so()) return true;
    }
    return false;
  }
  // What another thread does while the main loop sleeps.
  void run_lwip() {
    for (Driver* const driver : {&server, &client, &second, &other}) driver->deliver();
    sys_check_timeouts();
  }
  void set_address(Ip bytes) {
    ip4_addr_t address;
    IP4_ADDR(&address, bytes[0], bytes[1], bytes[2], bytes[3]);
    netif_set_ipaddr(&server.interface, &address);
  }
  std::size_t requests_of_time() const {
    return static_cast<std::size_t>(std::ranges::count_if(server.sent, [](const Bytes& frame) {
      const auto udp = test::read_udp(frame);
      return udp && udp->to_port == 123;
    }));
  }
  // Another device says that a name is its own.
  void claim(std::string_view name) {
    dns::Message message;
    message.flags = 0x8400;
    message.answers.push_back(dns::record(name, dns::a, {10, 0, 0, 9}));
    server.received.push_back(test::udp_frame({.from_mac = {2, 0, 0, 0, 0, 9},
                                               .to_mac = dns::group_mac,
                                               .from = {10, 0, 0, 9},
                                               .to = dns::group,
                                               .from_port = dns::port,
                                               .to_port = dns::port,
                                               .data = dns::write(message)}));
  }
  static std::string read_all(mcp::Connection& connection) {
    std::string all;
    char bytes[700];
    for (auto result = connection.read(bytes); result.status == IoStatus::ok; result = connection.read(bytes))
      all.append(bytes, result.size);
    return all;
  }
};

TEST_F(Attached, ServesClients) {
  EXPECT_TRUE(interface.ready());
  char text[16];
  EXPECT_EQ(interface.address(text), "10.0.0.1");
  for (int i = 0; i < 5; ++i) expect_served();
  EXPECT_EQ(due, mcp::forever);
}

TEST_F(Attached, CarriesManyBytes) {
  Client one(client_address, server_address);
  mcp::Connection* const connection = accept();
  const std::string sent(100'000, 'x');
  std::size_t written = 0;
  std::size_t got = 0;
  EXPECT_TRUE(until([&] {
    written += connection->write(std::string_view(sent).substr(written)).size;
    return one.received.size() == sent.size();
  }));
  one.send(sent);
  EXPECT_TRUE(until([&] { return (got += read_all(*connection).size()) == sent.size(); }));
  connection->close();
}

TEST_F(Attached, ListensAtEachInterface) {
  expect_served();
  expect_served(other_address, second_address);
}

TEST_F(Attached, ListensAtOneInterface) {
  listen(Reach::one_interface);
  Client one(other_address, second_address);
  EXPECT_TRUE(until([&] { return one.lost; }));
  expect_served();
  // It has another number when it is there again.
  server.remove();
  second.remove();
  second.add();
  server.add();
  turn();
  EXPECT_LE(due, 1'000U);
  expect_served();
  Client two(other_address, second_address);
  EXPECT_TRUE(until([&] { return two.lost; }));
}

// lwIP would answer more clients than there are connections.
TEST_F(Attached, FurtherClientWaitsForASlot) {
  // The second one is for a client that waits.
  EXPECT_EQ(listener->capacity(), 1U);
  Client first(client_address, server_address);
  mcp::Connection* const one = accept();
  Client next(client_address, server_address);
  mcp::Connection* const two = accept();
  Client last(client_address, server_address);
  pass(2'000);
  EXPECT_FALSE(last.connected);
  EXPECT_FALSE(last.lost);
  EXPECT_EQ(listener->accept(), nullptr);
  // A client that is gone holds its slot until the transport has closed it.
  first.reset();
  pass(4'000);
  EXPECT_FALSE(last.connected);
  one->close();
  mcp::Connection* const three = accept();
  EXPECT_TRUE(last.connected);
  two->close();
  three->close();
}

TEST_F(Attached, WaitingClientThatLeavesFreesItsSlot) {
  for (int i = 0; i < 3; ++i) {
    Client one(client_address, server_address);
    Client two(client_address, server_address);
    EXPECT_TRUE(until([&] { return one.connected && two.connected; }));
  }
  expect_served();
}

TEST_F(Attached, SurvivesTheRemovalOfTheInterface) {
  Client one(client_address, server_address);
  mcp::Connection* const connection = accept();
  server.remove();
  pass(100);
  EXPECT_FALSE(interface.ready());
  char byte[1];
  EXPECT_EQ(connection->read(byte).status, IoStatus::failed);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
  connection->close();
  expect_served(other_address, second_address);
  server.add();
  one.reset();
  EXPECT_TRUE(interface.ready());
  expect_served();
}

TEST_F(Attached, ClosesOnlyItsOwnConnections) {
  const Echo echo;
  struct Peer {
    std::string received;
    tcp_pcb* pcb = tcp_new();
  } peer;
  ip_addr_t to;
  IP4_ADDR(&to, 10, 0, 0, 1);
  ip_addr_t from;
  IP4_ADDR(&from, 10, 0, 0, 2);
  ASSERT_EQ(tcp_bind(peer.pcb, &from, 0), ERR_OK);
  tcp_arg(peer.pcb, &peer);
  tcp_recv(peer.pcb, [](void* self, tcp_pcb* pcb, pbuf* data, err_t) {
    if (data == nullptr) return err_t{ERR_OK};
    static_cast<Peer*>(self)->received.append(static_cast<const char*>(data->payload), data->len);
    tcp_recved(pcb, data->tot_len);
    pbuf_free(data);
    return err_t{ERR_OK};
  });
  ASSERT_EQ(tcp_connect(peer.pcb, &to, 7, [](void*, tcp_pcb*, err_t) { return err_t{ERR_OK}; }), ERR_OK);
  pass(100);
  const auto says = [&](const std::string& text) {
    peer.received.clear();
    EXPECT_EQ(tcp_write(peer.pcb, text.data(), static_cast<u16_t>(text.size()), TCP_WRITE_FLAG_COPY), ERR_OK);
    tcp_output(peer.pcb);
    EXPECT_TRUE(until([&] { return peer.received == text; })) << peer.received;
  };
  says("before");
  expect_served();
  says("beside");
  {
    Client open(client_address, server_address);
    ASSERT_NE(accept(), nullptr);
    listener.reset();
    EXPECT_TRUE(until([&] { return open.lost; }));
  }
  says("after");
  // The pool has a connection for each client that was closed, and the application still has its own.
  for (int i = 0; i < 2 * MEMP_NUM_TCP_PCB; ++i) {
    if (listener == nullptr) listen();
    expect_served();
  }
  says("end");
  EXPECT_EQ(tcp_close(peer.pcb), ERR_OK);
}

// Nothing is on its way, so nothing else says that there is memory again.
TEST_F(Attached, RetriesAWriteWithoutMemory) {
  Client one(client_address, server_address);
  mcp::Connection* const connection = accept();
  pass(1'000);
  EXPECT_EQ(due, mcp::forever);
  {
    const test::TakenMemory taken;
    EXPECT_EQ(connection->write(std::string_view("response")).status, IoStatus::would_block);
    due = interface.poll();
    EXPECT_LE(due, 100U);
    EXPECT_EQ(connection->write(std::string_view("response")).status, IoStatus::would_block);
    due = interface.poll();
    EXPECT_LE(due, 100U);
  }
  EXPECT_EQ(connection->write(std::string_view("response")).size, 8U);
  EXPECT_TRUE(until([&] { return one.received == "response"; }));
  EXPECT_EQ(due, mcp::forever);
  connection->close();
}

// The bytes are written, but lwIP cannot send them.
TEST_F(Attached, RetriesASegmentWithoutMemory) {
  Client one(client_address, server_address);
  mcp::Connection* const connection = accept();
  pass(1'000);
  EXPECT_EQ(connection->write(std::string_view("response")).size, 8U);
  const std::size_t before = server.sent.size();
  server.interface.linkoutput = [](netif*, pbuf*) -> err_t { return ERR_MEM; };
  due = interface.poll();
  EXPECT_LE(due, 100U);
  EXPECT_EQ(server.sent.size(), before);
  server.remove();
  server.add();
  connection->close();
}

// Both ends have finished, lwIP had no memory for the FIN of the server, and the server has not read all.
TEST_F(Attached, UnreadInputDoesNotResetAConnectionThatBothEndsHaveFinished) {
  Client one(client_address, server_address);
  mcp::Connection* const connection = accept();
  one.send("unread");
  pass(1'000);
  {
    const test::TakenMemory taken;
    const test::Taken segments(MEMP_TCP_SEG);
    connection->finish();
  }
  one.finish();
  EXPECT_TRUE(until([&] { return one.ended || one.lost; }));
  EXPECT_FALSE(one.lost);
  EXPECT_EQ(read_all(*connection), "unread");
  connection->close();
}

TEST_F(Attached, RejectsAPortThatIsInUse) {
  const Echo echo;
  TcpConnection more[1];
  TcpListener third(interface, more, 7);
  EXPECT_FALSE(third.ok());
  EXPECT_EQ(third.accept(), nullptr);
}

TEST_F(Attached, AnnouncesAName) {
  mcp::lwip::MdnsResponder responder(interface, {.host = "boiler", .name = "Boiler", .port = http_port});
  ASSERT_TRUE(responder.ok());
  ASSERT_TRUE(until([&] { return responder.is_announced(); }));
  pass(100);
  EXPECT_EQ(responder.hosts()[0], "boiler.local");
  EXPECT_EQ(test::host_of(responder), "boiler");
  EXPECT_EQ(test::name_of(responder), "Boiler");
  bool has_service = false;
  for (const Bytes& frame : server.sent) {
    const auto udp = test::read_udp(frame);
    if (!udp || udp->from_port != dns::port) continue;
    const auto message = dns::read(udp->data);
    ASSERT_TRUE(message.has_value());
    has_service = has_service || message->find("Boiler._mcp._tcp.local.", dns::srv) != nullptr;
  }
  EXPECT_TRUE(has_service);
  EXPECT_TRUE(second.sent.empty() || !test::read_udp(second.sent.back()));
}

TEST_F(Attached, AsksATimeServer) {
  mcp::lwip::SntpClock clock(interface, {.server = client_address});
  ASSERT_TRUE(clock.ok());
  const test::LwipTimeServer time_server(client_address);
  EXPECT_TRUE(until([&] { return clock.is_set(); }));
  EXPECT_NEAR(static_cast<double>(clock.utc_ms()), test::LwipTimeServer::utc_ms, 1'000);
  // Each hour.
  EXPECT_NEAR(static_cast<double>(due), 3'600'000, 1'000);
}

// Nothing else wakes the main loop, because lwIP has its own thread.
TEST_F(Attached, AnnouncesWhenTheAddressComes) {
  set_address({});
  mcp::lwip::MdnsResponder responder(interface, {.host = "boiler", .name = "Boiler"});
  EXPECT_FALSE(until_asleep([&] { return !responder.hosts()[0].empty(); }, 20'000));
  set_address(server_address);
  EXPECT_TRUE(until_asleep([&] { return responder.hosts()[0] == "boiler.local"; }, 5'000));
  // Another lease, and the cable.
  set_address({10, 0, 0, 3});
  EXPECT_TRUE(until_asleep([&] { return !responder.is_announced(); }, 2'000));
  EXPECT_TRUE(until_asleep([&] { return responder.hosts()[0] == "boiler.local"; }, 5'000));
  netif_set_link_down(&server.interface);
  EXPECT_FALSE(until_asleep([&] { return false; }, 2'000));
  netif_set_link_up(&server.interface);
  EXPECT_TRUE(until_asleep([&] { return !responder.is_announced(); }, 2'000));
  EXPECT_TRUE(until_asleep([&] { return responder.hosts()[0] == "boiler.local"; }, 5'000));
}

TEST_F(Attached, AsksATimeServerWhenTheAddressComes) {
  set_address({});
  const mcp::lwip::SntpClock clock(interface, {.server = client_address});
  EXPECT_FALSE(until_asleep([&] { return requests_of_time() != 0; }, 20'000));
  set_address(server_address);
  EXPECT_TRUE(until_asleep([&] { return requests_of_time() != 0; }, 6'000));
}

// The random wait is for devices that start together.
TEST_F(Attached, FirstRequestOfTheTimeWaitsAlsoIfTimePassesMeanwhile) {
  std::uint8_t used[10];
  ASSERT_TRUE(entropy.fill(used));
  const mcp::lwip::SntpClock clock(interface, {.server = client_address});
  tick = 1;
  turn();
  tick = 0;
  EXPECT_EQ(requests_of_time(), 0U);
  EXPECT_GT(due, 2'000U);
  EXPECT_LE(due, 5'000U);
}

// The device gets another name and announces it while the main loop is in a request.
TEST_F(Attached, NamesChangeInPollOnly) {
  mcp::lwip::MdnsResponder responder(interface, {.host = "boiler", .name = "Boiler"});
  EXPECT_EQ(test::host_of(responder), "boiler");
  ASSERT_TRUE(until([&] { return responder.hosts()[0] == "boiler.local"; }));
  const std::string_view in_use = responder.hosts()[0];
  const auto run_for = [&](mcp::Millis ms) {
    for (const mcp::Millis end = now + ms; now < end; now += 10) run_lwip();
  };
  claim("boiler.local.");
  run_for(400);
  claim("boiler.local.");
  run_for(5'000);
  EXPECT_TRUE(responder.is_announced());
  EXPECT_EQ(in_use, "boiler.local");
  turn();
  EXPECT_EQ(responder.hosts()[0], "boiler-2.local");
  EXPECT_EQ(test::host_of(responder), "boiler-2");
  EXPECT_EQ(test::name_of(responder), "Boiler");
}

// Without DHCP of a Network, no server is known.
TEST_F(Attached, AsksNoUnknownTimeServer) {
  mcp::lwip::SntpClock clock(interface);
  server.sent.clear();
  pass(60'000);
  EXPECT_FALSE(clock.is_set());
  for (const Bytes& frame : server.sent) EXPECT_FALSE(test::read_udp(frame).has_value());
}

// ---- Connections to servers ----------------------------------------------------------------------------------------

// The server is another application of the same lwIP, at the other end of the cable.
TEST_F(Attached, ConnectsThroughItsInterface) {
  const Echo echo;
  mcp::lwip::DialedConnection dialed[1];
  mcp::lwip::TcpDialer dialer(interface, dialed);
  mcp::Connection* connection = dialer.dial("10.0.0.2", 7);
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(until([&] { return connection->write(std::string_view("echo")).status == IoStatus::ok; }));
  std::string got;
  EXPECT_TRUE(until([&] { return (got += read_all(*connection)) == "echo"; })) << got;
  connection->close();
  pass(100);
  // Without LWIP_DNS.
  connection = dialer.dial("broker.example", 7);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::unknown_host);
  connection->close();
  // Its connections have no part in the backlog of the listener.
  expect_served();
}

TEST_F(Attached, RemovedInterfaceFailsTheConnection) {
  mcp::lwip::DialedConnection dialed[2];
  mcp::lwip::TcpDialer dialer(interface, dialed);
  mcp::Connection* const connection = dialer.dial("10.0.0.2", 7);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
  server.remove();
  turn();
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::no_response);
  mcp::Connection* const next = dialer.dial("10.0.0.2", 7);
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->write(std::string_view("x")).status, IoStatus::failed);
  EXPECT_EQ(dialer.reason(), mcp::DialProblem::unreachable);
  next->close();
  connection->close();
}

}  // namespace

// ---- Of the application, called by lwIP -----------------------------------------------------------------------------

extern "C" u32_t sys_now() { return now += tick; }

int main(int count, char** texts) {
  testing::InitGoogleTest(&count, texts);
  lwip_init();
  return RUN_ALL_TESTS();
}
