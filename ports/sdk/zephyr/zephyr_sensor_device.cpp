// SPDX-License-Identifier: Apache-2.0
// A device of Zephyr's sensor API, measured by a thread, because fetching blocks.
#include "mcp/ports/zephyr_sensors.hpp"

#include <errno.h>
#include <iterator>
#include <limits>

#include <zephyr/device.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>

#ifndef CONFIG_MOTE_SENSORS_STACK_SIZE
#define CONFIG_MOTE_SENSORS_STACK_SIZE 2048
#endif

namespace mcp::zephyr {
namespace {

// In the order of their numbers, which older versions of Zephyr have, too.
struct Channel {
  sensor_channel number;
  std::string_view name;
  std::string_view unit;
  std::uint8_t decimals;
};
constexpr Channel known_channels[] = {
    {SENSOR_CHAN_ACCEL_X, "acceleration_x", "m/s2", 4},
    {SENSOR_CHAN_ACCEL_Y, "acceleration_y", "m/s2", 4},
    {SENSOR_CHAN_ACCEL_Z, "acceleration_z", "m/s2", 4},
    {SENSOR_CHAN_GYRO_X, "angular_velocity_x", "rad/s", 5},
    {SENSOR_CHAN_GYRO_Y, "angular_velocity_y", "rad/s", 5},
    {SENSOR_CHAN_GYRO_Z, "angular_velocity_z", "rad/s", 5},
    {SENSOR_CHAN_MAGN_X, "magnetic_field_x", "G", 5},
    {SENSOR_CHAN_MAGN_Y, "magnetic_field_y", "G", 5},
    {SENSOR_CHAN_MAGN_Z, "magnetic_field_z", "G", 5},
    {SENSOR_CHAN_DIE_TEMP, "chip_temperature", "Cel", 3},
    {SENSOR_CHAN_AMBIENT_TEMP, "temperature", "Cel", 3},
    {SENSOR_CHAN_PRESS, "pressure", "kPa", 4},
    {SENSOR_CHAN_PROX, "proximity", "1", 0},
    {SENSOR_CHAN_HUMIDITY, "humidity", "%", 3},
    {SENSOR_CHAN_LIGHT, "illuminance", "lx", 2},
    {SENSOR_CHAN_IR, "infrared", "lx", 2},
    {SENSOR_CHAN_RED, "red", "lx", 2},
    {SENSOR_CHAN_GREEN, "green", "lx", 2},
    {SENSOR_CHAN_BLUE, "blue", "lx", 2},
    {SENSOR_CHAN_ALTITUDE, "altitude", "m", 3},
    {SENSOR_CHAN_PM_1_0, "pm_1_0", "ug/m3", 2},
    {SENSOR_CHAN_PM_2_5, "pm_2_5", "ug/m3", 2},
    {SENSOR_CHAN_PM_10, "pm_10", "ug/m3", 2},
    {SENSOR_CHAN_DISTANCE, "distance", "m", 4},
    {SENSOR_CHAN_CO2, "co2", "[ppm]", 1},
    {SENSOR_CHAN_VOC, "voc", "[ppb]", 1},
    {SENSOR_CHAN_GAS_RES, "gas_resistance", "Ohm", 0},
    {SENSOR_CHAN_VOLTAGE, "voltage", "V", 5},
    {SENSOR_CHAN_CURRENT, "current", "A", 6},
    {SENSOR_CHAN_POWER, "power", "W", 5},
    {SENSOR_CHAN_RESISTANCE, "resistance", "Ohm", 2},
    {SENSOR_CHAN_ROTATION, "rotation", "deg", 3},
    {SENSOR_CHAN_POS_DX, "motion_x", "1", 0},
    {SENSOR_CHAN_POS_DY, "motion_y", "1", 0},
    {SENSOR_CHAN_POS_DZ, "motion_z", "1", 0},
    {SENSOR_CHAN_RPM, "rotational_speed", "/min", 2},
    {SENSOR_CHAN_GAUGE_VOLTAGE, "battery_voltage", "V", 5},
    {SENSOR_CHAN_GAUGE_AVG_CURRENT, "battery_average_current", "A", 6},
    {SENSOR_CHAN_GAUGE_STDBY_CURRENT, "battery_standby_current", "A", 6},
    {SENSOR_CHAN_GAUGE_MAX_LOAD_CURRENT, "battery_load_current", "A", 6},
    {SENSOR_CHAN_GAUGE_TEMP, "battery_temperature", "Cel", 3},
    {SENSOR_CHAN_GAUGE_STATE_OF_CHARGE, "battery_charge", "%", 3},
    {SENSOR_CHAN_GAUGE_FULL_CHARGE_CAPACITY, "battery_capacity", "mA.h", 3},
    {SENSOR_CHAN_GAUGE_REMAINING_CHARGE_CAPACITY, "battery_remaining_capacity", "mA.h", 3},
    {SENSOR_CHAN_GAUGE_AVG_POWER, "battery_average_power", "mW", 3},
    {SENSOR_CHAN_GAUGE_STATE_OF_HEALTH, "battery_health", "%", 3},
    {SENSOR_CHAN_GAUGE_TIME_TO_EMPTY, "battery_time_to_empty", "min", 1},
    {SENSOR_CHAN_GAUGE_TIME_TO_FULL, "battery_time_to_full", "min", 1},
    {SENSOR_CHAN_GAUGE_CYCLE_COUNT, "battery_cycles", "1", 0},
};

Quantity quantity_of(const Channel& channel) {
  using Limits = std::numeric_limits<std::int32_t>;
  return {channel.name, channel.unit, channel.decimals, Limits::min(), Limits::max()};
}

// val1 + val2 / 1,000,000; both have the sign. Rounded, half away from zero. Returns false if it is no std::int32_t.
bool scale(const sensor_value& value, std::uint8_t decimals, std::int32_t& out) {
  std::int64_t divisor = 1'000'000;
  for (unsigned i = 0; i < decimals; ++i) divisor /= 10;
  const std::int64_t millionths = std::int64_t{value.val1} * 1'000'000 + value.val2;
  const std::int64_t half = divisor / 2;
  const std::int64_t scaled = (millionths < 0 ? millionths - half : millionths + half) / divisor;
  out = static_cast<std::int32_t>(scaled);
  return scaled == out;
}

SensorError error_of(int result) {
  switch (result) {
    case 0: return {};
    case -EAGAIN:
    case -EBUSY:
    case -ENODATA: return SensorFault::not_ready;
    case -ENXIO:
    case -ENODEV: return BusError::no_device;
    case -ETIMEDOUT: return BusError::too_late;
    case -ENOTSUP:
    case -ENOSYS: return BusError::unsupported;
    default: return BusError::failed;
  }
}

// How long the first measurement of a device may take. Later ones have their own times.
constexpr Millis first_wait_ms = 50;

K_THREAD_STACK_DEFINE(stack, CONFIG_MOTE_SENSORS_STACK_SIZE);
k_work_q queue;
// When the thread will have measured all that is in the queue. Of the main loop. A time that is further away has
// passed.
Millis free_at_ms;
constexpr Millis longest_queue_ms = 120'000;

// The queue with its thread. It has the least priority, so that it does not delay the server.
k_work_q* started_queue() {
  static bool is_started;
  if (!is_started) {
    is_started = true;
    k_work_queue_init(&queue);
    k_work_queue_start(&queue, stack, K_THREAD_STACK_SIZEOF(stack), K_LOWEST_APPLICATION_THREAD_PRIO, nullptr);
  }
  return &queue;
}

}  // namespace

Quantity channel_quantity(sensor_channel channel) {
  for (const Channel& known : known_channels) {
    if (known.number == channel) return quantity_of(known);
  }
  return {};
}

DeviceSensor::DeviceSensor(const struct device* device) : Sensor(type_of_device_, values_), device_(device) {}

void DeviceSensor::set_device(const struct device* device) {
  device_ = device;
  type_of_device_.name = device->name;
}

bool DeviceSensor::is_ready() const { return device_ != nullptr && device_is_ready(device_); }

bool DeviceSensor::is_awaited() {
  wakes_.store(true);
  if (state_.load() == State::running) return true;
  wakes_.store(false);
  return false;
}

Sensor::Begun DeviceSensor::do_begin(bool) {
  driver_error_ = 0;
  if (device_ != nullptr) type_of_device_.name = device_->name;
  if (!is_ready()) return {BusError::no_device};
  switch (state_.load(std::memory_order_acquire)) {
    case State::running: return {SensorFault::not_ready};
    case State::done: return {};  // of the measurement before, which took longer than expected
    case State::idle: break;
  }
  k_work_q* const thread = started_queue();
  if (work_.sensor == nullptr) k_work_init(&work_.work, run);
  work_.sensor = this;
  state_.store(State::running, std::memory_order_relaxed);
  if (k_work_submit_to_queue(thread, &work_.work) < 0) {
    state_.store(State::idle, std::memory_order_relaxed);
    return {BusError::failed};
  }
  const Millis now_ms = millis();
  const bool is_busy = free_at_ms - now_ms < longest_queue_ms;
  expected_ms_ = longest_ms_ == 0 ? first_wait_ms : longest_ms_;
  free_at_ms = (is_busy ? free_at_ms : now_ms) + expected_ms_;
  return {{}, free_at_ms - now_ms};
}

void DeviceSensor::run(k_work* work) { reinterpret_cast<Work*>(work)->sensor->measure(); }

// In the thread.
void DeviceSensor::measure() {
  const Millis begun_ms = millis();
  result_ = fetch();
  taken_ms_ = millis() - begun_ms;
  // In one order with is_awaited(), so that one of the two sees the other.
  state_.store(State::done);
  if (wakes_.exchange(false)) wake();
}

// In the thread. A driver may write several values for a channel that has one.
int DeviceSensor::fetch() {
  sensor_value values[4] = {};
  if (const int result = sensor_sample_fetch(device_); result != 0) return result;
  if (channel_count_ == 0) {
    for (std::uint8_t i = 0; i < std::size(known_channels) && channel_count_ < most_channels; ++i) {
      if (sensor_channel_get(device_, known_channels[i].number, values) == 0) channels_[channel_count_++] = i;
    }
    if (channel_count_ == 0) return -ENOTSUP;
  }
  for (std::uint8_t i = 0; i < channel_count_; ++i) {
    if (const int result = sensor_channel_get(device_, known_channels[channels_[i]].number, values); result != 0)
      return result;
    raw_[i] = values[0];
  }
  return 0;
}

SensorError DeviceSensor::do_collect(std::int32_t* values) {
  if (state_.load(std::memory_order_acquire) != State::done) return SensorFault::not_ready;
  state_.store(State::idle, std::memory_order_relaxed);
  free_at_ms += taken_ms_ - expected_ms_;
  // An eighth more, and a millisecond that has begun.
  const Millis wait_ms = taken_ms_ + taken_ms_ / 8 + 1;
  if (wait_ms > longest_ms_) longest_ms_ = wait_ms;
  driver_error_ = result_;
  if (result_ != 0) return error_of(result_);
  for (std::uint8_t i = 0; i < channel_count_; ++i) quantities_[i] = quantity_of(known_channels[channels_[i]]);
  type_of_device_.quantities = {quantities_, channel_count_};
  for (std::uint8_t i = 0; i < channel_count_; ++i) {
    if (!scale(raw_[i], quantities_[i].decimals, values[i])) return SensorFault::invalid_data;
  }
  return {};
}

}  // namespace mcp::zephyr
