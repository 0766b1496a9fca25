# SPDX-License-Identifier: Apache-2.0
"""Entities that no platform of ESPHome has on this machine: a media player and an update."""

import esphome.codegen as cg

CODEOWNERS = []
fake_ns = cg.esphome_ns.namespace("fake")
