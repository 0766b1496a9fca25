// SPDX-License-Identifier: Apache-2.0
// The mDNS library of the tests. Declarations as in LEAmDNS.h of arduino-pico.
#pragma once

#include <cstdint>
#include <map>
#include <string>

struct MDNSResponder {
  bool begin(const char* name) {
    if (fails) return false;
    host = name;
    ++begins;
    return true;
  }
  bool end() {
    host.clear();
    services.clear();
    texts.clear();
    return true;
  }
  bool addService(const std::string& service, const std::string& protocol, std::uint16_t port) {
    services["_" + service + "._" + protocol] = port;
    return true;
  }
  bool addServiceTxt(const char* service, const char* protocol, const char* key, const char* value) {
    texts["_" + std::string(service) + "._" + protocol + " " + key] = value;
    return true;
  }
  bool update() {
    ++updates;
    return true;
  }

  std::string host;
  std::map<std::string, std::uint16_t> services;
  std::map<std::string, std::string> texts;
  unsigned begins = 0;
  unsigned updates = 0;
  bool fails = false;
};
inline MDNSResponder MDNS;
