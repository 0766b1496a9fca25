// SPDX-License-Identifier: Apache-2.0
// mcp::esp_idf::NvsRecords against a fake of NVS.
#include "mcp/ports/esp_idf_records.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "fake_nvs.hpp"

using mcp::RecordStatus;
using mcp::esp_idf::NvsRecords;

namespace {

class EspIdfRecords : public testing::Test {
 protected:
  NvsRecords records;

  EspIdfRecords() { fake::nvs = {}; }

  [[nodiscard]] RecordStatus save(std::string_view name, std::string_view value) { return records.save(name, value); }
  /// The value, or "STATUS SIZE".
  std::string load(std::string_view name, std::size_t space = 64) {
    std::string into(space, '?');
    const mcp::RecordResult result = records.load(name, into);
    if (result.status == RecordStatus::ok) return into.substr(0, result.size);
    return std::to_string(static_cast<int>(result.status)) + " " + std::to_string(result.size);
  }
  static std::string of(RecordStatus status, std::size_t size = 0) {
    return std::to_string(static_cast<int>(status)) + " " + std::to_string(size);
  }
  /// What the partition has.
  static std::string stored(const std::string& name) { return fake::nvs.namespaces["mote"].at(name).bytes; }
};

TEST_F(EspIdfRecords, KeepsValuesOfAnyBytes) {
  const std::string bytes("a\0b\xFF", 4);
  EXPECT_EQ(save("token", bytes), RecordStatus::ok);
  EXPECT_EQ(save("empty", ""), RecordStatus::ok);
  EXPECT_EQ(save("fifteen_letters", "x"), RecordStatus::ok);
  EXPECT_EQ(load("token"), bytes);
  EXPECT_EQ(load("empty"), "");
  EXPECT_EQ(load("empty", 0), "");
  EXPECT_EQ(load("fifteen_letters"), "x");
  NvsRecords other;
  char byte[1];
  EXPECT_EQ(other.load("fifteen_letters", byte).size, 1U) << "the next boot";
  NvsRecords another("other");
  EXPECT_EQ(another.load("token", byte).status, RecordStatus::not_found);
}

TEST_F(EspIdfRecords, ReplacesAValueAndWritesNothingForAnEqualOne) {
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  EXPECT_EQ(fake::nvs.writes, 1U);
  EXPECT_EQ(save("token", "another"), RecordStatus::ok);
  EXPECT_EQ(load("token"), "another");
}

TEST_F(EspIdfRecords, AValueThatDoesNotFitReturnsItsSize) {
  EXPECT_EQ(save("token", "12345"), RecordStatus::ok);
  EXPECT_EQ(load("token", 5), "12345");
  EXPECT_EQ(load("token", 4), of(RecordStatus::too_large, 5));
  EXPECT_EQ(load("token", 0), of(RecordStatus::too_large, 5));
  EXPECT_EQ(save("token", std::string(4097, 'x')), RecordStatus::too_large);
}

TEST_F(EspIdfRecords, ErasesAValueOnce) {
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_EQ(load("token"), of(RecordStatus::not_found));
  const unsigned writes = fake::nvs.writes;
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  EXPECT_EQ(fake::nvs.writes, writes);
}

// The first boot: reads and erasures create no namespace.
TEST_F(EspIdfRecords, AMissingNamespaceHasNoValues) {
  EXPECT_EQ(load("token"), of(RecordStatus::not_found));
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  EXPECT_TRUE(fake::nvs.namespaces.empty());
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  EXPECT_EQ(load("token"), "one");
  EXPECT_EQ(fake::nvs.handles.size(), 1U);
}

TEST_F(EspIdfRecords, OpensTheNamespaceOnceForReadingAndOnceForWriting) {
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  EXPECT_EQ(load("token"), "one");
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_EQ(fake::nvs.opens, 1U);
  std::optional<NvsRecords> other(std::in_place);
  char byte[1];
  EXPECT_EQ(other->load("token", byte).status, RecordStatus::not_found);
  EXPECT_EQ(other->load("token", byte).status, RecordStatus::not_found);
  EXPECT_EQ(fake::nvs.opens, 2U);
  EXPECT_EQ(other->save("token", byte), RecordStatus::ok);
  EXPECT_EQ(fake::nvs.opens, 3U);
  EXPECT_EQ(fake::nvs.handles.size(), 2U) << "the one for reading is closed";
  other.reset();
  EXPECT_EQ(fake::nvs.handles.size(), 1U);
}

TEST_F(EspIdfRecords, AFullPartitionKeepsTheOldValue) {
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  fake::nvs.space = fake::nvs.used() + 8;
  EXPECT_EQ(save("token", "another"), RecordStatus::full);
  EXPECT_EQ(save("other", ""), RecordStatus::full);
  EXPECT_EQ(load("token"), "one");
  NvsRecords other("other");
  EXPECT_EQ(other.save("token", std::string_view("x")), RecordStatus::full) << "no space for the namespace";
  char byte[1];
  EXPECT_EQ(other.load("token", byte).status, RecordStatus::not_found);
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_EQ(save("token", "another"), RecordStatus::ok);
}

TEST_F(EspIdfRecords, AnErasedPartitionIsOpenedAgain) {
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  fake::nvs.erase_flash();
  EXPECT_EQ(load("token"), of(RecordStatus::not_found));
  EXPECT_EQ(save("token", "two"), RecordStatus::ok);
  fake::nvs.erase_flash();
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  EXPECT_EQ(save("token", "three"), RecordStatus::ok);
  fake::nvs.erase_flash();
  EXPECT_EQ(save("token", "four"), RecordStatus::ok);
  EXPECT_EQ(stored("token"), "four");
}

TEST_F(EspIdfRecords, WithoutThePartitionAllCallsFail) {
  for (const bool is_initialized : {false, true}) {
    fake::nvs.is_initialized = is_initialized;
    fake::nvs.has_partition = !is_initialized;
    EXPECT_EQ(load("token"), of(RecordStatus::failed));
    EXPECT_EQ(save("token", "one"), RecordStatus::failed);
    EXPECT_EQ(records.erase("token"), RecordStatus::failed);
  }
  fake::nvs.has_partition = true;
  EXPECT_EQ(save("token", "one"), RecordStatus::ok) << "after nvs_flash_init";
}

// The passphrase of a network must not be taken for none.
TEST_F(EspIdfRecords, AnUnreadableValueIsNotMissing) {
  auto& values = fake::nvs.namespaces["mote"];
  values["text"] = {NVS_TYPE_STR, "a passphrase", false};
  values["torn"] = {NVS_TYPE_BLOB, "a passphrase", true};
  EXPECT_EQ(load("text"), of(RecordStatus::failed));
  EXPECT_EQ(load("torn"), of(RecordStatus::failed));
  EXPECT_EQ(save("text", "one"), RecordStatus::ok);
  EXPECT_EQ(load("text"), "one");
}

TEST_F(EspIdfRecords, ErrorsOfNvsHaveAStatus) {
  const struct {
    esp_err_t error;
    RecordStatus status;
  } cases[] = {
      {ESP_ERR_NVS_NOT_ENOUGH_SPACE, RecordStatus::full},         {ESP_ERR_NVS_NO_FREE_PAGES, RecordStatus::full},
      {ESP_ERR_NVS_VALUE_TOO_LONG, RecordStatus::full},           {ESP_ERR_NVS_REMOVE_FAILED, RecordStatus::unsynced},
      {ESP_ERR_NVS_NEW_VERSION_FOUND, RecordStatus::unsupported}, {ESP_ERR_NVS_INVALID_STATE, RecordStatus::failed},
      {ESP_ERR_NVS_TYPE_MISMATCH, RecordStatus::failed},          {ESP_FAIL, RecordStatus::failed}};
  for (const auto& each : cases) {
    fake::nvs = {};
    EXPECT_EQ(save("token", "one"), RecordStatus::ok);
    fake::nvs.set = each.error;
    EXPECT_EQ(save("token", "two"), each.status) << each.error;
    fake::nvs.set = ESP_OK;
    EXPECT_EQ(load("token"), each.status == RecordStatus::unsynced ? "two" : "one");
    fake::nvs.erase = each.error;
    EXPECT_EQ(records.erase("token"), each.status);
    fake::nvs.get = each.error;
    EXPECT_EQ(load("token"), of(each.status));
    fake::nvs.open = each.error;
    NvsRecords other;
    EXPECT_EQ(other.save("token", std::string_view("x")), each.status);
    EXPECT_EQ(other.erase("token"), each.status);
  }
  fake::nvs = {};
  fake::nvs.commit = ESP_FAIL;
  EXPECT_EQ(save("token", "one"), RecordStatus::failed);
  fake::nvs = {};
  EXPECT_EQ(save("token", "one"), RecordStatus::ok);
  fake::nvs.find = ESP_FAIL;
  EXPECT_EQ(load("other"), of(RecordStatus::failed));
  EXPECT_EQ(records.erase("token"), RecordStatus::failed);
  fake::nvs.find = ESP_OK;
  fake::nvs.commit = ESP_FAIL;
  EXPECT_EQ(records.erase("token"), RecordStatus::failed);
}

TEST_F(EspIdfRecords, InvalidNamesAreRejected) {
  EXPECT_EQ(save("sixteen_letters_", "x"), RecordStatus::invalid_name);
  EXPECT_EQ(load("Token"), of(RecordStatus::invalid_name));
  EXPECT_EQ(records.erase(""), RecordStatus::invalid_name);
  EXPECT_EQ(fake::nvs.opens, 0U);
}

}  // namespace
