// SPDX-License-Identifier: Apache-2.0
// A board of Zephyr on this machine, for examples/zephyr: threads, time and semaphores of the kernel, a UART at stdin
// and stdout, the LED, a BME280 and a sensor whose driver has not started. A thread calls the handler of the UART as
// its interrupt does: while irq_lock() is not held, while there are bytes to read, and while the transmitter is
// enabled. The BME280 is warm while the LED is on. The variable LED selects an error: `absent` or `broken`.
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>
#include <zephyr/sys/printk.h>

// No destructor runs: the program ends with _Exit() when its input ends.
namespace {

using namespace std::chrono_literals;

constexpr device air{"bme280@76"};
constexpr device absent{"tmp112@48"};
std::atomic<bool> is_led_on{false};

bool led_is(const char* what) {
  const char* const value = getenv("LED");
  return value != nullptr && strcmp(value, what) == 0;
}

// ---- The kernel ----------------------------------------------------------------------------------------------------

struct Kernel {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<k_work*> works;
};
Kernel& kernel() {
  static Kernel kernel;
  return kernel;
}

void run_works() {
  for (;;) {
    std::unique_lock lock(kernel().lock);
    kernel().changed.wait(lock, [] { return !kernel().works.empty(); });
    k_work* const work = kernel().works.front();
    kernel().works.pop_front();
    work->is_queued = false;
    lock.unlock();
    work->handler(work);
  }
}

// ---- The UART ------------------------------------------------------------------------------------------------------

struct Wire {
  std::recursive_mutex interrupts;  // of irq_lock()
  int changed = eventfd(0, 0);
  uart_irq_callback_user_data_t handler = nullptr;
  void* user_data = nullptr;
  bool is_receiving = false;
  bool is_sending = false;
  std::uint8_t fifo[16] = {};
  std::size_t first = 0;
  std::size_t end = 0;
};
Wire& wire() {
  static Wire wire;
  return wire;
}

// Returns the size. The program ends with its input.
std::size_t read_input(std::uint8_t* into, std::size_t size) {
  const ssize_t count = read(STDIN_FILENO, into, size);
  if (count <= 0) _Exit(count == 0 ? 0 : 1);
  return static_cast<std::size_t>(count);
}

void write_output(const std::uint8_t* from, std::size_t size) {
  while (size != 0) {
    const ssize_t count = write(STDOUT_FILENO, from, size);
    if (count <= 0) _Exit(1);
    from += count;
    size -= static_cast<std::size_t>(count);
  }
}

// Returns whether there is an interrupt. The caller holds the lock.
bool handle_interrupt() {
  if (!wire().is_sending && !(wire().is_receiving && wire().first != wire().end)) return false;
  wire().handler(&device_of_node, wire().user_data);
  return true;
}

void run_interrupts() {
  for (;;) {
    std::unique_lock lock(wire().interrupts);
    if (handle_interrupt()) continue;
    const bool is_full = wire().first != wire().end;
    lock.unlock();
    pollfd waiting[] = {{wire().changed, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (poll(waiting, is_full ? 1 : 2, -1) <= 0) continue;
    std::uint64_t count = 0;
    if ((waiting[0].revents & POLLIN) != 0 && read(wire().changed, &count, sizeof count) < 0) _Exit(1);
    if (is_full || waiting[1].revents == 0) continue;
    lock.lock();
    wire().first = 0;
    wire().end = read_input(wire().fifo, sizeof wire().fifo);
  }
}

void set_interrupt(bool& interrupt, bool is_on) {
  const std::lock_guard lock(wire().interrupts);
  interrupt = is_on;
  const std::uint64_t one = 1;
  if (write(wire().changed, &one, sizeof one) < 0) _Exit(1);
}

}  // namespace

extern "C" {

constexpr device device_of_node{"uart@40002000"};
constexpr device gpio_of_node{"gpio@50000000"};

bool device_is_ready(const device* dev) { return dev != &absent && (dev != &gpio_of_node || !led_is("absent")); }

void printk(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
}

void k_panic() { abort(); }

void sys_rand_get(void* into, size_t size) {
  if (getentropy(into, size) != 0) abort();
}

unsigned int irq_lock() {
  wire().interrupts.lock();
  return 0;
}
void irq_unlock(unsigned int) { wire().interrupts.unlock(); }

uint32_t k_uptime_get_32() {
  static const auto start = std::chrono::steady_clock::now();
  return static_cast<uint32_t>((std::chrono::steady_clock::now() - start) / 1ms);
}

void k_sem_give(k_sem* semaphore) {
  const std::lock_guard lock(kernel().lock);
  if (semaphore->count < semaphore->limit) ++semaphore->count;
  kernel().changed.notify_all();
}
int k_sem_take(k_sem* semaphore, k_timeout_t timeout) {
  std::unique_lock lock(kernel().lock);
  const auto is_given = [&] { return semaphore->count != 0; };
  if (timeout.ticks < 0) {
    kernel().changed.wait(lock, is_given);
  } else if (!kernel().changed.wait_for(lock, timeout.ticks * 1ms, is_given)) {
    return -EAGAIN;
  }
  --semaphore->count;
  return 0;
}

void k_work_init(k_work* work, k_work_handler_t handler) { *work = {handler, false}; }
void k_work_queue_init(k_work_q*) {}
void k_work_queue_start(k_work_q*, k_thread_stack_t*, size_t, int, const k_work_queue_config*) {
  std::thread(run_works).detach();
}
int k_work_submit_to_queue(k_work_q*, k_work* work) {
  const std::lock_guard lock(kernel().lock);
  if (work->is_queued) return 0;
  work->is_queued = true;
  kernel().works.push_back(work);
  kernel().changed.notify_all();
  return 1;
}

int uart_err_check(const device*) { return 0; }
int uart_poll_in(const device*, unsigned char* byte) {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (poll(&waiting, 1, 0) <= 0) return -1;
  read_input(byte, 1);
  return 0;
}
void uart_poll_out(const device*, unsigned char byte) { write_output(&byte, 1); }

int uart_irq_callback_user_data_set(const device*, uart_irq_callback_user_data_t handler, void* user_data) {
  wire().handler = handler;
  wire().user_data = user_data;
  std::thread(run_interrupts).detach();
  return 0;
}
int uart_irq_update(const device*) { return 1; }
void uart_irq_rx_enable(const device*) { set_interrupt(wire().is_receiving, true); }
void uart_irq_rx_disable(const device*) { set_interrupt(wire().is_receiving, false); }
void uart_irq_tx_enable(const device*) { set_interrupt(wire().is_sending, true); }
void uart_irq_tx_disable(const device*) { set_interrupt(wire().is_sending, false); }
int uart_irq_rx_ready(const device*) { return wire().is_receiving && wire().first != wire().end ? 1 : 0; }
int uart_irq_tx_ready(const device*) { return wire().is_sending ? 1 : 0; }
int uart_fifo_read(const device*, uint8_t* into, int size) {
  int count = 0;
  while (count < size && wire().first != wire().end) into[count++] = wire().fifo[wire().first++];
  return count;
}
int uart_fifo_fill(const device*, const uint8_t* from, int size) {
  write_output(from, static_cast<size_t>(size));
  return size;
}

bool gpio_is_ready_dt(const gpio_dt_spec* spec) { return device_is_ready(spec->port); }
int gpio_pin_configure_dt(const gpio_dt_spec*, gpio_flags_t flags) {
  return flags == GPIO_OUTPUT_INACTIVE ? 0 : -ENOTSUP;
}
int gpio_pin_set_dt(const gpio_dt_spec* spec, int value) {
  if (led_is("broken")) return -EIO;
  is_led_on.store(value != 0);
  printk("pin %d: %s\n", spec->pin, value != 0 ? "active" : "inactive");
  return 0;
}

// The section of the image, as SENSOR_INFO_DT_DEFINE() fills it. CMakeLists.txt gives the linker its two symbols.
[[gnu::section("sensor_info_list"), gnu::used]] sensor_info sensor_infos[] = {
    {&air, "Bosch Sensortec GmbH", "bme280", "Air"}, {&absent, "Texas Instruments", "tmp112", nullptr}};

int sensor_sample_fetch(const device*) {
  std::this_thread::sleep_for(3ms);  // the measurement
  return 0;
}
int sensor_channel_get(const device*, sensor_channel channel, sensor_value* value) {
  switch (channel) {
    case SENSOR_CHAN_AMBIENT_TEMP:
      *value = is_led_on.load() ? sensor_value{30, 250'000} : sensor_value{21, 500'000};
      return 0;
    case SENSOR_CHAN_PRESS: *value = {96, 386'200}; return 0;
    case SENSOR_CHAN_HUMIDITY: *value = {46, 333'000}; return 0;
    default: return -ENOTSUP;
  }
}
}
