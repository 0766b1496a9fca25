// SPDX-License-Identifier: Apache-2.0
// The USB descriptors: one serial port (CDC), with the unique number of the flash chip as serial number. All pico-sdk
// programs with a serial port have these vendor and product numbers.
#include <cstdint>
#include <string_view>

#include <pico/unique_id.h>
#include <tusb.h>

#ifndef MOTE_USB_PRODUCT
#define MOTE_USB_PRODUCT "MCP server"
#endif

namespace {

constexpr std::uint16_t vendor = 0x2E8A;
#if PICO_RP2040
constexpr std::uint16_t product = 0x000A;
#else
constexpr std::uint16_t product = 0x0009;
#endif

enum Text : std::uint8_t { language, manufacturer_text, product_text, serial_text, port_text };

constexpr tusb_desc_device_t device{
    .bLength = sizeof(tusb_desc_device_t),
    .bDescriptorType = TUSB_DESC_DEVICE,
    .bcdUSB = 0x0200,
    .bDeviceClass = TUSB_CLASS_MISC,
    .bDeviceSubClass = MISC_SUBCLASS_COMMON,
    .bDeviceProtocol = MISC_PROTOCOL_IAD,
    .bMaxPacketSize0 = CFG_TUD_ENDPOINT0_SIZE,
    .idVendor = vendor,
    .idProduct = product,
    .bcdDevice = 0x0100,
    .iManufacturer = manufacturer_text,
    .iProduct = product_text,
    .iSerialNumber = serial_text,
    .bNumConfigurations = 1,
};

constexpr std::uint8_t notifications = 0x81;
constexpr std::uint8_t to_chip = 0x02;
constexpr std::uint16_t packet_size = 64;
constexpr std::uint8_t notification_size = 8;
constexpr std::uint8_t power_ma = 250;

constexpr std::uint8_t configuration[] = {
    TUD_CONFIG_DESCRIPTOR(1, 2, 0, TUD_CONFIG_DESC_LEN + TUD_CDC_DESC_LEN, 0, power_ma),
    TUD_CDC_DESCRIPTOR(0, port_text, notifications, notification_size, to_chip, MOTE_USB_TO_PC, packet_size),
};

std::string_view text_of(std::uint8_t index, char (&serial)[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1]) {
  switch (index) {
    case manufacturer_text: return "mote";
    case product_text: return MOTE_USB_PRODUCT;
    case serial_text: pico_get_unique_board_id_string(serial, sizeof serial); return serial;
    case port_text: return "MCP";
    default: return {};
  }
}

}  // namespace

extern "C" const std::uint8_t* tud_descriptor_device_cb() { return reinterpret_cast<const std::uint8_t*>(&device); }

extern "C" const std::uint8_t* tud_descriptor_configuration_cb(std::uint8_t) { return configuration; }

// The result is UTF-16 and stays valid until the next call.
extern "C" const std::uint16_t* tud_descriptor_string_cb(std::uint8_t index, std::uint16_t) {
  constexpr std::uint16_t english = 0x0409;
  static std::uint16_t result[32];
  std::size_t size = 1;
  if (index == language) {
    result[size++] = english;
  } else {
    char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];
    const std::string_view text = text_of(index, serial);
    if (text.empty()) return nullptr;
    for (const char c : text) {
      if (size == std::size(result)) break;
      result[size++] = static_cast<unsigned char>(c);
    }
  }
  result[0] = static_cast<std::uint16_t>(TUSB_DESC_STRING << 8 | 2 * size);
  return result;
}
