# SPDX-License-Identifier: Apache-2.0
"""The client of the Python SDK 1.x."""

import os
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import anyio
import httpx
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

import scenario


def wire(model):
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


class Target(scenario.Connection):
    async def elicit(self, _, params):
        url = getattr(params, "url", None)
        self.events.add("input", f"elicit {params.message}" + (f" {url}" if url else ""))
        return types.ElicitResult(**self.events.answer())

    async def sample(self, _, params):
        contents = [message.content for message in params.messages]
        items = [item for content in contents for item in (content if isinstance(content, list) else [content])]
        self.events.add("input", f"sample {' '.join(scenario.printed(item.text) for item in items)}")
        text = types.TextContent(type="text", text="Hello.")
        return types.CreateMessageResult(role="assistant", model="m", content=text)

    async def list_roots(self, _):
        return types.ListRootsResult(roots=[types.Root(uri="file:///work", name="work")])

    async def take_log(self, params):
        self.events.log(params.level, params.logger, params.data)

    async def take(self, message):
        root = getattr(message, "root", None)
        if isinstance(root, types.ResourceUpdatedNotification):
            self.events.add("updates", f"updated {root.params.uri}")
        elif isinstance(root, types.ToolListChangedNotification):
            self.events.add("changes", "changed tools")

    async def transport(self, stack):
        if not self.target[0].startswith("http"):
            return stdio_client(StdioServerParameters(command=self.target[0], args=self.target[1:], env=dict(os.environ)))
        token = os.environ.get("MOTE_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        client = httpx.AsyncClient(headers=headers, timeout=httpx.Timeout(30, read=300))
        return streamable_http_client(self.target[0], http_client=await stack.enter_async_context(client))

    @asynccontextmanager
    async def open(self):
        async with AsyncExitStack() as stack:
            read, write, *_ = await stack.enter_async_context(await self.transport(stack))
            self.write = write
            self.client = await stack.enter_async_context(ClientSession(
                read, write, elicitation_callback=self.elicit, sampling_callback=self.sample,
                list_roots_callback=self.list_roots, logging_callback=self.take_log, message_handler=self.take,
                client_info=types.Implementation(name="mote-tests", version="1")))
            result = await self.client.initialize()
            yield f"{result.serverInfo.name} {result.serverInfo.version} {result.protocolVersion}"

    async def notice_end(self):
        # A request that the SDK writes before it has read the end of its server fails in a task of its own, and ends this
        # program.
        is_server = not self.target[0].startswith("http") and not any("attach" in word for word in self.target)
        while is_server and self.write.statistics().open_send_streams > 0:
            await anyio.sleep(0.005)

    async def ask(self, request):
        try:
            return wire(await request)
        except McpError as error:
            if error.error.code == 408:  # of the SDK
                raise scenario.Unanswered("timeout") from error
            raise scenario.ServerError(f"{error.error.code} {error.error.message}") from error
        except Exception as error:
            raise scenario.ServerError(f"{type(error).__name__} {error}") from error

    def call_tool(self, name, arguments, progress, timeout):
        async def take_progress(done, total, message):
            self.events.progress(done, total, message)

        return self.ask(self.client.call_tool(name, arguments, timeout and timedelta(seconds=timeout),
                                              progress_callback=take_progress if progress else None))

    def list(self, kind, cursor):
        functions = {"tools": self.client.list_tools, "resources": self.client.list_resources,
                     "templates": self.client.list_resource_templates, "prompts": self.client.list_prompts}
        return self.ask(functions[kind](params=types.PaginatedRequestParams(cursor=cursor) if cursor else None))

    def read(self, uri):
        return self.ask(self.client.read_resource(AnyUrl(uri)))

    def prompt(self, name, arguments):
        return self.ask(self.client.get_prompt(name, arguments))

    def complete(self, is_prompt, name, argument, value, others):
        ref = (types.PromptReference(type="ref/prompt", name=name) if is_prompt
               else types.ResourceTemplateReference(type="ref/resource", uri=name))
        return self.ask(self.client.complete(ref, {"name": argument, "value": value}, others))

    async def subscribe(self, uris):
        for uri in uris:
            await self.ask(self.client.subscribe_resource(AnyUrl(uri)))

    async def set_level(self, level):
        await self.ask(self.client.set_logging_level(level))


scenario.main(Target)
