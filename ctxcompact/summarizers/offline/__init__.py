"""The offline summarizer: deterministic, extractive, without a model.

It takes the spans of a task apart into pieces (a row of a result, a sentence, the head of a call), weighs what each
piece holds, and fills the shared budget with what says most for its tokens. Every word it prints stood in the
transcript, save for a few joints ("Called", "result:").

    cleaning   what a reader would see of a text; marks of ours made inert
    markup     HTML and XML to lines
    trees      JSON to rows, arguments to pairs
    splitting  long rows and messages to sentences
    rows       a result to rows
    columns    what is rare in a row, seen against the other rows
    records    a task to records: calls with their results, and what was said
    frames     the head of a call, in each style
    speech     sentences which a style does not want
    seeds      values which agent and person wrote themselves
    finds      what rows have to do with each other and with what was asked for
    weights    what words, values and places are worth
    pieces     what may be picked
    choice     the budget
    rendering  picked pieces to text, in each style
"""

from ctxcompact.summarizers.offline.summarizer import Offline

__all__ = ["Offline"]
