// TLS 1.2 and 1.3 for servers, with mbedTLS 3.6: between any Listener (a TcpListener of ports/lwip, or of ports/posix)
// and the transport above it. ECDHE on P-256, ECDSA, AES-128-GCM, SHA-256. Knows no board, no TCP and no protocol.
#pragma once

#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace mcp::mbedtls {

/// RFC 5246 and RFC 8446.
enum class TlsVersion : std::uint8_t { v1_2, v1_3 };

/// DER: the bytes that are between the lines of a PEM file, without base64.
using Der = std::span<const std::uint8_t>;

/// Who the server is, and whom it lets in.
struct TlsOptions {
  /// The server's own, then those between it and an authority that clients know. On P-256, signed with SHA-256. All of
  /// them must fit into a record of MOTE_TLS_OUT bytes. Not copied: they stay where they are, such as in flash.
  std::span<const Der> certificates = {};
  /// The private key of the first one (RFC 5915 or PKCS #8, not encrypted). Copied into the arena.
  Der key = {};
  /// Certificates of those who sign clients' certificates. Without any no client is asked for one; with one, only
  /// clients with a certificate that one of them has signed get through. Not copied.
  std::span<const Der> client_authorities = {};
  /// Clients' certificates are refused before and after the time that they are good for. Without it that is not looked
  /// at.
  WallClock* clock = nullptr;
  /// The versions that are spoken, from the least to the most.
  TlsVersion least = TlsVersion::v1_2;
  TlsVersion most = TlsVersion::v1_3;
};

/// What all connections of a server have in common. One in a program, to live as long as it. set_arena() comes before.
class TlsServer {
 public:
  /// `entropy` is where all keys come from, and must outlive this; while it fails, so does every handshake. The options
  /// are read here and not kept: they may be a temporary, but what their spans of DER and their clock point at stays.
  TlsServer(const TlsOptions& options, Entropy& entropy);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  /// False when a certificate or the key cannot be read, the key is another certificate's, or the arena is too small.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  friend class TlsConnection;
  bool read(const TlsOptions& options);
  static int check_dates(void* self, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);

  mbedtls_ssl_config config_;
  mbedtls_x509_crt certificates_;
  mbedtls_x509_crt authorities_;
  mbedtls_pk_context key_;
  WallClock* clock_;
  bool ok_ = false;
};

/// One connection of a TlsListener, which makes its handshake before it is accepted.
///
/// What is written is encrypted at once, a record for each write; what the connection below does not take yet goes with
/// the next read, write or finish. close() does not wait for it: finish(), and read to the end, first.
///
/// Its peer() is that of the connection below.
///
/// A client that ends without saying so (close_notify) has ended: HTTP says itself where a message ends.
class TlsConnection final : public Connection {
 public:
  TlsConnection();  // not inline, so that its memory starts as zero and takes no flash

  /// Whether the handshake is done. From then on version() is that of the protocol, such as "TLSv1.3", a literal.
  [[nodiscard]] bool is_secured() const { return stage_ == Stage::secured || stage_ == Stage::open; }
  [[nodiscard]] const char* version() const { return mbedtls_ssl_get_version(&ssl_); }

 private:
  friend class TlsListener;
  enum class Stage : std::uint8_t {
    free,
    waiting,    // for its handshake: it has no memory of the arena yet
    handshake,  // in it
    secured,    // waits to be accepted
    open,       // its user's
  };
  enum class End : std::uint8_t { none, wanted, said, finished };

  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return below_->peer(); }
  bool begin(TlsServer& server);
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
  bool has_key_ = false;  // has taken the key that was prepared
  bool moved_ = false;    // a byte, since the last step of a handshake
  Millis since_ms_ = 0;   // when the stage began, or the last step of its handshake was made
  mbedtls_ssl_context ssl_;
};

/// Clients of another listener, encrypted. Its connections are the caller's memory: one for each client at the same
/// time. Clients for whom there is none wait in the listener below. With one more than the transport has, a client
/// makes its handshake while all others are served, and no client is closed for one that has not made it.
///
///     for (;;) {
///       const mcp::Millis others_ms = std::min(transport.poll(board::millis()), network.poll(board::millis()));
///       const mcp::Millis handshakes_ms = secured.poll(board::millis(), others_ms);
///       board::wait_for_event(std::min(others_ms, handshakes_ms));
///     }
///
/// A handshake computes for a long time: a poll makes one step of one handshake at most. Steps wait while others have
/// work, and while they do they get a quarter of the time. Two clients are in their handshake at the same time, but not
/// two of the same peer. A client that keeps its handshake waiting for 10 s is hung up on, and after 2 s when another
/// client waits for its turn or there is no place for one more. When a handshake of a peer fails or is not finished,
/// its next one waits: 1 s, and twice as long each time, up to 8 s. Main loop; nothing but a step blocks.
class TlsListener final : public Listener {
 public:
  /// All must outlive it. Each connection takes two of MOTE_TLS_KEYS, and handshakes eight: up to four connections by
  /// default, which is asserted.
  TlsListener(Listener& below, std::span<TlsConnection> connections, TlsServer& server);

  /// Goes on with the handshakes, after all others have been polled: `others_ms` is the least of what their polls
  /// returned, 0 while they have work. Returns after how many milliseconds to call again even if no event comes.
  [[nodiscard]] Millis poll(Millis now, Millis others_ms);

  /// Clients for whom the arena had no room: they were told so (alert internal_error) and hung up on.
  [[nodiscard]] std::uint32_t refused() const { return refused_; }

 private:
  using Stage = TlsConnection::Stage;
  // A peer whose last handshakes were not finished.
  struct Suspect {
    std::uint64_t peer;
    Millis at_ms;           // of the last one
    std::uint8_t failures;  // 0: free
  };

  Connection* do_accept() override;
  bool do_has_waiting() override;
  [[nodiscard]] std::size_t count(Stage stage) const;
  [[nodiscard]] bool is_full() const { return count(Stage::free) == 0; }
  void take_clients();
  Millis begin_next();
  bool begin(TlsConnection& connection);
  bool make_step();
  void note_step();
  bool go_on(TlsConnection& connection);
  Millis end_late();
  [[nodiscard]] Millis others_first(Millis others_ms);
  [[nodiscard]] Suspect* find(std::uint64_t peer);
  [[nodiscard]] Millis penalty(std::uint64_t peer);
  void fail(TlsConnection& connection);

  Listener* below_;
  std::span<TlsConnection> connections_;
  TlsServer* server_;
  std::uint32_t refused_ = 0;
  Millis now_ = 0;
  Millis last_ms_ = 0;         // when the last step began, and in the poll after it: ended
  Millis pause_ms_ = 0;        // that others have after it
  std::uint8_t next_ = 0;      // whose turn it is
  std::uint8_t deferred_ = 0;  // polls in which others came first
  bool stepped_ = false;       // in the last poll
  Suspect suspects_[4] = {};
};

}  // namespace mcp::mbedtls
