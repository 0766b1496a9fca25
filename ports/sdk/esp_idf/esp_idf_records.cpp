// SPDX-License-Identifier: Apache-2.0
// Records in NVS. A handle ends when the partition is erased or closed, so a call with an ended handle opens it again.
#include "mcp/ports/esp_idf_records.hpp"

#include <nvs.h>

namespace mcp::esp_idf {
namespace {

// A name with a zero at its end.
struct Key {
  explicit Key(std::string_view name) { text[name.copy(text, Records::max_name)] = '\0'; }
  char text[Records::max_name + 1];
};

RecordStatus status_of(esp_err_t error) {
  switch (error) {
    case ESP_OK: return RecordStatus::ok;
    case ESP_ERR_NVS_NOT_FOUND: return RecordStatus::not_found;
    case ESP_ERR_NVS_NOT_ENOUGH_SPACE:
    case ESP_ERR_NVS_NO_FREE_PAGES:
    case ESP_ERR_NVS_VALUE_TOO_LONG:
      return RecordStatus::full;  // too long for the partition
    // The new value is there, and NVS removes the old one at the next start.
    case ESP_ERR_NVS_REMOVE_FAILED: return RecordStatus::unsynced;
    case ESP_ERR_NVS_NEW_VERSION_FOUND: return RecordStatus::unsupported;
    default: return RecordStatus::failed;
  }
}

}  // namespace

void NvsRecords::close() {
  if (mode_ != Mode::closed) nvs_close(handle_);
  mode_ = Mode::closed;
}

// Reads do not create the namespace, which would need space.
esp_err_t NvsRecords::open(Mode mode) {
  if (mode_ >= mode) return ESP_OK;
  close();
  const esp_err_t error =
      nvs_open_from_partition(partition_, name_, mode == Mode::reads ? NVS_READONLY : NVS_READWRITE, &handle_);
  if (error == ESP_OK) mode_ = mode;
  return error;
}

template <class Call>
esp_err_t NvsRecords::run(Mode mode, Call call) {
  const bool was_open = mode_ != Mode::closed;
  esp_err_t error = open(mode);
  if (error == ESP_OK) error = call();
  if (error != ESP_ERR_NVS_INVALID_HANDLE || !was_open) return error;
  mode_ = Mode::closed;
  error = open(mode);
  return error == ESP_OK ? call() : error;
}

// The size first: NVS reports a value whose parts are missing as ESP_ERR_NVS_NOT_FOUND, and such a value, or one of
// another type, must not be taken for no value.
RecordResult NvsRecords::do_load(std::string_view name, std::span<char> into) {
  const Key key(name);
  std::size_t size = 0;
  const esp_err_t error = run(Mode::reads, [&] {
    esp_err_t result = nvs_get_blob(handle_, key.text, nullptr, &size);
    if (result == ESP_ERR_NVS_NOT_FOUND) {
      result = nvs_find_key(handle_, key.text, nullptr);
      return result == ESP_OK ? ESP_ERR_NVS_TYPE_MISMATCH : result;
    }
    if (result != ESP_OK || size == 0) return result;
    if (size > into.size()) return ESP_ERR_NVS_INVALID_LENGTH;
    result = nvs_get_blob(handle_, key.text, into.data(), &size);
    return result == ESP_ERR_NVS_NOT_FOUND ? ESP_FAIL : result;
  });
  if (error == ESP_ERR_NVS_INVALID_LENGTH) return {RecordStatus::too_large, size};
  return {status_of(error), error == ESP_OK ? size : 0};
}

RecordStatus NvsRecords::do_save(std::string_view name, std::span<const char> bytes) {
  const Key key(name);
  return status_of(run(Mode::writes, [&] {
    const esp_err_t error = nvs_set_blob(handle_, key.text, bytes.empty() ? key.text : bytes.data(), bytes.size());
    return error == ESP_OK ? nvs_commit(handle_) : error;
  }));
}

RecordStatus NvsRecords::do_erase(std::string_view name) {
  const Key key(name);
  const esp_err_t found = run(Mode::reads, [&] { return nvs_find_key(handle_, key.text, nullptr); });
  if (found != ESP_OK) return status_of(found);
  return status_of(run(Mode::writes, [&] {
    const esp_err_t error = nvs_erase_key(handle_, key.text);
    return error == ESP_OK ? nvs_commit(handle_) : error;
  }));
}

}  // namespace mcp::esp_idf
