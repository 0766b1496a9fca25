// What an emulator or a debugger lends the board, which has neither a random source nor a calendar.
#pragma once

#include "ports/host.hpp"
