# SPDX-License-Identifier: Apache-2.0
"""Plays steps of tests/clients/scenario.tsv with a client of the Python SDK. The client differs between SDK 1.x and 2.x."""

import base64
import json
import sys

import anyio

LIMIT_S = 30  # of one wait for a notification, which then names itself
LONG = 300  # characters of a text that is printed whole


class Unanswered(Exception):
    """The client has ended a request itself. The text is a word of the scenario: cancelled or timeout."""


class ServerError(Exception):
    """An error of the server, or a failure of the client."""


def printed(text):
    if len(text) > LONG:
        return f"{len(text)} characters"
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def number(value):
    return str(int(value)) if value == int(value) else str(value)


def body(contents):
    if "text" in contents:
        return printed(contents["text"])
    return f"{len(base64.b64decode(contents['blob']))} bytes"


def block(item):
    """One item of content, in the form of the wire."""
    kind = item["type"]
    if kind == "text":
        return f"text {printed(item['text'])}"
    if kind in ("image", "audio"):
        return f"{kind} {item['mimeType']} {len(base64.b64decode(item['data']))} bytes"
    if kind == "resource":
        return f"resource {item['resource']['uri']} {body(item['resource'])}"
    return f"link {item['uri']}"


class Events:
    """What the server sends during one step."""

    def __init__(self):
        self.begin({})

    def begin(self, parameters):
        self.parameters = parameters
        self.expected = parameters.get("expect", {})
        self.lines = {"progress": [], "input": [], "logs": [], "updates": [], "changes": []}
        self.changed = anyio.Event()

    def add(self, kind, line):
        if kind == "input" or kind in self.expected:
            self.lines[kind].append(line)
        self.changed.set()

    def progress(self, done, total, message):
        text = f"progress {number(done)}/{number(total)}" + (f" {message}" if message else "")
        wanted = self.expected.get("progress", 0)
        if len(self.lines["progress"]) < wanted:
            self.add("progress", text)
        self.changed.set()
        self.progressed.set()

    def log(self, level, logger, data):
        self.add("logs", f"log {level} {logger} {data if isinstance(data, str) else compact(data)}")

    def answer(self):
        return self.parameters.get("answer", {"action": "cancel"})

    async def complete(self):
        for kind, count in self.expected.items():
            with anyio.move_on_after(LIMIT_S):
                while len(self.lines[kind]) < count:
                    changed = self.changed = anyio.Event()
                    await changed.wait()
            if len(self.lines[kind]) < count:
                self.lines[kind].append(f"no more {kind} within {LIMIT_S} s")

    def parts(self):
        # Notifications of two targets have no order.
        return [*self.lines["progress"], *self.lines["input"], *self.lines["logs"],
                *sorted(self.lines["updates"]), *self.lines["changes"]]


class Connection:
    """Base of the clients. The SDKs need a task for each connection and each subscription, so steps cannot hold them."""

    def __init__(self, era, target, events, group):
        self.era = era
        self.target = target
        self.events = events
        self.group = group

    async def connect(self):
        self.ending = anyio.Event()
        self.ended = anyio.Event()
        self.tasks = anyio.create_task_group()
        return await self.group.start(self.own)

    async def notice_end(self):
        """Returns when the SDK has read that its server has ended."""

    async def own(self, task_status):
        try:
            async with self.open() as line:
                async with self.tasks:
                    task_status.started(line)
                    await self.ending.wait()
                    self.tasks.cancel_scope.cancel()
        except Exception:
            # SDK 1.x fails if a message of the server arrives while it closes.
            if not self.ending.is_set():
                raise
        finally:
            self.ended.set()

    async def close(self):
        self.ending.set()
        await self.ended.wait()


class Player:
    """Plays the rows with a `client`, whose functions return dictionaries in the form of the wire."""

    def __init__(self, client, events):
        self.client = client
        self.events = events

    async def call(self, parameters):
        client, events = self.client, self.events
        events.progressed = anyio.Event()
        arguments = (parameters["name"], parameters.get("arguments"))
        if parameters.get("cancel"):
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: client.call_tool(*arguments, progress=True, timeout=None))
                await events.progressed.wait()
                group.cancel_scope.cancel()
            raise Unanswered("cancelled")
        timeout = parameters.get("timeout")
        result = await client.call_tool(*arguments, progress="progress" in events.expected,
                                        timeout=timeout and timeout / 1000)
        parts = ["failed" if result.get("isError") else "ok", *map(block, result["content"])]
        if "structuredContent" in result:
            parts.append(f"structured {compact(result['structuredContent'])}")
        return parts

    async def list(self, parameters):
        kind = parameters["list"]
        rows, cursor = [], None
        while True:
            page = await self.client.list(kind, cursor)
            rows += page["resourceTemplates" if kind == "templates" else kind]
            cursor = page.get("nextCursor")
            if cursor is None:
                break
        return [f"{len(rows)} {kind}" + (f" from {rows[0]['name']} to {rows[-1]['name']}" if rows else "")]

    async def read(self, parameters):
        result = await self.client.read(parameters["uri"])
        return ["ok", *(f"{c['uri']} {c.get('mimeType', '-')} {body(c)}" for c in result["contents"])]

    async def prompt(self, parameters):
        result = await self.client.prompt(parameters["name"], parameters.get("arguments"))
        return ["ok", *(f"{m['role']} {block(m['content'])}" for m in result["messages"])]

    async def complete(self, parameters):
        is_prompt = "prompt" in parameters
        name = parameters["prompt" if is_prompt else "template"]
        result = await self.client.complete(is_prompt, name, parameters["argument"], parameters["value"],
                                            parameters.get("others"))
        return ["ok", *result["completion"]["values"]]

    async def subscribe(self, parameters):
        await self.client.subscribe(parameters["uris"])
        return ["ok"]

    async def log(self, parameters):
        await self.client.set_level(parameters["level"])
        return ["ok"]

    async def connect(self, _):
        return [await self.client.connect()]

    async def reconnect(self, _):
        await self.client.close()
        await self.client.connect()
        return ["ok"]

    async def restart(self, _):
        # The caller of this program restarts the server, then it writes a line.
        print("restart", flush=True)
        await anyio.to_thread.run_sync(sys.stdin.readline)
        await self.client.notice_end()
        return ["ok"]

    async def end(self, _):
        await self.client.close()
        return ["ok"]

    async def play(self, operation, parameters):
        self.events.begin(parameters)
        try:
            with anyio.fail_after(2 * LIMIT_S):
                parts = await getattr(self, operation)(parameters)
            await self.events.complete()
        except Unanswered as error:
            parts = [str(error)]
        except ServerError as error:
            parts = [f"error {printed(str(error))}"]
        except TimeoutError:
            parts = [f"no end of the step within {2 * LIMIT_S} s"]
        return " | ".join([*self.events.parts(), *parts])


def main(make_client):
    """usage: PROGRAM STEPS ERA URL|COMMAND [ARGUMENT...]"""
    path, era, *target = sys.argv[1:]

    async def play():
        events = Events()
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        async with anyio.create_task_group() as group:
            player = Player(make_client(era, target, events, group), events)
            for step, operation, parameters in rows:
                line = await player.play(operation, json.loads(parameters))
                print(f"{step}\t{line}", flush=True)

    anyio.run(play)
