// SPDX-License-Identifier: Apache-2.0
// As in include/zephyr/sys/iterable_sections.h of Zephyr, commit 0dc914c: the linker script defines the two symbols of a section,
// and the loop declares them where it is.
#pragma once

#define STRUCT_SECTION_FOREACH(type, iterator)      \
  extern struct type MOTE_TEST_LIST(type, start)[]; \
  extern struct type MOTE_TEST_LIST(type, end)[];   \
  for (struct type * iterator = MOTE_TEST_LIST(type, start); iterator < MOTE_TEST_LIST(type, end); ++iterator)
#define MOTE_TEST_LIST(type, end) _##type##_list_##end
