// SPDX-License-Identifier: Apache-2.0
/// @file
/// TLS 1.2 and 1.3 for clients with mbedTLS 3.6, over the connections of another Dialer. It supports ECDHE on P-256,
/// ECDSA, ChaCha20-Poly1305, AES-128-GCM and SHA-256, and always checks the name of the server. In CMake, link
/// mote::mbedtls_client.
/// @code
/// mcp::mbedtls::DialedTlsConnection tls_dialed[1];
/// mcp::Dialer& secure(mcp::Dialer& tcp, mcp::Entropy& entropy, const mcp::mbedtls::TlsClientOptions& options) {
///   static mcp::mbedtls::TlsClient client{options, entropy};
///   static mcp::mbedtls::TlsDialer dialer{tcp, tls_dialed, client};
///   return dialer;
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
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/mbedtls_tls.hpp"

namespace mcp::mbedtls {

/// The servers that a client trusts, and its own certificate.
struct TlsClientOptions {
  /// Certificates of the authorities that sign server certificates, on P-256 with SHA-256. A self-signed certificate of
  /// a server may be one of them. Lifetime: they are not copied, and must outlive the client.
  std::span<const Der> authorities = {};
  /// The only certificate that a server may have, byte for byte. It needs no authority. Its name must also be the name
  /// of the host. If it is set, `authorities` has no effect. Lifetime: it is not copied.
  Der pinned = {};
  /// The certificate of the client, if the server requires one, then the certificates up to an authority of the server.
  /// Limits: all of them must fit into a record of MOTE_TLS_OUT bytes. Lifetime: they are not copied.
  std::span<const Der> certificates = {};
  /// The private key of the first of `certificates` (RFC 5915 or PKCS #8, not encrypted). It is copied into the arena.
  Der key = {};
  /// The clock for the validity of server certificates. Without it, the client does not check the validity.
  WallClock* clock = nullptr;
  TlsVersion least = TlsVersion::v1_2;  ///< The oldest version that the client supports.
  TlsVersion most = TlsVersion::v1_3;   ///< The newest version that the client supports.
};

/// The certificates and keys that connections of TlsDialers share. Call set_arena() first. In a program that also has a
/// TlsServer, construct the server first, and destroy it last. Both then use the Entropy of the server.
class TlsClient {
 public:
  /// `entropy` is the source of all keys. While it fails, each handshake fails.
  /// Lifetime: `entropy`, the certificates and the clock must outlive the object. `options` may be a temporary.
  /// Errors: see ok().
  TlsClient(const TlsClientOptions& options, Entropy& entropy);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  /// Returns false if a certificate or the key is invalid, if they do not match, or if the arena is too small. Also
  /// returns false with neither an authority nor a pinned certificate. All connections then fail.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  friend class TlsDialer;
  bool read(const TlsClientOptions& options);
  static int check(void* self, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);

  mbedtls_ssl_config config_;
  mbedtls_x509_crt certificates_;
  mbedtls_x509_crt authorities_;
  mbedtls_pk_context key_;
  Der pinned_;
  WallClock* clock_;
  bool is_first_;  // this object has set the random numbers of mbedTLS
  bool ok_ = false;
};

class TlsDialer;

/// One connection of a TlsDialer. After the handshake it works like the connection of a TlsListener. If a server closes
/// the TCP connection without close_notify, the connection counts as closed. So the protocol on top must mark the end
/// of each message.
class DialedTlsConnection final : public TlsConnection {
 public:
  DialedTlsConnection();  ///< A free connection.

 private:
  friend class TlsDialer;
  IoResult do_read(std::span<char> into) override;
  bool begin(TlsDialer& dialer, const mbedtls_ssl_config& config, std::string_view host);
  IoStatus step();
  void note_failure(int result, bool lacks_memory);
  [[nodiscard]] DialProblem problem_of(int result) const;

  TlsDialer* dialer_ = nullptr;
};

/// A Dialer that encrypts the connections of another Dialer. It sends the name of the host to the server (SNI), and a
/// certificate that is not valid for this name fails the connection. For a numeric address, the certificate must
/// contain the address.
///
///     for (;;) {
///       const mcp::Millis others_ms = std::min(client.poll(now_ms()), http.poll(now_ms()));
///       tcp_dialer.wait(std::min(others_ms, tls_dialer.poll()));
///     }
///
/// Limits: each connection uses 2 of MOTE_TLS_KEYS, and 4 more during its handshake. More keys assert. mbedTLS needs a
/// whole record to decrypt it, so a server that sends records longer than MOTE_TLS_IN fails the connection. The client
/// requests shorter records, which not all servers support. Context: main loop; only a step of a handshake blocks.
class TlsDialer final : public Dialer {
 public:
  /// Encrypts the connections of `below`. Lifetime: all arguments must outlive the object.
  TlsDialer(Dialer& below, std::span<DialedTlsConnection> connections, TlsClient& client);

  /// Continues the handshakes. Call it after all other polls in each turn of the main loop. It makes at most one step
  /// of one handshake. Returns 0 if it has made one, else `forever`.
  [[nodiscard]] Millis poll();

 private:
  friend class DialedTlsConnection;
  Connection* do_dial(std::string_view host, std::uint16_t port) override;
  [[nodiscard]] bool do_is_encrypted() const override { return true; }
  Connection* reject(DialProblem problem);

  Dialer* below_;
  std::span<DialedTlsConnection> connections_;
  TlsClient* client_;
};

}  // namespace mcp::mbedtls

#include <mcp/detail/epilogue.hpp>
