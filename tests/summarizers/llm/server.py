"""An OpenAI-compatible server on the loopback interface, which answers as a test says.

It speaks `/v1/chat/completions`, as one reply or as a stream, and keeps the requests.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable

_TOOL_CALL = {
    "index": 0,
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path": "a"}'},
}


@dataclass(frozen=True)
class Reply:
    """One answer. A text may be made from the prompt; `body` goes out as it is, in place of all."""

    text: str | Callable[[str], str] | None = "The file was read."
    finish: str = "stop"
    reasoning: str = ""
    calls_tool: bool = False
    status: int = 200
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    breaks: bool = False
    ends_early: bool = False
    hangs: bool = False
    comments: bool = False
    tells_usage: bool = True


def refusal(status: int, message: str, code: str = "", **headers: str) -> Reply:
    error = {"error": {"message": message, "type": "error", "code": code}}
    return Reply(status=status, body=error, headers=tuple(headers.items()))


@dataclass
class Server:
    """Gives its replies in turn, the last one for ever. `streams`: whether it can do that."""

    replies: tuple[Reply, ...]
    streams: bool = True
    requests: list[dict[str, Any]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def __enter__(self) -> Self:
        self._http = _Http(self)
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def next_reply(self, request: dict[str, Any]) -> Reply:
        self.requests.append(request)
        return self.replies[min(len(self.requests), len(self.replies)) - 1]


def prompt_of(request: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in request["messages"])


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, talk: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.talk = talk


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: Any) -> None:
        """Keep the output of the tests clean."""

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        request = json.loads(self.rfile.read(size))
        reply = self.server.talk.next_reply(request)
        with suppress(ConnectionError):
            self._answer(reply, request)

    def _answer(self, reply: Reply, request: dict[str, Any]) -> None:
        if reply.hangs:
            self.server.talk.closing.wait()
            self.close_connection = True
        elif reply.body is not None:
            self._send(reply.status, reply.body, reply.headers)
        elif request.get("stream") and self.server.talk.streams:
            self._stream(reply, request)
        elif reply.breaks:
            self._break_off()
        else:
            message = {"role": "assistant", **_said(reply, request)}
            choice = {"index": 0, "message": message, "finish_reason": reply.finish}
            self._send(200, _completion(choice, reply, request))

    def _send(self, status: int, body: Any, headers: tuple[tuple[str, str], ...] = ()) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def _break_off(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"choices": [{"mess')
        self._reset()

    def _stream(self, reply: Reply, request: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        while reply.comments and not self.server.talk.closing.wait(0.05):
            self.wfile.write(b": still working\n\n")
            self.wfile.flush()
        said = _said(reply, request)
        for key in ("reasoning_content", "content", "tool_calls"):
            for piece in _pieces(said.get(key)):
                self._event({"index": 0, "delta": {key: piece}, "finish_reason": None})
        if reply.breaks:
            self._reset()
        elif not reply.ends_early:
            last = {"index": 0, "delta": {}, "finish_reason": reply.finish}
            self._event(last, reply, request)
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, choice: Any, reply: Reply | None = None, request: Any = None) -> None:
        data = _completion(choice, reply, request)
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")
        self.wfile.flush()

    def _reset(self) -> None:
        self.wfile.flush()
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True


def _said(reply: Reply, request: dict[str, Any]) -> dict[str, Any]:
    text = reply.text(prompt_of(request)) if callable(reply.text) else reply.text
    said: dict[str, Any] = {"content": text}
    if reply.reasoning:
        said["reasoning_content"] = reply.reasoning
    if reply.calls_tool:
        said["tool_calls"] = [_TOOL_CALL]
    return said


def _pieces(value: Any) -> list[Any]:
    if not isinstance(value, str):
        return [] if value is None else [value]
    return [value[at : at + 4000] for at in range(0, len(value), 4000)]


def _completion(choice: Any, reply: Reply | None, request: Any) -> dict[str, Any]:
    kind = "chat.completion.chunk" if "delta" in choice else "chat.completion"
    data = {"id": "1", "object": kind, "created": 1, "model": "stub", "choices": [choice]}
    if reply is not None and reply.tells_usage:
        sent, got = len(prompt_of(request)) // 4, 10
        data["usage"] = {
            "prompt_tokens": sent,
            "completion_tokens": got,
            "total_tokens": sent + got,
        }
    return data
