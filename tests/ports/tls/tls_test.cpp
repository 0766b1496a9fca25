// SPDX-License-Identifier: Apache-2.0
// TLS of the mbedTLS port: the bytes of a connection over a wire of the test, with mbedTLS's client at the other end.
// Both ends share their memory, because they are in one program.
#include "mcp/ports/mbedtls_tls.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/memory/secrets.hpp"
#include "mcp/ports/posix_records.hpp"
#include "tls_client.hpp"

namespace {

using mcp::IoStatus;
using mcp::mbedtls::Der;
using mcp::mbedtls::TlsVersion;
using test::tls::Bytes;
using test::tls::Client;
using test::tls::file;
using test::tls::Hog;
using test::tls::TestClock;
using test::tls::TestEntropy;
using test::tls::Wire;

class Tls : public test::tls::Tls, public ::testing::WithParamInterface<TlsVersion> {
 protected:
  void serve(bool asks_for_certificate = false) { test::tls::Tls::serve(asks_for_certificate, clock_); }

  TestClock clock_;
};

TEST_P(Tls, CarriesBytesBothWays) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(connections_[0].is_secured());
  EXPECT_STREQ(connections_[0].version(), GetParam() == TlsVersion::v1_2 ? "TLSv1.2" : "TLSv1.3");
  ASSERT_EQ(client.write("question"), 8);
  EXPECT_EQ(wire.to_server.find("question"), std::string::npos);
  EXPECT_EQ(read(*connection), "question");
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  EXPECT_EQ(client.read(), "answer");
  static_cast<void>(read(*connection));
  EXPECT_EQ(status_, IoStatus::would_block);
}

// The cipher suites of this version, as the client offers them: a list that ends with 0.
struct Suites {
  explicit Suites(TlsVersion version) {
    const bool is_1_2 = version == TlsVersion::v1_2;
    chacha[0] =
        is_1_2 ? MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 : MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256;
    aes[0] = is_1_2 ? MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 : MBEDTLS_TLS1_3_AES_128_GCM_SHA256;
  }
  int chacha[2] = {};
  int aes[2] = {};
};

// ChaCha20-Poly1305 is first in the lists of both ends.
TEST_P(Tls, CarriesBytesInEachCipherSuite) {
  const Suites suites(GetParam());
  serve();
  for (const int* const offered : {static_cast<const int*>(nullptr), suites.chacha, suites.aes}) {
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam(), {}, offered);
    mcp::Connection* const connection = accept(wire, client);
    ASSERT_NE(connection, nullptr);
    const int chosen = offered == suites.aes ? suites.aes[0] : suites.chacha[0];
    EXPECT_EQ(mbedtls_ssl_get_ciphersuite_id_from_ssl(&client.ssl), chosen);
    for (const std::string& text : {std::string("question"), std::string(500, 'q')}) {
      ASSERT_EQ(client.write(text), static_cast<int>(text.size()));
      EXPECT_EQ(read(*connection), text);
      EXPECT_EQ(connection->write(std::string_view(text)).size, text.size());
      EXPECT_EQ(client.read(), text);
    }
    close(*connection);
  }
}

// With TLS 1.2 the order of the server decides, and with TLS 1.3 that of the client.
TEST_P(Tls, ChoosesTheCipherSuiteInTheOrderOfTheServerOrClient) {
  const Suites suites(GetParam());
  const int aes_first[] = {suites.aes[0], suites.chacha[0], 0};
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam(), {}, aes_first);
  ASSERT_NE(accept(wire, client), nullptr);
  const int chosen = GetParam() == TlsVersion::v1_2 ? suites.chacha[0] : suites.aes[0];
  EXPECT_EQ(mbedtls_ssl_get_ciphersuite_id_from_ssl(&client.ssl), chosen);
}

// The network has changed a byte of a record.
TEST_P(Tls, RejectsAChangedRecordInEachCipherSuite) {
  const Suites suites(GetParam());
  serve();
  for (const int* const offered : {suites.chacha, suites.aes}) {
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam(), {}, offered);
    mcp::Connection* const connection = accept(wire, client);
    ASSERT_NE(connection, nullptr);
    ASSERT_EQ(client.write("question"), 8);
    wire.to_server.back() ^= 1;
    EXPECT_EQ(read(*connection), "");
    EXPECT_EQ(status_, IoStatus::failed);
    close(*connection);
  }
}

TEST_P(Tls, ReportsThePeerOfTheConnectionBelow) {
  serve();
  Wire& wire = wires_.emplace_back();
  wire.host = 0x0A00'0002;
  Client client(wire, entropy_, GetParam());
  const mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->peer(), 0x0A00'0002U);
}

// A wire that takes few bytes at a time, and a client that sends and reads single ones.
TEST_P(Tls, WorksOverANarrowWire) {
  serve();
  Wire& wire = wires_.emplace_back();
  wire.capacity = 100;
  Client client(wire, entropy_, GetParam());
  client.piece = 1;
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  std::string sent, received;
  for (int i = 0; i < 4000; ++i) sent.push_back(static_cast<char>('a' + i % 26));
  std::string_view rest = sent;
  for (int round = 0; round < 2000 && received.size() < sent.size(); ++round) {
    if (!rest.empty()) {
      const mcp::IoResult result = connection->write(rest);
      ASSERT_TRUE(result.status == IoStatus::ok || result.status == IoStatus::would_block);
      rest.remove_prefix(result.size);
    } else {
      static_cast<void>(read(*connection));
      ASSERT_EQ(status_, IoStatus::would_block);
    }
    received += client.read();
  }
  EXPECT_EQ(received, sent);
}

TEST_P(Tls, SendsAndReceivesCloseNotify) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  connection->finish();
  EXPECT_TRUE(wire.server_ended);
  EXPECT_EQ(client.read(), "");
  EXPECT_EQ(client.last, MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY);
  ASSERT_EQ(mbedtls_ssl_close_notify(&client.ssl), 0);
  static_cast<void>(read(*connection));
  EXPECT_EQ(status_, IoStatus::closed);
}

// Certificate and key are values of Records. The server keeps the certificate, and has copied the key.
TEST_P(Tls, ServesWithCertificateAndKeyFromRecords) {
  std::string folder = "/tmp/mote-tls-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  char certificate[1024], key[256];
  const auto bytes = [](const Bytes& der) {
    return std::span<const char>(reinterpret_cast<const char*>(der.data()), der.size());
  };
  const auto der = [](const char* from, std::size_t size) {
    return Der(reinterpret_cast<const std::uint8_t*>(from), size);
  };
  {
    mcp::posix::FileRecords records(folder.c_str());
    ASSERT_EQ(records.save("tls_certificate", bytes(certificate_)), mcp::RecordStatus::ok);
    ASSERT_EQ(records.save("tls_key", bytes(key_)), mcp::RecordStatus::ok);
  }
  {
    mcp::posix::FileRecords records(folder.c_str());
    const mcp::RecordResult certificate_result = records.load("tls_certificate", certificate);
    const mcp::RecordResult key_result = records.load("tls_key", key);
    ASSERT_EQ(certificate_result.status, mcp::RecordStatus::ok);
    ASSERT_EQ(key_result.status, mcp::RecordStatus::ok);
    const Der certificates[] = {der(certificate, certificate_result.size)};
    server_ = std::make_unique<mcp::mbedtls::TlsServer>(
        mcp::mbedtls::TlsOptions{.certificates = certificates, .key = der(key, key_result.size)}, entropy_);
    mcp::memory::wipe(key);
    ASSERT_TRUE(server_->ok());
    keys_ = test::tls::used_keys();
    listener_ = std::make_unique<mcp::mbedtls::TlsListener>(clients_, connections_, *server_);
    ASSERT_EQ(records.erase("tls_certificate"), mcp::RecordStatus::ok);
    ASSERT_EQ(records.erase("tls_key"), mcp::RecordStatus::ok);
  }
  ASSERT_EQ(unlink((folder + "/.lock").c_str()), 0);
  ASSERT_EQ(rmdir(folder.c_str()), 0);
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  EXPECT_EQ(client.read(), "answer");
}

// The end waits for the written bytes, also if the wire takes them late.
TEST_P(Tls, SendsAllBytesBeforeTheEnd) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  static_cast<void>(client.read());
  wire.capacity = 20;
  ASSERT_EQ(connection->write(std::string_view("the last word")).size, 13U);
  connection->finish();
  EXPECT_FALSE(wire.server_ended);
  std::string received;
  for (int round = 0; round < 20; ++round) {
    if (client.last != MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) received += client.read();
    static_cast<void>(read(*connection));
  }
  EXPECT_EQ(received, "the last word");
  EXPECT_TRUE(wire.server_ended);
  EXPECT_EQ(client.last, MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY);
}

TEST_P(Tls, EndOfTheWireClosesTheConnection) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  wire.client_ended = true;
  static_cast<void>(read(*connection));
  EXPECT_EQ(status_, IoStatus::closed);
}

TEST_P(Tls, RejectsChangedBytes) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  ASSERT_EQ(client.write("question"), 8);
  wire.to_server.back() = static_cast<char>(wire.to_server.back() ^ 1);
  EXPECT_EQ(read(*connection), "");
  EXPECT_EQ(status_, IoStatus::failed);
  EXPECT_EQ(connection->write(std::string_view("answer")).status, IoStatus::failed);
}

TEST_P(Tls, RejectsATooLongRecord) {
  serve();
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  wire.to_server = std::string("\x17\x03\x03\x30\x00", 5) + std::string(0x3000, 'x');
  EXPECT_EQ(read(*connection), "");
  EXPECT_EQ(status_, IoStatus::failed);
  EXPECT_EQ(client.read(), "");
  EXPECT_EQ(client.last, MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE);
  EXPECT_EQ(client.ssl.MBEDTLS_PRIVATE(in_msg)[1], MBEDTLS_SSL_ALERT_MSG_RECORD_OVERFLOW);
}

// In one record, and in several.
TEST_P(Tls, RejectsATooLongClientHello) {
  serve();
  constexpr std::size_t size = mcp::mbedtls::most_record + 1'000;
  for (const std::size_t piece : {size, std::size_t{1'000}}) {
    Wire& wire = wires_.emplace_back();
    clients_.waiting.push_back(&wire);
    std::string hello = std::string("\x01\x00", 2) + static_cast<char>((size - 4) >> 8) +
                        static_cast<char>((size - 4) & 0xFF) + std::string("\x03\x03", 2);
    hello.resize(size, 'x');
    for (std::size_t at = 0; at < size; at += piece) {
      const std::string part = hello.substr(at, piece);
      wire.to_server += std::string("\x16\x03\x01", 3) + static_cast<char>(part.size() >> 8) +
                        static_cast<char>(part.size() & 0xFF) + part;
    }
    poll();
    EXPECT_TRUE(wire.closed) << piece;
    EXPECT_EQ(wire.to_client, std::string("\x15\x03\x03\x00\x02\x02\x16", 7)) << piece;
  }
}

TEST_P(Tls, RejectsBytesThatAreNotTls) {
  serve();
  Wire& wire = wires_.emplace_back();
  clients_.waiting.push_back(&wire);
  wire.to_server = "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n";
  poll();
  EXPECT_TRUE(wire.closed);
  EXPECT_EQ(accept(wire), nullptr);
}

TEST_P(Tls, WithoutEntropyStartsNoHandshake) {
  serve();
  Wire& wire = wires_.emplace_back();
  clients_.waiting.push_back(&wire);
  TestEntropy other;
  Client client(wire, other, GetParam());
  // The client's own PSA memory is released, too: its first message is on the wire already.
  static_cast<void>(mbedtls_ssl_handshake(&client.ssl));
  entropy_.fails = true;
  poll();
  EXPECT_TRUE(wire.closed);
  EXPECT_EQ(accept(wire), nullptr);
}

TEST_P(Tls, AcceptsAClientWithACertificate) {
  serve(true);
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam(), "client");
  mcp::Connection* const connection = accept(wire, client);
  ASSERT_NE(connection, nullptr);
  ASSERT_EQ(client.write("question"), 8);
  EXPECT_EQ(read(*connection), "question");
}

// In TLS 1.3 a client is done before the server has looked at its certificate.
TEST_P(Tls, RejectsAClientWithoutAValidCertificate) {
  serve(true);
  for (const char* const name : {"", "stranger", "expired"}) {
    SCOPED_TRACE(name);
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam(), name);
    EXPECT_EQ(accept(wire, client), nullptr);
    EXPECT_TRUE(wire.closed);
  }
}

TEST_P(Tls, AcceptsCertificatesOnlyWithinTheirValidity) {
  serve(true);
  const std::pair<const char*, std::uint64_t> cases[] = {{"expired", 978'307'200'000 - 86'400'000},  // 2000-12-31
                                                         {"client", 4'000'000'000'000}};             // in 2096
  for (const auto& [name, ms] : cases) {
    SCOPED_TRACE(name);
    clock_.ms = ms;
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam(), name);
    // The one that was good then is signed by an authority that was not there yet.
    EXPECT_EQ(accept(wire, client), nullptr);
  }
}

TEST_P(Tls, ServesTheNextClientAfterAFailureWithoutMemory) {
  serve();
  {
    const Hog hog(2048);
    Wire& wire = wires_.emplace_back();
    wire.to_server = "\x16";
    clients_.waiting.push_back(&wire);
    poll();
    EXPECT_TRUE(wire.closed);
    EXPECT_EQ(wire.to_client, std::string("\x15\x03\x03\x00\x02\x02\x50", 7));
    EXPECT_EQ(listener_->refused(), 1U);
  }
  Wire& wire = wires_.emplace_back();
  Client client(wire, entropy_, GetParam());
  EXPECT_NE(accept(wire, client), nullptr);
}

// Memory runs out at every allocation of a handshake, once: the handshake fails, releases all its memory, and affects
// no other client. The client is not penalized: its next handshake does not wait.
TEST_P(Tls, SurvivesAnAllocationFailureAnywhereInAHandshake) {
  serve();
  bool done = false;
  for (std::size_t rest = 2000; rest < 40'000 && !done; rest += 48) {
    Wire& wire = wires_.emplace_back();
    wire.host = 1;
    Client client(wire, entropy_, GetParam());
    [[maybe_unused]] const std::size_t before = test::tls::used_memory();
    const std::size_t keys = test::tls::used_keys();
    const std::uint32_t refused = listener_->refused();
    {
      const Hog hog(rest);
      mcp::Connection* const connection = accept(wire, client);
      done = connection != nullptr;
      // In TLS 1.3 the client may be the one whose memory has ended: the server waits for it.
      now_ += 10'000;
      poll();
      EXPECT_EQ(done, !wire.closed);
      if (done) close(*connection);
    }
    mbedtls_ssl_session_reset(&client.ssl);
    EXPECT_EQ(test::tls::used_keys(), keys);
#ifdef MOTE_TLS_ARENA  // the key store of an SDK keeps its memory
    EXPECT_LE(test::tls::used_memory(), before);
#endif
    // The clients of a test take from the same memory: when one of these has failed, its peer is penalized.
    if (listener_->refused() == refused) now_ += 10'000;
  }
  EXPECT_TRUE(done);
  EXPECT_NE(listener_->refused(), 0U);
}

#ifdef MOTE_TLS_ARENA
// Other keys of PSA, so that at most `rest` more can be made.
class OtherKeys {
 public:
  explicit OtherKeys(std::size_t rest) {
    for (std::size_t used = test::tls::used_keys(); used + rest < MOTE_TLS_KEYS; ++used) {
      psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
      psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
      const std::uint8_t data[16] = {};
      EXPECT_EQ(psa_import_key(&attributes, data, sizeof data, &keys_.emplace_back()), PSA_SUCCESS);
    }
  }
  ~OtherKeys() {
    for (const psa_key_id_t key : keys_) EXPECT_EQ(psa_destroy_key(key), PSA_SUCCESS);
  }
  OtherKeys(const OtherKeys&) = delete;
  OtherKeys& operator=(const OtherKeys&) = delete;

 private:
  std::vector<psa_key_id_t> keys_;
};

// The key store is full at each key of a handshake, once: the handshake fails and frees its keys, and the connection of
// another client continues. Both ends take from the same key store.
TEST_P(Tls, FullKeyStoreEndsTheNewHandshakeOnly) {
  serve();
  Wire& first_wire = wires_.emplace_back();
  Client first(first_wire, entropy_, GetParam());
  mcp::Connection* const served = accept(first_wire, first);
  ASSERT_NE(served, nullptr);
  const std::size_t keys = test::tls::used_keys();
  bool done = false;
  std::size_t failures = 0, lost = 0;
  for (std::size_t rest = 0; rest < 20 && !done; ++rest) {
    SCOPED_TRACE(rest);
    {
      Wire& wire = wires_.emplace_back();
      Client client(wire, entropy_, GetParam());
      const OtherKeys others(rest);
      mcp::Connection* const connection = accept(wire, client);
      now_ += 10'000;
      poll();
      done = connection != nullptr;
      if (!done) ++failures;
      ASSERT_GT(first.write("question"), 0);
      EXPECT_EQ(read(*served), "question");
      EXPECT_EQ(served->write(std::string_view("answer")).size, 6U);
      EXPECT_EQ(first.read(), "answer");
      if (done) close(*connection);
    }
    // In TLS 1.3, mbedTLS loses the first of two keys if there is no place for the second (MOTE_TLS_KEYS).
    if (GetParam() == TlsVersion::v1_2) {
      EXPECT_EQ(test::tls::used_keys(), keys);
    }
    lost = test::tls::used_keys() - keys;
  }
  keys_ += lost;
  EXPECT_TRUE(done);
  EXPECT_GE(failures, 4U);
}
#endif

TEST_P(Tls, RejectsAKeyOfAnotherCertificateOrNone) {
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
