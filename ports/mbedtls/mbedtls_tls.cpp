// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/mbedtls_tls.hpp"

#include <mbedtls/net_sockets.h>
#include <psa/crypto.h>

#include <algorithm>
#include <utility>

#include "mcp/assert.hpp"
#include "mcp/ports/mbedtls_arena.hpp"
#include "ports/mbedtls/mbedtls_common.hpp"
#include "ports/mbedtls/mbedtls_private_key.hpp"

namespace mcp::mbedtls {
namespace {

// Returns the days since 1970-01-01 of a date. Years begin in March, so that the leap day is the last day.
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

// Handshakes at the same time, for which the arena has memory.
constexpr std::size_t most_handshakes = 2;
// The time that a client may delay its handshake, and the shorter time if another client waits for its memory.
constexpr Millis handshake_timeout_ms = 10'000;
constexpr Millis yield_ms = 2'000;
// The share of time of other clients while they have work, compared with one part for handshakes, and its maximum.
constexpr Millis others_share = 3;
constexpr Millis most_pause_ms = 1'000;
// The number of polls that a step waits while others have work, so that their input is processed.
constexpr std::uint8_t most_deferred = 16;
// The time that a peer waits after an unfinished handshake (doubled with each), and the time until the server forgets
// it.
constexpr Millis penalty_ms = 1'000;
constexpr std::uint8_t most_failures = 4;
constexpr Millis memory_ms = 60'000;

mbedtls_ssl_protocol_version number_of(TlsVersion version) {
  return version == TlsVersion::v1_2 ? MBEDTLS_SSL_VERSION_TLS1_2 : MBEDTLS_SSL_VERSION_TLS1_3;
}

#ifndef MOTE_TLS_ARENA
// The cipher suites of the server, of those that the SDK has. tls_config.h has the others out of the program.
constexpr int suites[] = {
#ifdef PSA_WANT_ALG_CHACHA20_POLY1305
    MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256, MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
#endif
    MBEDTLS_TLS1_3_AES_128_GCM_SHA256,       MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,       0,
};
#endif

bool has_ended(IoStatus input) { return input == IoStatus::closed || input == IoStatus::failed; }

}  // namespace

// ---- Shared with the client ----------------------------------------------------------------------------------------

Entropy* random_source;

void end_random() {
#ifdef MOTE_TLS_ARENA
  mbedtls_psa_crypto_free();
#endif
  random_source = nullptr;
}

int random(void*, unsigned char* into, std::size_t size) {
  const bool filled = random_source != nullptr && random_source->fill({into, size});
  return filled ? 0 : MBEDTLS_ERR_SSL_HW_ACCEL_FAILED;
}

bool set_versions(mbedtls_ssl_config& config, TlsVersion least, TlsVersion most) {
#ifndef MBEDTLS_SSL_PROTO_TLS1_3
  most = TlsVersion::v1_2;
#endif
#ifndef MBEDTLS_SSL_PROTO_TLS1_2
  least = TlsVersion::v1_3;
#endif
#ifndef MOTE_TLS_ARENA
  if (least > most) return false;
#endif
#if MBEDTLS_VERSION_MAJOR < 4
  mbedtls_ssl_conf_rng(&config, random, nullptr);
#endif
  mbedtls_ssl_conf_min_tls_version(&config, number_of(least));
  mbedtls_ssl_conf_max_tls_version(&config, number_of(most));
  return true;
}

bool read_key(mbedtls_pk_context& key, Der der, const mbedtls_x509_crt& certificates) {
#if MBEDTLS_VERSION_MAJOR < 4
  if (mbedtls_pk_parse_key(&key, der.data(), der.size(), nullptr, 0, random, nullptr) != 0) return false;
  return mbedtls_pk_check_pair(&certificates.pk, &key, random, nullptr) == 0;
#else
  if (mbedtls_pk_parse_key(&key, der.data(), der.size(), nullptr, 0) != 0) return false;
  return mbedtls_pk_check_pair(&certificates.pk, &key) == 0;
#endif
}

bool read_all(mbedtls_x509_crt& chain, std::span<const Der> certificates) {
  return std::ranges::all_of(certificates, [&chain](Der der) {
    return mbedtls_x509_crt_parse_der_nocopy(&chain, der.data(), der.size()) == 0;
  });
}

int check_dates(void* clock, mbedtls_x509_crt* certificate, int, std::uint32_t* flags) {
#ifdef MBEDTLS_HAVE_TIME_DATE
  *flags &= ~static_cast<std::uint32_t>(MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE);
  if (clock == nullptr) return 0;
#endif
  const auto now = static_cast<std::int64_t>(static_cast<WallClock*>(clock)->utc_ms() / 1000);
  if (now > second_of(certificate->valid_to)) *flags |= MBEDTLS_X509_BADCERT_EXPIRED;
  if (now < second_of(certificate->valid_from)) *flags |= MBEDTLS_X509_BADCERT_FUTURE;
  return 0;
}

// ---- TlsServer ----------------------------------------------------------------------------------------------------

TlsServer::TlsServer(const TlsOptions& options, Entropy& entropy) {
  MCP_ASSERT(random_source == nullptr);
  random_source = &entropy;
  mbedtls_ssl_config_init(&config_);
  mbedtls_x509_crt_init(&certificates_);
  mbedtls_x509_crt_init(&authorities_);
  mbedtls_pk_init(&key_);
  ok_ = read(options);
}

TlsServer::~TlsServer() {
  forget_key();
  mbedtls_ssl_config_free(&config_);
  mbedtls_pk_free(&key_);
  mbedtls_x509_crt_free(&authorities_);
  mbedtls_x509_crt_free(&certificates_);
  end_random();
}

bool TlsServer::read(const TlsOptions& options) {
  if (psa_crypto_init() != PSA_SUCCESS || options.certificates.empty()) return false;
  if (!read_all(certificates_, options.certificates) || !read_all(authorities_, options.client_authorities))
    return false;
  if (!read_key(key_, options.key, certificates_)) return false;
  if (mbedtls_ssl_config_defaults(&config_, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM,
                                  MBEDTLS_SSL_PRESET_DEFAULT) != 0) {
    return false;
  }
  if (!set_versions(config_, options.least, options.most)) return false;
#ifndef MOTE_TLS_ARENA
  mbedtls_ssl_conf_ciphersuites(&config_, suites);
#endif
  if (!options.client_authorities.empty()) {
    mbedtls_ssl_conf_authmode(&config_, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(&config_, &authorities_, nullptr);
    if (checks_dates(options.clock)) mbedtls_ssl_conf_verify(&config_, check_dates, options.clock);
  }
  return mbedtls_ssl_conf_own_cert(&config_, &certificates_, &key_) == 0;
}

// ---- TlsConnection ------------------------------------------------------------------------------------------------

TlsConnection::TlsConnection() { mbedtls_ssl_init(&ssl_); }

bool TlsConnection::begin(const mbedtls_ssl_config& config) {
  mbedtls_ssl_init(&ssl_);
  if (mbedtls_ssl_setup(&ssl_, &config) != 0) {
    mbedtls_ssl_free(&ssl_);
    return false;
  }
  mbedtls_ssl_set_bio(&ssl_, this, send, receive, nullptr);
  end_ = End::none;
  failed_ = has_key_ = is_reached_ = is_short_ = false;
  return true;
}

int TlsConnection::send(void* self, const unsigned char* from, std::size_t size) {
  auto& connection = *static_cast<TlsConnection*>(self);
  const IoResult result = connection.below_->write({reinterpret_cast<const char*>(from), size});
  if (result.status == IoStatus::ok) {
    connection.is_reached_ = connection.has_sent_ = true;
    return static_cast<int>(result.size);
  }
  return result.status == IoStatus::would_block ? MBEDTLS_ERR_SSL_WANT_WRITE : MBEDTLS_ERR_NET_CONN_RESET;
}

// Returns ok if the client has sent a byte, would_block, or the end of the stream.
IoStatus TlsConnection::take_first() {
  if (has_first_) return IoStatus::ok;
  const IoStatus status = below_->read({&first_, 1}).status;
  has_first_ = status == IoStatus::ok;
  return status;
}

int TlsConnection::receive(void* self, unsigned char* into, std::size_t size) {
  auto& connection = *static_cast<TlsConnection*>(self);
  if (std::exchange(connection.has_first_, false)) {
    *into = static_cast<unsigned char>(connection.first_);
    return 1;
  }
  const IoResult result = connection.below_->read({reinterpret_cast<char*>(into), size});
  switch (result.status) {
    case IoStatus::ok: return static_cast<int>(result.size);
    case IoStatus::would_block: return MBEDTLS_ERR_SSL_WANT_READ;
    case IoStatus::closed: return 0;
    default: return MBEDTLS_ERR_NET_CONN_RESET;
  }
}

// Converts a result of mbedTLS for a reader or writer. After an error no bytes are sent or received.
IoStatus TlsConnection::status_of(int result) {
  switch (result) {
    case MBEDTLS_ERR_SSL_WANT_READ:
    case MBEDTLS_ERR_SSL_WANT_WRITE: return IoStatus::would_block;
    case 0:  // the connection below has ended
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
    case MBEDTLS_ERR_SSL_CONN_EOF: return IoStatus::closed;
    case MBEDTLS_ERR_SSL_BAD_INPUT_DATA:    // a record that is longer than the buffer
    case MBEDTLS_ERR_SSL_BUFFER_TOO_SMALL:  // a message in several records that is
      static_cast<void>(
          mbedtls_ssl_send_alert_message(&ssl_, MBEDTLS_SSL_ALERT_LEVEL_FATAL, MBEDTLS_SSL_ALERT_MSG_RECORD_OVERFLOW));
      [[fallthrough]];
    default: failed_ = true; return IoStatus::failed;
  }
}

// Makes the next step of the handshake if its input has arrived. Returns ok if it made the step.
IoStatus TlsConnection::step() {
  const int result = handshake_step(ssl_);
  return result == 0 ? IoStatus::ok : status_of(result);
}

void TlsConnection::hang_up() {
  if (stage_ != Stage::waiting) mbedtls_ssl_free(&ssl_);
  stage_ = Stage::free;
  moved_ = false;
  std::exchange(below_, nullptr)->close();
}

// Sends the pending encrypted bytes, and then close_notify if requested. Returns 0, or the error if not all bytes were
// sent.
int TlsConnection::flush() {
  // While a record is partly sent, an empty write continues it, and makes no record.
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
  // Unsent bytes do not delay received bytes.
  if (const int result = flush(); result < 0 && result != MBEDTLS_ERR_SSL_WANT_WRITE) return {status_of(result), 0};
  const int result = mbedtls_ssl_read(&ssl_, reinterpret_cast<unsigned char*>(into.data()), into.size());
  if (result <= 0) return {status_of(result), 0};
  moved_ = true;
  return {IoStatus::ok, static_cast<std::size_t>(result)};
}

IoResult TlsConnection::do_write(std::span<const char> from) {
  if (failed_) return {IoStatus::failed, 0};
  if (stage_ != Stage::open) return {IoStatus::would_block, 0};
  if (const int result = flush(); result < 0) return {status_of(result), 0};
  const int most = mbedtls_ssl_get_max_out_record_payload(&ssl_);
  if (most <= 0) return {status_of(most), 0};
  const std::size_t size = std::min(from.size(), static_cast<std::size_t>(most));
  const int result = mbedtls_ssl_write(&ssl_, reinterpret_cast<const unsigned char*>(from.data()), size);
  if (result < 0 && result != MBEDTLS_ERR_SSL_WANT_WRITE) return {status_of(result), 0};
  moved_ = true;
  return {IoStatus::ok, size};  // the record has all bytes, even if it is only partly sent
}

void TlsConnection::do_finish() {
  if (stage_ != Stage::open || failed_ || end_ != End::none) return;
  end_ = End::wanted;
  if (const int result = flush(); result < 0) static_cast<void>(status_of(result));
}

void TlsConnection::do_close() {
  TlsConnection::do_finish();
  hang_up();
}

// ---- TlsListener --------------------------------------------------------------------------------------------------

TlsListener::TlsListener(Listener& below, std::span<TlsConnection> connections, TlsServer& server)
    : below_(&below), connections_(connections), server_(&server) {
  MCP_ASSERT(has_keys(2 * connections.size() + 4 * most_handshakes));
  set_capacity(std::min(connections.size(), below.capacity()));
}

std::size_t TlsListener::count(Stage stage) const {
  return static_cast<std::size_t>(std::ranges::count(connections_, stage, &TlsConnection::stage_));
}

Connection* TlsListener::do_accept() {
  TlsConnection* oldest = nullptr;
  for (TlsConnection& one : connections_) {
    if (one.stage_ != Stage::secured) continue;
    if (oldest == nullptr || now_ - one.since_ms_ > now_ - oldest->since_ms_) oldest = &one;
  }
  if (oldest != nullptr) oldest->stage_ = Stage::open;
  return oldest;
}

// Where all connections are open a client waits below, and has made no handshake because there is no place for it. A
// free one is of no use to a client that the listener below has no connection for.
bool TlsListener::do_has_waiting() {
  take_clients();
  const bool are_open = count(Stage::open) + count(Stage::free) == connections_.size();
  return count(Stage::secured) != 0 || (are_open && below_->has_waiting());
}

Millis TlsListener::poll(Millis now, Millis others_ms) {
  now_ = now;
  if (std::exchange(stepped_, false)) {
    pause_ms_ = std::min(others_share * (now - last_ms_), most_pause_ms);
    last_ms_ = now;
  }
  take_clients();
  const Millis begin_ms = begin_next();
  if (count(Stage::handshake) == 0) return begin_ms;
  const Millis pause_ms = others_first(others_ms);
  if (pause_ms != 0) return std::min(pause_ms, begin_ms);
  if (others_ms == 0 && deferred_ != most_deferred) {
    ++deferred_;
    return 0;
  }
  if (make_step()) return 0;
  return std::min(begin_ms, end_late());
}

// The time for only the served clients, after a step, if bytes were received or sent for them.
Millis TlsListener::others_first(Millis others_ms) {
  const bool serves = others_ms == 0 || std::ranges::any_of(connections_, &TlsConnection::moved_);
  const Millis passed = now_ - last_ms_;
  return serves && passed < pause_ms_ ? pause_ms_ - passed : 0;
}

void TlsListener::take_clients() {
  for (TlsConnection& free : connections_) {
    if (free.stage_ != Stage::free) continue;
    free.below_ = below_->accept();
    if (free.below_ == nullptr) return;
    free.stage_ = Stage::waiting;
    free.is_short_ = free.has_first_ = false;
    free.is_new_ = true;
  }
}

// Begins the handshakes whose turn it is. Handshakes that wait for memory come first, so that no new client takes their
// memory. Returns the milliseconds until the next turn.
Millis TlsListener::begin_next() {
  Millis due = forever;
  for (const bool is_short : {true, false}) {
    for (TlsConnection& one : connections_) {
      if (one.stage_ == Stage::waiting && one.is_short_ == is_short) due = std::min(due, begin_in_turn(one));
    }
  }
  return due;
}

// Returns the milliseconds until the client needs another poll.
Millis TlsListener::begin_in_turn(TlsConnection& one) {
  // has_waiting() may have taken it, long after the last poll.
  if (std::exchange(one.is_new_, false)) one.since_ms_ = now_;
  const std::uint64_t peer = one.below_->peer();
  const Millis wait_ms = penalty(peer);
  if (wait_ms != 0 && is_full()) {
    one.hang_up();  // the peer may connect again, and another client gets the connection
    return 0;
  }
  const IoStatus input = one.take_first();
  if (has_ended(input)) {
    one.hang_up();  // such as a load balancer's check whether the port is open
    return 0;
  }
  if (input == IoStatus::would_block) {
    const Millis limit_ms = patience(0);
    const Millis passed = now_ - one.since_ms_;
    if (passed < limit_ms) return limit_ms - passed;
    fail(one);
    return 0;
  }
  if (wait_ms != 0) return wait_ms;
  const auto is_busy = [peer](const TlsConnection& other) {
    return peer != 0 && other.stage_ == Stage::handshake && other.below_->peer() == peer;
  };
  if (count(Stage::handshake) == most_handshakes || std::ranges::any_of(connections_, is_busy)) return forever;
  return begin(one);
}

// Returns whether the arena has memory for a handshake, in addition to the needs of the handshakes in progress.
bool TlsListener::has_memory() const {
  std::size_t needed = need_;
  for (const TlsConnection& one : connections_) {
    if (one.stage_ == Stage::handshake) needed += need_ - std::min(need_, one.memory_);
  }
  const ArenaUse use = arena_use();
  return is_alone() || use.size - use.used >= needed;
}

// Returns the number of clients that have begun their handshake and wait for it.
std::size_t TlsListener::count_ready() const {
  const auto is_ready = [](const TlsConnection& one) { return one.stage_ == Stage::waiting && one.has_first_; };
  return static_cast<std::size_t>(std::ranges::count_if(connections_, is_ready));
}

// Returns the time that a client may delay its handshake or wait for memory. `others` clients wait.
Millis TlsListener::patience(std::size_t others) const {
  return is_full() || others != 0 ? yield_ms : handshake_timeout_ms;
}

// Returns the milliseconds until the client needs another poll. The client waits for the memory of a handshake in
// progress. It also waits for the memory of a served client, which may have left. The user of this connection detects
// that in its next poll.
Millis TlsListener::begin(TlsConnection& one) {
  static_cast<void>(take_peak());
  const std::size_t before = arena_use().used;
  one.memory_ = one.most_memory_ = 0;
  if (server_->ok() && has_memory() && one.begin(server_->config_)) {
    note_memory(one, before);
    one.stage_ = Stage::handshake;
    one.since_ms_ = now_;
    return forever;
  }
  if (count(Stage::handshake) != 0) return forever;
  if (server_->ok() && !is_alone()) {
    if (!std::exchange(one.is_short_, true)) one.since_ms_ = now_;
    const Millis limit_ms = patience(count_ready() - 1);
    const Millis passed = now_ - one.since_ms_;
    if (passed < limit_ms) return limit_ms - passed;
  }
  ++refused_;
  // The listener does not wait to send the rest.
  static_cast<void>(one.below_->write(no_room));
  one.hang_up();
  return 0;
}

// Makes a step of one handshake, or prepares a key. Returns false if all handshakes wait for their clients.
bool TlsListener::make_step() {
  const auto needs_key = [](const TlsConnection& one) { return one.stage_ == Stage::handshake && !one.has_key_; };
  if (!is_key_prepared() && std::ranges::any_of(connections_, needs_key)) {
    prepare_key();
    note_step();
    if (is_key_prepared()) return true;
  }
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    next_ = static_cast<std::uint8_t>(next_ + 1U < connections_.size() ? next_ + 1U : 0U);
    TlsConnection& one = connections_[next_];
    if (one.stage_ == Stage::handshake && go_on(one)) return true;
  }
  return false;
}

void TlsListener::note_step() {
  for (TlsConnection& one : connections_) one.moved_ = false;
  last_ms_ = now_;
  stepped_ = true;
  deferred_ = 0;
}

// Returns false if the handshake waits for its client, and has sent nothing in this step. Sent bytes need a poll of the
// network.
bool TlsListener::go_on(TlsConnection& one) {
  const std::size_t refused = arena_use().refused;
  const bool had_key = is_key_prepared();
  one.has_sent_ = false;
  static_cast<void>(take_peak());
  const std::size_t before = arena_use().used;
  const IoStatus status = one.step();
  note_memory(one, before);
  if (had_key && !is_key_prepared()) one.has_key_ = true;
  if (status == IoStatus::would_block) return one.has_sent_;
  note_step();
  one.since_ms_ = now_;
  if (status != IoStatus::ok && arena_use().refused != refused) {
    ++refused_;  // not the client's fault
    one.hang_up();
  } else if (!one.is_reached_ && has_ended(one.take_first())) {
    one.hang_up();  // the client has left before the server has computed anything for it, such as a client that had to
                    // wait
  } else if (status != IoStatus::ok) {
    fail(one);
  } else if (mbedtls_ssl_is_handshake_over(&one.ssl_) != 0) {
    one.stage_ = Stage::secured;
    need_ = std::max(need_, one.most_memory_);
    if (Suspect* const suspect = find(one.below_->peer())) suspect->failures = 0;
  }
  return true;
}

// Stores the memory that the handshake has taken since `before` bytes of the arena were in use.
void TlsListener::note_memory(TlsConnection& one, std::size_t before) {
  one.most_memory_ = std::max(one.most_memory_, one.memory_ + take_peak() - before);
  one.memory_ += arena_use().used - before;
}

// Ends the handshakes whose clients delay them for too long. At this call, each handshake waits for its client. Returns
// the milliseconds until the next one must end.
Millis TlsListener::end_late() {
  Millis due = forever;
  for (TlsConnection& one : connections_) {
    if (one.stage_ != Stage::handshake) continue;
    const Millis limit_ms = patience(count_ready());
    const Millis passed = now_ - one.since_ms_;
    if (passed >= limit_ms) fail(one);
    due = std::min(due, passed < limit_ms ? limit_ms - passed : 0);
  }
  return due;
}

// ---- Peers whose handshakes were not finished ----

TlsListener::Suspect* TlsListener::find(std::uint64_t peer) {
  if (peer == 0) return nullptr;  // the port does not know the peer
  for (Suspect& suspect : suspects_) {
    if (suspect.failures != 0 && suspect.peer == peer) return &suspect;
  }
  return nullptr;
}

// Returns the time until the next handshake of the peer may begin.
Millis TlsListener::penalty(std::uint64_t peer) {
  Suspect* const suspect = find(peer);
  if (suspect == nullptr) return 0;
  const Millis passed = now_ - suspect->at_ms;
  if (passed >= memory_ms) suspect->failures = 0;
  const Millis wait_ms = penalty_ms << suspect->failures >> 1;
  return passed < wait_ms ? wait_ms - passed : 0;
}

// The entry with the oldest failure is reused for the next peer.
void TlsListener::fail(TlsConnection& one) {
  const std::uint64_t peer = one.below_->peer();
  one.hang_up();
  if (peer == 0) return;
  Suspect* suspect = find(peer);
  if (suspect == nullptr) {
    suspect = std::ranges::max_element(
        suspects_, {}, [this](const Suspect& other) { return other.failures == 0 ? forever : now_ - other.at_ms; });
    *suspect = {.peer = peer, .at_ms = 0, .failures = 0};
  }
  suspect->at_ms = now_;
  if (suspect->failures != most_failures) ++suspect->failures;
}

}  // namespace mcp::mbedtls

// ---- Called by mbedTLS ----------------------------------------------------------------------------------------------

#ifdef MOTE_TLS_ARENA
extern "C" psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t*, std::uint8_t* output,
                                                        std::size_t size, std::size_t* written) {
  if (mcp::mbedtls::random(nullptr, output, size) != 0) return PSA_ERROR_INSUFFICIENT_ENTROPY;
  *written = size;
  return PSA_SUCCESS;
}
#endif
