# SPDX-License-Identifier: Apache-2.0
import esphome.codegen as cg
from esphome.components import update
import esphome.config_validation as cv

from . import fake_ns

FakeUpdate = fake_ns.class_("FakeUpdate", update.UpdateEntity, cg.Component)

CONFIG_SCHEMA = update.update_schema(FakeUpdate).extend(cv.COMPONENT_SCHEMA)


async def to_code(config):
    var = await update.new_update(config)
    await cg.register_component(var, config)
