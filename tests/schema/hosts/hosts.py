# SPDX-License-Identifier: Apache-2.0
"""Converts the schemas of all tools as hosts do, and compares what they do not take with left.tsv.

usage: python hosts.py [--write] NAME=COMMAND...
  --write   writes left.tsv
  COMMAND   a server on stdin and stdout; spaces separate its arguments

voluptuous  voluptuous-openapi, the converter of Home Assistant. One tool that it rejects costs all tools of a server.
pydantic    A model from the names, types and defaults of the schema, as mcpadapt makes it (smolagents, CrewAI).
strict      The keywords that the strict mode of OpenAI has not. A host removes them, or the API rejects the tool.
Exits with 77 (skipped) if a package is missing.
"""
import json
import pathlib
import subprocess
import sys
import typing

try:
    import pydantic
    import voluptuous_openapi
except ImportError as error:
    print(f'skipped: the Python package {error.name} is not installed; tests/run --all does that')
    sys.exit(77)

LEFT = pathlib.Path(__file__).with_name('left.tsv')
INITIALIZE = {'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'hosts', 'version': '1'}}
NOT_STRICT = ('maxLength', 'maxProperties', 'minLength', 'minProperties', 'patternProperties', 'propertyNames',
              'unevaluatedProperties', 'uniqueItems')
TYPES = {'string': str, 'number': float, 'integer': int, 'boolean': bool, 'object': dict, 'array': list}


def list_tools(command):
    """Returns the tools of all pages, in their order."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        def ask(method, params):
            server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}) + '\n')
            server.stdin.flush()
            for line in server.stdout:
                message = json.loads(line) if line.startswith('{') else {}
                if message.get('id') == 1:
                    return message['result']
            raise SystemExit(f'{command[0]} ended')
        ask('initialize', INITIALIZE)
        server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        tools, cursor = [], {}
        while cursor is not None:
            page = ask('tools/list', cursor)
            tools += page['tools']
            cursor = {'cursor': page['nextCursor']} if 'nextCursor' in page else None
        server.stdin.close()
    return tools


def by_voluptuous(schema):
    """Yields what the converter says."""
    try:
        voluptuous_openapi.convert_to_voluptuous(schema)
    except Exception as error:  # of any kind: a host ends with it
        yield f'{type(error).__name__}: {error}'


def type_of(field):
    """Returns the Python type of a value, as mcpadapt does."""
    if 'anyOf' in field:
        return typing.Any
    if field['type'] == 'array':
        return list[type_of(field['items'])]
    if isinstance(field['type'], list):
        return TYPES[next(name for name in field['type'] if name != 'null')] | None
    return TYPES[field['type']]


def by_pydantic(schema):
    """Yields what goes wrong in a model of the arguments."""
    try:
        required = schema.get('required', [])
        fields = {}
        for name, field in schema['properties'].items():
            needed = name in required and 'default' not in field
            fields[name] = (type_of(field) if needed else type_of(field) | None,
                            pydantic.Field(... if needed else field.get('default'), title=field.get('title'),
                                           description=field.get('description', '')))
        model = pydantic.create_model('Arguments', **fields).model_json_schema()
        if set(model.get('properties', {})) != set(schema['properties']):
            yield 'a parameter is missing'
    except Exception as error:
        yield f'{type(error).__name__}: {error}'


def by_strict(schema, keywords=True):
    """Yields the keywords that a strict mode has not, and the objects that may have other members."""
    if isinstance(schema, list):
        for item in schema:
            yield from by_strict(item)
    if not isinstance(schema, dict):
        return
    if keywords:
        yield from (keyword for keyword in NOT_STRICT if keyword in schema)
        if schema.get('type') == 'object' and schema.get('additionalProperties') is not False:
            yield 'additionalProperties'
    for key, value in schema.items():
        if key not in ('default', 'enum', 'const', '_meta'):
            yield from by_strict(value, not (keywords and key == 'properties'))


def main():
    """Prints the table of servers, and returns the exit status."""
    arguments = sys.argv[1:]
    write = '--write' in arguments
    rows = []
    for name, command in (one.split('=', 1) for one in arguments if one != '--write'):
        tools = list_tools(command.split(' '))
        taken = {}
        for host, convert in (('voluptuous', by_voluptuous), ('pydantic', by_pydantic), ('strict', by_strict)):
            left = [(tool['name'], sorted(set(convert(tool['inputSchema'])))) for tool in tools]
            taken[host] = sum(not reasons for _, reasons in left)
            rows += ['\t'.join((name, tool, host, ', '.join(reasons))) for tool, reasons in left if reasons]
        print(f'{name}: {len(tools)} tools; ' + ', '.join(f'{host} takes {count}' for host, count in taken.items()))
    print('\n'.join(['left:', *rows]))
    if write:
        LEFT.write_text('\n'.join(rows) + '\n', encoding='utf-8')
        return 0
    known = LEFT.read_text(encoding='utf-8').splitlines()
    for row in sorted(set(known) ^ set(rows)):
        print(f'{"not in left.tsv" if row in rows else "only in left.tsv"}: {row}')
    return 0 if rows == known else 1


sys.exit(main())
