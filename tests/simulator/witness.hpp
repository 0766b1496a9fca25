// SPDX-License-Identifier: Apache-2.0
// A client of another owner than the strangers. The device must serve it while they act. It measures response times,
// and must lose neither its session nor its call. It runs only while no other failure happens.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "simulator/raw_client.hpp"

namespace sim {

/// What a witness may expect of the device.
struct Terms {
  Time answer = 0;         // ms from a request to its answer, the connection included
  bool session = false;    // a session slot is free in addition to those of the strangers
  bool listening = false;  // there is one for a stateless subscription
  bool calls = false;      // there is one for a job
};

class Witness final : public RawClient {
 public:
  Witness(Simulation& simulation, FakeListener& listener, Identity who, Terms terms)
      : RawClient(simulation, listener, std::move(who)), terms_(terms) {}

  void start() override;
  void check() const override;

 private:
  /// A request that must get its response in time. The client repeats it if the connection ends first.
  void ask(const std::string& what, const std::string& request, Taker taker);
  void try_to_ask(const std::string& request, const std::shared_ptr<bool>& done, const Taker& taker);
  void expect(const std::string& what, Time within, const std::shared_ptr<bool>& done);

  void echo(bool stateless);
  void listen();
  void begin();
  void open_stream();
  void read_value();
  void change_value();
  void call();
  void follow(const LinePtr& line);
  void resume();
  void take_result(const std::string& text);

  Terms terms_;
  std::string session_;
  std::uint32_t known_ = 0;  // value of the resource
  std::string token_;        // of the running call
  std::string last_event_;   // of its stream
  std::shared_ptr<bool> done_;
  std::uint64_t answers_ = 0;
  std::uint64_t results_ = 0;
};

}  // namespace sim
