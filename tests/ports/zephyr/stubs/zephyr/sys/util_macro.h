// SPDX-License-Identifier: Apache-2.0
// As include/zephyr/sys/util_macro.h of Zephyr: 1 if `config` is defined as 1, else 0.
#pragma once

#define IS_ENABLED(config) MOTE_TEST_IS_ONE(config)
#define MOTE_TEST_IS_ONE(value) MOTE_TEST_CHOOSE(MOTE_TEST_SKIP_##value 1, 0)
#define MOTE_TEST_SKIP_1 0,
#define MOTE_TEST_CHOOSE(...) MOTE_TEST_SECOND(__VA_ARGS__, 0)
#define MOTE_TEST_SECOND(first, second, ...) second
