// SPDX-License-Identifier: Apache-2.0
// The NVS of ESP-IDF in memory. It follows components/nvs_flash/src of v6.2-dev, commit 1021229 (nvs_api.cpp,
// nvs_handle_simple.cpp, nvs_storage.cpp, nvs_partition_manager.cpp):
// - a namespace that is opened for reading must exist. Opened for writing, it is created, which needs an entry.
// - nvs_flash_erase() closes all handles.
// - nvs_get_blob() without a buffer returns the size. It finds blobs only, and nvs_find_key() finds every type.
// - a blob whose parts are missing has a size, and reading it returns ESP_ERR_NVS_NOT_FOUND.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <nvs.h>

namespace fake {

struct Value {
  nvs_type_t type = NVS_TYPE_BLOB;
  std::string bytes;
  bool is_torn = false;
};

struct Nvs {
  bool has_partition = true;
  bool is_initialized = true;
  std::size_t space = 4'000;  ///< Bytes, with 32 for each value and namespace.
  esp_err_t open = ESP_OK, get = ESP_OK, set = ESP_OK, erase = ESP_OK, commit = ESP_OK, find = ESP_OK;
  std::map<std::string, std::map<std::string, Value>> namespaces;

  struct Handle {
    std::string name;
    bool is_writable;
  };
  std::map<nvs_handle_t, Handle> handles;
  nvs_handle_t last = 0;
  unsigned writes = 0;
  unsigned opens = 0;

  void erase_flash() {
    namespaces.clear();
    handles.clear();
  }
  [[nodiscard]] std::size_t used() const;
};
extern Nvs nvs;

}  // namespace fake
