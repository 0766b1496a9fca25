/* SPDX-License-Identifier: Apache-2.0 */
/* As in cyw43-driver 1.0.4 and 1.1.0: src/cyw43_country.h. */
#pragma once
#define CYW43_COUNTRY_WORLDWIDE 0x5858
