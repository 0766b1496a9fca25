# SPDX-License-Identifier: Apache-2.0
"""Tools that a user writes: automations of `tools:` and scripts of `scripts:`, as rows of the constant tool table."""

import re
from typing import Any

from esphome import automation
import esphome.codegen as cg
import esphome.config_validation as cv
from esphome.const import (
    CONF_ID,
    CONF_MAX_LENGTH,
    CONF_MAX_VALUE,
    CONF_MIN_VALUE,
    CONF_NAME,
    CONF_PARAMETERS,
    CONF_THEN,
    CONF_TRIGGER_ID,
    CONF_TYPE,
    CONF_UNIT_OF_MEASUREMENT,
)
from esphome.core import CORE
from esphome.cpp_generator import MockObj
from esphome.helpers import cpp_string_escape
from esphome.types import ConfigType

# Not a namespace of ESPHome: main.cpp says `using namespace esphome`, so that `mcp::` would be ambiguous.
NAMESPACE = "::mote_esphome"
mote_ns = cg.global_ns.namespace("mote_esphome")

ToolTrigger = mote_ns.class_("ToolTrigger", automation.Trigger.template())

CONF_ARGUMENTS = "arguments"
CONF_CONFIRM = "confirm"
CONF_DEFAULT = "default"
CONF_DESCRIPTION = "description"
CONF_DESTRUCTIVE = "destructive"
CONF_OPTIONS = "options"
CONF_SCRIPTS = "scripts"
CONF_TOOLS = "tools"

# The type of an argument: its type in the struct of mote, and its type in the automation.
ARGUMENT_TYPES: dict[str, tuple[str, Any]] = {
    "bool": ("bool", cg.bool_),
    "int": ("int32_t", cg.int32),
    "float": ("float", cg.float_),
    "string": ("::mcp::FixedString", cg.std_string),
}

# The types of script parameters that a client can give.
SCRIPT_TYPES = {
    "bool": "bool",
    "boolean": "bool",
    "int": "int",
    "int32_t": "int",
    "float": "float",
    "string": "string",
    "std::string": "string",
}


def literal(value: str) -> str:
    """A literal of C++, in UTF-8."""
    return cpp_string_escape(value)


def validate_tool_name(value: Any) -> str:
    value = cv.string_strict(value)
    if not re.fullmatch(r"[A-Za-z0-9_\-.]{1,64}", value):
        raise cv.Invalid("The name of a tool needs 1 to 64 of A-Z a-z 0-9 _ - .")
    return value


def validate_argument(config: ConfigType) -> ConfigType:
    type_ = config[CONF_TYPE]
    if type_ != "string" and CONF_OPTIONS in config:
        raise cv.Invalid(f"{CONF_OPTIONS} needs the type string")
    for key in (CONF_MIN_VALUE, CONF_MAX_VALUE):
        if key in config and type_ not in ("int", "float"):
            raise cv.Invalid(f"{key} needs the type int or float")
        if key in config and type_ == "int" and config[key] != int(config[key]):
            raise cv.Invalid(f"{key} must be an integer")
    if CONF_DEFAULT in config:
        is_type = {
            "bool": lambda value: isinstance(value, bool),
            "int": lambda value: not isinstance(value, bool) and isinstance(value, int),
            "float": lambda value: not isinstance(value, bool) and isinstance(value, (int, float)),
            "string": lambda value: isinstance(value, str),
        }[type_]
        if not is_type(config[CONF_DEFAULT]):
            raise cv.Invalid(f"{CONF_DEFAULT} must have the type {type_}")
        if config[CONF_DEFAULT] not in config.get(CONF_OPTIONS, [config[CONF_DEFAULT]]):
            raise cv.Invalid(f"{CONF_DEFAULT} must be one of the {CONF_OPTIONS}")
    return config


ARGUMENT_KEYS = {
    cv.Optional(CONF_DESCRIPTION): cv.string_strict,
    cv.Optional(CONF_UNIT_OF_MEASUREMENT): cv.string_strict,
    cv.Optional(CONF_MIN_VALUE): cv.float_,
    cv.Optional(CONF_MAX_VALUE): cv.float_,
    cv.Optional(CONF_DEFAULT): object,
    cv.Optional(CONF_MAX_LENGTH, default=32): cv.int_range(1, 255),
    cv.Optional(CONF_OPTIONS): cv.All(cv.ensure_list(cv.string_strict), cv.Length(min=1, max=255)),
}

ARGUMENT_SCHEMA = cv.All(
    cv.Schema({cv.Required(CONF_TYPE): cv.one_of(*ARGUMENT_TYPES, lower=True), **ARGUMENT_KEYS}),
    validate_argument,
)

TOOL_SCHEMA = automation.validate_automation(
    {
        cv.GenerateID(CONF_TRIGGER_ID): cv.declare_id(ToolTrigger),
        cv.Required(CONF_NAME): validate_tool_name,
        cv.Required(CONF_DESCRIPTION): cv.string_strict,
        cv.Optional(CONF_DESTRUCTIVE, default=True): cv.boolean,
        cv.Optional(CONF_ARGUMENTS, default={}): cv.Schema({cv.validate_id_name: ARGUMENT_SCHEMA}),
    }
)

# The types of the arguments are those of the parameters of the script.
SCRIPT_SCHEMA = cv.Schema(
    {
        cv.Required(CONF_ID): cv.use_id(cg.esphome_ns.namespace("script").class_("Script")),
        cv.Optional(CONF_NAME): validate_tool_name,
        cv.Required(CONF_DESCRIPTION): cv.string_strict,
        cv.Optional(CONF_DESTRUCTIVE, default=True): cv.boolean,
        cv.Optional(CONF_ARGUMENTS, default={}): cv.Schema({cv.validate_id_name: cv.Schema(ARGUMENT_KEYS)}),
    }
)


def _script_config(id_: Any, scripts: list[ConfigType]) -> ConfigType:
    return next(script for script in scripts if script[CONF_ID].id == id_.id)


def _script_arguments(config: ConfigType, scripts: list[ConfigType]) -> dict[str, ConfigType]:
    """The arguments of a script: its parameters, with what the user says of them."""
    parameters = _script_config(config[CONF_ID], scripts)[CONF_PARAMETERS]
    for name in config[CONF_ARGUMENTS]:
        if name not in parameters:
            raise cv.Invalid(f"The script {config[CONF_ID]} has no parameter {name}")
    arguments = {}
    for name, type_ in parameters.items():
        if type_ not in SCRIPT_TYPES:
            raise cv.Invalid(f"{name} of the script {config[CONF_ID]} must be one of: bool, int, float, string")
        given = config[CONF_ARGUMENTS].get(name, {CONF_MAX_LENGTH: 32})
        arguments[name] = validate_argument({CONF_TYPE: SCRIPT_TYPES[type_], **given})
    return arguments


def validate_scripts(configs: list[ConfigType], full: ConfigType) -> None:
    """Checks the scripts against the whole configuration."""
    for config in configs:
        _script_arguments(config, full.get("script", []))


def _number(value: float, type_: str) -> str:
    return str(int(value)) if type_ == "int" else repr(float(value))


def _default(value: Any, type_: str) -> str:
    if type_ == "bool":
        return "true" if value else "false"
    return literal(value) if type_ == "string" else _number(value, type_)


def _param(struct: str, name: str, argument: ConfigType) -> str:
    type_ = argument[CONF_TYPE]
    items = []
    if CONF_DESCRIPTION in argument:
        items.append(f".description = {literal(argument[CONF_DESCRIPTION])}")
    if CONF_MIN_VALUE in argument:
        items.append(f".minimum = {_number(argument[CONF_MIN_VALUE], type_)}")
    if CONF_MAX_VALUE in argument:
        items.append(f".maximum = {_number(argument[CONF_MAX_VALUE], type_)}")
    if CONF_DEFAULT in argument:
        default = argument[CONF_DEFAULT]
        if CONF_OPTIONS in argument:
            items.append(f".default_value = {struct}_{name}::v{argument[CONF_OPTIONS].index(default)}")
        else:
            items.append(f".default_value = {_default(default, type_)}")
    if CONF_OPTIONS in argument:
        items.append(f".choices = {struct}_{name}_choices")
    if CONF_UNIT_OF_MEASUREMENT in argument:
        items.append(f".unit = {literal(argument[CONF_UNIT_OF_MEASUREMENT])}")
    return f"::mcp::param<&{struct}::{name}>({literal(name)}, {{{', '.join(items)}}})"


class _Handler:
    """The C++ of one tool: a struct of its arguments, their table, and a handler."""

    def __init__(self, name: str, arguments: dict[str, ConfigType]) -> None:
        self.lines: list[str] = []
        self.values: list[str] = []
        self.name = name
        self.struct = f"{name}_arguments"
        members, params = [], []
        for key, argument in arguments.items():
            members.append(f"  {self._add(key, argument)} {key};")
            params.append(_param(self.struct, key, argument))
        self.has_params = bool(params)
        if params:
            self.lines += [f"struct {self.struct} {{", *members, "};"]
            self.lines.append(f"static constexpr auto {name}_params = ::mcp::params({', '.join(params)});")

    def _add(self, key: str, argument: ConfigType) -> str:
        """Adds the value of an argument for the automation. Returns its type in the struct."""
        if CONF_OPTIONS in argument:
            # An enum, so that the schema has the choices and the server checks them.
            enum = f"{self.struct}_{key}"
            options = argument[CONF_OPTIONS]
            keys = ", ".join(f"v{i}" for i in range(len(options)))
            rows = ", ".join(f"{{{literal(option)}, {enum}::v{i}}}" for i, option in enumerate(options))
            names = ", ".join(literal(option) for option in options)
            self.lines.append(f"enum class {enum} : uint8_t {{ {keys} }};")
            self.lines.append(f"static constexpr auto {enum}_choices = ::mcp::choices<{enum}>({{{rows}}});")
            self.lines.append(f"static constexpr const char *{enum}_names[] = {{{names}}};")
            self.values.append(f"std::string({enum}_names[static_cast<uint8_t>(arguments.{key})])")
            return enum
        if argument[CONF_TYPE] == "string":
            self.values.append(f"std::string(arguments.{key}.view())")
            return f"::mcp::FixedString<{argument[CONF_MAX_LENGTH]}>"
        self.values.append(f"arguments.{key}")
        return ARGUMENT_TYPES[argument[CONF_TYPE]][0]

    def row(
        self, node: MockObj, call: str, is_done: str, config: ConfigType, scope: str | None
    ) -> tuple[list[str], str]:
        """Returns the code, and the row of the tool table."""
        signature = f"const {self.struct} &arguments, ::mcp::Call &call" if self.has_params else "::mcp::Call &call"
        destructive = "true" if config[CONF_DESTRUCTIVE] else "false"
        self.lines += [
            f"static ::mcp::Errc {self.name}({signature}) {{",
            f"  {node}->begin_tool();",
            f"  {call}({', '.join(self.values)});",
            f"  return {node}->end_tool(call, {is_done});",
            "}",
            f"static constexpr ::mcp::ToolExtras {self.name}_extras{{.annotations = "
            f"{{.destructive_hint = {destructive}}}}};",
        ]
        info = [
            f".name = {literal(config[CONF_NAME])}",
            f".description = {literal(config[CONF_DESCRIPTION])}",
            f".extras = {self.name}_extras",
        ]
        if scope is not None:
            info.append(f".scope = {literal(scope)}")
        params = f", {self.name}_params" if self.has_params else ""
        return self.lines, f"::mcp::tool<{self.name}>({{{', '.join(info)}}}{params})"


async def tool_row(node: MockObj, name: str, config: ConfigType, scope: str | None) -> tuple[list[str], str]:
    """The code and the row of an automation. Its handler starts the automation with the arguments."""
    arguments = config[CONF_ARGUMENTS]
    native = [(ARGUMENT_TYPES[argument[CONF_TYPE]][1], key) for key, argument in arguments.items()]
    trigger = cg.new_Pvariable(config[CONF_TRIGGER_ID], cg.TemplateArguments(*[type_ for type_, _ in native]))
    await automation.build_automation(trigger, native, config)
    is_done = "false" if automation.has_non_synchronous_actions(config[CONF_THEN]) else "true"
    return _Handler(name, arguments).row(node, f"{trigger}->trigger", is_done, config, scope)


async def script_row(node: MockObj, name: str, config: ConfigType, scope: str | None) -> tuple[list[str], str]:
    """The code and the row of a script. Its handler executes the script with the arguments."""
    script = await cg.get_variable(config[CONF_ID])
    handler = _Handler(name, _script_arguments(config, CORE.config.get("script", [])))
    named = {CONF_NAME: config[CONF_ID].id, **config}
    return handler.row(node, f"{script}->execute", f"!{script}->is_running()", named, scope)
