// SPDX-License-Identifier: Apache-2.0
// A workbench with clients, a clock and a chip. The input chooses what happens: calls with right and wrong arguments in
// both eras, by two sessions and by stateless clients with names and principals; short and long times, with polls that
// are punctual, late or missing, across the wrap at 2^32 ms; sessions that end and begin again; an open lid; sensors
// that are absent, hot, or on a bus with errors; pins with errors and short circuits; and the answers of users.
//
// The oracle knows the table, what each client has sent, and what the functions of the chip and of the bus were called
// with. It uses no state of the library. After each poll and each request it checks:
// - A pin that is away from rest has been so for less than `away_ms`, and in the last `window_ms` for less than its
//   budget. This is the true integral over the history of the pin, for windows that end at each step. The library may
//   end earlier, because it counts slices, by at most one slice more than the window.
// - Its client has sent a request within the lease, and its session has not been replaced, except for a hold of a pin
//   with `holds_alone`. A pin with `for_ms` or a hold is at rest after this time. A pin with `needs` is at rest if the
//   lid is open. If each poll came in time, no limit was exceeded by one millisecond: so poll() returns the right time.
// - A pin leaves rest only by the call that names it, with the level or pulses of this call, or in a poll by a hold
//   that has not ended and whose reading wants it. Before, it was at rest for `rest_ms`, and its budget was not used
//   up.
// - A dangerous pin leaves rest only by a call to which the user consented, or by a hold to which he did.
// - A pin goes to rest only if its client wants it, all_off, a limit, or a fault of the pin. So a client changes no pin
//   of another one. No call drives a pin that is captured, that is only an input, or that is not in the table.
// - A hold does not drive after the reading has reached its target, is beyond its bound, or is lost.
// - A pin with an error that did not go to rest does so within a second after the error has ended, and a poll.
// - A call that fails does not leave its pin away from rest, and one that succeeds has done what it says.
// - The bus sees: for scan_i2c, reads of one byte; for i2c, the bytes of the call once, as its rule allows; else only
//   the measurements. A client writes no setting of a measured sensor. Never a reserved address, and none that the
//   rules hide.
// - After rest_now(), all pins without an error are at rest. Nothing is captured when all clients are gone.
#include <array>
#include <cstdlib>
#include <new>
#include <optional>

#include "fuzz/workbench_oracle.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using namespace workbench_oracle;

struct Client {
  mcp::SessionId session;
  int key = 0;
  std::uint64_t principal = 0;
  std::string name;
  bool is_stateless = false;
  // A consent that the user is asked for.
  bool is_asked = false;
  Time asked_at = 0;
  std::string asked_id;    // of the input request, or the requestState
  std::string asked_call;  // the id of the call
  std::string asked_params;
  Sent asked;
};

class Run {
 public:
  explicit Run(fuzz::Bytes& bytes) : bytes_(bytes) {
    constexpr Time wrap = Time{1} << 32;
    clock_ms = wrap - Time{bytes.byte()} * 256;
    is_lid_closed = true;
    heard.clear();
    for (Track& track : tracks) track = {};
    for (SensorTrack& sensor : sensors) sensor = {};
    bus_error = BusError::none;
    captured_pin = none;
    step = {};
    new (&room) Room(chip_bus, addresses[0]);
    new (&cellar) Cellar(chip_bus, addresses[1]);
    new (&bench) mcp::Workbench<options>();
    if (bench.begin() != 0) fuzz::fail("pins that do not go to rest");
    shared_ = server_.server.open_shared(now());
    for (Client& client : clients_) client.key = next_key_++;
    for (std::size_t i = 0; i < 2; ++i) open(clients_[i], i == 0 ? "alice" : "bob");
    constexpr std::string_view names[] = {"carol", "dave", "host", "host"};
    for (std::size_t i = 2; i < clients_.size(); ++i) {
      Client& client = clients_[i];
      client.session = shared_;
      client.is_stateless = true;
      client.name = names[i - 2];
      client.principal = i < 4 ? 0 : i;
    }
    poll();
    elapse(400);
    poll();
  }

  void all() {
    while (!bytes_.empty()) one();
    finish();
  }
  [[nodiscard]] bool has_driven() const { return has_driven_; }

 private:
  static constexpr Time consent_ms = 60'000;

  void open(Client& client, std::string_view name) {
    client.name = name;
    client.session = server_.server.open(now());
    initialize(client);
  }
  void initialize(Client& client) {
    client.is_asked = false;
    // The new session is in the slot of the one before, which has ended.
    heard_of(client.key).is_gone = true;
    client.key = next_key_++;
    heard_of(client.key);
    begin_step(Kind::request, client.key);
    request(client, "initialize",
            R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":")" + client.name +
                R"(","version":"1"})");
    end_step();
    send(client, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "none");
  }

  void elapse(Time ms) { clock_ms += ms; }
  mcp::Millis poll() {
    begin_step(Kind::poll);
    const mcp::Millis due = bench.poll(server_.server, &mcp::workbench_resources<bench>[1]);
    end_step();
    step = {.kind = Kind::answer};  // what jobs do is no poll
    for (Client& client : clients_) {
      if (!client.is_stateless) drain(client.session);
      if (client.is_asked && clock_ms - client.asked_at >= consent_ms) client.is_asked = false;
    }
    drain(shared_);
    return due;
  }
  void drain(mcp::SessionId session) {
    while (!server_.next(session, now()).empty()) {
    }
  }
  // Polls in time.
  void run(Time ms) {
    for (unsigned i = 0; i < 200; ++i) {
      const Time due = poll();
      if (due >= ms) break;
      elapse(due);
      ms -= due;
      check_punctual();
    }
    elapse(ms);
    check_punctual();
    poll();
  }
  // No limit is exceeded if each poll came in time.
  static void check_punctual() {
    for (std::size_t i = 0; i < pin_count; ++i) {
      const Track& track = tracks[i];
      const mcp::WorkbenchPin& row = pins[i];
      if (!track.is_away || track.has_fault || track.must_rest) continue;
      const bool is_late = (row.away_ms != 0 && clock_ms - track.away_since > row.away_ms) ||
                           (row.budget.away_ms != 0 && away_in(track, row.budget.window_ms) > row.budget.away_ms) ||
                           (track.has_end && clock_ms > track.end) ||
                           (!(track.holds && row.holds_alone) && clock_ms - heard_of(track.owner).at > lease_ms);
      if (is_late) fail("poll() has returned a time that is too late", i);
    }
  }

  // Returns the response, or the input request of its call. Responses to former calls may come before it.
  std::string send(const Client& client, std::string message, std::string_view id) {
    const mcp::TransportInfo info(client.principal);
    const mcp::Reply reply =
        server_.server.receive(client.session, {message.data(), message.size()}, server_.server.transmit_buffer(),
                               now(), mcp::only_channel, client.principal != 0 ? &info : nullptr);
    std::string response(server_.server.transmit_buffer().data(), reply.size);
    constexpr int most_messages = 6;
    for (int i = 0; i < most_messages; ++i) {
      const bool is_other = response.find("\"id\":" + std::string(id) + ',') == response.npos &&
                            response.find("elicitation/create\"") == response.npos;
      if (!response.empty() && !is_other) return response;
      response = server_.next(client.session, now());
    }
    return {};
  }
  std::string request(const Client& client, std::string_view method, const std::string& params) {
    std::string meta;
    if (client.is_stateless) {
      meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
             R"("io.modelcontextprotocol/clientInfo":{"name":")" +
             client.name + R"(","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";
      if (!params.empty()) meta += ',';
    }
    const std::string id = std::to_string(++id_);
    return send(client,
                R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" + meta +
                    params + "}}",
                id);
  }

  Client& any_client() { return clients_[bytes_.byte() % clients_.size()]; }

  void call(std::string_view tool, const std::string& arguments, const Sent& sent) {
    Client& client = any_client();
    const std::string params = R"("name":")" + std::string(tool) + R"(","arguments":{)" + arguments + "}";
    begin_step(Kind::request, client.key, sent);
    heard_of(client.key).at = clock_ms;
    const std::string response = request(client, "tools/call", params);
    if (!take_question(client, response, params, sent)) take_result(client, response, sent);
    end_step();
    poll();
  }

  // Whether the response asks the user.
  bool take_question(Client& client, const std::string& response, const std::string& params, const Sent& sent) {
    const std::optional<test::Json> json = test::parse_json(response);
    if (!json) return false;
    const bool asks = client.is_stateless ? !json->text_at("result.requestState").empty()
                                          : json->text_at("method") == "elicitation/create";
    if (!asks) return false;
    client.is_asked = true;
    client.asked_at = clock_ms;
    client.asked_id = client.is_stateless ? json->text_at("result.requestState") : json->at("id")->raw;
    client.asked_call = std::to_string(id_);
    client.asked_params = params;
    client.asked = sent;
    return true;
  }

  void take_result(const Client& client, const std::string& response, const Sent& sent) {
    const bool is_ok =
        response.find("\"result\":") != response.npos && response.find("\"isError\":true") == response.npos;
    if (sent.tool == Tool::all_off) {
      for (Track& track : tracks) {
        if (is_ok && track.is_away) fuzz::fail("all_off leaves a pin away from rest");
        track.holds = false;
      }
    }
    if (sent.pin == none || (sent.tool != Tool::set_pin && sent.tool != Tool::set_pwm && sent.tool != Tool::hold))
      return;
    Track& track = tracks[sent.pin];
    if (!is_ok) {
      if (track.is_away && track.was_driven && !track.has_fault) fail("a failed call leaves its pin driven", sent.pin);
      if (!track.is_away && track.was_rested) track.holds = false;
      return;
    }
    if (sent.is_rest && captured_pin != sent.pin) {
      if (track.is_away) fail("not at rest after a call that says so", sent.pin);
      track.holds = false;
      return;
    }
    if (sent.is_rest) return;
    if (sent.tool != Tool::hold && (!track.is_away || !track.was_driven)) fail("the call did nothing", sent.pin);
    if (sent.tool != Tool::hold && track.wire != Wire::open && track.drive.mode == Mode::output &&
        (track.wire == Wire::high) != track.drive.is_high)
      fail("a short circuit that is not reported", sent.pin);
    has_driven_ = true;
    track.owner = client.key;
    track.was_left = false;
    track.holds = sent.tool == Tool::hold;
    track.has_end = track.holds || sent.for_ms != 0;
    constexpr Time minute_ms = 60'000;
    track.end = clock_ms + (track.holds ? sent.minutes * minute_ms : sent.for_ms);
    track.hold = sent;
  }

  // ---- What happens -------------------------------------------------------------------------------------------------

  std::size_t any_pin() { return bytes_.byte() % pin_count; }

  void call_set_pin() {
    constexpr std::string_view levels[] = {"low", "high", "rest", "off"};
    constexpr std::uint32_t times[] = {0, 0, 1, 100, 1000, 2500, 5000, 86'400'000};
    const std::size_t pin = any_pin();
    const std::uint8_t choice = bytes_.byte();
    const std::size_t level = choice % 16 == 15 ? 3 : choice % 3;
    const std::uint32_t for_ms = times[choice / 16 % 8];
    Sent sent{.tool = Tool::set_pin, .pin = pin, .is_high = level == 1, .for_ms = for_ms};
    sent.is_rest = level == 2 || pins[pin].rest == (level == 1 ? PinRest::high : PinRest::low);
    call("set_pin",
         R"("pin":")" + std::string(pins[pin].name) + R"(","level":")" + std::string(levels[level]) + R"(","for_ms":)" +
             std::to_string(for_ms),
         sent);
  }
  void call_set_pwm() {
    constexpr std::uint32_t frequencies[] = {1, 50, 400, 1000, 3333, 50'000, 50'001, 1'000'000};
    constexpr unsigned percents[] = {0, 1, 5, 30, 50, 99, 100, 101};
    const std::size_t pin = any_pin();
    const std::uint8_t choice = bytes_.byte();
    Sent sent{.tool = Tool::set_pwm, .pin = pin, .hz = frequencies[choice % 8], .percent = percents[choice / 8 % 8]};
    sent.is_rest = (sent.percent == 0 && pins[pin].rest == PinRest::low) ||
                   (sent.percent == 100 && pins[pin].rest == PinRest::high);
    call("set_pwm",
         R"("pin":")" + std::string(pins[pin].name) + R"(","hz":)" + std::to_string(sent.hz) + R"(,"percent":)" +
             std::to_string(sent.percent),
         sent);
  }
  void call_hold() {
    constexpr std::size_t held[] = {1, 2, 7, 8};
    constexpr int half = 50;
    const std::uint8_t choice = bytes_.byte();
    Sent sent{.tool = Tool::hold, .pin = choice % 16 == 15 ? any_pin() : held[choice % 4]};
    sent.reading = choice / 4 % 3;
    sent.raises = choice / 16 % 2 != 0;
    sent.minutes = choice / 32 % 8 == 7 ? 6 : 1 + choice / 32 % 2;
    sent.at = half * static_cast<int>(bytes_.byte() % 160) - 1000;
    sent.within = half * static_cast<int>(bytes_.byte() % 8);
    const auto decimal = [](int value) {
      return (value < 0 ? "-" : "") + std::to_string(std::abs(value) / 100) + '.' + (value % 100 == 0 ? "0" : "5");
    };
    call("hold",
         R"("reading":")" + std::string(readings[sent.reading].name) + R"(","at":)" + decimal(sent.at) +
             R"(,"within":)" + decimal(sent.within) + R"(,"pin":")" + std::string(pins[sent.pin].name) +
             R"(","action":")" + (sent.raises ? "raise" : "lower") + R"(","minutes":)" + std::to_string(sent.minutes),
         sent);
  }
  void call_i2c() {
    constexpr std::uint8_t places[] = {0x00, 0x03, 0x07, 0x08, 0x20, 0x27, 0x48, 0x4A, 0x50, 0x53,
                                       0x54, 0x57, 0x58, 0x60, 0x61, 0x62, 0x77, 0x78, 0x7B, 0x7F};
    constexpr std::string_view digits = "0123456789abcdef";
    const std::uint8_t choice = bytes_.byte();
    Sent sent{.tool = Tool::i2c, .address = choice % 8 == 7 ? bytes_.byte() : places[choice % std::size(places)]};
    const auto hex = [&](std::uint8_t byte) { return std::string{digits[byte >> 4], digits[byte & 15]}; };
    const std::uint8_t sizes = bytes_.byte();
    constexpr std::size_t counts[] = {0, 1, 2, 3, 4, 31, 32, 33};
    std::string write;
    for (std::size_t i = 0; i < counts[sizes % 8]; ++i) {
      sent.bytes.push_back(i < 4 ? bytes_.byte() : static_cast<std::uint8_t>(i));
      write += hex(sent.bytes.back());
    }
    sent.read = counts[sizes / 8 % 8];
    if (sizes >= 248) write += '0';
    call("i2c",
         R"("address":"0x)" + hex(sent.address) + R"(","write":")" + write + R"(","read":)" + std::to_string(sent.read),
         sent);
  }
  void call_other() {
    constexpr std::string_view tools[] = {"read_pins", "watch",   "watch", "capture",
                                          "capture",   "set_pin", "hold",  "none"};
    constexpr std::string_view arguments[] = {R"("pins":["LED","A0"])",
                                              R"("reading":"room")",
                                              R"("reading":"shelf","above":21.5,"below":-3)",
                                              R"("pin":"GP6")",
                                              R"("pin":"BUTTON","for_ms":10000)",
                                              R"("pin":"LED","level":1)",
                                              R"("at":1e39)",
                                              R"("pin":["BOLT"])"};
    const std::uint8_t choice = bytes_.byte();
    const std::size_t tool = choice % 8;
    call(tools[tool], choice < 192 ? std::string(arguments[tool]) : std::string(arguments[choice / 8 % 8]), {});
  }
  void ask_other() {
    Client& client = any_client();
    const std::uint8_t choice = bytes_.byte();
    constexpr std::string_view uris[] = {"bench://pins", "bench://readings"};
    begin_step(Kind::request, client.key);
    heard_of(client.key).at = clock_ms;
    if (choice % 4 == 0) {
      request(client, "tools/list", "");
    } else if (choice % 4 == 1 && !client.is_stateless) {
      request(client, "ping", "");
    } else {
      request(client, "resources/read", R"("uri":")" + std::string(uris[choice / 4 % 2]) + '"');
    }
    end_step();
    poll();
  }

  void answer() {
    Client& client = any_client();
    const std::uint8_t choice = bytes_.byte();
    constexpr std::string_view actions[] = {"accept", "accept", "decline", "cancel"};
    const std::string_view action = actions[choice % 4];
    const std::string content = R"({"action":")" + std::string(action) + R"(","content":{}})";
    const bool is_other = choice % 32 == 31;  // an answer to something else
    // A state that is sent again has no effect.
    const bool is_asked = client.is_asked;
    const bool has_consent = is_asked && action == "accept" && !is_other;
    const Sent sent = client.asked;
    // A valid answer that is no consent ends the call, and extends no lease.
    const bool is_request = client.is_stateless && (has_consent || is_other || !is_asked);
    begin_step(is_request ? Kind::request : Kind::answer, client.key, sent, has_consent);
    if (is_request || has_consent) heard_of(client.key).at = clock_ms;
    std::string response;
    if (client.is_stateless) {
      const std::string params =
          client.asked_params.empty() ? R"("name":"set_pin","arguments":{})" : client.asked_params;
      std::string state = client.asked_id;
      if (is_other) state += 'x';
      response = request(client, "tools/call",
                         params + R"(,"inputResponses":{"answer":)" + content + R"(},"requestState":")" + state + '"');
      if (take_question(client, response, params, sent)) {
        end_step();
        poll();
        return;
      }
    } else {
      response = send(client,
                      R"({"jsonrpc":"2.0","id":)" + (client.asked_id.empty() || is_other ? "99" : client.asked_id) +
                          R"(,"result":)" + content + "}",
                      client.asked_call);
    }
    if (is_asked && !is_other) take_result(client, response, sent);
    if (!is_other) client.is_asked = false;
    end_step();
    poll();
  }

  void change_session() {
    Client& client = clients_[bytes_.byte() % 2];
    if (bytes_.byte() % 2 == 0) {
      step = {.kind = Kind::answer};
      server_.server.close(client.session, now());
      open(client, client.name);
    } else {
      initialize(client);
    }
    poll();
  }
  void change_sensor() {
    SensorTrack& sensor = sensors[bytes_.byte() % 2];
    const std::uint8_t choice = bytes_.byte();
    if (choice < 16) {
      sensor.is_present = !sensor.is_present;
    } else if (choice < 32) {
      bus_error = static_cast<BusError>(choice % (static_cast<unsigned>(BusError::failed) + 1));
    } else if (choice < 48) {
      sensor.celsius = choice % 2 == 0 ? -55 : 125;
    } else {
      sensor.celsius = choice / 3 - 20;
      bus_error = BusError::none;
      sensor.is_present = true;
    }
  }
  void change_pin() {
    const std::size_t pin = any_pin();
    Track& track = tracks[pin];
    const std::uint8_t choice = bytes_.byte();
    if (pins[pin].uses == PinUse::analog) return;
    const bool had_error = track.error != PinError::none;
    track.error = choice % 4 == 0 ? PinError::failed : PinError::none;
    track.wire = choice % 4 == 1 ? Wire::low : choice % 4 == 2 ? Wire::high : Wire::open;
    if (track.error != PinError::none || track.wire != Wire::open) track.has_fault = track.had_fault = true;
    if (had_error && track.error == PinError::none) track.cleared_at = clock_ms;
  }
  void pass_time() {
    const std::uint8_t choice = bytes_.byte();
    const Time amount = bytes_.byte();
    switch (choice % 8) {
      case 0: return elapse(amount);
      case 1: return run(amount);
      case 2:
      case 3: return run(amount * 20);
      case 4: return run(amount * 100);
      case 5: elapse(amount * amount * 4); break;
      case 6:
        // Once, because a question to a stateless client without an answer keeps its slot, and is new after 2^32 ms.
        elapse(choice == 254 && !has_jumped_ ? 0x7FFF'FFFF : amount * 40);
        has_jumped_ = has_jumped_ || choice == 254;
        break;
      default: return elapse(amount * 50);  // without a poll
    }
    poll();
  }

  void one() {
    switch (bytes_.byte() % 16) {
      case 0:
      case 1: return call_set_pin();
      case 2: return call_set_pwm();
      case 3:
      case 4: return call_hold();
      case 5: return call_i2c();
      case 6:
        return bytes_.byte() % 4 == 0 ? call("all_off", "", {.tool = Tool::all_off})
                                      : call("scan_i2c", "", {.tool = Tool::scan_i2c});
      case 7: return call_other();
      case 8: return ask_other();
      case 9:
      case 10: return answer();
      case 11: return change_session();
      case 12: return change_sensor();
      case 13:
        if (bytes_.byte() % 2 == 0) {
          is_lid_closed = !is_lid_closed;
        } else {
          the_chip.add_edge(bytes_.byte() * 100U);
        }
        return;
      case 14: return bytes_.byte() % 4 == 0 ? change_pin() : pass_time();
      default: return pass_time();
    }
  }

  // All clients are gone, and all faults.
  void finish() {
    begin_step(Kind::setup);
    if (id_ % 2 == 0) bench.rest_now();
    for (std::size_t i = 0; i < pin_count && id_ % 2 == 0; ++i) {
      if (pins[i].uses != PinUse::analog && tracks[i].error == PinError::none && tracks[i].is_away)
        fail("not at rest after rest_now()", i);
    }
    for (Track& track : tracks) {
      if (track.error != PinError::none) track.cleared_at = clock_ms;
      track.error = PinError::none;
      track.wire = Wire::open;
    }
    step = {.kind = Kind::answer};
    for (std::size_t i = 0; i < 2; ++i) server_.server.close(clients_[i].session, now());
    server_.server.close(shared_, now());
    if (captured_pin != none) fail("a capture without a client", captured_pin);
    constexpr Time hold_ms = 400'000;
    elapse(hold_ms);
    begin_step(Kind::poll);
    bench.poll(server_.server);
    end_step();
    for (std::size_t i = 0; i < pin_count; ++i) {
      if (pins[i].uses != PinUse::analog && tracks[i].is_away) fail("not at rest when all clients are gone", i);
      if (!bench.is_at_rest(i)) fail("not available when all faults are gone", i);
    }
  }

  fuzz::Bytes& bytes_;
  test::Bench server_{definition, {.transmit_size = 4096, .sessions = 3, .jobs = 3, .job = 160, .client_info = 64}};
  std::array<Client, 6> clients_;
  mcp::SessionId shared_ = {};
  int id_ = 0;
  int next_key_ = 0;
  bool has_driven_ = false;
  bool has_jumped_ = false;
};

bool run(std::string_view input) {
  fuzz::Bytes bytes(input);
  Run run(bytes);
  run.all();
  return run.has_driven();
}

std::string text(std::initializer_list<unsigned> bytes) {
  std::string text;
  for (const unsigned byte : bytes) text += static_cast<char>(byte);
  return text;
}

std::vector<std::string> seeds() {
  return {
      // Start, set_pin LED high of alice, time.
      text({1, 0, 0, 1, 0, 15, 3, 100, 15, 4, 200}),
      // HEATER high for 2500 ms, again and again.
      text({9, 0, 1, 0x52, 1, 15, 4, 30, 0, 1, 0x52, 1, 15, 4, 30, 0, 1, 0x52, 1, 15, 4, 200}),
      // Pulses of FAN, LASER with an open lid.
      text({40, 2, 2, 0x19, 2, 15, 2, 20, 0, 6, 1, 3, 13, 0, 15, 1, 10, 0, 6, 1, 3}),
      // A hold of HEATER that raises the room, and a lost sensor.
      text({3, 3, 0x10, 80, 2, 0, 15, 4, 40, 12, 0, 200, 15, 4, 40, 12, 0, 3, 15, 4, 40}),
      // A hold of VALVE, whose client goes.
      text({3, 3, 0x12, 80, 2, 4, 15, 4, 250, 3, 0x12, 70, 1, 1, 15, 4, 100}),
      // BOLT with consent, of a session and of a stateless client.
      text({3, 0, 8,  0x40, 0,  9, 0,    0,  15, 4, 30, 0, 8, 0x40, 3, 9,
            3, 0, 15, 4,    30, 3, 0x13, 80, 2,  5, 9,  5, 0, 15,   4, 90}),
      // I2C, a scan and captures.
      text({3, 5, 0, 9, 1, 0, 5, 14, 2, 1, 2, 0, 9, 0, 0, 6, 1, 0, 7, 3, 0, 13, 1, 5, 13, 1, 9, 15, 4, 20, 7, 4, 4}),
      // Two clients, errors of pins, and a session that begins again.
      text({3, 0, 0, 1, 0, 0, 0, 0, 1, 14, 0, 0, 0, 15, 4, 200, 14, 0, 0, 3, 15, 4, 20, 11, 0, 1, 0, 0, 1, 2, 6, 0, 3}),
      // FAN by hold until its budget is used up.
      text({3, 3, 0x11, 80, 0, 0, 15, 2, 20, 12, 0, 250, 15, 4, 10, 12, 0, 100, 15, 4, 10, 12, 0, 250, 15, 4, 10}),
      // A request after the lease, and a hold that does not drive when all_off comes.
      text({3, 0, 0, 1, 0, 15, 7, 210, 8, 0, 0, 15, 4, 20}),
      text({3, 3, 0x11, 40, 2, 0, 6, 0, 0, 12, 0, 60, 15, 4, 40}),
  };
}

std::vector<std::string> words() {
  return {text({0, 1, 1, 0}),
          text({2, 2, 0x19, 0}),
          text({3, 0x10, 80, 2, 0}),
          text({3, 0x01, 40, 1, 0}),
          text({9, 0, 0}),
          text({15, 2, 50}),
          text({15, 4, 20}),
          text({15, 4, 100}),
          text({15, 5, 100}),
          text({12, 0, 200}),
          text({12, 0, 60}),
          text({14, 0, 1, 0}),
          text({14, 0, 1, 3}),
          text({11, 0, 1}),
          text({13, 0}),
          text({0, 8, 0x40, 0, 9, 0, 0}),
          text({15, 254, 0}),
          text({6, 0, 1}),
          text({15, 0, 7}),
          text({15, 7, 100})};
}

}  // namespace

namespace fuzz {
const Target workbench_target{"workbench", run, seeds, words, nullptr, 512};
}  // namespace fuzz
