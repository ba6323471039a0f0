"""Facts: what a reader would need verbatim, found in a transcript and looked for in what is left of it.

Kinds of single words live in `core.kinds`. What a fact is worth, and how a summary is made, belongs to `summarizers`.
"""
