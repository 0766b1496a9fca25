// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/mbedtls_dialer.hpp"

#include <mbedtls/net_sockets.h>
#include <psa/crypto.h>

#include <algorithm>

#include "mcp/assert.hpp"
#include "mcp/ports/mbedtls_arena.hpp"
#include "ports/mbedtls/mbedtls_common.hpp"

namespace mcp::mbedtls {
namespace {

// Keys of PSA that one connection uses in its handshake.
constexpr std::size_t most_keys = 6;

// The longest records that the client requests and sends. Source: RFC 6066 section 4.
constexpr int longest = std::min(MBEDTLS_SSL_IN_CONTENT_LEN, MBEDTLS_SSL_OUT_CONTENT_LEN);
constexpr unsigned char fragment_code = longest >= 4096   ? MBEDTLS_SSL_MAX_FRAG_LEN_4096
                                        : longest >= 2048 ? MBEDTLS_SSL_MAX_FRAG_LEN_2048
                                        : longest >= 1024 ? MBEDTLS_SSL_MAX_FRAG_LEN_1024
                                                          : MBEDTLS_SSL_MAX_FRAG_LEN_512;
constexpr bool takes_all_records = MBEDTLS_SSL_IN_CONTENT_LEN >= 16384;

// In the order of importance, because a certificate that no authority has signed may contain anything.
DialProblem problem_of_certificate(std::uint32_t flags) {
  constexpr std::uint32_t others = MBEDTLS_X509_BADCERT_NOT_TRUSTED | MBEDTLS_X509_BADCERT_CN_MISMATCH |
                                   MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE;
  if ((flags & ~others) != 0) return DialProblem::bad_certificate;
  if ((flags & MBEDTLS_X509_BADCERT_NOT_TRUSTED) != 0) return DialProblem::untrusted;
  if ((flags & MBEDTLS_X509_BADCERT_CN_MISMATCH) != 0) return DialProblem::wrong_host;
  if ((flags & MBEDTLS_X509_BADCERT_EXPIRED) != 0) return DialProblem::expired;
  return DialProblem::not_yet_valid;
}

DialProblem problem_of_alert(unsigned char alert) {
  switch (alert) {
    case MBEDTLS_SSL_ALERT_MSG_NO_CERT:
    case MBEDTLS_SSL_ALERT_MSG_BAD_CERT:
    case MBEDTLS_SSL_ALERT_MSG_UNSUPPORTED_CERT:
    case MBEDTLS_SSL_ALERT_MSG_CERT_REVOKED:
    case MBEDTLS_SSL_ALERT_MSG_CERT_EXPIRED:
    case MBEDTLS_SSL_ALERT_MSG_CERT_UNKNOWN:
    case MBEDTLS_SSL_ALERT_MSG_UNKNOWN_CA:
    case MBEDTLS_SSL_ALERT_MSG_ACCESS_DENIED:
    case 116: return DialProblem::rejected;  // certificate_required: RFC 8446 section 6.2
    case MBEDTLS_SSL_ALERT_MSG_UNRECOGNIZED_NAME: return DialProblem::wrong_host;
    default: return DialProblem::handshake;
  }
}

}  // namespace

// ---- TlsClient ------------------------------------------------------------------------------------------------------

TlsClient::TlsClient(const TlsClientOptions& options, Entropy& entropy)
    : pinned_(options.pinned), clock_(options.clock), is_first_(random_source == nullptr) {
  if (is_first_) random_source = &entropy;
  mbedtls_ssl_config_init(&config_);
  mbedtls_x509_crt_init(&certificates_);
  mbedtls_x509_crt_init(&authorities_);
  mbedtls_pk_init(&key_);
  ok_ = read(options);
}

TlsClient::~TlsClient() {
  mbedtls_ssl_config_free(&config_);
  mbedtls_pk_free(&key_);
  mbedtls_x509_crt_free(&authorities_);
  mbedtls_x509_crt_free(&certificates_);
  if (!is_first_) return;
  end_random();
}

bool TlsClient::read(const TlsClientOptions& options) {
  const std::span<const Der> trusted = pinned_.empty() ? options.authorities : std::span<const Der>(&pinned_, 1);
  if (psa_crypto_init() != PSA_SUCCESS || trusted.empty() || !read_all(authorities_, trusted)) return false;
  if (mbedtls_ssl_config_defaults(&config_, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                  MBEDTLS_SSL_PRESET_DEFAULT) != 0) {
    return false;
  }
  if (!set_versions(config_, options.least, options.most)) return false;
  mbedtls_ssl_conf_authmode(&config_, MBEDTLS_SSL_VERIFY_REQUIRED);
  mbedtls_ssl_conf_ca_chain(&config_, &authorities_, nullptr);
  mbedtls_ssl_conf_verify(&config_, check, this);
  // In TLS 1.3, a server that responds to this extension would fail the handshake. mbedTLS requests short records
  // differently there.
  const bool asks_for_short = !takes_all_records && options.most == TlsVersion::v1_2;
  if (asks_for_short && mbedtls_ssl_conf_max_frag_len(&config_, fragment_code) != 0) return false;
  if (options.certificates.empty()) return options.key.empty();
  if (!read_all(certificates_, options.certificates)) return false;
  if (!read_key(key_, options.key, certificates_)) return false;
  return mbedtls_ssl_conf_own_cert(&config_, &certificates_, &key_) == 0;
}

// mbedTLS calls it for each certificate of a chain; `depth` 0 is the server. A pinned certificate needs no authority.
int TlsClient::check(void* self, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags) {
  const auto& client = *static_cast<const TlsClient*>(self);
  if (!client.pinned_.empty()) {
    *flags &= MBEDTLS_X509_BADCERT_CN_MISMATCH;
    if (depth != 0) return 0;
    const Der raw(certificate->raw.p, certificate->raw.len);
    if (!std::ranges::equal(raw, client.pinned_)) *flags |= MBEDTLS_X509_BADCERT_NOT_TRUSTED;
  }
  return checks_dates(client.clock_) ? check_dates(client.clock_, certificate, depth, flags) : 0;
}

// ---- DialedTlsConnection --------------------------------------------------------------------------------------------

DialedTlsConnection::DialedTlsConnection() = default;

// Returns false without memory.
bool DialedTlsConnection::begin(TlsDialer& dialer, const mbedtls_ssl_config& config, std::string_view host) {
  if (!TlsConnection::begin(config)) return false;
  char name[Dialer::most_host_size + 1];
  name[host.copy(name, Dialer::most_host_size)] = '\0';
  if (mbedtls_ssl_set_hostname(&ssl_, name) != 0) {
    mbedtls_ssl_free(&ssl_);
    return false;
  }
  dialer_ = &dialer;
  return true;
}

// Returns would_block if the server must first send or receive bytes.
IoStatus DialedTlsConnection::step() {
  const std::size_t refused = arena_use().refused;
  const int result = handshake_step(ssl_);
  if (result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE) return IoStatus::would_block;
  if (result != 0) {
    failed_ = true;
    note_failure(result, arena_use().refused != refused);
    return IoStatus::failed;
  }
  if (mbedtls_ssl_is_handshake_over(&ssl_) != 0) stage_ = Stage::open;
  return IoStatus::ok;
}

void DialedTlsConnection::note_failure(int result, bool lacks_memory) {
  dialer_->set_reason(lacks_memory ? DialProblem::no_memory : problem_of(result));
}

DialProblem DialedTlsConnection::problem_of(int result) const {
  const std::uint32_t flags = mbedtls_ssl_get_verify_result(&ssl_);
  constexpr std::uint32_t unknown = 0xFFFF'FFFF;  // no certificate yet
  if (result == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE) return problem_of_alert(ssl_.MBEDTLS_PRIVATE(in_msg)[1]);
  if (flags != 0 && flags != unknown) return problem_of_certificate(flags);
  switch (result) {
    case MBEDTLS_ERR_NET_CONN_RESET:
    case MBEDTLS_ERR_SSL_CONN_EOF:
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY: return is_reached_ ? DialProblem::lost : dialer_->below_->reason();
    case MBEDTLS_ERR_SSL_HW_ACCEL_FAILED:  // no random number, of random()
    case PSA_ERROR_INSUFFICIENT_ENTROPY:   // the same, of PSA
    case MBEDTLS_ERR_SSL_ALLOC_FAILED: return DialProblem::no_memory;
    case MBEDTLS_ERR_SSL_BAD_CERTIFICATE: return DialProblem::bad_certificate;
    default: return DialProblem::handshake;
  }
}

// A server of TLS 1.3 rejects the certificate of a client when the handshake is over for the client.
IoResult DialedTlsConnection::do_read(std::span<char> into) {
  if (!failed_ && stage_ != Stage::open) return {IoStatus::would_block, 0};
  const bool had_failed = failed_;
  const IoResult result = TlsConnection::do_read(into);
  if (result.status != IoStatus::failed || had_failed) return result;
  const bool is_alert = ssl_.MBEDTLS_PRIVATE(in_msgtype) == MBEDTLS_SSL_MSG_ALERT;
  note_failure(is_alert ? MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE : MBEDTLS_ERR_NET_CONN_RESET, false);
  return result;
}

// ---- TlsDialer ------------------------------------------------------------------------------------------------------

TlsDialer::TlsDialer(Dialer& below, std::span<DialedTlsConnection> connections, TlsClient& client)
    : below_(&below), connections_(connections), client_(&client) {
  MCP_ASSERT(has_keys(most_keys * connections.size()));
}

Connection* TlsDialer::reject(DialProblem problem) {
  set_reason(problem);
  return nullptr;
}

Connection* TlsDialer::do_dial(std::string_view host, std::uint16_t port) {
  using Stage = DialedTlsConnection::Stage;
  for (DialedTlsConnection& one : connections_) {
    if (one.stage_ != Stage::free) continue;
    if (!client_->ok() || !one.begin(*this, client_->config_, host)) return reject(DialProblem::no_memory);
    one.below_ = below_->dial(host, port);
    if (one.below_ == nullptr) {
      mbedtls_ssl_free(&one.ssl_);
      return reject(below_->reason());
    }
    one.stage_ = Stage::handshake;
    return &one;
  }
  return reject(DialProblem::in_use);
}

Millis TlsDialer::poll() {
  for (DialedTlsConnection& one : connections_) {
    if (one.stage_ != DialedTlsConnection::Stage::handshake || one.failed_) continue;
    one.has_sent_ = false;
    // Sent bytes need a poll of the network.
    if (one.step() != IoStatus::would_block || one.has_sent_) return 0;
  }
  return forever;
}

}  // namespace mcp::mbedtls
