#include "ports/mbedtls/tls.hpp"

#include <mbedtls/net_sockets.h>
#include <psa/crypto.h>

#include <algorithm>
#include <utility>

#include "mcp/assert.hpp"

namespace mcp::mbedtls {
namespace {

// PSA asks for random numbers without saying for whom.
Entropy* random_source;

int random(void*, unsigned char* into, std::size_t size) {
  const bool filled = random_source != nullptr && random_source->fill({into, size});
  return filled ? 0 : MBEDTLS_ERR_SSL_HW_ACCEL_FAILED;
}

mbedtls_ssl_protocol_version number_of(TlsVersion version) {
  return version == TlsVersion::v1_2 ? MBEDTLS_SSL_VERSION_TLS1_2 : MBEDTLS_SSL_VERSION_TLS1_3;
}

bool read_all(mbedtls_x509_crt& chain, std::span<const Der> certificates) {
  return std::ranges::all_of(certificates, [&chain](Der der) {
    return mbedtls_x509_crt_parse_der_nocopy(&chain, der.data(), der.size()) == 0;
  });
}

// The days since 1970-01-01 of a date of the calendar; years begin in March, so that the leap day is their last.
std::int64_t day_of(const mbedtls_x509_time& time) {
  const std::int64_t year = time.year - (time.mon <= 2 ? 1 : 0);
  const std::int64_t month = (time.mon + 9) % 12;
  return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + time.day - 1 - 719'468;
}

std::int64_t second_of(const mbedtls_x509_time& time) {
  return ((day_of(time) * 24 + time.hour) * 60 + time.min) * 60 + time.sec;
}

// "internal_error", as a record that is not encrypted yet. Source: RFC 8446, section 6.
constexpr char no_room[] = {0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x50};

}  // namespace

// ---- TlsServer ----------------------------------------------------------------------------------------------------

TlsServer::TlsServer(const TlsOptions& options, Entropy& entropy) : clock_(options.clock) {
  MCP_ASSERT(random_source == nullptr);
  random_source = &entropy;
  mbedtls_ssl_config_init(&config_);
  mbedtls_x509_crt_init(&certificates_);
  mbedtls_x509_crt_init(&authorities_);
  mbedtls_pk_init(&key_);
  ok_ = read(options);
}

TlsServer::~TlsServer() {
  mbedtls_ssl_config_free(&config_);
  mbedtls_pk_free(&key_);
  mbedtls_x509_crt_free(&authorities_);
  mbedtls_x509_crt_free(&certificates_);
  mbedtls_psa_crypto_free();
  random_source = nullptr;
}

bool TlsServer::read(const TlsOptions& options) {
  if (psa_crypto_init() != PSA_SUCCESS || options.certificates.empty()) return false;
  if (!read_all(certificates_, options.certificates) || !read_all(authorities_, options.client_authorities))
    return false;
  if (mbedtls_pk_parse_key(&key_, options.key.data(), options.key.size(), nullptr, 0, random, nullptr) != 0)
    return false;
  if (mbedtls_pk_check_pair(&certificates_.pk, &key_, random, nullptr) != 0) return false;
  if (mbedtls_ssl_config_defaults(&config_, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM,
                                  MBEDTLS_SSL_PRESET_DEFAULT) != 0) {
    return false;
  }
  mbedtls_ssl_conf_rng(&config_, random, nullptr);
  mbedtls_ssl_conf_min_tls_version(&config_, number_of(options.least));
  mbedtls_ssl_conf_max_tls_version(&config_, number_of(options.most));
  if (!options.client_authorities.empty()) {
    mbedtls_ssl_conf_authmode(&config_, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(&config_, &authorities_, nullptr);
    if (clock_ != nullptr) mbedtls_ssl_conf_verify(&config_, check_dates, this);
  }
  return mbedtls_ssl_conf_own_cert(&config_, &certificates_, &key_) == 0;
}

int TlsServer::check_dates(void* self, mbedtls_x509_crt* certificate, int, std::uint32_t* flags) {
  const auto now = static_cast<std::int64_t>(static_cast<TlsServer*>(self)->clock_->utc_ms() / 1000);
  if (now > second_of(certificate->valid_to)) *flags |= MBEDTLS_X509_BADCERT_EXPIRED;
  if (now < second_of(certificate->valid_from)) *flags |= MBEDTLS_X509_BADCERT_FUTURE;
  return 0;
}

// ---- TlsConnection ------------------------------------------------------------------------------------------------

TlsConnection::TlsConnection() { mbedtls_ssl_init(&ssl_); }

bool TlsConnection::is_secured() { return below_ != nullptr && mbedtls_ssl_is_handshake_over(&ssl_) != 0; }

bool TlsConnection::begin(TlsServer& server, Connection& below) {
  mbedtls_ssl_init(&ssl_);
  if (!server.ok() || mbedtls_ssl_setup(&ssl_, &server.config_) != 0) {
    mbedtls_ssl_free(&ssl_);
    return false;
  }
  mbedtls_ssl_set_bio(&ssl_, this, send, receive, nullptr);
  below_ = &below;
  end_ = End::none;
  failed_ = false;
  return true;
}

int TlsConnection::send(void* self, const unsigned char* from, std::size_t size) {
  const IoResult result = static_cast<TlsConnection*>(self)->below_->write({reinterpret_cast<const char*>(from), size});
  if (result.status == IoStatus::ok) return static_cast<int>(result.size);
  return result.status == IoStatus::would_block ? MBEDTLS_ERR_SSL_WANT_WRITE : MBEDTLS_ERR_NET_CONN_RESET;
}

int TlsConnection::receive(void* self, unsigned char* into, std::size_t size) {
  const IoResult result = static_cast<TlsConnection*>(self)->below_->read({reinterpret_cast<char*>(into), size});
  switch (result.status) {
    case IoStatus::ok: return static_cast<int>(result.size);
    case IoStatus::would_block: return MBEDTLS_ERR_SSL_WANT_READ;
    case IoStatus::closed: return 0;
    default: return MBEDTLS_ERR_NET_CONN_RESET;
  }
}

// What mbedTLS says, to who reads or writes. After an error nothing more goes through.
IoStatus TlsConnection::status_of(int result) {
  switch (result) {
    case MBEDTLS_ERR_SSL_WANT_READ:
    case MBEDTLS_ERR_SSL_WANT_WRITE: return IoStatus::would_block;
    case 0:  // the connection below has ended
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
    case MBEDTLS_ERR_SSL_CONN_EOF: return IoStatus::closed;
    default: failed_ = true; return IoStatus::failed;
  }
}

// A handshake that its client ends has failed, however it was ended.
IoStatus TlsConnection::shake_hands() {
  if (mbedtls_ssl_is_handshake_over(&ssl_) != 0) return IoStatus::ok;
  const int result = mbedtls_ssl_handshake(&ssl_);
  if (result == 0) return IoStatus::ok;
  const IoStatus status = status_of(result);
  if (status != IoStatus::would_block) failed_ = true;
  return failed_ ? IoStatus::failed : status;
}

// Sends what was encrypted and has not gone yet, and then the end if that is wanted: 0, or why not all of it went.
int TlsConnection::flush() {
  // While a record is not all sent, a write of nothing sends of it, and is no record itself.
  const unsigned char nothing[1] = {};
  if (ssl_.MBEDTLS_PRIVATE(out_left) != 0) {
    if (const int result = mbedtls_ssl_write(&ssl_, nothing, 0); result < 0) return result;
  }
  if (end_ == End::wanted) {
    end_ = End::said;
    if (const int result = mbedtls_ssl_close_notify(&ssl_); result < 0) return result;
  }
  if (end_ == End::said) {
    end_ = End::finished;
    below_->finish();
  }
  return 0;
}

IoResult TlsConnection::do_read(std::span<char> into) {
  if (failed_) return {IoStatus::failed, 0};
  if (const IoStatus status = shake_hands(); status != IoStatus::ok) return {status, 0};
  // What cannot be sent now does not keep what has come.
  if (const int result = flush(); result < 0 && result != MBEDTLS_ERR_SSL_WANT_WRITE) return {status_of(result), 0};
  const int result = mbedtls_ssl_read(&ssl_, reinterpret_cast<unsigned char*>(into.data()), into.size());
  if (result > 0) return {IoStatus::ok, static_cast<std::size_t>(result)};
  return {status_of(result), 0};
}

IoResult TlsConnection::do_write(std::span<const char> from) {
  if (failed_) return {IoStatus::failed, 0};
  if (const IoStatus status = shake_hands(); status != IoStatus::ok) return {status, 0};
  if (const int result = flush(); result < 0) return {status_of(result), 0};
  const int most = mbedtls_ssl_get_max_out_record_payload(&ssl_);
  if (most <= 0) return {status_of(most), 0};
  const std::size_t size = std::min(from.size(), static_cast<std::size_t>(most));
  const int result = mbedtls_ssl_write(&ssl_, reinterpret_cast<const unsigned char*>(from.data()), size);
  if (result < 0 && result != MBEDTLS_ERR_SSL_WANT_WRITE) return {status_of(result), 0};
  return {IoStatus::ok, size};  // in its record, whether that is all sent or not
}

void TlsConnection::do_finish() {
  if (failed_ || end_ != End::none) return;
  if (mbedtls_ssl_is_handshake_over(&ssl_) == 0) {
    end_ = End::finished;
    below_->finish();
    return;
  }
  end_ = End::wanted;
  if (const int result = flush(); result < 0) static_cast<void>(status_of(result));
}

void TlsConnection::do_close() {
  if (end_ == End::none && !failed_) do_finish();
  mbedtls_ssl_free(&ssl_);
  std::exchange(below_, nullptr)->close();
}

// ---- TlsListener --------------------------------------------------------------------------------------------------

Connection* TlsListener::do_accept() {
  const auto free = std::ranges::find_if(connections_, [](const TlsConnection& one) { return one.below_ == nullptr; });
  if (free == connections_.end()) return nullptr;
  Connection* const below = below_->accept();
  if (below == nullptr) return nullptr;
  if (free->begin(*server_, *below)) return &*free;
  ++refused_;
  // What does not go at once is not worth waiting for.
  static_cast<void>(below->write(no_room));
  below->close();
  return nullptr;
}

}  // namespace mcp::mbedtls

// ---- What mbedTLS calls -------------------------------------------------------------------------------------------

extern "C" psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t*, std::uint8_t* output,
                                                        std::size_t size, std::size_t* written) {
  if (mcp::mbedtls::random(nullptr, output, size) != 0) return PSA_ERROR_INSUFFICIENT_ENTROPY;
  *written = size;
  return PSA_SUCCESS;
}
