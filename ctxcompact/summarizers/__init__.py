"""Who writes summaries: `offline` without a model, `llm` with one, and what holds for both.

`choosing` makes one from what is asked, `guarding` decides what happens when a model fails and
completes what it left out.
"""
