"""The pure core: bytes, records, edits, laws. Nothing here touches a file, a clock or a model."""
