from __future__ import annotations

import pytest
import tiktoken.model

from ctxcompact.counters import models

ENCODING_OF = tiktoken.model.MODEL_PREFIX_TO_ENCODING | tiktoken.model.MODEL_TO_ENCODING
CHAT_MODELS = sorted(
    model
    for model, encoding in ENCODING_OF.items()
    if encoding in {"o200k_base", "o200k_harmony", "cl100k_base"}
    and not any(old in model for old in ("davinci", "babbage", "embedding"))
)


@pytest.mark.parametrize("model", CHAT_MODELS)
def test_openai_models_have_the_encoding_that_tiktoken_gives_them(model: str) -> None:
    encoding = ENCODING_OF[model].replace("harmony", "base")
    assert models.family_of(model).own == (encoding,)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        pytest.param("gpt-5.6-sol", models.O200K, id="a GPT-5 of later date"),
        pytest.param("gpt-5.1-codex", models.O200K, id="Codex by model"),
        pytest.param("codex-auto-review", models.O200K, id="Codex by job"),
        pytest.param("openrouter/openai/o3-mini", models.O200K, id="behind two providers"),
        pytest.param("GPT-4.1", models.O200K, id="in capitals"),
        pytest.param("azure/gpt-4-turbo", models.CL100K, id="GPT-4 behind a provider"),
        pytest.param("claude-2.1", models.CLAUDE_3, id="Claude 2"),
        pytest.param("claude-instant-1.2", models.CLAUDE_3, id="Claude Instant"),
        pytest.param("claude-3-5-sonnet-20241022", models.CLAUDE_3, id="number before name"),
        pytest.param("claude-3-haiku-20240307", models.CLAUDE_3, id="a date is no minor version"),
        pytest.param("claude-sonnet-4-20250514", models.CLAUDE_3, id="major and date"),
        pytest.param("claude-haiku-4.5", models.CLAUDE_3, id="with a dot"),
        pytest.param("us.anthropic.claude-opus-4-1-20250805-v1:0", models.CLAUDE_3, id="Bedrock"),
        pytest.param("claude-opus-4-6[1m]", models.CLAUDE_3, id="with a window"),
        pytest.param("claude-opus-4-7", models.CLAUDE_4_7, id="Opus 4.7"),
        pytest.param("claude-opus-4-10", models.CLAUDE_4_7, id="ten comes after seven"),
        pytest.param("anthropic/claude-sonnet-5", models.CLAUDE_4_7, id="Sonnet 5"),
        pytest.param("claude-latest", models.CLAUDE_4_7, id="no version"),
        pytest.param("opus", models.CLAUDE_4_7, id="Claude Code's short name"),
        pytest.param("models/gemini-2.5-pro", models.GEMINI, id="Gemini"),
        pytest.param("deepseek-v3.2", models.UNKNOWN, id="DeepSeek"),
        pytest.param("gpt-2", models.UNKNOWN, id="before cl100k"),
        pytest.param("gpt-neox-20b", models.UNKNOWN, id="GPT by name only"),
        pytest.param("<synthetic>", models.UNKNOWN, id="no model at all"),
        pytest.param("  ", models.UNRECORDED, id="blank"),
    ],
)
def test_a_recorded_name_tells_the_family(model: str, family: models.Family) -> None:
    assert models.family_of(model) is family
