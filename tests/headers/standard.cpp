// SPDX-License-Identifier: Apache-2.0
// The measure of headers.compile_time: the time that an application takes to compile, compared with these headers.
#include <algorithm>
#include <functional>
#include <ranges>
#include <regex>
#include <string>
