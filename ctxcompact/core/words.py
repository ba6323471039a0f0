"""Words which tell of trouble, change, outcome, decision or rule, in English and Chinese.

English ones are stems: a part of a word (`dead_letter`, `CrashLoopBackOff`) counts if it starts with one. Chinese
ones may stand anywhere in a run of letters. Which words look like values is for `atoms` to say.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ctxcompact.core.atoms import CACHED_WORDS, words

TROUBLE, CHANGE, OUTLINE, DECISION, RULE = 1, 2, 4, 8, 16
"""What a word can tell; `signals` adds them up."""

_STEMS = {
    TROUBLE: "error err$ fail fatal panic exception traceback denied deny refus forbid timeout timedout unable missing "
    "unreach invalid conflict critical warn lost dead(?!line) abort kill deprecat crash exhaust expir reject errno "
    "overflow leak corrupt broken mismatch vulnerab unauthor unhealth degrad stuck insufficien overdue declin violat "
    "unexpected unresolved rollback rolled stale suspend disput revok outage breach delay evict oom unavailable cannot "
    "couldn fault$ faults$ alert bug$ bugs$ not$ refused blocked poison regress severe incident",
    CHANGE: "written wrote creat updat delet remov renam moved insert restart deploy merg commit install success "
    "succeed refund replac destroy queued sent booked applied saved started stopped publish upload added$ changed "
    "approv paid assigned closed opened resolved fixed cancel revert schedul confirmed posted released enabled "
    "disabled granted modif migrat",
    OUTLINE: "total count$ summary pass result status version port$ limit retries state plan leader found elapsed "
    "coverage balance due$ deadline budget threshold default owner capacity quota exit code$ reason cause",
    DECISION: "decid decision chose choos because instead therefore conclu recommend must$ never always plan$ plans$ "
    "confirm fixed found relevant agreed prefer strategy approach follow next remaining blocked todo root$ turns "
    "settled",
    RULE: "never always must only avoid keep$ without prefer ensure dont require forbid except$ before$ unless",
}
_CHINESE = {
    TROUBLE: "失败 错误 异常 拒绝 超时 不足 无法 告警 警告 缺失 冲突 故障 "
    "过期 逾期 中断 丢失 崩溃 延误 投诉 违规 无效 未找到 不存在",
    CHANGE: "成功 已写 已更 已删 已创 已发 已完 已取 已修 已提 已部 已重 已预 已退 已批 "
    "写入 更新 删除 创建 取消 修改 提交 退款 批准",
    OUTLINE: "合计 总计 状态 版本 端口 结果 上限 余额 截止 负责人 原因",
    DECISION: "决定 因为 结论 必须 不要 确认 选择 建议 采用 方案 改为 原因 下一步 计划 约定",
    RULE: "必须 不要 务必 禁止 只能 以后 不得 不能 请勿 始终 总是 一律 切勿 记得 今后",
}
_RULE_PHRASE = re.compile(
    r"\b(?:do not|don't|from now on|make sure|no more than|at most|at least|ask me|keep in mind|by the way)\b",
    re.IGNORECASE,
)
_READING = frozenset(
    "get list read search find fetch show view query check describe count ls cat grep glob lookup retrieve browse "
    "status open_page inspect".split()
)
_WRITING = re.compile(
    r"(?:set|add|put|post|pay|edit|copy|move|save|push|send|book|open|stop)(?:s|ed|ing|e|es|d)?$"
    r"|(?:writ|updat|delet|creat|insert|patch|remov|renam|deploy|restart|cancel|modif|exchang|return|replac|commit|upload"
    r"|publish|appl|install|transfer|merg|assign|clos|submit|approv|schedul|start|enabl|disabl|grant|revok|store)"
)
_WRITING_CHINESE = re.compile("写|改|删|发|建|增|更新|提交|取消|预订|保存|部署")
_COMMAND = re.compile(
    r"(?:^|[\s;&|(])(?:rm|mv|cp|mkdir|touch|tee|chmod|chown|ln|kill|sed\s+-i|git\s+(?:commit|push|merge|rebase|reset|revert|tag|"
    r"cherry-pick|checkout|stash|am|apply)|(?:npm|pip|apt|apt-get|yarn|cargo|brew|go|uv)\s+(?:i|install|add|remove|publish)|"
    r"kubectl\s+(?:apply|delete|scale|rollout|patch|set)|docker\s+(?:run|rm|stop|restart|push)|systemctl\s+(?:re)?st\w+|"
    r"terraform\s+(?:apply|destroy)|alembic\s+upgrade|make\s+(?:install|deploy))\b|[^-=0-9&]>{1,2}\s*[\w/~.]",
)
_STRONG = frozenset("set update write change put patch post modify edit".split())
_NOUNS = frozenset("status info list log logs state history".split())
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\x00-\x7f]+")


def _pattern(stems: str) -> re.Pattern[str]:
    return re.compile("|".join(stems.split()))


_english = {signal: _pattern(stems) for signal, stems in _STEMS.items()}
_any_english = _pattern(" ".join(_STEMS.values()))
_chinese = {signal: _pattern(stems) for signal, stems in _CHINESE.items()}


@lru_cache(CACHED_WORDS)
def signals(word: str) -> int:
    """Add up what a single word tells."""
    found = 0
    if not word.isascii():
        found = sum(signal for signal, stems in _chinese.items() if stems.search(word))
    for part in _PARTS.findall(word):
        lowered = part.lower()
        if _any_english.match(lowered):
            found |= sum(signal for signal, stems in _english.items() if stems.match(lowered))
    return found


def gives_rule(sentence: str) -> bool:
    """Tell whether a sentence of a person sets a rule for what is to come."""
    return _RULE_PHRASE.search(sentence) is not None or _tells(sentence, RULE)


def gives_decision(sentence: str) -> bool:
    """Tell whether a sentence says what was decided or found, or what is to be done."""
    return _tells(sentence, DECISION)


def tells_trouble(line: str) -> bool:
    """Tell whether a line reports that something went wrong."""
    return _tells(line, TROUBLE)


def writes(tool: str, command: str = "") -> bool:
    """Tell whether a call changes something, by the name of its tool or the command it runs."""
    if _WRITING_CHINESE.search(tool):
        return True
    parts = [part.lower() for part in _PARTS.findall(tool)]
    if parts and parts[0] not in _READING and any(_WRITING.match(part) for part in parts):
        return parts[0] in _STRONG or parts[-1] not in _NOUNS
    return _COMMAND.search(command) is not None


def _tells(text: str, signal: int) -> bool:
    return any(signals(word) & signal for word in words(text))
