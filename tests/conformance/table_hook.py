"""Section 6.2: the hook. There is none here: an agent runs the command or calls the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.experiments import Compacts, Ran
from tests.conformance.regimes import ROUNDS_OF_FIVE, SMALL
from tests.conformance.rows import better, decided, not_applicable, not_yet, same
from tests.conformance.shapes import LONG_PAIR, A, S, U, texts

if TYPE_CHECKING:
    from tests.conformance.rows import Row

NO_HOOK = "no hook and no agent object: who wants compaction calls it"
LATE = S._replace(text="Answer in French.")
LONG_ROUNDS = [*3 * [U, *LONG_PAIR, A], U]
FOLDED = "U A* U A* U use T A U"


def no_hook(name: str, outcome: str) -> Row:
    return not_applicable(f"6.2/{name}", outcome, NO_HOOK)


def keeps_every_system_message(ran: Ran) -> None:
    assert [text for text in texts(ran.made) if text in (S.text, LATE.text)] == [S.text, LATE.text]


ROWS = (
    not_yet(
        "6.2/firstPreCallEvent",
        "tool context_reload registered, plan attached",
        "`ctxcompact reload` and `kept.reload` are there; the agent's own tool is to come",
    ),
    no_hook("hookExecutesOnlyOnce", "three calls, one registration"),
    no_hook("skipNonReActAgent", "nothing registered"),
    no_hook("skipAgentWithoutAutoContextMemory", "nothing registered"),
    no_hook("agentWithoutPlanNotebook", "tool registered all the same"),
    no_hook("agentWithoutToolkit", "tool registered all the same"),
    no_hook("otherEventTypes", "vacuous"),
    no_hook("priority", "0"),
    better(
        "6.2/preReasoningEventTriggersCompression",
        "system and 9 messages",
        "7.2 #15, #16: tried with long rounds, for short ones nothing is saved",
        Compacts([S, *LONG_ROUNDS], ROUNDS_OF_FIVE, f"S {FOLDED}", levels=(4,), spans=2),
    ),
    same("6.2/preReasoningEventNoCompression", "system and 3", Compacts([S, U, U, U], SMALL)),
    no_hook("preReasoningEventSkipNonReActAgent", "input unchanged"),
    no_hook("preReasoningEventNonAutoContextMemory", "input unchanged"),
    same(
        "6.2/preReasoningEventMultipleCalls",
        "6 then 12 U: no error",
        Compacts(6 * [U], SMALL),
        Compacts(12 * [U], SMALL),
    ),
    decided(
        "6.2/preReasoningEventOnNonBlockingScheduler",
        "first message SYSTEM, mentions context_reload, size = memory + 1",
        "DESIGN 2 law 4: the system message stays as it is, no instruction is added to it",
        Compacts([S, *LONG_ROUNDS], ROUNDS_OF_FIVE, f"S {FOLDED}", levels=(4,), spans=2),
    ),
    better(
        "6.2/preReasoningEventPreservesSystemPrompt",
        "the old prompt, then an instruction; further system messages are lost",
        "7.1 #1350, 7.2 #10: every system message stays as it is, and none is added or lengthened",
        Compacts(
            [S, U, *LONG_PAIR, LATE, *LONG_PAIR, A, *2 * [U, *LONG_PAIR, A], U],
            ROUNDS_OF_FIVE,
            "S U A* S A* U A* U use T A U",
            levels=(4,),
            spans=3,
            then=keeps_every_system_message,
        ),
    ),
)
