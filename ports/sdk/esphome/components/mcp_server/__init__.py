# SPDX-License-Identifier: Apache-2.0
"""An MCP server for the entities of a node: the schema of `mcp_server:`, and its part of main.cpp."""

from importlib import import_module
from pathlib import Path
import re
from typing import Any

from esphome import automation
import esphome.codegen as cg
import esphome.config_validation as cv
from esphome.const import (
    CONF_DEVICE_CLASS,
    CONF_ENTITY_CATEGORY,
    CONF_ID,
    CONF_INTERNAL,
    CONF_NAME,
    CONF_NAME_ADD_MAC_SUFFIX,
    CONF_PLATFORM,
    CONF_PORT,
    __version__ as ESPHOME_VERSION,
)
from esphome.core import CORE, ID, CoroPriority, coroutine_with_priority
from esphome.cpp_generator import MockObj, RawStatement, TemplateArgsType
import esphome.final_validate as fv
from esphome.helpers import sanitize, snake_case
from esphome.types import ConfigType

from .tools import (
    CONF_CONFIRM,
    CONF_DESCRIPTION,
    CONF_SCRIPTS,
    CONF_TOOLS,
    NAMESPACE,
    SCRIPT_SCHEMA,
    TOOL_SCHEMA,
    literal,
    mote_ns,
    script_row,
    tool_row,
    validate_scripts,
)

CODEOWNERS: list[str] = []
DEPENDENCIES = ["network"]
AUTO_LOAD = ["socket"]

Node = mote_ns.class_("Node", cg.Component, cg.Controller)
RespondAction = mote_ns.class_("RespondAction", automation.Action)

CONF_CONNECTIONS = "connections"
CONF_ENTITIES = "entities"
CONF_ERAS = "eras"
CONF_ERROR = "error"
CONF_EXPOSE = "expose"
CONF_EXPOSE_DIAGNOSTIC = "expose_diagnostic"
CONF_HOSTS = "hosts"
CONF_INSTRUCTIONS = "instructions"
CONF_LIBRARY = "library"
CONF_MESSAGE_SIZE = "message_size"
CONF_NOTIFY_INTERVAL = "notify_interval"
CONF_ORIGINS = "origins"
CONF_PAGE = "page"
CONF_READ_ONLY = "read_only"
CONF_SCOPE = "scope"
CONF_SESSIONS = "sessions"
CONF_TEXT = "text"
CONF_TOKEN = "token"
CONF_TOKENS = "tokens"
CONF_WAIT = "wait"

CONTROL = "control"
READ = "read"

# The name of an entity type: the component of ESPHome, the Python class, the C++ class, and whether clients can control
# it. esphome_types.h has a constant for each.
ENTITY_TYPES: dict[str, tuple[str, str, str, bool]] = {
    "sensor": ("sensor", "Sensor", "sensor::Sensor", False),
    "binary_sensor": ("binary_sensor", "BinarySensor", "binary_sensor::BinarySensor", False),
    "text_sensor": ("text_sensor", "TextSensor", "text_sensor::TextSensor", False),
    "event": ("event", "Event", "event::Event", False),
    "switch": ("switch", "Switch", "switch_::Switch", True),
    "light": ("light", "LightState", "light::LightState", True),
    "number": ("number", "Number", "number::Number", True),
    "select": ("select", "Select", "select::Select", True),
    "button": ("button", "Button", "button::Button", True),
    "cover": ("cover", "Cover", "cover::Cover", True),
    "valve": ("valve", "Valve", "valve::Valve", True),
    "climate": ("climate", "Climate", "climate::Climate", True),
    "fan": ("fan", "Fan", "fan::Fan", True),
    "lock": ("lock", "Lock", "lock::Lock", True),
    "alarm_control_panel": (
        "alarm_control_panel", "AlarmControlPanel", "alarm_control_panel::AlarmControlPanel", True,
    ),
    "media_player": ("media_player", "MediaPlayer", "media_player::MediaPlayer", True),
    "update": ("update", "UpdateEntity", "update::UpdateEntity", True),
    "text": ("text", "Text", "text::Text", True),
    "date": ("datetime", "DateEntity", "datetime::DateEntity", True),
    "time": ("datetime", "TimeEntity", "datetime::TimeEntity", True),
    "datetime": ("datetime", "DateTimeEntity", "datetime::DateTimeEntity", True),
}

# The revisions of MCP: with sessions (2025-11-25 and earlier), stateless (2026-07-28), or both.
ERAS = {"dual": "dual_era", "legacy": "legacy_era", "modern": "modern_era"}

# What a client without a token cannot control: the whole type, the class of a device, or a platform that ends the
# firmware.
GUARDED_TYPES = ("lock", "alarm_control_panel", "update")
GUARDED_CLASSES = ("restart", "update", "garage", "gate")
GUARDED_PLATFORMS = ("restart", "safe_mode", "factory_reset", "shutdown")

# The bytes that a string argument of a type may have. A call keeps them until it has run.
TEXT_SIZES = {"text": 128, "media_player": 128, "alarm_control_panel": 32, "date": 20, "time": 20, "datetime": 20}


def validate_token(value: Any) -> str:
    value = cv.string_strict(value)
    if not re.fullmatch(r"[A-Za-z0-9\-._~+/]{16,}=*", value):
        raise cv.Invalid("A token needs at least 16 characters of A-Z a-z 0-9 - . _ ~ + /")
    return value


TOKEN_SCHEMA = cv.Schema(
    {
        cv.Required(CONF_TOKEN): cv.sensitive(validate_token),
        cv.Optional(CONF_SCOPE, default=CONTROL): cv.one_of(READ, CONTROL, lower=True),
    }
)

ENTITY_SCHEMA = cv.Schema(
    {
        cv.Required(CONF_ID): cv.use_id(None),
        cv.Optional(CONF_EXPOSE, default=True): cv.boolean,
        cv.Optional(CONF_READ_ONLY, default=False): cv.boolean,
        cv.Optional(CONF_CONFIRM, default=False): cv.boolean,
        cv.Optional(CONF_DESCRIPTION, default=""): cv.string_strict,
    }
)


def _consume_sockets(config: ConfigType) -> ConfigType:
    from esphome.components import socket

    socket.consume_sockets(config[CONF_CONNECTIONS], "mcp_server")(config)
    socket.consume_sockets(1, "mcp_server", socket.SocketType.TCP_LISTEN)(config)
    return config


CONFIG_SCHEMA = cv.All(
    cv.Schema(
        {
            cv.GenerateID(): cv.declare_id(Node),
            cv.Optional(CONF_PORT, default=8080): cv.port,
            cv.Exclusive(CONF_TOKEN, CONF_TOKENS): cv.sensitive(validate_token),
            cv.Exclusive(CONF_TOKENS, CONF_TOKENS): cv.All(cv.ensure_list(TOKEN_SCHEMA), cv.Length(min=1, max=32)),
            cv.Optional(CONF_HOSTS, default=[]): cv.ensure_list(cv.string_strict),
            cv.Optional(CONF_ORIGINS, default=[]): cv.ensure_list(cv.string_strict),
            cv.Optional(CONF_EXPOSE, default=list(ENTITY_TYPES)): cv.ensure_list(
                cv.one_of(*ENTITY_TYPES, lower=True)
            ),
            cv.Optional(CONF_EXPOSE_DIAGNOSTIC, default=True): cv.boolean,
            cv.Optional(CONF_ENTITIES, default=[]): cv.ensure_list(ENTITY_SCHEMA),
            cv.Optional(CONF_TOOLS, default=[]): TOOL_SCHEMA,
            cv.Optional(CONF_SCRIPTS, default=[]): cv.ensure_list(SCRIPT_SCHEMA),
            cv.Optional(CONF_INSTRUCTIONS, default=""): cv.string_strict,
            cv.Optional(CONF_WAIT, default="2s"): cv.All(
                cv.positive_time_period_milliseconds,
                cv.Range(max=cv.TimePeriod(seconds=30)),
            ),
            cv.Optional(CONF_NOTIFY_INTERVAL, default="1s"): cv.positive_time_period_milliseconds,
            cv.SplitDefault(
                CONF_CONNECTIONS, esp32=4, rp2040=3, bk72xx=3, ln882x=3, rtl87xx=3, host=8
            ): cv.int_range(min=1, max=16),
            cv.Optional(CONF_SESSIONS, default=5): cv.int_range(min=2, max=16),
            cv.SplitDefault(
                CONF_MESSAGE_SIZE, esp32=1280, rp2040=1280, bk72xx=1280, ln882x=1280, rtl87xx=1280, host=2048
            ): cv.int_range(min=1024, max=16384),
            cv.Optional(CONF_ERAS, default="dual"): cv.one_of(*ERAS, lower=True),
            cv.Optional(CONF_PAGE, default=False): cv.boolean,
            # Where the sources of mote are, for the build: by default the repository of this file.
            cv.Optional(CONF_LIBRARY): cv.string_strict,
        }
    ).extend(cv.COMPONENT_SCHEMA),
    cv.only_on(["esp32", "rp2040", "bk72xx", "ln882x", "rtl87xx", "host"]),
    _consume_sockets,
)


def _type_of(id_: ID, types: list[str]) -> str | None:
    """The name of the entity type of an ID, if it is one of `types`."""
    if id_.type is None or not hasattr(id_.type, "inherits_from"):
        return None
    for name in types:
        component, class_name, _, _ = ENTITY_TYPES[name]
        if component in CORE.loaded_integrations:
            class_ = getattr(import_module(f"esphome.components.{component}"), class_name)
            if id_.type.inherits_from(class_):
                return name
    return None


def _final_validate(config: ConfigType) -> None:
    full = fv.full_config.get()
    for option in config[CONF_ENTITIES]:
        type_ = full.get_config_for_path(full.get_path_for_id(option[CONF_ID])[:-1])
        if not isinstance(type_, dict) or CONF_NAME not in type_:
            raise cv.Invalid(f"{option[CONF_ID]} must be the id of an entity with a name")
    tokens = config.get(CONF_TOKENS, [])
    if tokens and all(token[CONF_SCOPE] == READ for token in tokens):
        raise cv.Invalid("At least one token needs the scope control")
    if len({token[CONF_TOKEN] for token in tokens}) != len(tokens):
        raise cv.Invalid("Two tokens must not be the same")
    validate_scripts(config[CONF_SCRIPTS], full)


FINAL_VALIDATE_SCHEMA = _final_validate


class Row:
    """One exposed entity."""

    def __init__(self, id_: ID, type_: str, entity: ConfigType, option: ConfigType) -> None:
        self.id = id_
        self.type = type_
        self.entity = entity
        self.confirm: bool = option[CONF_CONFIRM]
        self.read_only: bool = option[CONF_READ_ONLY]
        self.description: str = option[CONF_DESCRIPTION]
        self.name = ""

    @property
    def is_guarded(self) -> bool:
        """True if a client without a token cannot control it."""
        return (
            self.confirm
            or self.type in GUARDED_TYPES
            or str(self.entity.get(CONF_DEVICE_CLASS, "")) in GUARDED_CLASSES
            or self.entity.get(CONF_PLATFORM) in GUARDED_PLATFORMS
        )


def _exposed_rows(config: ConfigType) -> list[Row]:
    """The entities to expose, in the order of the YAML."""
    options = {option[CONF_ID].id: option for option in config[CONF_ENTITIES]}
    rows = []
    for id_, path in CORE.config.declare_ids:
        type_ = _type_of(id_, config[CONF_EXPOSE])
        if type_ is None:
            continue
        entity = CORE.config.get_config_for_path(path[:-1])
        if not isinstance(entity, dict) or CONF_NAME not in entity or entity.get(CONF_INTERNAL):
            continue
        option = options.get(id_.id)
        if option is not None and not option[CONF_EXPOSE]:
            continue
        is_diagnostic = str(entity.get(CONF_ENTITY_CATEGORY, "")) in ("diagnostic", "config")
        if option is None and is_diagnostic and not config[CONF_EXPOSE_DIAGNOSTIC]:
            continue
        rows.append(Row(id_, type_, entity, option or ENTITY_SCHEMA({CONF_ID: id_.id})))
    _name_rows(rows)
    return rows


def _name_rows(rows: list[Row]) -> None:
    """Gives each row a name of its own: the id of the YAML, else one made of the name of the entity."""
    used = {row.id.id for row in rows if row.id.is_manual}
    for row in rows:
        if row.id.is_manual:
            row.name = row.id.id
            continue
        base = re.sub(r"_+", "_", sanitize(snake_case(str(row.entity[CONF_NAME]))).replace("-", "_"))
        base = base.strip("_")[:48] or row.type
        row.name, count = base, 2
        while row.name in used:
            row.name, count = f"{base}_{count}", count + 1
        used.add(row.name)


def _library(config: ConfigType) -> str | None:
    """Where the build finds the sources of mote."""
    if CONF_LIBRARY in config:
        return config[CONF_LIBRARY]
    for folder in Path(__file__).resolve().parents:
        if (folder / "library.json").is_file() and (folder / "core" / "include" / "mcp").is_dir():
            # ESPHome clones the libraries of its own ESP-IDF toolchain with git. PlatformIO links to a folder.
            is_cloned = getattr(CORE, "using_toolchain_esp_idf", False)
            return f"{'file' if is_cloned else 'symlink'}://{folder}"
    return None


def _array(type_: str, name: str, items: list[str]) -> str:
    return f"static constexpr {type_} {name}[] = {{{', '.join(items)}}};"


def _access_code(config: ConfigType) -> list[str]:
    """The options of the HTTP endpoint: who may connect."""
    hosts = [CORE.name, f"{CORE.name}.local", *config[CONF_HOSTS]]
    # The node writes its own names there at its start, because a MAC suffix is known only then.
    lines = [f"std::string_view mote_hosts[] = {{{', '.join(literal(host) for host in hosts)}}};"]
    options = [".hosts = mote_hosts"]
    if config[CONF_ORIGINS]:
        lines.append(_array("std::string_view", "mote_origins", [literal(origin) for origin in config[CONF_ORIGINS]]))
        options.append(".origins = mote_origins")
    if CONF_TOKENS in config:
        scopes = {READ: f", .scopes = {literal('')}", CONTROL: ""}
        tokens = [
            f"{{.token = {literal(token[CONF_TOKEN])}{scopes[token[CONF_SCOPE]]}}}" for token in config[CONF_TOKENS]
        ]
        lines.append(_array("::mcp::StaticToken", "mote_tokens", tokens))
        lines.append("static constinit ::mcp::ScopedTokens mote_authorizer{mote_tokens};")
    elif CONF_TOKEN in config:
        lines.append(_array("std::string_view", "mote_tokens", [literal(config[CONF_TOKEN])]))
        lines.append("static constinit ::mcp::StaticTokens mote_authorizer{mote_tokens};")
    if CONF_TOKENS in config or CONF_TOKEN in config:
        options.append(".authorizer = &mote_authorizer")
    if config[CONF_PAGE]:
        lines.append("static constexpr ::mcp::HttpPage mote_page;")
        options.append(".page = &mote_page")
    lines.append(f"static constexpr ::mcp::HttpOptions mote_options{{{', '.join(options)}}};")
    return lines


def _definition_code(config: ConfigType, rows: list[Row], tool_rows: list[str], has_tools: bool) -> list[str]:
    """The Definition of mote, its storage, and the transport."""
    has_scopes = any(token[CONF_SCOPE] == READ for token in config.get(CONF_TOKENS, []))
    scope = f", .scope = {literal(CONTROL)}" if has_scopes else ""
    title = CORE.friendly_name or CORE.name
    instructions = config[CONF_INSTRUCTIONS] or (
        f"A device with {len(rows)} entities. read_states reads them. set_* and press_* control them."
    )
    lines = ["static constexpr ::mcp::Tool mote_tools[] = {", *[f"    {row}," for row in tool_rows], "};"]
    definition = [
        f".name = {literal(CORE.name)}",
        f".title = {literal(title)}",
        f".version = {literal(ESPHOME_VERSION)}",
        f".instructions = {literal(instructions)}",
        f".eras = ::mcp::{ERAS[config[CONF_ERAS]]}",
        ".tools = mote_tools",
    ]
    if rows:
        lines.append(
            f"static constexpr ::mcp::FoundResources mote_found_resources{{.numbers = {len(rows)}, "
            f".describe = {NAMESPACE}::describe_resource, .read = {NAMESPACE}::read_resource, "
            f".find = {NAMESPACE}::find_resource, .subscribable = true}};"
        )
        definition.append(".found_resources = mote_found_resources")
    if has_tools:
        kinds = ["control_kind", "sensitive_kind"]
        if any(row.confirm for row in rows):
            kinds.append("confirm_kind")
        lines.append(_array("::mcp::Tool", "mote_kinds", [f"{NAMESPACE}::{kind}" for kind in kinds]))
        lines.append(
            f"static constexpr ::mcp::FoundTools mote_found_tools{{.numbers = {len(rows)}, "
            f".describe = {NAMESPACE}::describe_tool{scope}, .find = {NAMESPACE}::find_tool, .kinds = mote_kinds}};"
        )
        definition.append(".found_tools = mote_found_tools")
    definition.append(".list_changes = true")
    # Clients with a session subscribe without it.
    is_modern = config[CONF_ERAS] != "legacy"
    if is_modern:
        definition.append(".subscriptions = true")
    definition += [f".audit = {NAMESPACE}::log_call"]
    if has_scopes:
        lines.append(_array("std::string_view", "mote_scopes", [literal(CONTROL)]))
        definition += [".scopes = mote_scopes", ".hide_out_of_scope = true"]
    size = config[CONF_MESSAGE_SIZE]
    return [
        *lines,
        f"static constexpr ::mcp::Definition mote_definition{{{', '.join(definition)}}};",
        f"static constexpr ::mcp::Limits mote_limits{{.receive_size = 1024, .transmit_size = {size}, "
        f".sessions = {config[CONF_SESSIONS]}, .jobs = {config[CONF_CONNECTIONS]}, "
        f".subscriptions = {2 if is_modern else 0}}};",
        "static constinit ::mcp::Storage<mote_definition, mote_limits> mote_storage;",
        "constinit const ::mcp::Server mote_server{mote_storage, {.entropy = &mote_entropy}};",
        f"static constexpr ::mcp::HttpLimits mote_http_limits{{.connections = {config[CONF_CONNECTIONS]}, "
        ".head_size = 768};",
        "static constinit ::mcp::HttpStorage<mote_storage, mote_http_limits> mote_http_storage;",
        *_access_code(config),
        "constinit ::mcp::HttpTransport mote_transport{mote_server, mote_listener, mote_entropy, mote_http_storage, "
        "mote_options};",
    ]


async def _row_code(config: ConfigType, rows: list[Row]) -> list[str]:
    """The constant table of the entities, and their pointers."""
    has_token = CONF_TOKEN in config or CONF_TOKENS in config
    infos, pointers = [], []
    for row in rows:
        variable = await cg.get_variable(row.id)
        _, _, class_name, controllable = ENTITY_TYPES[row.type]
        access = "read"
        if controllable and not row.read_only:
            access = "control"
            if row.is_guarded and not has_token:
                access = "guarded"
            elif row.confirm:
                access = "confirm"
            elif row.is_guarded:
                access = "sensitive"
        infos.append(
            f"    {{{literal(row.name)}, {literal(row.description)}, &{NAMESPACE}::{row.type}_type, "
            f"{NAMESPACE}::Access::{access}}},"
        )
        # ESPHome makes the pointers with reinterpret_cast, so a table of them is in RAM.
        pointers.append(f"    static_cast<::esphome::{class_name} *>({variable}),")
    if not rows:
        return [
            f"static constexpr {NAMESPACE}::RowInfo *mote_rows = nullptr;",
            "static ::esphome::EntityBase *const *mote_row_entities = nullptr;",
        ]
    return [
        f"static constexpr {NAMESPACE}::RowInfo mote_rows[] = {{",
        *infos,
        "};",
        "static ::esphome::EntityBase *const mote_row_entities[] = {",
        *pointers,
        "};",
    ]


@coroutine_with_priority(CoroPriority.LATE)
async def to_code(config: ConfigType) -> None:
    rows = _exposed_rows(config)
    has_token = CONF_TOKEN in config or CONF_TOKENS in config
    has_tools = any(ENTITY_TYPES[row.type][3] and not row.read_only for row in rows)

    cg.add_define("USE_MCP_SERVER")
    cg.add_define("MOTE_ESPHOME_TEXT_SIZE", max([1, *[TEXT_SIZES.get(row.type, 1) for row in rows]]))
    if (library := _library(config)) is not None:
        cg.add_library("mote", None, library)
    CORE.register_controller()

    includes = ["mcp/tool.hpp", "mcp/http_transport.hpp"]
    if config[CONF_PAGE]:
        includes.append("mcp/http_page.hpp")
    code = [
        *[f"#include <{include}>" for include in includes],
        f"static constinit {NAMESPACE}::Entropy mote_entropy;",
        f"static constinit {NAMESPACE}::SocketConnection mote_connections[{config[CONF_CONNECTIONS]}];",
        f"static constinit {NAMESPACE}::SocketListener mote_listener{{mote_connections, {config[CONF_PORT]}}};",
        f"static constinit uint32_t mote_changed[{(len(rows) + 31) // 32 or 1}];",
        *await _row_code(config, rows),
        # The handlers of tools need the node, and the node needs the server, which is defined after them.
        "extern const ::mcp::Server mote_server;",
        "extern ::mcp::HttpTransport mote_transport;",
        "extern std::string_view mote_hosts[];",
    ]
    cg.add_global(RawStatement("\n".join(code)))

    names = ("mote_server", "mote_transport", "mote_listener", "mote_rows", "mote_row_entities")
    node = cg.new_Pvariable(
        config[CONF_ID],
        *[cg.RawExpression(name) for name in names],
        len(rows),
        cg.RawExpression("mote_changed"),
    )
    await cg.register_component(node, config)
    cg.add(node.set_notify_interval(config[CONF_NOTIFY_INTERVAL]))
    cg.add(node.set_wait(config[CONF_WAIT]))
    cg.add(node.set_has_token(has_token))
    if CORE.config["esphome"].get(CONF_NAME_ADD_MAC_SUFFIX):
        cg.add(node.set_host_names(cg.RawExpression("mote_hosts")))

    has_scopes = any(token[CONF_SCOPE] == READ for token in config.get(CONF_TOKENS, []))
    scope = CONTROL if has_scopes else None
    lines, tool_rows = [], [f"{NAMESPACE}::read_states_tool"]
    for index, tool in enumerate(config[CONF_TOOLS]):
        tool_lines, row = await tool_row(node, f"mote_tool_{index}", tool, scope)
        lines += tool_lines
        tool_rows.append(row)
    for index, script in enumerate(config[CONF_SCRIPTS]):
        script_lines, row = await script_row(node, f"mote_script_{index}", script, scope)
        lines += script_lines
        tool_rows.append(row)
    lines += _definition_code(config, rows, tool_rows, has_tools)
    cg.add_global(RawStatement("\n".join(lines)))


RESPOND_SCHEMA = cv.maybe_simple_value(
    {
        cv.Required(CONF_TEXT): cv.templatable(cv.string_strict),
        cv.Optional(CONF_ERROR, default=False): cv.templatable(cv.boolean),
    },
    key=CONF_TEXT,
)


@automation.register_action("mcp_server.respond", RespondAction, RESPOND_SCHEMA, synchronous=True)
async def respond_to_code(
    config: ConfigType, action_id: ID, template_arg: cg.TemplateArguments, args: TemplateArgsType
) -> MockObj:
    action = cg.new_Pvariable(action_id, template_arg)
    cg.add(action.set_text(await cg.templatable(config[CONF_TEXT], args, cg.std_string)))
    cg.add(action.set_is_error(await cg.templatable(config[CONF_ERROR], args, cg.bool_)))
    return action
