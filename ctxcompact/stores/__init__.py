"""Files: the transcript that is read, the output, and the originals kept beside it.

What a run writes, in this order, each step finished (flushed, renamed, the folder flushed) before
the next begins:

1. `Staging.commit()`: the pack of originals, renamed into `.offload/`;
2. `ReceiptWriter.commit()`: how to undo the run, renamed into `.transcripts/`;
3. `write_atomically()`: the output, renamed over what stood there.

A crash before 1 leaves a temp file that nobody reads. A crash between 1 and 2, or 2 and 3, leaves
originals and a receipt that no transcript refers to. There is no point at which a transcript holds
a mark whose original is not on the disk.

When step 2 or 3 *fails*, the caller undoes the finished steps in the opposite order (`undo()`),
still under the lock of the root: `locked(root)` has to cover the steps and their undoing, or
another run may lean on a pack which is about to go. After an interrupt or a kill nothing is to be
undone: the output may stand already, and originals too many are no harm.
"""
