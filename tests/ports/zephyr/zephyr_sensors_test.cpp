// SPDX-License-Identifier: Apache-2.0
// The sensors of the devicetree, with drivers that behave as bme280_sample_fetch() and bme280_channel_get() of Zephyr
// do (drivers/sensor/bosch/bme280/bme280.c, commit 3105544): the fetch sleeps, a channel without a value is -ENOTSUP,
// val1 and val2 of a negative value are negative, and an error of the bus is the number of its driver. A work queue is
// that of kernel/work.c: the thread of the test takes the works when it runs.
#include "mcp/ports/zephyr_sensors.hpp"

#include <errno.h>
#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/history.hpp"
#include "mcp/text_pieces.hpp"
#include "support/bench.hpp"

namespace {

using mcp::BusError;
using mcp::SensorFault;

constexpr device air{"bme280@76"};
constexpr device other_air{"bme280@76"};  // on another bus
constexpr device motion{"bmi160@68"};
constexpr device absent{"sht4x@44"};

// ---- The fake of the kernel and of the drivers ----------------------------------------------------------------------

std::uint32_t uptime = 0xFFFF'FFF0;  // it wraps
std::vector<k_work*> works;
bool is_queue_started;
bool is_in_thread;
unsigned wakes;

struct Driver {
  std::map<int, sensor_value> channels;
  int fetch_error = 0;
  int get_error = 0;
  std::uint32_t fetch_ms = 3;
  bool is_ready = true;
  bool has_fetched = false;
  unsigned fetches = 0;
};
std::map<const device*, Driver> drivers;
std::function<void()> main_loop;  // runs while the thread sleeps in a fetch, once in each millisecond

/// The thread takes the works that are in the queue.
void run_thread() {
  is_in_thread = true;
  while (!works.empty()) {
    k_work* const work = works.front();
    works.erase(works.begin());
    work->is_queued = false;
    work->handler(work);
  }
  is_in_thread = false;
}

}  // namespace

extern "C" {
uint32_t k_uptime_get_32() { return uptime; }
// Of wait_for_event(), which these tests do not call, and of wake().
int k_sem_take(k_sem*, k_timeout_t) { return 0; }
void k_sem_give(k_sem*) { ++wakes; }

bool device_is_ready(const device* dev) { return drivers.at(dev).is_ready; }

void k_work_init(k_work* work, k_work_handler_t handler) { *work = {handler, false}; }
void k_work_queue_init(k_work_q*) {}
void k_work_queue_start(k_work_q* queue, k_thread_stack_t*, size_t stack_size, int prio, const k_work_queue_config*) {
  EXPECT_FALSE(queue->is_started);
  EXPECT_GE(stack_size, 1024U);
  EXPECT_EQ(prio, K_LOWEST_APPLICATION_THREAD_PRIO);
  queue->is_started = is_queue_started = true;
}
int k_work_submit_to_queue(k_work_q* queue, k_work* work) {
  if (!queue->is_started) return -ENODEV;
  if (work->is_queued) return 0;
  work->is_queued = true;
  works.push_back(work);
  return 1;
}

int sensor_sample_fetch(const device* dev) {
  EXPECT_TRUE(is_in_thread) << "the fetch would block the main loop";
  Driver& driver = drivers.at(dev);
  ++driver.fetches;
  for (std::uint32_t ms = 0; ms < driver.fetch_ms; ++ms) {
    ++uptime;
    is_in_thread = false;
    if (main_loop) main_loop();
    is_in_thread = true;
  }
  driver.has_fetched = driver.fetch_error == 0;
  return driver.fetch_error;
}
int sensor_channel_get(const device* dev, sensor_channel chan, sensor_value* val) {
  EXPECT_TRUE(is_in_thread);
  const Driver& driver = drivers.at(dev);
  EXPECT_TRUE(driver.has_fetched);
  const auto channel = driver.channels.find(chan);
  if (channel == driver.channels.end()) return -ENOTSUP;
  if (driver.get_error != 0) return driver.get_error;
  *val = channel->second;
  return 0;
}

// The section of the image, as SENSOR_INFO_DT_DEFINE() fills it. CMakeLists.txt gives the linker its two symbols.
[[gnu::section("sensor_info_list"), gnu::used]] sensor_info sensor_infos[] = {
    {&air, "Bosch Sensortec GmbH", nullptr, "Office"},
    {&motion, nullptr, nullptr, nullptr},
    {&other_air, nullptr, nullptr, nullptr},
    {&absent, nullptr, nullptr, nullptr}};
}

namespace {

// ---- A device ------------------------------------------------------------------------------------------------------

void reset() {
  uptime += 200'000;
  works.clear();
  drivers.clear();
  main_loop = nullptr;
  drivers[&air].channels = {{SENSOR_CHAN_AMBIENT_TEMP, {21, 530'000}},
                            {SENSOR_CHAN_PRESS, {96, 386'200}},
                            {SENSOR_CHAN_HUMIDITY, {46, 333'007}}};
  drivers[&motion].channels = {{SENSOR_CHAN_ACCEL_X, {0, -500'000}}, {SENSOR_CHAN_ACCEL_Z, {-9, -806'650}}};
  drivers[&other_air].channels = {{SENSOR_CHAN_AMBIENT_TEMP, {-40, 0}}};
  drivers[&absent].is_ready = false;
}

class ZephyrSensorDevice : public testing::Test {
 protected:
  ZephyrSensorDevice() { reset(); }

  mcp::SensorError measure() {
    const mcp::Sensor::Begun begun = sensor_.begin();
    if (begun.error) return begun.error;
    run_thread();
    return sensor_.collect();
  }

  mcp::zephyr::DeviceSensor sensor_{&air};
};

TEST_F(ZephyrSensorDevice, HasTheChannelsThatTheDriverHas) {
  EXPECT_TRUE(sensor_.quantities().empty());
  ASSERT_FALSE(measure());
  EXPECT_EQ(sensor_.name(), "bme280@76");
  ASSERT_EQ(sensor_.quantities().size(), 3U);
  const mcp::Quantity& pressure = sensor_.quantities()[1];
  EXPECT_EQ(pressure.name, "pressure");
  EXPECT_EQ(pressure.unit, "kPa");
  EXPECT_EQ(sensor_.value(0), 21'530);
  EXPECT_EQ(sensor_.value(1), 963'862);
  EXPECT_EQ(sensor_.value(2), 46'333);
  EXPECT_EQ(sensor_.address(), 0);
}

TEST_F(ZephyrSensorDevice, NeitherBeginNorCollectWaits) {
  drivers[&air].fetch_ms = 40;
  const mcp::Sensor::Begun begun = sensor_.begin();
  ASSERT_FALSE(begun.error);
  EXPECT_EQ(begun.ready_ms, 50U);  // before the first measurement
  EXPECT_EQ(drivers[&air].fetches, 0U);
  EXPECT_EQ(sensor_.collect().fault(), SensorFault::not_ready);
  EXPECT_EQ(sensor_.begin().error.fault(), SensorFault::not_ready);
  run_thread();
  EXPECT_EQ(drivers[&air].fetches, 1U);
  // The next begin takes what the thread has measured meanwhile.
  const mcp::Sensor::Begun next = sensor_.begin();
  ASSERT_FALSE(next.error);
  EXPECT_EQ(next.ready_ms, 0U);
  ASSERT_FALSE(sensor_.collect());
  EXPECT_EQ(drivers[&air].fetches, 1U);
  // And the one after it knows how long a measurement takes.
  EXPECT_EQ(sensor_.begin().ready_ms, 46U);
  run_thread();
  ASSERT_FALSE(sensor_.collect());
}

TEST_F(ZephyrSensorDevice, RoundsValuesOfBothSigns) {
  struct Case {
    sensor_value value;
    std::int32_t expected;  // thousandths
  };
  for (const Case& each : {Case{{0, 500'000}, 500},
                           {{0, -500'000}, -500},
                           {{-1, 0}, -1000},
                           {{-1, -500'000}, -1500},
                           {{0, 499}, 0},
                           {{0, 500}, 1},
                           {{0, -499}, 0},
                           {{0, -500}, -1},
                           {{2, 999'999}, 3000},
                           // As some drivers write it: the sum counts.
                           {{-1, 500'000}, -500},
                           {{0, 1'500'000}, 1500},
                           {{2'147'483, 647'499}, INT32_MAX},
                           {{-2'147'483, -648'499}, INT32_MIN}}) {
    drivers[&air].channels[SENSOR_CHAN_AMBIENT_TEMP] = each.value;
    ASSERT_FALSE(measure());
    EXPECT_EQ(sensor_.value(0), each.expected) << each.value.val1 << ' ' << each.value.val2;
  }
}

TEST_F(ZephyrSensorDevice, AValueThatDoesNotFitIsAnError) {
  for (const sensor_value& value :
       {sensor_value{2'147'483, 647'500}, {-2'147'483, -648'500}, {INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}) {
    drivers[&air].channels[SENSOR_CHAN_AMBIENT_TEMP] = value;
    EXPECT_EQ(measure().fault(), SensorFault::invalid_data);
  }
  drivers[&air].channels[SENSOR_CHAN_AMBIENT_TEMP] = {1, 0};
  EXPECT_FALSE(measure());
}

TEST_F(ZephyrSensorDevice, SaysWhichErrorTheDriverReturned) {
  struct Case {
    int result;
    SensorFault fault;
    BusError bus;
  };
  for (const Case& each : {Case{-EIO, SensorFault::bus, BusError::failed},
                           {-ENXIO, SensorFault::bus, BusError::no_device},
                           {-ENODEV, SensorFault::bus, BusError::no_device},
                           {-EAGAIN, SensorFault::not_ready, BusError::none},
                           {-EBUSY, SensorFault::not_ready, BusError::none},
                           {-ENODATA, SensorFault::not_ready, BusError::none},
                           {-ETIMEDOUT, SensorFault::bus, BusError::too_late},
                           {-ENOTSUP, SensorFault::bus, BusError::unsupported},
                           {-ENOSYS, SensorFault::bus, BusError::unsupported},
                           {-1234, SensorFault::bus, BusError::failed},
                           {1, SensorFault::bus, BusError::failed}}) {
    drivers[&air].fetch_error = each.result;
    const mcp::SensorError error = measure();
    EXPECT_EQ(error.fault(), each.fault) << each.result;
    EXPECT_EQ(error.bus(), each.bus) << each.result;
    EXPECT_EQ(sensor_.driver_error(), each.result);
  }
  drivers[&air].fetch_error = 0;
  ASSERT_FALSE(measure());
  EXPECT_EQ(sensor_.driver_error(), 0);
  drivers[&air].get_error = -EIO;
  EXPECT_EQ(measure().bus(), BusError::failed);
  drivers[&air].get_error = 0;
  EXPECT_FALSE(measure());
}

TEST_F(ZephyrSensorDevice, ADeviceThatWasAbsentAtTheStartIsNotFetched) {
  drivers[&air].is_ready = false;
  EXPECT_EQ(measure().bus(), BusError::no_device);
  EXPECT_EQ(drivers[&air].fetches, 0U);
  // With deferred initialization (device_init()), it may start later.
  drivers[&air].is_ready = true;
  EXPECT_FALSE(measure());
}

TEST_F(ZephyrSensorDevice, ADeviceWithoutKnownChannelsIsAnError) {
  drivers[&air].channels = {{SENSOR_CHAN_ACCEL_XYZ, {1, 0}}};
  EXPECT_EQ(measure().bus(), BusError::unsupported);
  drivers[&air].channels = {{SENSOR_CHAN_CO2, {400, 0}}};
  ASSERT_FALSE(measure());
  EXPECT_EQ(sensor_.quantities()[0].unit, "[ppm]");
}

TEST_F(ZephyrSensorDevice, ADriverWithEachChannelFillsTheTable) {
  for (int channel = 0; channel < SENSOR_CHAN_ALL; ++channel) drivers[&air].channels[channel] = {1, 0};
  ASSERT_FALSE(measure());
  EXPECT_EQ(sensor_.quantities().size(), mcp::zephyr::DeviceSensor::most_channels);
  EXPECT_EQ(sensor_.quantities().back().name, "pressure");
}

TEST(ZephyrSensorChannels, HaveNamesAndUnits) {
  EXPECT_EQ(mcp::zephyr::channel_quantity(SENSOR_CHAN_HUMIDITY).unit, "%");
  EXPECT_EQ(mcp::zephyr::channel_quantity(SENSOR_CHAN_GYRO_Z).unit, "rad/s");
  EXPECT_TRUE(mcp::zephyr::channel_quantity(SENSOR_CHAN_ACCEL_XYZ).name.empty());
  EXPECT_TRUE(mcp::zephyr::channel_quantity(SENSOR_CHAN_ALL).name.empty());
  // Each name once, because one device may have all of them.
  std::map<std::string_view, int> names;
  for (int channel = 0; channel < SENSOR_CHAN_ALL; ++channel) {
    const mcp::Quantity quantity = mcp::zephyr::channel_quantity(static_cast<sensor_channel>(channel));
    if (quantity.name.empty()) continue;
    EXPECT_FALSE(quantity.unit.empty()) << quantity.name;
    EXPECT_EQ(++names[quantity.name], 1) << quantity.name;
  }
  EXPECT_GT(names.size(), 40U);
}

// ---- The rows ------------------------------------------------------------------------------------------------------

// The devices are constants of the program, but each test begins with new ones.
mcp::zephyr::DeviceTable* current;
struct Current {
  static constexpr std::uint16_t numbers = 8;
  template <class Row>
  bool describe(std::uint16_t number, Row& row) const {
    return current->describe(number, row);
  }
  mcp::Errc read(std::uint16_t number, mcp::ReadResult& out) const { return current->read(number, out); }
  mcp::Errc call(std::uint16_t number, mcp::Call& call) const { return current->call(number, call); }
} table;

constexpr mcp::FoundResources rows = mcp::zephyr::sensor_rows<table>();
constexpr mcp::FoundTools tools = mcp::zephyr::sensor_tools<table>();
constexpr mcp::Definition definition{
    .name = "test", .version = "1", .found_resources = rows, .found_tools = tools, .list_changes = true};

// As an application declares them, and a device of the devicetree that the application names.
mcp::zephyr::DeviceSensors<2> global;
mcp::zephyr::MeasuredDevice room{DEVICE_DT_GET(room)};  // whose name is unknown to the compiler
[[maybe_unused]] constexpr mcp::FoundResources global_rows = mcp::zephyr::sensor_rows<global>();
[[maybe_unused]] constexpr mcp::Resource room_row = mcp::sensor<room>({.uri = "sensor://room", .name = "room"});

class ZephyrSensorRows : public testing::Test {
 protected:
  ZephyrSensorRows() {
    reset();
    current = &sensors_;
    EXPECT_EQ(sensors_.add_all(), 0U);
    session_ = bench_.server.open(0);
    ask("initialize", R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"})");
    bench_.ask(session_, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  ~ZephyrSensorRows() override { bench_.server.close(session_, 0); }

  std::string ask(std::string_view method, std::string_view params) {
    return bench_.ask(session_, R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                                    std::string(params) + "}}");
  }
  std::string read(std::string_view name) {
    return ask("resources/read", R"("uri":"sensor://zephyr/)" + std::string(name) + '"');
  }
  /// The main loop and the thread, until `ms` have passed.
  void run(mcp::Millis ms) {
    const std::uint32_t end = uptime + ms;
    while (static_cast<std::int32_t>(end - uptime) > 0) {
      const mcp::Millis due = sensors_.poll(bench_.server);
      const mcp::Millis left = end - uptime;
      uptime += due < left ? due : left;
      run_thread();
    }
    static_cast<void>(sensors_.poll(bench_.server));
  }

  mcp::zephyr::DeviceSensors<8> sensors_;
  test::Bench bench_{definition, {}};
  mcp::SessionId session_;
};

bool has(const std::string& message, std::string_view part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
  return message.find(part) != std::string::npos;
}

TEST_F(ZephyrSensorRows, EachDeviceOfTheDevicetreeIsARowAndATool) {
  ASSERT_EQ(sensors_.size(), 4U);
  const std::string list = ask("resources/list", "");
  has(list, R"("uri":"sensor://zephyr/bme280@76","name":"bme280@76","title":"Office","mimeType":"application/json")");
  has(list, R"("uri":"sensor://zephyr/bmi160@68","name":"bmi160@68","mimeType")");
  // Another device with the name of the first one.
  has(list, R"("uri":"sensor://zephyr/bme280@76~2","name":"bme280@76~2")");
  const std::string all = ask("tools/list", "");
  has(all, R"("name":"read_bme280_76","title":"Office","description":"Reads the sensor bme280@76.")");
  has(all, R"("name":"read_bme280_76_2")");
  EXPECT_EQ(bench_.server.health().found_rows_omitted, 0U);
}

TEST_F(ZephyrSensorRows, ARowAndAToolHaveTheValues) {
  run(200);
  has(read("bme280@76"),
      R"("text":"{\"temperature\":{\"value\":21.53,\"unit\":\"Cel\"},\"pressure\":{\"value\":96.3862,)"
      R"(\"unit\":\"kPa\"},\"humidity\":{\"value\":46.333,\"unit\":\"%\"},\"secondsAgo\":0}"})");
  has(read("bmi160@68"),
      R"({\"acceleration_x\":{\"value\":-0.5,\"unit\":\"m/s2\"},\"acceleration_z\":{\"value\":-9.8067,)");
  has(read("bme280@76~2"), R"({\"temperature\":{\"value\":-40,)");
  const std::string response = ask("tools/call", R"("name":"read_bme280_76")");
  has(response, R"("text":"{\"temperature\":{\"value\":21.53,\"unit\":\"Cel\"},\"pressure\":{\"value\":96.3862,)");
  has(response, R"(\"humidity\":{\"value\":46.333,\"unit\":\"%\"},\"secondsAgo\":0}")");
  EXPECT_EQ(response.find("isError"), std::string::npos) << response;
}

TEST_F(ZephyrSensorRows, AnErrorNamesTheDeviceAndTheNumberOfTheDriver) {
  has(read("bme280@76"), R"("message":"bme280@76: It has not been measured yet. Try once more.")");
  drivers[&air].fetch_error = -EIO;
  run(200);
  has(read("bme280@76"), R"("message":"bme280@76: The driver returns -5. The bus controller reports an error.")");
  has(read("sht4x@44"),
      R"("message":"sht4x@44: The driver did not find the device at the start. Check its power and its wires, and restart.")");
  const std::string response = ask("tools/call", R"("name":"read_sht4x_44")");
  has(response, R"("text":"sht4x@44: The driver did not find)");
  has(response, R"("isError":true)");
  // It recovers when the device is back.
  drivers[&air].fetch_error = 0;
  run(1200);
  has(read("bme280@76"), R"(\"value\":21.53,)");
}

TEST_F(ZephyrSensorRows, TheServerRespondsDuringAMeasurementOfTwoSeconds) {
  drivers[&motion].fetch_ms = 2000;
  unsigned responses = 0;
  bool is_measured = false;
  main_loop = [&] {
    static_cast<void>(sensors_.poll(bench_.server));
    if (uptime % 100 != 0 || drivers[&motion].fetches == 0) return;
    ++responses;
    // The values of the first device stay, because it does not expect the thread sooner.
    if (is_measured) has(read("bme280@76"), R"(\"value\":21.53,)");
    has(read("bmi160@68"), is_measured ? R"(\"value\":-0.5,)" : "bmi160@68");
  };
  run(4500);
  EXPECT_GE(responses, 20U);
  has(read("bmi160@68"), R"(\"value\":-0.5,)");
  // From now on, the length of the measurement is known.
  is_measured = true;
  responses = 0;
  run(10'000);
  EXPECT_GE(responses, 50U);
}

// Other threads delay that of the port, which has the least priority.
TEST_F(ZephyrSensorRows, AMeasurementThatIsLateKeepsTheValues) {
  const auto poll_for = [&](unsigned ms) {
    for (; ms != 0; --ms, ++uptime) static_cast<void>(sensors_.poll(bench_.server));
  };
  run(200);
  wakes = 0;
  poll_for(1300);
  EXPECT_EQ(works.size(), 3U);
  has(read("bme280@76"), R"(\"value\":21.53,)");
  drivers[&air].channels[SENSOR_CHAN_AMBIENT_TEMP] = {22, 0};
  run_thread();
  EXPECT_EQ(wakes, 3U);  // each device ends a sleep of the server
  static_cast<void>(sensors_.poll(bench_.server));
  has(read("bme280@76"), R"(\"value\":22,)");
  run(1500);
  EXPECT_EQ(wakes, 3U);
  // A driver that never returns.
  poll_for(2500);
  has(read("bme280@76"), R"("message":"bme280@76: )");
}

TEST_F(ZephyrSensorRows, SubscribersAreNotifiedOfEachMeasurement) {
  ask("resources/subscribe", R"("uri":"sensor://zephyr/bme280@76")");
  run(200);
  has(bench_.next(session_),
      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"sensor://zephyr/bme280@76"}})");
  EXPECT_EQ(bench_.next(session_), "");
  run(1000);
  has(bench_.next(session_), "notifications/resources/updated");
}

TEST_F(ZephyrSensorRows, ATableThatIsTooSmallLeavesDevicesOut) {
  mcp::zephyr::DeviceSensors<3> small;
  EXPECT_EQ(small.add_all(), 1U);
  EXPECT_EQ(small.size(), 3U);
  EXPECT_FALSE(small.add(&absent));
  EXPECT_EQ(small[1].device_sensor().device(), &motion);
}

}  // namespace

const device device_of_node{"room"};
