# SPDX-License-Identifier: Apache-2.0
import esphome.codegen as cg
from esphome.components import media_player
import esphome.config_validation as cv

from . import fake_ns

FakePlayer = fake_ns.class_("FakePlayer", media_player.MediaPlayer, cg.Component)

CONFIG_SCHEMA = media_player.media_player_schema(FakePlayer).extend(cv.COMPONENT_SCHEMA)


async def to_code(config):
    var = await media_player.new_media_player(config)
    await cg.register_component(var, config)
