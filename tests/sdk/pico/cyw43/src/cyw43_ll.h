/* SPDX-License-Identifier: Apache-2.0 */
/* The pico-sdk includes it, and mote uses nothing of it. */
#pragma once
