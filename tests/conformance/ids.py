"""Every row of the reference's tables, once: sections 3 and 6.1 to 6.8.

Written down from the reference, not from our tables. Section 6.5 tells 25 outcomes of its 33 tests,
and 20 of 6.1 is three.
"""

from __future__ import annotations

_FORMULAS = """
tok message role text tool-use map-text tool-result other-block list
characters/text characters/use characters/result characters/else
characters/golden/calculator characters/golden/result characters/golden/thinking
""".split()
_GOLDENS = (
    "user Hello World",
    "user empty",
    "user without content",
    "user 100 x A",
    "ten users",
    "user and assistant",
    "thinking of 45 characters",
    "image of 100000 characters",
    "ten Chinese characters",
    "call with two arguments",
    "call with an empty map",
    "call with nested arguments",
    "result",
    "result with empty output",
    "result with two outputs",
    "text and call",
    "call without name and id",
    "result without name and id",
    "no name",
    "no role",
)
_CHAIN = [*range(1, 20), "20a", "20b", "20c", *range(21, 49)]
_HOOK = """
firstPreCallEvent hookExecutesOnlyOnce skipNonReActAgent skipAgentWithoutAutoContextMemory
agentWithoutPlanNotebook agentWithoutToolkit otherEventTypes priority
preReasoningEventTriggersCompression preReasoningEventNoCompression
preReasoningEventSkipNonReActAgent preReasoningEventNonAutoContextMemory
preReasoningEventMultipleCalls preReasoningEventOnNonBlockingScheduler
preReasoningEventPreservesSystemPrompt
""".split()
_MESSAGES = """
round-trip/empty round-trip/text round-trip/use round-trip/result round-trip/mixed
round-trip/map round-trip/empty-map round-trip/complex round-trip/complex-map
round-trip/order-of-ten
converter/to-json/no-list converter/to-json/no-map converter/from-json/no-list
converter/from-json/no-map
replace/one replace/two replace/all replace/null-list replace/null-message
replace/negative-start replace/start-past-end replace/end-before-start replace/end-past-list
tool-message/role tool-message/use tool-message/result tool-message/text tool-message/null
tool-use/use tool-use/text tool-use/null
tool-result/role tool-result/inside-assistant tool-result/user-text tool-result/null
final/text final/use final/user final/null final/flagged final/null-metadata
final/other-metadata final/no-compress-meta final/result-inside
events/round-trip events/empty events/to-json/no-list events/from-json/no-list events/old-format
characters/text characters/use characters/result characters/null characters/no-content
characters/empty characters/list characters/null-list characters/empty-list
characters/two-blocks
""".split()
_RELOAD = """
known no-loader null empty blank unknown loader-throws three-ids empty-list loader-null
""".split()
_SETTINGS = """
config/defaults config/builder-defaults config/all-custom config/chaining config/two-builds
config/partial config/prompts-default config/prompts-kept config/prompts-with-others
prompts/none prompts/alone/tool_run prompts/alone/past_round prompts/alone/current_payload
prompts/alone/current_round prompts/all prompts/partial prompts/empty prompts/later-builds
provider/null-config provider/null-field provider/empty provider/blank provider/set
provider/mixed provider/all
""".split()
_COUNTER = ["null", "empty", *range(1, 21)]
_EDGES = """
default-99 default-100 large-5120 large-5121 floor-176 floor-177 keep-12 keep-13
six-tool-messages ratio
""".split()
_LAYERS = """
s06/read-file-kept s06/three-results s06/boundary s06/short s06/unknown-id s06/writers-kept
s08/below-limit s08/above-limit s08/huge-unseen s08/forged-path s08/unseen-batch
s08/consumed-batch s08/snip-hysteresis s08/snip-overshoot s08/snip-bad-thresholds
s08/snip-head-pair s08/snip-tail-pair s08/archive-complete s08/request-survives
s08/reactive-pair s08/reactive-no-pair
""".split()

IDS = (
    *(f"3/{name}" for name in _FORMULAS),
    *(f"3/golden/{name}" for name in _GOLDENS),
    *(f"6.1/{name}" for name in _CHAIN),
    *(f"6.2/{name}" for name in _HOOK),
    *(f"6.3/{name}" for name in _MESSAGES),
    *(f"6.4/{name}" for name in _RELOAD),
    *(f"6.5/{name}" for name in _SETTINGS),
    *(f"6.6/{name}" for name in _COUNTER),
    *(f"6.7/{name}" for name in _EDGES),
    *(f"6.8/{name}" for name in _LAYERS),
)
