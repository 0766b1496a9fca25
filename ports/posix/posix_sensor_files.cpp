// SPDX-License-Identifier: Apache-2.0
#include "ports/posix/posix_sensor_files.hpp"

#ifdef __linux__
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ports/posix/posix_sysfs.hpp"

namespace mcp::posix {
namespace {

// Source: Documentation/ABI/testing/sysfs-class-hwmon of Linux.
constexpr KernelQuantity hwmon_quantities[] = {
    {"temp", "temperature", "Cel", 1000, "Temperature"},
    {"in", "voltage", "mV", 1, "Voltage"},
    {"curr", "current", "mA", 1, "Current"},
    {"power", "power", "uW", 1, "Power"},
    {"energy", "energy", "uJ", 1, "Energy"},
    {"humidity", "humidity", "%", 1000, "Humidity"},
    {"fan", "speed", "/min", 1, "Revolutions of a fan"},
    {"freq", "frequency", "Hz", 1, "Frequency"},
};

// Source: Documentation/ABI/testing/sysfs-bus-iio of Linux.
constexpr KernelQuantity iio_quantities[] = {
    {"temp", "temperature", "Cel", 1000, "Temperature"},
    {"pressure", "pressure", "kPa", 1, "Pressure"},
    {"humidityrelative", "humidity", "%", 1000, "Relative humidity"},
    {"voltage", "voltage", "mV", 1, "Voltage"},
    {"altvoltage", "voltage", "mV", 1, "Alternating voltage"},
    {"current", "current", "mA", 1, "Current"},
    {"altcurrent", "current", "mA", 1, "Alternating current"},
    {"power", "power", "mW", 1, "Power"},
    {"energy", "energy", "J", 1, "Energy"},
    {"resistance", "resistance", "Ohm", 1, "Resistance"},
    {"capacitance", "capacitance", "nF", 1, "Capacitance"},
    {"electricalconductivity", "conductivity", "S/m", 1, "Conductivity"},
    {"accel", "acceleration", "m/s2", 1, "Acceleration"},
    {"gravity", "gravity", "m/s2", 1, "Gravity"},
    {"deltavelocity", "velocity", "m/s", 1, "Change of velocity"},
    {"velocity", "velocity", "m/s", 1, "Velocity"},
    {"anglvel", "angular_velocity", "rad/s", 1, "Angular velocity"},
    {"angl", "angle", "rad", 1, "Angle"},
    {"deltaangl", "angle", "rad", 1, "Change of an angle"},
    {"incli", "inclination", "deg", 1, "Inclination"},
    {"rot", "rotation", "deg", 1, "Rotation"},
    {"phase", "phase", "rad", 1, "Phase"},
    {"magn", "magnetic_field", "G", 1, "Magnetic field"},
    {"distance", "distance", "m", 1, "Distance"},
    {"positionrelative", "position", "%", 1000, "Relative position"},
    {"illuminance", "illuminance", "lx", 1, "Illuminance"},
    {"colortemp", "color_temperature", "K", 1, "Colour temperature"},
    {"concentration", "concentration", "%", 1, "Concentration"},
    {"massconcentration", "mass_concentration", "ug/m3", 1, "Mass concentration"},
    {"ph", "ph", "[pH]", 1, "Acidity"},
    {"activity", "activity", "%", 1, "Activity"},
    {"", "value", "", 1, "Value"},
};
constexpr std::uint8_t hwmon_count = std::size(hwmon_quantities);

constexpr std::string_view bounds[KernelReading::most_bounds] = {"_min",       "_max",       "_lcrit",    "_crit",
                                                                 "_emergency", "_rated_min", "_rated_max"};

constexpr int digits_exact = 15;  // of a double
constexpr int digits_scaled = 9;  // of a scale of IIO, 0.805664062

constexpr bool is_number(char c) { return c >= '0' && c <= '9'; }

// The part of the name of a channel that several channels of IIO share: `in_voltage0-voltage1` is also
// `in_voltage-voltage`, and `in_accel_x` is `in_accel`.
void add_shared(TextBuffer& text, std::string_view channel, std::uint8_t share) {
  constexpr std::string_view direction = "in_";
  if (share == 1) return text.add(channel);
  if (share == 4) return text.add("in");
  if (share == 5) return;
  text.add(direction);
  channel.remove_prefix(direction.size());
  const std::size_t end = channel.find('_');
  for (const char c : channel.substr(0, end)) {
    if (!is_number(c)) text.add({&c, 1});
  }
  if (share == 2 && end != channel.npos) text.add(channel.substr(end));
}

}  // namespace

std::uint8_t find_quantity(std::string_view type, bool is_iio) {
  const std::span<const KernelQuantity> all =
      is_iio ? std::span<const KernelQuantity>(iio_quantities) : std::span<const KernelQuantity>(hwmon_quantities);
  std::size_t i = 0;
  while (i + 1 < all.size() && all[i].type != type) ++i;
  return static_cast<std::uint8_t>(is_iio ? hwmon_count + i : i);
}

const KernelQuantity& quantity_at(std::uint8_t number) {
  return number < hwmon_count ? hwmon_quantities[number] : iio_quantities[number - hwmon_count];
}

bool join(std::span<char> into, std::initializer_list<std::string_view> texts) {
  TextBuffer buffer{into};
  for (const std::string_view text : texts) buffer.add(text);
  return buffer.ok;
}

bool copy_text(std::span<char> into, std::string_view text) {
  TextBuffer copy{into};
  copy.add(text);
  if (!copy.ok) into[0] = '\0';
  return copy.ok;
}

std::string_view KernelSensor::quantity() const { return quantity_at(quantity_).name; }
std::string_view KernelSensor::unit() const { return quantity_at(quantity_).unit; }

SensorFiles::SensorFiles(const char* root, const KernelSensor& sensor) : sensor_(sensor) {
  if (!join(folder_, {root, "/", sensor.folder_})) folder_[0] = '\0';
}

bool SensorFiles::path(std::uint8_t share, std::string_view attribute, std::span<char> into) const {
  TextBuffer text{into};
  text.add(folder_);
  text.add("/");
  add_shared(text, sensor_.channel_, share);
  // The name of a file does not begin with the line between its parts.
  if (share == 5) attribute.remove_prefix(1);
  text.add(attribute);
  return text.ok;
}

bool SensorFiles::has(std::uint8_t share, std::string_view attribute) const {
  char file[512];
  return path(share, attribute, file) && access(file, F_OK) == 0;
}

int SensorFiles::number(std::uint8_t share, std::string_view attribute, double& value) const {
  char file[512];
  return path(share, attribute, file) ? read_number(file, value) : ENAMETOOLONG;
}

std::uint8_t SensorFiles::find_share(std::string_view attribute) const {
  for (std::uint8_t share = 1; share <= most_shares; ++share) {
    if (has(share, attribute)) return share;
  }
  return 0;
}

void SensorFiles::look(KernelSensor& found) const {
  found.bounds_ = 0;
  found.scale_ = found.offset_ = 0;
  found.has_fault_ = false;
  if (found.value_ == KernelSensor::Value::raw) {
    found.scale_ = find_share("_scale");
    found.offset_ = find_share("_offset");
  }
  if (!std::string_view(found.folder_).starts_with("class/")) return;
  found.has_fault_ = has(1, "_fault");
  for (std::size_t i = 0; i < std::size(bounds); ++i) {
    if (has(1, bounds[i])) found.bounds_ = static_cast<std::uint16_t>(found.bounds_ | 1u << i);
  }
}

void SensorFiles::read_label(std::span<char> label) const {
  char file[512];
  char line[128];
  std::string_view text;
  if (path(1, "_label", file) && read_line(file, line, text) == 0 && !text.empty()) {
    static_cast<void>(copy_text(label, text.substr(0, label.size() - 1)));
  }
}

// (raw + offset) * scale is in the unit of the kernel.
int SensorFiles::compute(double& value) const {
  const bool is_raw = sensor_.value_ == KernelSensor::Value::raw;
  const std::string_view file =
      is_raw ? "_raw" : (sensor_.value_ == KernelSensor::Value::average ? "_average" : "_input");
  if (const int error = number(1, file, value); error != 0 || !is_raw) return error;
  double offset = 0;
  double scale = 1;
  if (sensor_.offset_ != 0) {
    if (const int error = number(sensor_.offset_, "_offset", offset); error != 0) return error;
  }
  if (sensor_.scale_ != 0) {
    if (const int error = number(sensor_.scale_, "_scale", scale); error != 0) return error;
  }
  value = (value + offset) * scale;  // finite, because a file has at most 64 digits
  return 0;
}

void SensorFiles::read(KernelReading& reading) const {
  reading = {};
  double fault = 0;
  if (sensor_.has_fault_ && number(1, "_fault", fault) == 0 && fault != 0) {
    reading.error_ = ENOTRECOVERABLE;
    return;
  }
  reading.error_ = compute(reading.value_);
  if (reading.error_ != 0) return;
  const double divisor = quantity_at(sensor_.quantity_).divisor;
  reading.value_ = reading.value_ / divisor;
  reading.is_scaled_ = sensor_.scale_ != 0;
  for (std::size_t i = 0; i < std::size(bounds); ++i) {
    double bound = 0;
    if ((sensor_.bounds_ >> i & 1) == 0 || number(1, bounds[i], bound) != 0) continue;
    reading.bounds_[i] = bound / divisor;
    reading.has_bounds_ = static_cast<std::uint16_t>(reading.has_bounds_ | 1u << i);
  }
}

// ---- Texts -------------------------------------------------------------------------------------------------------

namespace {

// The digits of a number, as JSON has it.
class Digits {
 public:
  Digits(double value, int digits) {
    static_cast<void>(std::snprintf(text_, sizeof text_, "%.*g", digits, value + 0.0));  // -0.0 is 0
  }
  [[nodiscard]] std::string_view view() const { return text_; }

 private:
  char text_[32];
};

struct ErrorText {
  int error;
  const char* text;
};
constexpr ErrorText error_texts[] = {
    {EAGAIN, "The driver has no value yet (EAGAIN). Read it again later."},
    {ENODATA, "The channel is disabled, or its device sleeps (ENODATA). Enable it, or read it again later."},
    {EIO, "The driver cannot communicate with the device (EIO). Check its power and wires, then read it again."},
    {ENXIO, "The device does not respond on its bus (ENXIO). Check its power and wires, then read it again."},
    {EREMOTEIO, "The device does not respond on its bus (EREMOTEIO). Check its power and wires, then read it again."},
    {ETIMEDOUT, "The device has not responded to the driver in time (ETIMEDOUT). Read it again later."},
    {EBUSY, "The device is in use, such as by a buffer of IIO (EBUSY). Read it again later."},
    {ENOENT, "The device is gone (ENOENT). List the sensors again."},
    {ENODEV, "The device is gone (ENODEV). List the sensors again."},
    {EACCES, "The program may not read it (EACCES). Give its user access to the file."},
    {EPERM, "The driver does not permit it (EPERM): the device sleeps, or the program needs more rights."},
    {EBADMSG, "The driver has returned a text that is no number. Read it again later."},
    {ETIME, "The driver has not returned in time. Read it again later."},
    {EUSERS, "The drivers of 4 other sensors have not returned. Read it again later."},
    {ENOTRECOVERABLE, "The driver reports a fault of the sensor. Check its wires."},
};

// "lm75 at 1-0048, temp1: "
void write_place(TextWriter& out, std::string_view name) {
  name.remove_prefix(name.find('/') + 1);
  const std::size_t device = name.find('/');
  const std::size_t address = name.rfind('/');
  out.add(name.substr(0, device), " at ", name.substr(device + 1, address - device - 1), ", ", name.substr(address + 1),
          ": ");
}

std::string_view bound_name(std::size_t i) { return bounds[i].substr(1); }

}  // namespace

void KernelReading::write(json::Writer& json) const {
  json.key("value");
  json.raw(Digits(value_, is_scaled_ ? digits_scaled : digits_exact).view());
  if (!sensor_->unit().empty()) json.member("unit", sensor_->unit());
  for (std::size_t i = 0; i < most_bounds; ++i) {
    if ((has_bounds_ >> i & 1) == 0) continue;
    json.key(bound_name(i));
    json.raw(Digits(bounds_[i], digits_exact).view());
  }
}

void KernelReading::operator()(TextWriter& out) const {
  if (error_ == 0) {
    out.add(Digits(value_, is_scaled_ ? digits_scaled : digits_exact).view());
    if (!sensor_->unit().empty()) out.add(' ', sensor_->unit());
    for (std::size_t i = 0; i < most_bounds; ++i) {
      if ((has_bounds_ >> i & 1) != 0) out.add(", ", bound_name(i), ' ', Digits(bounds_[i], digits_exact).view());
    }
    return;
  }
  if (sensor_ != nullptr) write_place(out, sensor_->name());
  for (const ErrorText& text : error_texts) {
    if (text.error == error_) return out.add(text.text);
  }
  out.add("The driver reports error ", error_, ". Read it again later.");
}

}  // namespace mcp::posix
#endif
