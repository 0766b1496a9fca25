/* SPDX-License-Identifier: Apache-2.0 */
/* TinyUSB as one serial port. The buffers hold two packets, so that one is sent while the next is written. */
#pragma once

#define CFG_TUSB_RHPORT0_MODE OPT_MODE_DEVICE
#define CFG_TUD_ENABLED 1
#define CFG_TUD_CDC 1
#define CFG_TUD_CDC_RX_BUFSIZE 256
#define CFG_TUD_CDC_TX_BUFSIZE 256
#define CFG_TUD_CDC_EP_BUFSIZE 64

/* The endpoint of the bytes to the PC. */
#define MOTE_USB_TO_PC 0x82
