// SPDX-License-Identifier: Apache-2.0
// Reads of sensors, with one thread for each read, because a driver may take seconds, or never return.
#include "mcp/ports/posix_sensors.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "mcp/ports/posix.hpp"
#include "ports/posix/posix_sensor_files.hpp"
#include "ports/posix/posix_thread.hpp"

namespace mcp::posix {
namespace {

constexpr int most_readers = 4;
constexpr std::size_t reader_stack = std::size_t{64} * 1024;

pthread_mutex_t readers_mutex = PTHREAD_MUTEX_INITIALIZER;
int readers;  // running threads

bool count_reader(int change) {
  static_cast<void>(pthread_mutex_lock(&readers_mutex));
  const bool fits = readers + change <= most_readers;
  if (fits) readers += change;
  static_cast<void>(pthread_mutex_unlock(&readers_mutex));
  return fits;
}

// Counts before it sends, so that the next read finds a thread.
void* read_files(void* argument) {
  const int file = file_of(argument);
  SensorFiles files;
  KernelReading reading;
  if (recv(file, &files, sizeof files, 0) == static_cast<ssize_t>(sizeof files)) files.read(reading);
  static_cast<void>(count_reader(-1));
  // If the main loop waits no longer, there is no receiver.
  static_cast<void>(send(file, &reading, sizeof reading, MSG_NOSIGNAL));
  close(file);
  return nullptr;
}

// Waits for the outcome. Returns 0 or ETIME.
int wait_for(int file, KernelReading& reading, Millis limit_ms) {
  const Millis start = now();
  for (;;) {
    const Millis passed = now() - start;
    pollfd waiting{file, POLLIN, 0};
    const int left = passed < limit_ms ? static_cast<int>(limit_ms - passed) : 0;
    const int ready = poll(&waiting, 1, left);
    if (ready > 0) break;
    if (ready == 0 || errno != EINTR) return ETIME;
  }
  return recv(file, &reading, sizeof reading, MSG_DONTWAIT) == static_cast<ssize_t>(sizeof reading) ? 0 : ETIME;
}

int read_in_thread(const SensorFiles& files, KernelReading& reading, Millis limit_ms) {
  if (!count_reader(1)) return EUSERS;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0) {
    static_cast<void>(count_reader(-1));
    return errno;
  }
  const bool is_sent = send(ends[0], &files, sizeof files, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof files);
  int error = EAGAIN;
  if (is_sent && start_thread(read_files, ends[1], reader_stack)) {
    error = wait_for(ends[0], reading, limit_ms);
  } else {
    static_cast<void>(count_reader(-1));
    close(ends[1]);
  }
  close(ends[0]);
  return error;
}

}  // namespace

KernelReading KernelSensors::measure(std::uint16_t number) {
  KernelReading reading;
  const KernelSensor* const found = sensor(number);
  const int error = found == nullptr ? ENOENT : read_in_thread(SensorFiles(root_, *found), reading, limit_ms_);
  if (error != 0) {
    reading = KernelReading();
    reading.error_ = error;
  }
  reading.sensor_ = found;
  if (reading.error_ == ENOENT || reading.error_ == ENODEV) scans_again_ = true;
  return reading;
}

Errc KernelSensors::read(std::uint16_t number, ReadResult& out) {
  if (sensor(number) == nullptr) return Errc::not_found;
  const KernelReading reading = measure(number);
  if (!reading.ok()) return out.fail(reading);
  json::Writer& json = out.json();
  json.object_begin();
  reading.write(json);
  json.object_end();
  return Errc::ok;
}

}  // namespace mcp::posix
#endif
