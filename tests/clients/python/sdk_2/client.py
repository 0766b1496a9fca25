# SPDX-License-Identifier: Apache-2.0
"""The client of the Python SDK 2.x: sessions, or stateless requests of revision 2026-07-28."""

import os
import warnings
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated, SubscriptionLost, ToolsListChanged

import scenario

warnings.simplefilter("ignore")  # of the SDK: features that 2026-07-28 deprecates
TIMEOUT = -32001  # of the SDK, as the code of a request that has not been answered


def wire(model):
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


class Target(scenario.Connection):
    level = None

    async def elicit(self, _, params):
        url = getattr(params, "url", None)
        self.events.add("input", f"elicit {params.message}" + (f" {url}" if url else ""))
        return types.ElicitResult(**self.events.answer())

    async def sample(self, _, params):
        contents = [message.content for message in params.messages]
        items = [item for content in contents for item in (content if isinstance(content, list) else [content])]
        self.events.add("input", f"sample {' '.join(scenario.printed(item.text) for item in items)}")
        return types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(text="Hello."))

    async def list_roots(self, _):
        return types.ListRootsResult(roots=[types.Root(uri="file:///work", name="work")])

    async def take_log(self, params):
        self.events.log(params.level, params.logger, params.data)

    async def take(self, message):
        if self.era == "modern":
            return  # follow() gets them, too
        if isinstance(message, types.ResourceUpdatedNotification):
            self.events.add("updates", f"updated {message.params.uri}")
        elif isinstance(message, types.ToolListChangedNotification):
            self.events.add("changes", "changed tools")

    def server(self, stack):
        if not self.target[0].startswith("http"):
            return StdioServerParameters(command=self.target[0], args=self.target[1:], env=dict(os.environ))
        token = os.environ.get("MOTE_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        client = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=300))
        stack.push_async_exit(client)
        return streamable_http_client(self.target[0], http_client=client)

    @asynccontextmanager
    async def open(self):
        async with AsyncExitStack() as stack:
            self.client = Client(
                self.server(stack), mode="legacy" if self.era == "legacy" else "auto",
                elicitation_callback=self.elicit, sampling_callback=self.sample, list_roots_callback=self.list_roots,
                logging_callback=self.take_log, message_handler=self.take, cache=None,
                client_info=types.Implementation(name="mote-tests", version="1"))
            await stack.enter_async_context(self.client)
            info = self.client.server_info
            yield f"{info.name} {info.version} {self.client.protocol_version}"

    async def ask(self, request):
        try:
            return wire(await request)
        except MCPError as error:
            if error.code == TIMEOUT and "imed out" in error.message:
                raise scenario.Unanswered("timeout") from error
            raise scenario.ServerError(f"{error.code} {error.message}") from error
        except Exception as error:
            raise scenario.ServerError(f"{type(error).__name__} {error}") from error

    def call_tool(self, name, arguments, progress, timeout):
        async def take_progress(done, total, message):
            self.events.progress(done, total, message)

        meta = {"io.modelcontextprotocol/logLevel": self.level} if self.level and self.era == "modern" else None
        return self.ask(self.client.call_tool(name, arguments, read_timeout_seconds=timeout, meta=meta,
                                              progress_callback=take_progress if progress else None))

    def list(self, kind, cursor):
        functions = {"tools": self.client.list_tools, "resources": self.client.list_resources,
                     "templates": self.client.list_resource_templates, "prompts": self.client.list_prompts}
        return self.ask(functions[kind](cursor=cursor))

    def read(self, uri):
        return self.ask(self.client.read_resource(uri))

    def prompt(self, name, arguments):
        return self.ask(self.client.get_prompt(name, arguments))

    def complete(self, is_prompt, name, argument, value, others):
        ref = types.PromptReference(name=name) if is_prompt else types.ResourceTemplateReference(uri=name)
        return self.ask(self.client.complete(ref, {"name": argument, "value": value}, others))

    async def subscribe(self, uris):
        if self.era == "legacy":
            for uri in uris:
                await self.ask(self.client.subscribe_resource(uri))
            return
        await self.tasks.start(self.follow, uris)

    async def follow(self, uris, task_status):
        async with self.client.listen(tools_list_changed=True, resource_subscriptions=uris) as subscription:
            task_status.started()
            with suppress(SubscriptionLost):
                async for event in subscription:
                    if isinstance(event, ResourceUpdated):
                        self.events.add("updates", f"updated {event.uri}")
                    elif isinstance(event, ToolsListChanged):
                        self.events.add("changes", "changed tools")

    async def set_level(self, level):
        self.level = level
        if self.era == "legacy":
            await self.ask(self.client.set_logging_level(level))


scenario.main(Target)
