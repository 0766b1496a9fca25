// SPDX-License-Identifier: Apache-2.0
#include "examples/arduino/Thermometer/Thermometer.ino"
