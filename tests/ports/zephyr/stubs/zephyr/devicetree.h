// SPDX-License-Identifier: Apache-2.0
// As in include/zephyr/devicetree.h of Zephyr: names of nodes for the macros of device.h.
#pragma once

#define DT_CHOSEN(property) property
#define DT_ALIAS(alias) alias
