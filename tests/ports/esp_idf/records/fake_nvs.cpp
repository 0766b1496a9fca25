// SPDX-License-Identifier: Apache-2.0
#include "fake_nvs.hpp"

#include <cstring>
#include <string_view>

namespace fake {

Nvs nvs;

std::size_t Nvs::used() const {
  constexpr std::size_t entry = 32;
  std::size_t size = 0;
  for (const auto& [name, values] : namespaces) {
    size += entry;
    for (const auto& [key, value] : values) size += entry + value.bytes.size();
  }
  return size;
}

namespace {

// Finds the values of a handle, or returns an error.
esp_err_t find(nvs_handle_t handle, std::map<std::string, Value>*& values, bool writes) {
  const auto found = nvs.handles.find(handle);
  if (found == nvs.handles.end()) return ESP_ERR_NVS_INVALID_HANDLE;
  if (writes && !found->second.is_writable) return ESP_ERR_NVS_READ_ONLY;
  values = &nvs.namespaces[found->second.name];
  return ESP_OK;
}

}  // namespace
}  // namespace fake

using fake::find;
using fake::nvs;

extern "C" {
esp_err_t nvs_open_from_partition(const char* partition, const char* name, nvs_open_mode_t mode, nvs_handle_t* handle) {
  ++nvs.opens;
  if (!nvs.is_initialized) return ESP_ERR_NVS_NOT_INITIALIZED;
  if (nvs.open != ESP_OK) return nvs.open;
  if (!nvs.has_partition || std::string_view(partition) != "nvs") return ESP_ERR_NVS_PART_NOT_FOUND;
  if (!nvs.namespaces.contains(name)) {
    if (mode == NVS_READONLY) return ESP_ERR_NVS_NOT_FOUND;
    if (nvs.used() + 32 > nvs.space) return ESP_ERR_NVS_NOT_ENOUGH_SPACE;
    nvs.namespaces[name];
  }
  *handle = ++nvs.last;
  nvs.handles[nvs.last] = {name, mode == NVS_READWRITE};
  return ESP_OK;
}
void nvs_close(nvs_handle_t handle) { nvs.handles.erase(handle); }
esp_err_t nvs_find_key(nvs_handle_t handle, const char* key, nvs_type_t* type) {
  std::map<std::string, fake::Value>* values = nullptr;
  if (const esp_err_t error = find(handle, values, false); error != ESP_OK) return error;
  if (nvs.find != ESP_OK) return nvs.find;
  const auto found = values->find(key);
  if (found == values->end()) return ESP_ERR_NVS_NOT_FOUND;
  if (type != nullptr) *type = found->second.type;
  return ESP_OK;
}
esp_err_t nvs_get_blob(nvs_handle_t handle, const char* key, void* into, size_t* size) {
  std::map<std::string, fake::Value>* values = nullptr;
  if (const esp_err_t error = find(handle, values, false); error != ESP_OK) return error;
  if (nvs.get != ESP_OK) return nvs.get;
  const auto found = values->find(key);
  if (found == values->end() || found->second.type != NVS_TYPE_BLOB) return ESP_ERR_NVS_NOT_FOUND;
  const std::string& bytes = found->second.bytes;
  const size_t space = *size;
  *size = bytes.size();
  if (into == nullptr) return ESP_OK;
  if (space < bytes.size()) return ESP_ERR_NVS_INVALID_LENGTH;
  if (found->second.is_torn) {
    values->erase(found);
    return ESP_ERR_NVS_NOT_FOUND;
  }
  std::memcpy(into, bytes.data(), bytes.size());
  return ESP_OK;
}
esp_err_t nvs_set_blob(nvs_handle_t handle, const char* key, const void* bytes, size_t size) {
  std::map<std::string, fake::Value>* values = nullptr;
  if (const esp_err_t error = find(handle, values, true); error != ESP_OK) return error;
  const std::string text(static_cast<const char*>(bytes), size);
  if (nvs.set != ESP_OK) {
    if (nvs.set == ESP_ERR_NVS_REMOVE_FAILED) (*values)[key] = {NVS_TYPE_BLOB, text, false};
    return nvs.set;
  }
  const auto old = values->find(key);
  if (old != values->end() && old->second.type == NVS_TYPE_BLOB && old->second.bytes == text) return ESP_OK;
  // The old value stays until the new one is written.
  if (nvs.used() + 32 + size > nvs.space) return ESP_ERR_NVS_NOT_ENOUGH_SPACE;
  ++nvs.writes;
  (*values)[key] = {NVS_TYPE_BLOB, text, false};
  return ESP_OK;
}
esp_err_t nvs_erase_key(nvs_handle_t handle, const char* key) {
  std::map<std::string, fake::Value>* values = nullptr;
  if (const esp_err_t error = find(handle, values, true); error != ESP_OK) return error;
  if (nvs.erase != ESP_OK) return nvs.erase;
  ++nvs.writes;
  return values->erase(key) == 1 ? ESP_OK : ESP_ERR_NVS_NOT_FOUND;
}
esp_err_t nvs_commit(nvs_handle_t handle) {
  std::map<std::string, fake::Value>* values = nullptr;
  if (const esp_err_t error = find(handle, values, false); error != ESP_OK) return error;
  return nvs.commit;
}
}
