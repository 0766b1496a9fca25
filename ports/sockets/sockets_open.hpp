// SPDX-License-Identifier: Apache-2.0
// Opens, prepares and closes sockets, also the socket by which another task ends a wait. For the files of this port.
#pragma once

#include "mcp/port.hpp"

namespace mcp::sockets {

/// Sets an option of a socket. Does nothing on a system without the option.
void set_option(int fd, int level, int option, int value);

/// Lets the system end a connection whose client has vanished, after at most a minute. Does nothing on a system without
/// the options.
void keep_alive(int fd);

/// Makes a socket non-blocking, and closes it in programs that this program starts. Errors: returns false.
bool prepare(int fd);

/// Closes a socket, and keeps `errno`.
void close_socket(int& fd);

/// Returns `timeout_ms` for poll(). `retries`: a call that lacked memory is due in 100 ms.
int poll_timeout(Millis timeout_ms, bool retries);

/// Opens a UDP socket that is connected to itself. Errors: returns -1, and `errno` has the reason.
int open_wake_socket();
/// Sends a byte to itself. Errors: returns false.
bool send_wake(int fd);
/// Reads a limited number of the bytes of send_wake(). Returns true if there may be more. `fd` may be -1.
bool drain_wakes(int fd);

}  // namespace mcp::sockets
