// SPDX-License-Identifier: Apache-2.0
// Clients of TLS: a TlsDialer over a wire of the test, with the server of the project at the other end, and over
// sockets of the kernel, with the server of openssl. Both ends of a wire share their memory, because they are in one
// program.
#include "mcp/ports/mbedtls_dialer.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/ports/posix.hpp"
#include "mcp/ports/posix_dialer.hpp"
#include "tls_client.hpp"

namespace {

using mcp::DialProblem;
using mcp::IoStatus;
using mcp::mbedtls::Der;
using mcp::mbedtls::DialedTlsConnection;
using mcp::mbedtls::TlsClient;
using mcp::mbedtls::TlsClientOptions;
using mcp::mbedtls::TlsDialer;
using mcp::mbedtls::TlsVersion;
using test::tls::Bytes;
using test::tls::file;
using test::tls::Hog;
using test::tls::TestClock;
using test::tls::Wire;

/// The client's end of a wire, as a dialer of TCP. The wire may be cut after a number of bytes to the client.
class WireDialer final : public mcp::Dialer, public mcp::Connection {
 public:
  Wire* wire = nullptr;  // nullptr: all connections are in use
  std::string host;
  bool is_refused = false;
  bool is_closed = false;
  std::size_t before_cut = static_cast<std::size_t>(-1);
  IoStatus cut = IoStatus::closed;
  std::size_t received = 0;
  std::size_t piece = 4096;  // bytes of one read or write

 private:
  mcp::Connection* do_dial(std::string_view name, std::uint16_t) override {
    if (wire == nullptr) {
      set_reason(DialProblem::in_use);
      return nullptr;
    }
    host = name;
    is_closed = false;
    received = 0;
    return this;
  }
  mcp::IoResult do_read(std::span<char> into) override {
    if (is_refused) return set_reason(DialProblem::refused), mcp::IoResult{IoStatus::failed, 0};
    if (received == before_cut) return {cut, 0};
    std::string& bytes = wire->to_client;
    if (bytes.empty()) {
      return {wire->server_ended || wire->closed ? IoStatus::closed : IoStatus::would_block, 0};
    }
    const std::size_t size = std::min({into.size(), piece, before_cut - received, bytes.size()});
    bytes.copy(into.data(), size);
    bytes.erase(0, size);
    received += size;
    return {IoStatus::ok, size};
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    if (is_refused) return set_reason(DialProblem::refused), mcp::IoResult{IoStatus::failed, 0};
    if (received == before_cut && cut == IoStatus::failed) return {cut, 0};
    const std::size_t room = wire->capacity - std::min(wire->capacity, wire->to_server.size());
    const std::size_t size = std::min({from.size(), piece, room});
    if (size == 0) return {IoStatus::would_block, 0};
    wire->to_server.append(from.data(), size);
    return {IoStatus::ok, size};
  }
  void do_finish() override { wire->client_ended = true; }
  void do_close() override { wire->client_ended = is_closed = true; }
};

class TlsDialing : public test::tls::Tls, public ::testing::WithParamInterface<TlsVersion> {
 protected:
  void SetUp() override {
    options_ = {.authorities = authorities_, .clock = &clock_, .least = GetParam(), .most = GetParam()};
  }
  void TearDown() override {
    if (dialed_ != nullptr) dialed_->close();
    dialer_.reset();
    client_.reset();
    test::tls::Tls::TearDown();
  }

  void begin(bool asks_for_certificate = false) {
    if (server_ == nullptr) serve(asks_for_certificate, clock_);
    client_ = std::make_unique<TlsClient>(options_, entropy_);
    ASSERT_TRUE(client_->ok());
    dialer_ = std::make_unique<TlsDialer>(below_, connections_of_client_, *client_);
  }
  // Without the end of the last connection there is no next one: the server has three.
  Wire& dial(std::string_view host = "localhost") {
    if (dialed_ != nullptr) std::exchange(dialed_, nullptr)->close();
    while (!open_.empty()) close(*open_.front().second);
    end_unfinished();
    Wire& wire = wires_.emplace_back();
    clients_.waiting.push_back(&wire);
    below_.wire = &wire;
    dialed_ = dialer_->dial(host, 8883);
    EXPECT_NE(dialed_, nullptr);
    return wire;
  }
  // Runs both ends until the client is connected or has failed. Returns what a read returns then.
  IoStatus shake_hands(Wire& wire) {
    IoStatus status = IoStatus::would_block;
    char byte[1];
    for (int round = 0; round < 20'000; ++round) {
      while (dialer_->poll() == 0) {
      }
      poll();
      if (open_.empty()) static_cast<void>(accept(wire));
      status = dialed_->read(byte).status;
      if (status != IoStatus::would_block || connections_of_client_[0].is_secured()) break;
    }
    for (int round = 0; round < 100 && status == IoStatus::would_block && open_.empty() && !wire.closed; ++round) {
      poll();
      static_cast<void>(accept(wire));
    }
    // In TLS 1.3 a server rejects a client later.
    return status == IoStatus::would_block ? dialed_->read(byte).status : status;
  }
  void expect_connects(std::string_view host = "localhost") {
    Wire& wire = dial(host);
    EXPECT_EQ(shake_hands(wire), IoStatus::would_block) << dialer_->problem();
    ASSERT_EQ(open_.size(), 1U);
    EXPECT_EQ(dialed_->write(std::string_view("question")).size, 8U);
    EXPECT_EQ(read(*open_[0].second), "question");
  }
  void expect_fails(DialProblem reason, std::string_view host = "localhost") {
    Wire& wire = dial(host);
    EXPECT_EQ(shake_hands(wire), IoStatus::failed);
    EXPECT_EQ(dialer_->reason(), reason) << dialer_->problem();
    EXPECT_EQ(dialed_->write(std::string_view("x")).status, IoStatus::failed);
    char byte[1];
    EXPECT_EQ(dialed_->read(byte).status, IoStatus::failed);
    EXPECT_EQ(dialer_->reason(), reason);
  }
  std::string read_dialed() {
    char bytes[64];
    const mcp::IoResult result = dialed_->read(bytes);
    dialed_status_ = result.status;
    return {bytes, result.size};
  }

  const Bytes stranger_ = file("stranger.der"), client_certificate_ = file("client.der"),
              client_key_ = file("client_key.der"), stranger_key_ = file("stranger_key.der");
  const Der authorities_[1] = {authority_}, others_[1] = {stranger_}, own_[1] = {client_certificate_},
            strangers_[1] = {stranger_};
  TestClock clock_;
  TlsClientOptions options_;
  WireDialer below_;
  DialedTlsConnection connections_of_client_[2];
  std::unique_ptr<TlsClient> client_;
  std::unique_ptr<TlsDialer> dialer_;
  mcp::Connection* dialed_ = nullptr;
  IoStatus dialed_status_ = IoStatus::ok;
};

// ---- Bytes -------------------------------------------------------------------------------------------------------

TEST_P(TlsDialing, CarriesBytesBothWays) {
  begin();
  Wire& wire = dial();
  EXPECT_EQ(below_.host, "localhost");
  EXPECT_EQ(read_dialed(), "");
  EXPECT_EQ(dialed_status_, IoStatus::would_block);
  EXPECT_EQ(dialed_->write(std::string_view("x")).status, IoStatus::would_block);
  for (int steps = 0; steps < 10 && wire.to_server.empty(); ++steps) static_cast<void>(dialer_->poll());
  EXPECT_NE(wire.to_server.find("localhost"), std::string::npos) << "the name of the server is in the first message";
  EXPECT_EQ(shake_hands(wire), IoStatus::would_block);
  ASSERT_EQ(open_.size(), 1U);
  EXPECT_STREQ(connections_of_client_[0].version(), GetParam() == TlsVersion::v1_2 ? "TLSv1.2" : "TLSv1.3");
  EXPECT_EQ(dialed_->write(std::string_view("question")).size, 8U);
  EXPECT_EQ(wire.to_server.find("question"), std::string::npos);
  EXPECT_EQ(read(*open_[0].second), "question");
  EXPECT_EQ(open_[0].second->write(std::string_view("answer")).size, 6U);
  EXPECT_EQ(read_dialed(), "answer");
  EXPECT_EQ(dialer_->poll(), mcp::forever);
  EXPECT_EQ(dialer_->reason(), DialProblem::none);
}

// The network sends the bytes in its next poll. Here it has space for a part of a message.
TEST_P(TlsDialing, PollsAgainAfterEachWrite) {
  begin();
  Wire& wire = dial();
  wire.capacity = 50;
  for (int round = 0; round < 1'000 && !connections_of_client_[0].is_secured(); ++round) {
    const std::size_t before = wire.to_server.size();
    const mcp::Millis due = dialer_->poll();
    EXPECT_TRUE(due == 0 || wire.to_server.size() == before);
    if (due == 0) continue;
    poll();
    if (open_.empty()) static_cast<void>(accept(wire));
  }
  EXPECT_TRUE(connections_of_client_[0].is_secured());
}

TEST_P(TlsDialing, MakesOneStepInAPoll) {
  begin();
  Wire& wire = dial();
  unsigned steps = 0;
  for (int round = 0; round < 1'000 && !connections_of_client_[0].is_secured(); ++round) {
    if (dialer_->poll() == 0) ++steps;
    poll();
    if (open_.empty()) static_cast<void>(accept(wire));
  }
  EXPECT_TRUE(connections_of_client_[0].is_secured());
  EXPECT_GE(steps, 8U);
}

TEST_P(TlsDialing, WorksOverANarrowWire) {
  begin();
  below_.piece = 1;
  Wire& wire = dial();
  wire.capacity = 100;
  EXPECT_EQ(shake_hands(wire), IoStatus::would_block) << dialer_->problem();
  ASSERT_EQ(open_.size(), 1U);
  std::string sent, got;
  for (int i = 0; i < 4000; ++i) sent.push_back(static_cast<char>('a' + i % 26));
  std::string_view rest = sent;
  for (int round = 0; round < 10'000 && got.size() < sent.size(); ++round) {
    if (!rest.empty()) {
      const mcp::IoResult result = dialed_->write(rest);
      ASSERT_TRUE(result.status == IoStatus::ok || result.status == IoStatus::would_block);
      rest.remove_prefix(result.size);
    } else {
      static_cast<void>(read_dialed());
    }
    got += read(*open_[0].second);
  }
  EXPECT_EQ(got, sent);
}

TEST_P(TlsDialing, SendsAndReceivesCloseNotify) {
  begin();
  Wire& wire = dial();
  dialed_->finish();  // has no effect before the connection
  EXPECT_FALSE(wire.client_ended);
  EXPECT_EQ(shake_hands(wire), IoStatus::would_block);
  ASSERT_EQ(open_.size(), 1U);
  dialed_->finish();
  EXPECT_TRUE(wire.client_ended);
  EXPECT_EQ(read(*open_[0].second), "");
  EXPECT_EQ(status_, IoStatus::closed);
  open_[0].second->finish();
  EXPECT_EQ(read_dialed(), "");
  EXPECT_EQ(dialed_status_, IoStatus::closed);
}

TEST_P(TlsDialing, ResetFailsTheConnection) {
  begin();
  expect_connects();
  below_.before_cut = below_.received;
  below_.cut = IoStatus::failed;
  EXPECT_EQ(read_dialed(), "");
  EXPECT_EQ(dialed_status_, IoStatus::failed);
  EXPECT_EQ(dialer_->reason(), DialProblem::lost);
}

// ---- Certificates ------------------------------------------------------------------------------------------------

TEST_P(TlsDialing, ChecksTheNameOfTheServer) {
  begin();
  expect_connects("127.0.0.1");
  expect_connects("LOCALHOST");
  for (const char* const host : {"other.example", "localhost.example", "example.localhost", "localhos", "127.0.0.2"}) {
    SCOPED_TRACE(host);
    expect_fails(DialProblem::wrong_host, host);
  }
  EXPECT_STREQ(dialer_->problem(), "the certificate is not valid for this host");
  expect_connects();
}

TEST_P(TlsDialing, ChecksTheAuthority) {
  options_.authorities = others_;
  begin();
  expect_fails(DialProblem::untrusted);
  EXPECT_STREQ(dialer_->problem(), "no known authority has signed the certificate");
  expect_fails(DialProblem::untrusted, "other.example");
}

TEST_P(TlsDialing, ChecksTheValidity) {
  begin();
  clock_.ms = 4'000'000'000'000;  // in 2096
  expect_fails(DialProblem::expired);
  EXPECT_STREQ(dialer_->problem(), "the certificate has expired");
  clock_.ms = 0;
  expect_fails(DialProblem::not_yet_valid);
  EXPECT_STREQ(dialer_->problem(), "the certificate is not valid yet");
  options_.clock = nullptr;
  if (dialed_ != nullptr) std::exchange(dialed_, nullptr)->close();
  begin();
  expect_connects();
}

TEST_P(TlsDialing, AcceptsAPinnedCertificateOnly) {
  options_.authorities = {};
  options_.pinned = certificate_;
  begin();
  expect_connects();
  expect_fails(DialProblem::wrong_host, "other.example");
  clock_.ms = 4'000'000'000'000;
  expect_fails(DialProblem::expired);
  clock_ = {};
  // The authority has signed it, but it is another one.
  std::exchange(dialed_, nullptr)->close();
  options_.authorities = authorities_;
  options_.pinned = client_certificate_;
  begin();
  expect_fails(DialProblem::untrusted);
}

TEST_P(TlsDialing, ShowsACertificateToTheServer) {
  options_.certificates = own_;
  options_.key = client_key_;
  begin(true);
  expect_connects();
}

// The server of mbedTLS sends no alert to a client without a certificate, and in TLS 1.3 one that no client can
// decrypt. The server of openssl does both.
TEST_P(TlsDialing, ReportsThatTheServerRejectsTheClient) {
  begin(true);
  expect_fails(DialProblem::lost);
  std::exchange(dialed_, nullptr)->close();
  options_.certificates = strangers_;
  options_.key = stranger_key_;
  begin();
  expect_fails(GetParam() == TlsVersion::v1_2 ? DialProblem::rejected : DialProblem::lost);
}

TEST_P(TlsDialing, RejectsInvalidOptions) {
  serve(false, clock_);
  const Bytes broken(authority_.begin(), authority_.begin() + 40);
  const Der cut[] = {broken};
  const TlsClientOptions cases[] = {{},
                                    {.authorities = cut},
                                    {.pinned = broken},
                                    {.authorities = authorities_, .key = client_key_},
                                    {.authorities = authorities_, .certificates = own_},
                                    {.authorities = authorities_, .certificates = cut, .key = client_key_},
                                    {.authorities = authorities_, .certificates = own_, .key = stranger_key_}};
  for (const TlsClientOptions& options : cases) {
    TlsClient client(options, entropy_);
    EXPECT_FALSE(client.ok());
    TlsDialer dialer(below_, connections_of_client_, client);
    EXPECT_EQ(dialer.dial("localhost", 8883), nullptr);
  }
}

// ---- Other faults ------------------------------------------------------------------------------------------------

TEST_P(TlsDialing, ReportsTheProblemOfTheDialerBelow) {
  begin();
  EXPECT_EQ(dialer_->dial("localhost", 8883), nullptr);
  EXPECT_EQ(dialer_->reason(), DialProblem::in_use);
  below_.is_refused = true;
  expect_fails(DialProblem::refused);
  EXPECT_STREQ(dialer_->problem(), "the host refuses the connection");
}

TEST_P(TlsDialing, ReportsThatAllConnectionsAreInUse) {
  begin();
  static_cast<void>(dial());
  mcp::Connection* const second = dialer_->dial("localhost", 8883);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(dialer_->dial("localhost", 8883), nullptr);
  EXPECT_EQ(dialer_->reason(), DialProblem::in_use);
  second->close();
  EXPECT_EQ(dialer_->dial("localhost", 8883), second);
  second->close();
}

TEST_P(TlsDialing, ReportsAServerWithoutTls) {
  begin();
  Wire& wire = dial();
  clients_.waiting.clear();
  wire.to_client = "HTTP/1.1 400 Bad Request\r\n\r\n";
  EXPECT_EQ(shake_hands(wire), IoStatus::failed);
  EXPECT_EQ(dialer_->reason(), DialProblem::handshake);
  EXPECT_STREQ(dialer_->problem(), "the server does not support the TLS of this device");
}

TEST_P(TlsDialing, ReportsAnAlert) {
  begin();
  const std::pair<char, DialProblem> cases[] = {{'\x28', DialProblem::handshake},  // handshake_failure
                                                {'\x46', DialProblem::handshake},  // protocol_version
                                                {'\x70', DialProblem::wrong_host},
                                                {'\x30', DialProblem::rejected},
                                                {'\x74', DialProblem::rejected}};
  for (const auto& [alert, reason] : cases) {
    Wire& wire = dial();
    clients_.waiting.clear();
    wire.to_client = std::string("\x15\x03\x03\x00\x02\x02", 6) + alert;
    EXPECT_EQ(shake_hands(wire), IoStatus::failed);
    EXPECT_EQ(dialer_->reason(), reason) << static_cast<int>(alert);
  }
}

TEST_P(TlsDialing, ClosesInEachState) {
  begin();
  Wire& wire = dial();
  for (int steps = 0; steps < 60 && !connections_of_client_[0].is_secured(); ++steps) {
    Wire& next = dial();
    for (int i = 0; i < steps; ++i) {
      static_cast<void>(dialer_->poll());
      poll();
    }
    EXPECT_FALSE(below_.is_closed);
    std::exchange(dialed_, nullptr)->close();
    EXPECT_TRUE(below_.is_closed && next.client_ended);
    if (steps % 10 != 0) continue;
    expect_connects();
    std::exchange(dialed_, nullptr)->close();
  }
  EXPECT_TRUE(wire.client_ended);
}

#ifdef MOTE_TLS_ARENA
constexpr std::size_t cut_step = 1;
// Counts only failures that are reported as a lack of memory.
constexpr bool counts_all = false;
#else
constexpr std::size_t cut_step = 7;
// The heap of an SDK does not tell that it was full, and mbedTLS reports it as another problem in some cases, such as a
// signature that it could not check.
constexpr bool counts_all = true;
#endif

// The wire is cut after each byte of the server, by its end or by a reset. With an SDK, whose curves are slow, after
// some.
TEST_P(TlsDialing, SurvivesACutAfterEachByteOfAHandshake) {
  begin();
  expect_connects();
  const std::size_t handshake = below_.received;
  ASSERT_GT(handshake, 500U);
  for (std::size_t cut = 0; cut < handshake; cut += cut_step) {
    SCOPED_TRACE(cut);
    below_.before_cut = cut;
    below_.cut = cut % 2 == 0 ? IoStatus::closed : IoStatus::failed;
    const IoStatus status = shake_hands(dial());
    // The length of a signature differs, so a handshake may be over before its last bytes are cut.
    if (below_.received < cut && cut + 16 > handshake && connections_of_client_[0].is_secured()) continue;
    // A client of TLS 1.3 may be done before the last bytes of the server, such as a ticket.
    EXPECT_TRUE(status == IoStatus::failed || (connections_of_client_[0].is_secured() && status == below_.cut));
    EXPECT_TRUE(status == IoStatus::closed || dialer_->reason() == DialProblem::lost) << dialer_->problem();
    if (testing::Test::HasFailure()) return;
  }
  below_.before_cut = static_cast<std::size_t>(-1);
  expect_connects();
}

TEST_P(TlsDialing, RejectsChangedBytesOfAHandshake) {
  begin();
  for (std::size_t at = 0; at < 200; at += 3) {
    SCOPED_TRACE(at);
    Wire& wire = dial();
    for (int round = 0; round < 100 && wire.to_client.size() <= at; ++round) {
      static_cast<void>(dialer_->poll());
      static_cast<void>(listener_->poll(now_, mcp::forever));
    }
    ASSERT_GT(wire.to_client.size(), at);
    wire.to_client[at] = static_cast<char>(wire.to_client[at] ^ 1);
    // If the changed bytes are a length, the client waits for more bytes. Then it is its user who closes the
    // connection.
    const IoStatus status = shake_hands(wire);
    EXPECT_TRUE(status == IoStatus::failed || !connections_of_client_[0].is_secured());
    if (testing::Test::HasFailure()) return;
  }
  expect_connects();
}

TEST_P(TlsDialing, ReportsAFailureOfTheEntropy) {
  begin();
  Wire& wire = dial();
  entropy_.fails = true;
  EXPECT_EQ(shake_hands(wire), IoStatus::failed);
  EXPECT_EQ(dialer_->reason(), DialProblem::no_memory) << dialer_->problem();
  entropy_.fails = false;
  expect_connects();
}

TEST_P(TlsDialing, WithoutMemoryDialsNothing) {
  begin();
  Wire& wire = wires_.emplace_back();
  below_.wire = &wire;
  for (const std::size_t rest : {512U, 1024U, 4096U}) {
    const Hog hog(rest);
    EXPECT_EQ(dialer_->dial("localhost", 8883), nullptr);
    EXPECT_EQ(dialer_->reason(), DialProblem::no_memory);
    EXPECT_STREQ(dialer_->problem(), "the device has no memory for the connection");
  }
  expect_connects();
}

// Memory runs out at each allocation of a handshake, of either end: no memory is lost, and the next connection works.
TEST_P(TlsDialing, SurvivesAnAllocationFailureAnywhereInAHandshake) {
  begin();
  std::size_t failures = 0;
  bool is_done = false;
  for (std::size_t rest = 6'000; rest < 40'000 && !is_done; rest += 48) {
    Wire& wire = dial();
    {
      const Hog hog(rest - 4'900);
      is_done = shake_hands(wire) == IoStatus::would_block && !open_.empty();
      if (!is_done && (counts_all || dialer_->reason() == DialProblem::no_memory)) ++failures;
      std::exchange(dialed_, nullptr)->close();
    }
    if (listener_->refused() != 0) now_ += 10'000;
  }
  EXPECT_TRUE(is_done);
  EXPECT_GT(failures, 0U);
  expect_connects();
}

INSTANTIATE_TEST_SUITE_P(Version, TlsDialing, ::testing::Values(TlsVersion::v1_2, TlsVersion::v1_3),
                         [](const auto& version) { return version.param == TlsVersion::v1_2 ? "v1_2" : "v1_3"; });

// ---- openssl -----------------------------------------------------------------------------------------------------

/// The server of openssl at a free port, which returns each line reversed.
class Openssl {
 public:
  explicit Openssl(const std::string& more) {
    const std::string folder = MOTE_CERTIFICATES "/";
    const std::string command = "exec openssl s_server -accept 127.0.0.1:0 -cert " + folder + "server.pem -key " +
                                folder + "server_key.pem -CAfile " + folder + "authority.pem -rev " + more + " 2>&1";
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[1], 1);
      close(ends[0]);
      close(ends[1]);
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
    char line[256];
    while (port == 0 && std::fgets(line, sizeof line, out_) != nullptr) {
      const std::string_view text(line);
      if (!text.starts_with("ACCEPT")) continue;
      port = static_cast<std::uint16_t>(std::stoi(std::string(text.substr(text.rfind(':') + 1))));
    }
    EXPECT_NE(port, 0);
  }
  ~Openssl() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    std::fclose(out_);
  }
  Openssl(const Openssl&) = delete;
  Openssl& operator=(const Openssl&) = delete;

  std::uint16_t port = 0;

 private:
  pid_t child_ = -1;
  std::FILE* out_ = nullptr;
};

class TlsOpenssl : public ::testing::TestWithParam<TlsVersion> {
 protected:
  static void SetUpTestSuite() { test::tls::set_memory(); }
  void SetUp() override { alarm(60); }
  void TearDown() override {
    alarm(0);
    test::tls::expect_no_memory_used();
  }

  // Sends a line, and returns the response; or why there is none.
  std::string response(const TlsClientOptions& options, std::uint16_t port, const char* host = "127.0.0.1") {
    TlsClient client(options, entropy_);
    EXPECT_TRUE(client.ok());
    mcp::posix::TcpDialer tcp(tcp_connections_);
    TlsDialer dialer(tcp, connections_, client);
    mcp::Connection* const connection = dialer.dial(host, port);
    if (connection == nullptr) return dialer.problem();
    std::string_view rest = "abc\n";
    std::string all;
    char bytes[64];
    for (int turn = 0; turn < 10'000 && all.size() < 4; ++turn) {
      if (!rest.empty()) rest.remove_prefix(connection->write(rest).size);
      const mcp::IoResult result = connection->read(bytes);
      all.append(bytes, result.size);
      if (result.status == IoStatus::failed || result.status == IoStatus::closed) break;
      tcp.wait(result.status == IoStatus::ok ? 0 : std::min<mcp::Millis>(dialer.poll(), 1'000));
    }
    connection->close();
    return all.empty() ? dialer.problem() : all;
  }

  const Bytes authority_ = file("authority.der"), certificate_ = file("client.der"), key_ = file("client_key.der");
  const Der authorities_[1] = {authority_}, own_[1] = {certificate_};
  mcp::posix::SystemEntropy entropy_;
  mcp::posix::DialedConnection tcp_connections_[1];
  DialedTlsConnection connections_[1];
};

TEST_P(TlsOpenssl, TalksToAServerOfOpenssl) {
  const Openssl server(GetParam() == TlsVersion::v1_2 ? "-tls1_2" : "-tls1_3");
  EXPECT_EQ(response({.authorities = authorities_}, server.port), "cba\n");
  EXPECT_EQ(response({.authorities = own_}, server.port), "no known authority has signed the certificate");
  const Bytes pinned = file("server.der");
  EXPECT_EQ(response({.pinned = pinned}, server.port), "cba\n");
}

TEST_P(TlsOpenssl, ShowsACertificateToAServerOfOpenssl) {
  const Openssl server(std::string("-Verify 1 -verify_return_error ") +
                       (GetParam() == TlsVersion::v1_2 ? "-tls1_2" : "-tls1_3"));
  EXPECT_EQ(response({.authorities = authorities_, .certificates = own_, .key = key_}, server.port), "cba\n");
  // A server of TLS 1.2 has the alert handshake_failure for it.
  EXPECT_EQ(response({.authorities = authorities_}, server.port),
            GetParam() == TlsVersion::v1_2 ? "the server does not support the TLS of this device"
                                           : "the server rejects this client");
}

TEST_P(TlsOpenssl, ReportsAnotherVersion) {
  const Openssl server(GetParam() == TlsVersion::v1_2 ? "-tls1_2" : "-tls1_3");
  const TlsVersion other = GetParam() == TlsVersion::v1_2 ? TlsVersion::v1_3 : TlsVersion::v1_2;
  EXPECT_EQ(response({.authorities = authorities_, .least = other, .most = other}, server.port),
            "the server does not support the TLS of this device");
}

INSTANTIATE_TEST_SUITE_P(Version, TlsOpenssl, ::testing::Values(TlsVersion::v1_2, TlsVersion::v1_3),
                         [](const auto& version) { return version.param == TlsVersion::v1_2 ? "v1_2" : "v1_3"; });

}  // namespace
