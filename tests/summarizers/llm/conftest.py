"""What the tests over HTTP share: litellm, imported once, and servers that end with their test."""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.summarizers.llm.provider import load
from tests.summarizers.llm.server import Reply, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="session")
def litellm() -> Iterator[Any]:
    """Import litellm, which takes seconds; close the connections it keeps when all is done."""
    module = load()
    yield module
    for client in module.in_memory_llm_clients_cache.cache_dict.values():
        if not inspect.iscoroutinefunction(getattr(client, "close", None)):
            client.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    with ExitStack() as servers:

        def start(*replies: Reply, streams: bool = True) -> Server:
            return servers.enter_context(Server(replies, streams=streams))

        yield start
