// SPDX-License-Identifier: Apache-2.0
// TLS in a test: a server, and mbedTLS's client at the other end of a wire of the test's own. Both ends share their
// memory, as they are in one program.
#pragma once

#include <gtest/gtest.h>
#include <mbedtls/pk.h>
#include <mbedtls/platform_time.h>  // x509.h of version 4 uses it
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/ports/mbedtls_tls.hpp"
#include "support/seeded_entropy.hpp"
#include "tls_memory.hpp"

namespace test::tls {

using mcp::IoStatus;
using mcp::mbedtls::Der;
using mcp::mbedtls::TlsVersion;
using Bytes = std::vector<std::uint8_t>;

inline Bytes file(const std::string& name) {
  std::ifstream in(std::string(MOTE_CERTIFICATES "/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

using TestEntropy = SeededEntropy;

/// The time of the machine, until a test sets another one.
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
  std::uint64_t host = 0;

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
  std::uint64_t do_peer() const override { return host; }
};

class Clients final : public mcp::Listener {
 public:
  std::vector<Wire*> waiting;
  bool is_full = false;  // all its connections are in use

 private:
  mcp::Connection* do_accept() override {
    if (waiting.empty() || is_full) return nullptr;
    Wire* const next = waiting.front();
    waiting.erase(waiting.begin());
    return next;
  }
  bool do_has_waiting() override { return !waiting.empty(); }
};

// The other end.
class Client {
 public:
  /// `suites`: the cipher suites that it offers, and 0; nullptr for those of the server.
  Client(Wire& wire, [[maybe_unused]] TestEntropy& entropy, TlsVersion version, const std::string& name = {},
         const int* suites = nullptr)
      : wire_(&wire) {
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
#if MBEDTLS_VERSION_MAJOR < 4
    mbedtls_ssl_conf_rng(&config_, random, &entropy);
#endif
    if (suites != nullptr) mbedtls_ssl_conf_ciphersuites(&config_, suites);
    if (!name.empty()) {
      const Bytes own = file(name + ".der"), key = file(name + "_key.der");
      EXPECT_EQ(mbedtls_x509_crt_parse_der(&own_, own.data(), own.size()), 0);
#if MBEDTLS_VERSION_MAJOR < 4
      EXPECT_EQ(mbedtls_pk_parse_key(&key_, key.data(), key.size(), nullptr, 0, random, &entropy), 0);
#else
      EXPECT_EQ(mbedtls_pk_parse_key(&key_, key.data(), key.size(), nullptr, 0), 0);
#endif
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

/// A server, and any number of clients.
class Tls : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { set_memory(); }

  void TearDown() override {
    for (auto& [wire, connection] : open_) connection->close();
    end_unfinished();
    if (server_) {
      EXPECT_EQ(used_keys(), keys_) << "a connection has kept a key";
    }
    server_.reset();
    expect_no_memory_used();
  }

  // Abandoned handshakes and connections that were not accepted end.
  void end_unfinished() {
    if (!listener_) return;
    for (int i = 0; i < 20; ++i) {
      now_ += 10'000;
      poll();
      if (mcp::Connection* const connection = listener_->accept()) connection->close();
    }
  }

  void serve(bool asks_for_certificate, mcp::WallClock& clock) {
    const Der certificates[] = {certificate_}, authorities[] = {authority_};
    mcp::mbedtls::TlsOptions options{.certificates = certificates, .key = key_};
    if (asks_for_certificate) options.client_authorities = authorities;
    options.clock = &clock;
    server_ = std::make_unique<mcp::mbedtls::TlsServer>(options, entropy_);
    ASSERT_TRUE(server_->ok());
    keys_ = used_keys();
    listener_ = std::make_unique<mcp::mbedtls::TlsListener>(clients_, connections_, *server_);
  }

  // Polls the server's side, as in a main loop, until it waits for a client.
  void poll() {
    while (listener_->poll(now_, mcp::forever) == 0) {
    }
  }

  // Runs both ends until the client is done or one of them has failed; 0 if the handshake is done.
  int shake_hands(Client& client) {
    for (int round = 0; round < 20'000; ++round) {
      const int result = mbedtls_ssl_handshake(&client.ssl);
      poll();
      if (result != MBEDTLS_ERR_SSL_WANT_READ && result != MBEDTLS_ERR_SSL_WANT_WRITE) return result;
    }
    return -2;
  }

  // A client that connects; nullptr when its handshake fails.
  mcp::Connection* accept(Wire& wire, Client& client) {
    clients_.waiting.push_back(&wire);
    client_result_ = shake_hands(client);
    return accept(wire);
  }
  mcp::Connection* accept(Wire& wire) {
    mcp::Connection* const connection = listener_->accept();
    if (connection != nullptr) open_.emplace_back(&wire, connection);
    return connection;
  }

  // The bytes that the server reads.
  std::string read(mcp::Connection& connection) {
    char buffer[512];
    const mcp::IoResult result = connection.read(buffer);
    status_ = result.status;
    return {buffer, result.size};
  }

  void close(mcp::Connection& connection) {
    connection.close();
    std::erase_if(open_, [&](const auto& one) { return one.second == &connection; });
  }

  const Bytes certificate_ = file("server.der"), key_ = file("server_key.der"), authority_ = file("authority.der");
  TestEntropy entropy_;
  std::deque<Wire> wires_;
  Clients clients_;
  std::array<mcp::mbedtls::TlsConnection, 3> connections_;
  std::unique_ptr<mcp::mbedtls::TlsServer> server_;
  std::unique_ptr<mcp::mbedtls::TlsListener> listener_;
  std::vector<std::pair<Wire*, mcp::Connection*>> open_;
  std::size_t keys_ = 0;  // of the server itself
  IoStatus status_ = IoStatus::ok;
  int client_result_ = 0;
  mcp::Millis now_ = 0;
};

}  // namespace test::tls
