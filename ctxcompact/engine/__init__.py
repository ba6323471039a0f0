"""The engine: read, plan, settle, apply, check, write.

Everything from outside comes in as a port.
"""
