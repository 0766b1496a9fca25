// SPDX-License-Identifier: Apache-2.0
/// @file
/// TLS 1.2 and 1.3 for servers with mbedTLS 3.6, between a Listener (lwIP or POSIX) and the HTTP transport. It supports
/// ECDHE on P-256, ECDSA, ChaCha20-Poly1305, AES-128-GCM and SHA-256.
/// @code
/// mcp::mbedtls::TlsConnection tls_connections[3];
/// mcp::Listener& secure(mcp::Listener& tcp, mcp::Entropy& entropy, const mcp::mbedtls::TlsOptions& options) {
///   static mcp::mbedtls::TlsServer server{options, entropy};
///   static mcp::mbedtls::TlsListener listener{tcp, tls_connections, server};
///   if (!server.ok()) board::led(100);
///   return listener;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <mbedtls/pk.h>
#include <mbedtls/platform_time.h>  // x509.h of version 4 uses it
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::mbedtls {

/// A version of TLS. Source: RFC 5246 (1.2) and RFC 8446 (1.3).
enum class TlsVersion : std::uint8_t { v1_2, v1_3 };

/// A certificate or key in DER: the bytes of a PEM file between its first and last line, without base64.
using Der = std::span<const std::uint8_t>;

/// The certificates of the server, and the clients that it accepts.
struct TlsOptions {
  /// The certificate of the server, then the certificates up to an authority that clients know. On P-256, signed with
  /// SHA-256. Limits: all of them must fit into a record of MOTE_TLS_OUT bytes. Lifetime: they are not copied, and must
  /// outlive the server, for example in flash.
  std::span<const Der> certificates = {};
  /// The private key of the first certificate (RFC 5915 or PKCS #8, not encrypted). It is copied into the arena.
  Der key = {};
  /// Certificates of the authorities that sign client certificates. With at least one, the server accepts only clients
  /// with a certificate signed by one of them. Without one, clients need no certificate. Lifetime: they are not copied.
  std::span<const Der> client_authorities = {};
  /// The clock for the validity of client certificates. Without it, the server does not check the validity.
  WallClock* clock = nullptr;
  TlsVersion least = TlsVersion::v1_2;  ///< The oldest version that the server supports.
  TlsVersion most = TlsVersion::v1_3;   ///< The newest version that the server supports.
};

/// The certificates and keys that all connections share. Call set_arena() first. Limits: one in a program.
class TlsServer {
 public:
  /// `entropy` is the source of all keys. While it fails, each handshake fails.
  /// Lifetime: `entropy`, the certificates and the clock must outlive the object. `options` may be a temporary.
  /// Errors: see ok().
  TlsServer(const TlsOptions& options, Entropy& entropy);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  /// Returns false if a certificate or the key is invalid, if they do not belong together, or if the arena is too
  /// small.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  friend class TlsListener;
  bool read(const TlsOptions& options);

  mbedtls_ssl_config config_;
  mbedtls_x509_crt certificates_;
  mbedtls_x509_crt authorities_;
  mbedtls_pk_context key_;
  bool ok_ = false;
};

/// The longest record in bytes that a client may send (MOTE_TLS_IN). A client may send a request in one record, so a
/// program asserts that it is at least HttpLimits::head_size and Limits::receive_size together.
/// Errors: a client that sends a longer record gets the alert record_overflow.
inline constexpr std::size_t most_record = MBEDTLS_SSL_IN_CONTENT_LEN;

/// One connection of a TlsListener. The listener finishes the handshake before accept() returns the connection. Its
/// peer() is the peer() of the TCP connection.
///
/// Each write is encrypted at once, as one record. The next read, write or finish() sends bytes that TCP does not take
/// yet. close() discards them, so call finish() and read to the end first. If a client closes the TCP connection
/// without close_notify, the connection counts as closed, because HTTP marks the end of each message.
class TlsConnection : public Connection {
 public:
  /// A free connection.
  TlsConnection();  // not inline, so that its memory starts as zero and takes no flash

  /// Returns whether the handshake is complete.
  [[nodiscard]] bool is_secured() const { return stage_ == Stage::secured || stage_ == Stage::open; }
  /// Returns the version of the protocol, such as "TLSv1.3", if is_secured(). Lifetime: as long as the program.
  [[nodiscard]] const char* version() const { return mbedtls_ssl_get_version(&ssl_); }

 private:
  // A connection of a TlsDialer (mbedtls_dialer.hpp) has the same bytes after its handshake.
  friend class DialedTlsConnection;
  friend class TlsDialer;
  friend class TlsListener;
  enum class Stage : std::uint8_t {
    free,
    waiting,    // waits for its handshake, without memory of the arena
    handshake,  // in its handshake
    secured,    // waits to be accepted
    open,       // in use
  };
  enum class End : std::uint8_t { none, wanted, said, finished };

  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return below_->peer(); }
  IoStatus take_first();
  bool begin(const mbedtls_ssl_config& config);
  IoStatus step();
  void hang_up();
  int flush();
  IoStatus status_of(int result);
  static int send(void* self, const unsigned char* from, std::size_t size);
  static int receive(void* self, unsigned char* into, std::size_t size);

  Connection* below_ = nullptr;
  Stage stage_ = Stage::free;
  End end_ = End::none;
  bool failed_ = false;
  bool has_key_ = false;     // has taken the prepared key
  bool moved_ = false;       // has moved a byte since the last step of a handshake
  bool is_reached_ = false;  // the connection below has taken bytes
  bool has_sent_ = false;    // the connection below has taken bytes in this step of the handshake
  bool is_short_ = false;    // waits for memory
  bool is_new_ = false;      // its time has not begun
  bool has_first_ = false;   // the first byte of its client, which mbedTLS has not read yet
  char first_ = 0;
  Millis since_ms_ = 0;     // the time when the stage or the wait for memory began, or of the last step of its
                            // handshake
  std::size_t memory_ = 0;  // bytes of the arena that its handshake uses
  std::size_t most_memory_ = 0;
  mbedtls_ssl_context ssl_;
};

/// A Listener that encrypts the connections of another Listener. Use one connection more than the transport has. A
/// client can then finish its handshake while the transport serves all others, and the transport closes no connection
/// for a client without a handshake. Further clients wait in the other Listener.
///
///     for (;;) {
///       const mcp::Millis others_ms = std::min(transport.poll(board::millis()), network.poll(board::millis()));
///       const mcp::Millis handshakes_ms = secured.poll(board::millis(), others_ms);
///       board::wait_for_event(std::min(others_ms, handshakes_ms));
///     }
///
/// A handshake needs much computing time, so one poll() makes at most one step of one handshake. While the rest of the
/// program has work, the steps get a quarter of the time. Two clients can be in their handshake at the same time, but
/// not two clients of one peer. A handshake begins with the first byte of its client. The listener closes a client that
/// does not begin or continue its handshake for 10 s. The time is 2 s if all connections, here or of the other
/// Listener, are in use, or if another client waits for this handshake. If the arena has no space for a client, the
/// client waits for this time for others to leave, and then gets the alert internal_error. After a failed handshake of
/// a peer, its next handshake waits 1 s. The time doubles with each failure, up to 8 s. Meanwhile the listener closes
/// the connections of this peer if no other connection is free. A client that closes its connection before the first
/// byte of the server has not failed. Context: main loop; only a step of a handshake blocks.
class TlsListener final : public Listener {
 public:
  /// Encrypts the connections of `below`. Lifetime: all arguments must outlive the object.
  /// Limits: each connection uses 2 of MOTE_TLS_KEYS, and handshakes use 8, so the default allows 4 connections. More
  /// connections assert.
  TlsListener(Listener& below, std::span<TlsConnection> connections, TlsServer& server);

  /// Continues the handshakes. Call it after all other polls. `now` is the time in milliseconds. `others_ms` is the
  /// smallest value that the other polls returned; 0 if they have work. Returns the time in milliseconds until the next
  /// call.
  [[nodiscard]] Millis poll(Millis now, Millis others_ms);

  /// Returns the number of clients that got the alert internal_error and were closed, because the arena had no space.
  [[nodiscard]] std::uint32_t refused() const { return refused_; }

 private:
  using Stage = TlsConnection::Stage;
  // A peer whose last handshakes were not finished.
  struct Suspect {
    std::uint64_t peer;
    Millis at_ms;           // the time of the last failure
    std::uint8_t failures;  // 0: free
  };

  Connection* do_accept() override;
  bool do_has_waiting() override;
  [[nodiscard]] std::size_t count(Stage stage) const;
  // A further client has no connection, here or below.
  [[nodiscard]] bool is_full() const { return count(Stage::free) == 0 || below_->has_waiting(); }
  void take_clients();
  Millis begin_next();
  Millis begin_in_turn(TlsConnection& connection);
  Millis begin(TlsConnection& connection);
  [[nodiscard]] bool is_alone() const { return count(Stage::free) + count(Stage::waiting) == connections_.size(); }
  [[nodiscard]] bool has_memory() const;
  [[nodiscard]] std::size_t count_ready() const;
  [[nodiscard]] Millis patience(std::size_t others) const;
  bool make_step();
  void note_step();
  bool go_on(TlsConnection& connection);
  void note_memory(TlsConnection& connection, std::size_t before);
  Millis end_late();
  [[nodiscard]] Millis others_first(Millis others_ms);
  [[nodiscard]] Suspect* find(std::uint64_t peer);
  [[nodiscard]] Millis penalty(std::uint64_t peer);
  void fail(TlsConnection& connection);

  Listener* below_;
  std::span<TlsConnection> connections_;
  TlsServer* server_;
  std::uint32_t refused_ = 0;
  std::size_t need_ = 0;  // the most bytes of the arena that a finished handshake has used
  Millis now_ = 0;
  Millis last_ms_ = 0;         // the time when the last step began; in the poll after it, when it ended
  Millis pause_ms_ = 0;        // time for others after the last step
  std::uint8_t next_ = 0;      // index of the connection whose turn it is
  std::uint8_t deferred_ = 0;  // polls in which others came first
  bool stepped_ = false;       // in the last poll
  Suspect suspects_[4] = {};
};

}  // namespace mcp::mbedtls

#include <mcp/detail/epilogue.hpp>
