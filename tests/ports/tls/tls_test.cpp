// TLS of the mbedTLS port: what goes in and out of a connection, over a wire of the test's own, with mbedTLS's client
// at the other end. Both ends share the arena, as they are in one program.
#include "ports/mbedtls/tls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ports/mbedtls/arena.hpp"

namespace {

using mcp::IoStatus;
using mcp::mbedtls::Der;
using mcp::mbedtls::TlsVersion;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t arena_size = 96 * 1024;

Bytes file(const std::string& name) {
  std::ifstream in(std::string(MOTE_CERTIFICATES "/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TestEntropy final : public mcp::Entropy {
 public:
  bool fails = false;

 private:
  bool do_fill(std::span<std::uint8_t> into) override {
    if (fails) return false;
    for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(generator_());
    return true;
  }
  std::mt19937 generator_{1};
};

class TestClock final : public mcp::WallClock {
 public:
  std::uint64_t ms = static_cast<std::uint64_t>(std::time(nullptr)) * 1000;

 private:
  std::uint64_t do_utc_ms() override { return ms; }
};

// One end's view of a wire that takes `capacity` bytes before the other end reads them.
class Wire final : public mcp::Connection {
 public:
  std::string to_server, to_client;
  std::size_t capacity = 4096;
  bool client_ended = false, server_ended = false, closed = false, lost = false;

 private:
  mcp::IoResult do_read(std::span<char> into) override {
    if (lost) return {IoStatus::failed, 0};
    if (to_server.empty()) return {client_ended ? IoStatus::closed : IoStatus::would_block, 0};
    const std::size_t size = to_server.copy(into.data(), into.size());
    to_server.erase(0, size);
    return {IoStatus::ok, size};
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    if (lost) return {IoStatus::failed, 0};
    const std::size_t size = std::min(from.size(), capacity - std::min(capacity, to_client.size()));
    if (size == 0) return {IoStatus::would_block, 0};
    to_client.append(from.data(), size);
    return {IoStatus::ok, size};
  }
  void do_finish() override { server_ended = true; }
  void do_close() override { closed = true; }
};

class Clients final : public mcp::Listener {
 public:
  std::vector<Wire*> waiting;

 private:
  mcp::Connection* do_accept() override {
    if (waiting.empty()) return nullptr;
    Wire* const next = waiting.front();
    waiting.erase(waiting.begin());
    return next;
  }
  bool do_has_waiting() override { return !waiting.empty(); }
};

// The other end.
class Client {
 public:
  Client(Wire& wire, TestEntropy& entropy, TlsVersion version, const std::string& name = {}) : wire_(&wire) {
    mbedtls_ssl_init(&ssl);
    mbedtls_ssl_config_init(&config_);
    mbedtls_x509_crt_init(&authority_);
    mbedtls_x509_crt_init(&own_);
    mbedtls_pk_init(&key_);
    const Bytes authority = file("authority.der");
    EXPECT_EQ(mbedtls_x509_crt_parse_der(&authority_, authority.data(), authority.size()), 0);
    EXPECT_EQ(mbedtls_ssl_config_defaults(&config_, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                          MBEDTLS_SSL_PRESET_DEFAULT),
              0);
    const auto number = version == TlsVersion::v1_2 ? MBEDTLS_SSL_VERSION_TLS1_2 : MBEDTLS_SSL_VERSION_TLS1_3;
    mbedtls_ssl_conf_min_tls_version(&config_, number);
    mbedtls_ssl_conf_max_tls_version(&config_, number);
    mbedtls_ssl_conf_ca_chain(&config_, &authority_, nullptr);
    mbedtls_ssl_conf_rng(&config_, random, &entropy);
    if (!name.empty()) {
      const Bytes own = file(name + ".der"), key = file(name + "_key.der");
      EXPECT_EQ(mbedtls_x509_crt_parse_der(&own_, own.data(), own.size()), 0);
      EXPECT_EQ(mbedtls_pk_parse_key(&key_, key.data(), key.size(), nullptr, 0, random, &entropy), 0);
      EXPECT_EQ(mbedtls_ssl_conf_own_cert(&config_, &own_, &key_), 0);
    }
    EXPECT_EQ(mbedtls_ssl_setup(&ssl, &config_), 0);
    EXPECT_EQ(mbedtls_ssl_set_hostname(&ssl, "localhost"), 0);
    mbedtls_ssl_set_bio(&ssl, this, send, receive, nullptr);
  }
  ~Client() {
    mbedtls_ssl_free(&ssl);
    mbedtls_ssl_config_free(&config_);
    mbedtls_x509_crt_free(&authority_);
    mbedtls_x509_crt_free(&own_);
    mbedtls_pk_free(&key_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  int write(std::string_view text) {
    return mbedtls_ssl_write(&ssl, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  std::string read() {
    char buffer[4096];
    last = mbedtls_ssl_read(&ssl, reinterpret_cast<unsigned char*>(buffer), sizeof buffer);
    return {buffer, static_cast<std::size_t>(std::max(last, 0))};
  }

  mbedtls_ssl_context ssl;
  int last = 0;
  std::size_t piece = 4096;  // bytes that it sends and receives at a time

 private:
  static int random(void* entropy, unsigned char* into, std::size_t size) {
    return static_cast<mcp::Entropy*>(static_cast<TestEntropy*>(entropy))->fill({into, size}) ? 0 : -1;
  }
  static int send(void* self, const unsigned char* from, std::size_t size) {
    auto& client = *static_cast<Client*>(self);
    size = std::min(size, client.piece);
    client.wire_->to_server.append(reinterpret_cast<const char*>(from), size);
    return static_cast<int>(size);
  }
  static int receive(void* self, unsigned char* into, std::size_t size) {
    auto& client = *static_cast<Client*>(self);
    std::string& bytes = client.wire_->to_client;
    if (bytes.empty()) return client.wire_->server_ended || client.wire_->closed ? 0 : MBEDTLS_ERR_SSL_WANT_READ;
    size = bytes.copy(reinterpret_cast<char*>(into), std::min(size, client.piece));
    bytes.erase(0, size);
    return static_cast<int>(size);
  }

  Wire* wire_;
  mbedtls_ssl_config config_;
  mbedtls_x509_crt authority_, own_;
  mbedtls_pk_context key_;
};

class Tls : public ::testing::TestWithParam<TlsVersion> {
 protected:
  static void SetUpTestSuite() {
    static std::vector<std::byte>* memory = nullptr;
    if (memory != nullptr) return;
    memory = new std::vector<std::byte>(arena_size);
    mcp::mbedtls::lend_arena(*memory);
  }

  void TearDown() override {
    for (auto& [wire, connection] : open_) {
      if (connection != nullptr) connection->close();
    }
    server_.reset();
    EXPECT_EQ(mcp::mbedtls::arena_use().used, 0U);
  }

  void serve(bool asks_for_certificate = false) {
    const Der certificates[] = {certificate_}, authorities[] = {authority_};
    mcp::mbedtls::TlsOptions options{.certificates = certificates, .key = key_};
    if (asks_for_certificate) options.client_authorities = authorities;
    options.clock = &clock_;
    server_ = std::make_unique<mcp::mbedtls::TlsServer>(options, entropy_);
    ASSERT_TRUE(server_->ok());
    listener_ = std::make_unique<mcp::mbedtls::TlsListener>(clients_, connections_, *server_);
  }

  mcp::Connection* accept(Wire& wire) {
    clients_.waiting.push_back(&wire);
    mcp::Connection* const connection = listener_->accept();
    if (connection != nullptr) open_.emplace_back(&wire, connection);
    return connection;
  }

  // The server's side has its turn, as in every round of a main loop: what it reads.
  std::string turn(mcp::Connection& connection) {
    char buffer[512];
    const mcp::IoResult result = connection.read(buffer);
    status_ = result.status;
    return {buffer, result.size};
  }

  // Until the client has done its part, or one of them has failed; 0 when the handshake is done.
  int shake_hands(Client& client, mcp::Connection& connection) {
    for (int round = 0; round < 20'000; ++round) {
      const int result = mbedtls_ssl_handshake(&client.ssl);
      if (result != MBEDTLS_ERR_SSL_WANT_READ && result != MBEDTLS_ERR_SSL_WANT_WRITE) {
        static_cast<void>(turn(connection));
        return result;
      }
      static_cast<void>(turn(connection));
      if (status_ == IoStatus::failed && client_has_all(client)) return -1;
    }
    return -2;
  }

  void close(mcp::Connection& connection) {
    connection.close();
    std::erase_if(open_, [&](const auto& one) { return one.second == &connection; });
  }

  const Bytes certificate_ = file("server.der"), key_ = file("server_key.der"), authority_ = file("authority.der");
  TestEntropy entropy_;
  TestClock clock_;
  std::deque<Wire> wires_;
  Clients clients_;
  std::array<mcp::mbedtls::TlsConnection, 2> connections_;
  std::unique_ptr<mcp::mbedtls::TlsServer> server_;
  std::unique_ptr<mcp::mbedtls::TlsListener> listener_;
  std::vector<std::pair<Wire*, mcp::Connection*>> open_;
  IoStatus status_ = IoStatus::ok;

 private:
  static bool client_has_all(Client& client) {
    const int result = mbedtls_ssl_handshake(&client.ssl);
    return result != 0 && result != MBEDTLS_ERR_SSL_WANT_READ;
  }
};

TEST_P(Tls, carries_bytes_both_ways) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  ASSERT_NE(connection, nullptr);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  EXPECT_TRUE(connections_[0].is_secured());
  EXPECT_STREQ(connections_[0].version(), GetParam() == TlsVersion::v1_2 ? "TLSv1.2" : "TLSv1.3");
  ASSERT_EQ(client.write("question"), 8);
  EXPECT_EQ(wire.to_server.find("question"), std::string::npos);
  EXPECT_EQ(turn(*connection), "question");
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  EXPECT_EQ(client.read(), "answer");
  static_cast<void>(turn(*connection));
  EXPECT_EQ(status_, IoStatus::would_block);
}

// A wire that takes few bytes at a time, and a client that sends and reads single ones.
TEST_P(Tls, gets_through_a_narrow_wire) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  wire.capacity = 100;
  Client client(wire, entropy_, GetParam());
  client.piece = 1;
  ASSERT_EQ(shake_hands(client, *connection), 0);
  std::string sent, received;
  for (int i = 0; i < 4000; ++i) sent.push_back(static_cast<char>('a' + i % 26));
  std::string_view rest = sent;
  for (int round = 0; round < 2000 && received.size() < sent.size(); ++round) {
    if (!rest.empty()) {
      const mcp::IoResult result = connection->write(rest);
      ASSERT_TRUE(result.status == IoStatus::ok || result.status == IoStatus::would_block);
      rest.remove_prefix(result.size);
    } else {
      static_cast<void>(turn(*connection));
      ASSERT_EQ(status_, IoStatus::would_block);
    }
    received += client.read();
  }
  EXPECT_EQ(received, sent);
}

TEST_P(Tls, says_and_sees_the_end) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  connection->finish();
  EXPECT_TRUE(wire.server_ended);
  EXPECT_EQ(client.read(), "");
  EXPECT_EQ(client.last, MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY);
  ASSERT_EQ(mbedtls_ssl_close_notify(&client.ssl), 0);
  static_cast<void>(turn(*connection));
  EXPECT_EQ(status_, IoStatus::closed);
}

// The end waits for what was written, also when the wire takes that late.
TEST_P(Tls, ends_behind_what_was_written) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  static_cast<void>(client.read());
  wire.capacity = 20;
  ASSERT_EQ(connection->write(std::string_view("the last word")).size, 13U);
  connection->finish();
  EXPECT_FALSE(wire.server_ended);
  std::string received;
  for (int round = 0; round < 20; ++round) {
    if (client.last != MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) received += client.read();
    static_cast<void>(turn(*connection));
  }
  EXPECT_EQ(received, "the last word");
  EXPECT_TRUE(wire.server_ended);
  EXPECT_EQ(client.last, MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY);
}

TEST_P(Tls, a_wire_that_ends_is_the_end) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  wire.client_ended = true;
  static_cast<void>(turn(*connection));
  EXPECT_EQ(status_, IoStatus::closed);
}

TEST_P(Tls, bytes_that_somebody_has_changed_do_not_get_through) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  ASSERT_EQ(client.write("question"), 8);
  wire.to_server.back() = static_cast<char>(wire.to_server.back() ^ 1);
  EXPECT_EQ(turn(*connection), "");
  EXPECT_EQ(status_, IoStatus::failed);
  EXPECT_EQ(connection->write(std::string_view("answer")).status, IoStatus::failed);
}

TEST_P(Tls, a_record_longer_than_allowed_is_refused) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam());
  ASSERT_EQ(shake_hands(client, *connection), 0);
  wire.to_server = std::string("\x17\x03\x03\x30\x00", 5) + std::string(0x3000, 'x');
  EXPECT_EQ(turn(*connection), "");
  EXPECT_EQ(status_, IoStatus::failed);
}

TEST_P(Tls, what_is_no_tls_is_refused) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  wire.to_server = "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
  EXPECT_EQ(turn(*connection), "");
  EXPECT_EQ(status_, IoStatus::failed);
  EXPECT_EQ(connection->read(std::span<char>()).status, IoStatus::failed);
}

TEST_P(Tls, no_handshake_without_random_numbers) {
  serve();
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  TestEntropy other;
  Client client(wire, other, GetParam());
  // What the client itself takes from PSA is gone, too: its first message is in the wire already.
  static_cast<void>(mbedtls_ssl_handshake(&client.ssl));
  entropy_.fails = true;
  static_cast<void>(turn(*connection));
  EXPECT_EQ(status_, IoStatus::failed);
}

TEST_P(Tls, a_client_with_a_certificate_gets_through) {
  serve(true);
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  Client client(wire, entropy_, GetParam(), "client");
  ASSERT_EQ(shake_hands(client, *connection), 0);
  ASSERT_EQ(client.write("question"), 8);
  EXPECT_EQ(turn(*connection), "question");
}

// In TLS 1.3 a client is done before the server has looked at its certificate.
TEST_P(Tls, a_client_without_a_certificate_that_is_good_does_not) {
  serve(true);
  for (const char* const name : {"", "stranger", "expired"}) {
    SCOPED_TRACE(name);
    Wire& wire = wires_.emplace_back();
    mcp::Connection* const connection = accept(wire);
    ASSERT_NE(connection, nullptr);
    Client client(wire, entropy_, GetParam(), name);
    static_cast<void>(shake_hands(client, *connection));
    static_cast<void>(turn(*connection));
    EXPECT_EQ(status_, IoStatus::failed);
    close(*connection);
    EXPECT_TRUE(wire.closed);
  }
}

TEST_P(Tls, a_certificate_is_good_for_its_time) {
  serve(true);
  const std::pair<const char*, std::uint64_t> cases[] = {{"expired", 978'307'200'000 - 86'400'000},  // 2000-12-31
                                                         {"client", 4'000'000'000'000}};             // in 2096
  for (const auto& [name, ms] : cases) {
    SCOPED_TRACE(name);
    clock_.ms = ms;
    Wire& wire = wires_.emplace_back();
    mcp::Connection* const connection = accept(wire);
    Client client(wire, entropy_, GetParam(), name);
    static_cast<void>(shake_hands(client, *connection));
    static_cast<void>(turn(*connection));
    // The one that was good then is signed by an authority that was not there yet.
    EXPECT_EQ(status_, IoStatus::failed);
    close(*connection);
  }
}

// A piece of memory that is taken while the test lasts, so that no more than `rest` is left.
class Hog {
 public:
  explicit Hog(std::size_t rest) {
    const mcp::mbedtls::ArenaUse use = mcp::mbedtls::arena_use();
    place_ = mote_mbedtls_calloc(1, use.size - use.used - rest);
    EXPECT_NE(place_, nullptr);
  }
  ~Hog() { mote_mbedtls_free(place_); }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;

 private:
  void* place_;
};

TEST_P(Tls, without_memory_a_client_is_told_so_and_the_next_is_served) {
  serve();
  {
    const Hog hog(2048);
    Wire& wire = wires_.emplace_back();
    EXPECT_EQ(accept(wire), nullptr);
    EXPECT_TRUE(wire.closed);
    EXPECT_EQ(wire.to_client, std::string("\x15\x03\x03\x00\x02\x02\x50", 7));
    EXPECT_EQ(listener_->refused(), 1U);
  }
  Wire& wire = wires_.emplace_back();
  mcp::Connection* const connection = accept(wire);
  ASSERT_NE(connection, nullptr);
  Client client(wire, entropy_, GetParam());
  EXPECT_EQ(shake_hands(client, *connection), 0);
}

// Memory ends at every place of a handshake, once: it fails, gives everything back, and harms nobody.
TEST_P(Tls, memory_may_end_anywhere_in_a_handshake) {
  serve();
  bool done = false;
  for (std::size_t rest = 5000; rest < 40'000 && !done; rest += 97) {
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam());
    const std::size_t before = mcp::mbedtls::arena_use().used;
    {
      const Hog hog(rest);
      mcp::Connection* const connection = accept(wire);
      if (connection == nullptr) continue;
      done = shake_hands(client, *connection) == 0;
      EXPECT_EQ(done, connections_[0].is_secured());
      close(*connection);
    }
    mbedtls_ssl_session_reset(&client.ssl);
    EXPECT_LE(mcp::mbedtls::arena_use().used, before);
  }
  EXPECT_TRUE(done);
}

TEST_P(Tls, further_clients_wait_below) {
  serve();
  Wire& first = wires_.emplace_back();
  Wire& second = wires_.emplace_back();
  Wire& third = wires_.emplace_back();
  mcp::Connection* const connection = accept(first);
  ASSERT_NE(accept(second), nullptr);
  EXPECT_EQ(accept(third), nullptr);
  EXPECT_TRUE(listener_->has_waiting());
  EXPECT_FALSE(third.closed);
  close(*connection);
  mcp::Connection* const next = listener_->accept();
  ASSERT_NE(next, nullptr);
  open_.emplace_back(&third, next);
  EXPECT_FALSE(listener_->has_waiting());
}

TEST_P(Tls, refuses_to_start_with_a_key_of_another_certificate_or_none) {
  serve();
  server_.reset();
  const Bytes other = file("client_key.der"), broken(certificate_.begin(), certificate_.begin() + 40);
  const Der own[] = {certificate_}, cut[] = {broken};
  const mcp::mbedtls::TlsOptions cases[] = {
      {.certificates = own, .key = other}, {.certificates = cut, .key = key_}, {.certificates = own}, {.key = key_}};
  for (const mcp::mbedtls::TlsOptions& options : cases) {
    const mcp::mbedtls::TlsServer server(options, entropy_);
    EXPECT_FALSE(server.ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Version, Tls, ::testing::Values(TlsVersion::v1_2, TlsVersion::v1_3),
                         [](const auto& version) { return version.param == TlsVersion::v1_2 ? "v1_2" : "v1_3"; });

}  // namespace
