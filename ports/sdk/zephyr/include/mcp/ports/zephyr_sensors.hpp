// SPDX-License-Identifier: Apache-2.0
/// @file
/// The sensors of the devicetree that have a driver of Zephyr, as rows found at run time. With CONFIG_MOTE_SENSORS.
/// @code
/// mcp::zephyr::DeviceSensors<8> sensors;  // at most 8 devices
/// constexpr mcp::FoundResources sensor_rows = mcp::zephyr::sensor_rows<sensors>();
/// constexpr mcp::FoundTools sensor_tools = mcp::zephyr::sensor_tools<sensors>();  // for hosts with tools only
/// void begin() { sensors.add_all(); }  // once, before the first client
/// mcp::Millis poll(const mcp::Server& server) { return sensors.poll(server); }  // in the main loop
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mcp/devices/sensor.hpp>
#include <mcp/devices/sensor_rows.hpp>
#include <mcp/found.hpp>
#include <mcp/ports/zephyr.hpp>
#include <span>
#include <string_view>
#include <type_traits>

#include <zephyr/device.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>

namespace mcp {

class Server;

namespace zephyr {

/// Returns the name and the unit of a channel: `temperature`, `Cel`. The units are those of Zephyr's
/// `enum sensor_channel`, as UCUM codes. Channels of several values (SENSOR_CHAN_ACCEL_XYZ) and of a driver alone have
/// none: then the name is empty.
[[nodiscard]] Quantity channel_quantity(enum sensor_channel channel);

/// A device of Zephyr's sensor API. begin() has a thread call sensor_sample_fetch() and sensor_channel_get(), because
/// these block: for the bus and often for the measurement (1 ms to 5 s). One thread serves all devices, one after the
/// other, because the API excludes calls from several threads. begin() returns when it will have measured this device,
/// from the times of earlier measurements. The application must not fetch the same device.
///
/// The first measurement that succeeds finds the channels: those for which sensor_channel_get() returns 0. Until then
/// there are no quantities. Values have the decimals of channel_quantity(), rounded, without floating point. Bounds are
/// those of a std::int32_t, because Zephyr has none.
///
/// Errors: `no_device` of the bus for a device whose driver has not started, or that returns -ENXIO or -ENODEV;
/// `not_ready` while the thread is busy with this device, and for -EAGAIN, -EBUSY and -ENODATA; `failed` of the bus for
/// -EIO and other numbers, `too_late` for -ETIMEDOUT, `unsupported` for -ENOTSUP and -ENOSYS; `invalid_data` for a
/// value that no std::int32_t has. See driver_error() for the number.
/// Limits: CONFIG_MOTE_SENSOR_CHANNELS channels (12), the first ones of the enumeration. A driver that never returns
/// keeps all devices `not_ready`. Context: main loop; never waits. RAM: about 50 bytes for each channel, and 80.
class DeviceSensor final : public Sensor {
 public:
#ifdef CONFIG_MOTE_SENSOR_CHANNELS
  static constexpr std::size_t most_channels = CONFIG_MOTE_SENSOR_CHANNELS;  ///< The most channels of a device.
#else
  static constexpr std::size_t most_channels = 12;  ///< The most channels of a device.
#endif

  /// `device` may be set later, with set_device(). Lifetime: this object lives as long as the program. Not constexpr,
  /// so that its memory takes no flash for initial values.
  explicit DeviceSensor(const struct device* device = nullptr);

  /// Sets the device, before the first begin().
  void set_device(const struct device* device);
  /// Returns the device, or nullptr.
  [[nodiscard]] const struct device* device() const { return device_; }
  /// Returns the negative number that the driver returned in the last measurement, or 0.
  [[nodiscard]] int driver_error() const { return driver_error_; }
  /// Returns whether the driver has started. A driver that did not find its device at the start never starts.
  [[nodiscard]] bool is_ready() const;
  /// Returns whether the thread has not ended the measurement that begin() has begun. If it has not, its end calls
  /// wake() once.
  [[nodiscard]] bool is_awaited();

 private:
  enum class State : std::uint8_t { idle, running, done };
  // The first member, so that the address of the work is that of this object.
  struct Work {
    k_work work;
    DeviceSensor* sensor;
  };

  static void run(k_work* work);
  Begun do_begin(bool is_set_up) override;
  SensorError do_collect(std::int32_t* values) override;
  void measure();
  int fetch();

  SensorType type_of_device_ = {};  // its name is known after the start, because a device is no constant
  const struct device* device_;
  Work work_ = {};
  std::atomic<State> state_{State::idle};
  std::atomic<bool> wakes_{false};  // the thread calls wake() at its end
  int driver_error_ = 0;
  Millis longest_ms_ = 0;
  Millis expected_ms_ = 0;  // of the measurement that runs
  // Written by the thread while the state is `running`.
  int result_ = 0;
  Millis taken_ms_ = 0;
  std::uint8_t channel_count_ = 0;
  std::uint8_t channels_[most_channels] = {};
  sensor_value raw_[most_channels] = {};
  // Of the main loop.
  Quantity quantities_[most_channels] = {};
  std::int32_t values_[most_channels] = {};
};

/// When devices are measured: each CONFIG_MOTE_SENSORS_INTERVAL_MS (1000).
#ifdef CONFIG_MOTE_SENSORS_INTERVAL_MS
inline constexpr MeasureOptions device_options{.now = millis, .interval_ms = CONFIG_MOTE_SENSORS_INTERVAL_MS};
#else
inline constexpr MeasureOptions device_options{.now = millis};
#endif

/// A device that is measured again and again, for a row of its own or a History: `mcp::zephyr::MeasuredDevice
/// room{DEVICE_DT_GET(DT_ALIAS(ambient_temp0))};` at namespace scope, and `mcp::sensor<room>({…})`.
class MeasuredDevice : private mcp::detail::DriverOf<DeviceSensor>, public MeasuredSensor {
 public:
  /// As DeviceSensor.
  explicit MeasuredDevice(const struct device* device)
      : DriverOf{DeviceSensor(device)}, MeasuredSensor(driver, device_options) {}
  /// A device that is set later, with `device_sensor().set_device()`.
  MeasuredDevice() : MeasuredDevice(nullptr) {}

  /// Returns the sensor.
  [[nodiscard]] DeviceSensor& device_sensor() { return driver; }
  /// Returns the sensor.
  [[nodiscard]] const DeviceSensor& device_sensor() const { return driver; }
};

/// The devices of DeviceSensors, without their number.
class DeviceTable {
 public:
  DeviceTable(const DeviceTable&) = delete;
  DeviceTable& operator=(const DeviceTable&) = delete;

  /// Adds a device. `title` is a display name, or nullptr. Returns false if the table is full. Lifetime: the strings
  /// live as long as the program.
  bool add(const struct device* device, const char* title = nullptr);
#ifdef CONFIG_SENSOR_INFO
  /// Adds each device of the devicetree whose driver is defined with SENSOR_DEVICE_DT_DEFINE, as all drivers of Zephyr
  /// from 3.3 on. The `friendly-name` of its node is its title. Needs CONFIG_SENSOR_INFO. Returns how many were left
  /// out, because the table is full.
  std::size_t add_all();
#endif
  /// Returns the number of devices.
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Returns a device. Its number is less than size().
  [[nodiscard]] const MeasuredDevice& operator[](std::size_t number) const { return entries_[number].measured; }

  /// Measures the devices if that is due, and calls Server::found_resource_updated() for those that have new values or
  /// a new error. A device whose measurement takes longer than expected keeps its values for up to the interval, and is
  /// `not_ready` after that. Returns after how many milliseconds to call it again; 0: now. Context: main loop; never
  /// waits.
  Millis poll(const Server& server);

  /// @cond server
  bool describe(std::uint16_t number, FoundResource& row) const;
  bool describe(std::uint16_t number, FoundTool& row) const;
  Errc read(std::uint16_t number, ReadResult& out) const;
  Errc call(std::uint16_t number, Call& call) const;
  /// @endcond

 protected:
  /// A device and its display name.
  struct Entry {
    MeasuredDevice measured;
    const char* title = nullptr;
    Millis late_at_ms = 0;  ///< When the measurement was due, if it is late.
    bool is_late = false;   ///< Whether the measurement takes longer than expected.
  };

  /// Ownership: the caller owns the entries, which live as long as this object.
  DeviceTable(Entry* entries, std::uint16_t capacity) : entries_(entries), capacity_(capacity) {}
  ~DeviceTable() = default;

 private:
  /// Returns how many milliseconds to wait for the thread, or 0 not to wait.
  static Millis wait_for_thread(Entry& entry);
  [[nodiscard]] std::string_view name(std::uint16_t number) const;
  /// 1 for the first device with its name, 2 for the second one.
  [[nodiscard]] unsigned rank(std::uint16_t number) const;
  void write_name(std::uint16_t number, TextWriter& out) const;
  void write_error(std::uint16_t number, TextWriter& out) const;
  void write_values(std::uint16_t number, TextWriter& out) const;

  Entry* entries_;
  std::uint16_t capacity_;
  std::uint16_t count_ = 0;
};

/// The sensors of the devicetree, at most `N`. Define it as a variable at namespace scope. RAM: that of `N`
/// MeasuredDevice.
template <std::size_t N>
class DeviceSensors : public DeviceTable {
 public:
  static_assert(N >= 1 && N <= 0xFFFF, "a table of sensors has 1 to 65,535 rows");
  static constexpr std::uint16_t numbers = N;  ///< For FoundResources and FoundTools.
  DeviceSensors() : DeviceTable(entries_, N) {}

 private:
  Entry entries_[N];
};

/// Returns the rows of the devices, for Definition::found_resources. The URI of a device is `sensor://zephyr/` and its
/// name, such as `bme280@76`. The second device with a name has `~2` after it. The body is that of mcp::sensor():
/// `{"temperature":{"value":21.5,"unit":"Cel"},"secondsAgo":0}`. Clients may subscribe. Errors: the client gets a
/// sentence with the name of the device and the number that the driver returned.
template <auto& sensors>
consteval FoundResources sensor_rows() {
  return {.numbers = std::remove_reference_t<decltype(sensors)>::numbers,
          .describe = [](std::uint16_t number, FoundResource& row) { return sensors.describe(number, row); },
          .read = [](std::uint16_t number, ReadResult& out) { return sensors.read(number, out); },
          .subscribable = true};
}

/// Returns a tool for each device, for Definition::found_tools: `read_bme280_76`. Its result is the body of the row.
template <auto& sensors>
consteval FoundTools sensor_tools() {
  return {.numbers = std::remove_reference_t<decltype(sensors)>::numbers,
          .describe = [](std::uint16_t number, FoundTool& row) { return sensors.describe(number, row); },
          .call = [](std::uint16_t number, json::Value, Call& call) { return sensors.call(number, call); }};
}

}  // namespace zephyr
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
