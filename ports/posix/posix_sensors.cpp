// SPDX-License-Identifier: Apache-2.0
// Finds the sensors of hwmon and IIO. <dirent.h> and opendir() would allocate memory.
#include "mcp/ports/posix_sensors.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "mcp/uri.hpp"
#include "ports/posix/posix_sensor_files.hpp"
#include "ports/posix/posix_sysfs.hpp"

namespace mcp::posix {
namespace {

constexpr std::string_view scheme = "sensor://";
constexpr std::size_t most_devices = 4096;
const char* const subsystems[] = {"class/hwmon", "bus/iio/devices"};
constexpr std::string_view prefixes[] = {"hwmon", "iio:device"};

constexpr bool is_figure(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// Calls `take(name, inode)` for each entry of a folder. Nothing if it does not exist.
template <class Take>
void list_folder(const char* path, const Take& take) {
  struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[1];
  };
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(Entry) char buffer[4096];
  for (;;) {
    const long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
      take(std::string_view(buffer + at + offsetof(Entry, name)), entry->inode);
      at += entry->size;
    }
  }
  close(folder);
}

// The number of "hwmon12" or "iio:device12", or most_devices.
std::size_t device_number(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return most_devices;
  std::size_t number = 0;
  for (const char c : name.substr(prefix.size())) {
    if (!is_figure(c)) return most_devices;
    number = std::min(number * 10 + static_cast<std::size_t>(c - '0'), most_devices);
  }
  return number;
}

// A text of a driver as a part of a name: characters that would end the part become `_`.
void clean(char* text) {
  for (; *text != '\0'; ++text) {
    if (*text == '/' || static_cast<unsigned char>(*text) <= ' ' || *text == 0x7F) *text = '_';
  }
}

// The name of the nearest device above a folder that is on a bus. HID counts its devices, so their bus is taken.
void find_address(const char* folder, std::span<char> address) {
  static_cast<void>(copy_text(address, "virtual"));
  char path[PATH_MAX + 16];
  if (realpath(folder, path) == nullptr) return;
  for (;;) {
    char* const end = std::strrchr(path, '/');
    if (end == nullptr || end == path) return;
    *end = '\0';
    const std::size_t size = std::strlen(path);
    if (size > PATH_MAX) return;
    std::memcpy(path + size, "/subsystem", sizeof "/subsystem");
    char target[256];
    const ssize_t got = readlink(path, target, sizeof target);
    path[size] = '\0';
    const std::string_view bus(target, got > 0 ? static_cast<std::size_t>(got) : 0);
    if (bus.find("/bus/") == bus.npos || bus.ends_with("/bus/hid")) continue;
    const char* const name = std::strrchr(path, '/');
    if (name != nullptr && copy_text(address, name + 1)) return clean(address.data());
    static_cast<void>(copy_text(address, "virtual"));
    return;
  }
}

// Natural order: temp2 is before temp10.
bool is_before(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_figure(a[i]) || !is_figure(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    const std::size_t begin_a = i;
    const std::size_t begin_b = j;
    while (i < a.size() && is_figure(a[i])) ++i;
    while (j < b.size() && is_figure(b[j])) ++j;
    const std::string_view digits_a = a.substr(begin_a, i - begin_a);
    const std::string_view digits_b = b.substr(begin_b, j - begin_b);
    if (digits_a.size() != digits_b.size()) return digits_a.size() < digits_b.size();
    if (digits_a != digits_b) return digits_a < digits_b;
  }
  return a.size() - i < b.size() - j;
}

// "temp1_input" is the channel temp1, and "power1_average" is power1 if there is no power1_input.
std::string_view hwmon_channel(std::string_view file, std::string_view& suffix) {
  constexpr std::string_view types[] = {"temp", "in", "curr", "power", "energy", "humidity", "fan", "freq"};
  for (const std::string_view end : {std::string_view("_input"), std::string_view("_average")}) {
    if (!file.ends_with(end)) continue;
    const std::string_view channel = file.substr(0, file.size() - end.size());
    std::size_t type = 0;
    while (type < channel.size() && is_lower(channel[type])) ++type;
    const bool is_numbered = type < channel.size() &&
                             std::all_of(channel.begin() + static_cast<std::ptrdiff_t>(type), channel.end(), is_figure);
    if (!is_numbered || std::ranges::find(types, channel.substr(0, type)) == std::end(types)) return {};
    suffix = end;
    return channel;
  }
  return {};
}

// "in_accel_x_raw" is the channel in_accel_x. Quaternions have several numbers, and peaks are no measurements.
std::string_view iio_channel(std::string_view file, std::string_view& suffix) {
  constexpr std::string_view direction = "in_";
  if (!file.starts_with(direction) || file.starts_with("in_timestamp") || file.starts_with("in_rot_quaternion"))
    return {};
  for (const std::string_view end : {std::string_view("_input"), std::string_view("_raw")}) {
    if (!file.ends_with(end)) continue;
    const std::string_view channel = file.substr(0, file.size() - end.size());
    if (channel.size() <= direction.size()) return {};
    for (const std::string_view other : {"_peak", "_trough", "_mean", "_quadrature_correction"}) {
      if (channel.ends_with(other)) return {};
    }
    suffix = end;
    return channel;
  }
  return {};
}

bool exists_in(const char* folder, std::string_view channel, std::string_view suffix) {
  char path[512];
  return join(path, {folder, "/", channel, suffix}) && access(path, F_OK) == 0;
}

// The digits of a number.
struct Decimal {
  explicit Decimal(std::size_t number) { static_cast<void>(std::snprintf(text, sizeof text, "%zu", number)); }
  char text[24];
};

}  // namespace

struct KernelSensors::Device {
  char path[384];   // with the root
  char folder[64];  // below the root
  char name[48];    // of the driver
  char label[64];
  char address[64];
  bool is_iio;
};

bool KernelSensors::scan() {
  const bool is_first = count_ == 0;
  has_changed_ = false;
  fingerprint_ = fingerprint();
  // If sensors have ended, those that found no space have some now.
  if (scan_once() && omitted_ != 0) static_cast<void>(scan_once());
  // The kernel lists files in no order. Later, rows keep their numbers.
  if (is_first) {
    std::sort(table_.begin(), table_.end(), [](const KernelSensor& a, const KernelSensor& b) {
      if (!a.exists() || !b.exists()) return a.exists() && !b.exists();
      return is_before(a.name(), b.name());
    });
  }
  return has_changed_;
}

// Returns whether sensors have ended.
bool KernelSensors::scan_once() {
  bool has_ended = false;
  omitted_ = 0;
  first_omitted_[0] = '\0';
  for (KernelSensor& sensor : table_) sensor.is_seen_ = false;
  for (const bool is_iio : {false, true}) {
    if (!scan_subsystem(is_iio)) omit(is_iio ? "iio" : "hwmon");
  }
  count_ = 0;
  for (KernelSensor& sensor : table_) {
    if (sensor.exists() && !sensor.is_seen_) {
      sensor.name_[0] = '\0';
      has_ended = true;
    }
    count_ += sensor.exists() ? 1U : 0U;
  }
  has_changed_ = has_changed_ || has_ended;
  return has_ended;
}

// Returns false if a number of a device is too large.
bool KernelSensors::scan_subsystem(bool is_iio) {
  std::uint64_t numbers[most_devices / 64] = {};
  Device device{};
  device.is_iio = is_iio;
  const std::string_view subsystem = subsystems[is_iio ? 1 : 0];
  const std::string_view prefix = prefixes[is_iio ? 1 : 0];
  static_cast<void>(join(device.path, {root_, "/", subsystem}));
  bool fits = true;
  list_folder(device.path, [&](std::string_view name, std::uint64_t) {
    const std::size_t number = device_number(name, prefix);
    if (number < most_devices) {
      numbers[number / 64] |= std::uint64_t{1} << number % 64;
    } else if (name.starts_with(prefix)) {
      fits = false;
    }
  });
  for (std::size_t number = 0; number < most_devices; ++number) {
    if ((numbers[number / 64] >> number % 64 & 1) == 0) continue;
    static_cast<void>(join(device.folder, {subsystem, "/", prefix, Decimal(number).text}));
    scan_device(device);
  }
  return fits;
}

void KernelSensors::scan_device(const Device& found) {
  Device device = found;
  char path[400];
  char line[128];
  const auto read_text = [&](const char* file, std::span<char> into) {
    std::string_view text;
    into[0] = '\0';
    static_cast<void>(join(path, {device.path, "/", file}));
    if (read_line(path, line, text) == 0) static_cast<void>(copy_text(into, text.substr(0, into.size() - 1)));
    return into[0] != '\0';
  };
  if (!join(device.path, {root_, "/", device.folder})) return omit(device.folder);
  find_address(device.path, device.address);
  if (!read_text("name", device.name)) {
    // Old drivers of hwmon have their files in the folder of the device.
    TextBuffer folder{device.folder, std::strlen(device.folder)};
    folder.add("/device");
    static_cast<void>(join(device.path, {root_, "/", device.folder}));
    if (device.is_iio || !read_text("name", device.name)) return;
  }
  clean(device.name);
  static_cast<void>(read_text("label", device.label));
  list_folder(device.path, [&](std::string_view file, std::uint64_t) {
    std::string_view suffix;
    const std::string_view channel = device.is_iio ? iio_channel(file, suffix) : hwmon_channel(file, suffix);
    if (channel.empty()) return;
    // A value that the driver computes has priority.
    if (suffix != "_input" && exists_in(device.path, channel, "_input")) return;
    KernelSensor sensor{};
    sensor.value_ = suffix == "_input"     ? KernelSensor::Value::input
                    : suffix == "_average" ? KernelSensor::Value::average
                                           : KernelSensor::Value::raw;
    add(device, channel, sensor);
  });
}

void KernelSensors::add(const Device& device, std::string_view channel, KernelSensor& found) {
  TextBuffer name{found.name_};
  for (const std::string_view text :
       {std::string_view(device.is_iio ? "iio" : "hwmon"), std::string_view("/"), std::string_view(device.name),
        std::string_view("/"), std::string_view(device.address), std::string_view("/"), channel}) {
    name.add(text);
  }
  constexpr std::size_t size_of_copy = std::string_view("~4095").size();
  const bool fits = name.ok && name.size + size_of_copy < sizeof found.name_;
  if (!fits || !copy_text(found.channel_, channel) || !copy_text(found.folder_, device.folder)) {
    return omit(found.name_);
  }
  const std::string_view type = device.is_iio ? channel.substr(3) : channel;
  std::size_t letters = 0;
  while (letters < type.size() && is_lower(type[letters])) ++letters;
  found.quantity_ = find_quantity(type.substr(0, letters), device.is_iio);
  static_cast<void>(copy_text(found.label_, device.label));
  const SensorFiles files(root_, found);
  if (!files.ok()) return omit(found.name_);
  files.look(found);
  files.read_label(found.label_);
  for (std::size_t copy = 2; !place(found); ++copy) {
    TextBuffer numbered{found.name_, name.size};
    numbered.add("~");
    numbered.add(Decimal(copy).text);
  }
}

// Puts a sensor into the table. Returns false if another one of this scan has its name.
bool KernelSensors::place(KernelSensor& found) {
  found.is_seen_ = true;
  KernelSensor* free = nullptr;
  for (KernelSensor& sensor : table_) {
    if (!sensor.exists()) {
      if (free == nullptr) free = &sensor;
    } else if (sensor.name() == found.name()) {
      if (sensor.is_seen_) return false;
      sensor = found;
      return true;
    }
  }
  if (free == nullptr) {
    omit(found.name_);
    return true;
  }
  *free = found;
  has_changed_ = true;
  return true;
}

void KernelSensors::omit(std::string_view name) {
  if (omitted_++ == 0) static_cast<void>(copy_text(first_omitted_, name.substr(0, sizeof first_omitted_ - 1)));
}

// A sum, because the order of the entries may change. A device that gets the number of another one has another inode.
std::uint64_t KernelSensors::fingerprint() const {
  std::uint64_t sum = 0;
  for (const char* const subsystem : subsystems) {
    char path[384];
    static_cast<void>(join(path, {root_, "/", subsystem}));
    list_folder(path, [&](std::string_view name, std::uint64_t inode) {
      std::uint64_t hash = (inode ^ 0xCBF2'9CE4'8422'2325U) * 0x100'0000'01B3U;
      for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3U;
      sum += hash;
    });
  }
  return sum;
}

// The kernel adds the folder of a device before the files in it, so one more scan follows a change.
bool KernelSensors::refresh() {
  const bool is_new = fingerprint() != fingerprint_;
  if (!is_new && !scans_again_) return false;
  scans_again_ = is_new;
  return scan();
}

bool KernelSensors::describe(std::uint16_t number, FoundResource& row) const {
  const KernelSensor* const found = sensor(number);
  if (found == nullptr) return false;
  const KernelQuantity& quantity = quantity_at(found->quantity_);
  row.uri(scheme, UriText{found->name()});
  row.name(found->name());
  if (!found->label().empty()) row.title(found->label());
  const std::string_view in = quantity.unit.empty() ? "" : ", in ";
  row.description(quantity.title, in, quantity.unit, ".");
  row.mime_type("application/json");
  return true;
}

std::uint16_t KernelSensors::find(std::string_view uri) const {
  if (uri.starts_with(scheme)) uri.remove_prefix(scheme.size());
  char name[sizeof KernelSensor::name_];
  std::size_t size = 0;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (size == sizeof name) return no_number;
    const unsigned high = uri[i] == '%' && i + 2 < uri.size() ? mcp::detail::hex_value(uri[i + 1]) : 16;
    const unsigned low = high < 16 ? mcp::detail::hex_value(uri[i + 2]) : 16;
    name[size++] = low < 16 ? static_cast<char>(high << 4 | low) : uri[i];
    if (low < 16) i += 2;
  }
  const std::string_view wanted(name, size);
  for (const KernelSensor& sensor : table_) {
    if (sensor.exists() && sensor.name() == wanted) return static_cast<std::uint16_t>(&sensor - table_.data());
  }
  return no_number;
}

}  // namespace mcp::posix
#endif
