"""What the generator is made of: dice, screenplays, stages on which tools run, and writers.

A screenplay (``samples/stories/*.txt``) says who speaks and which tool is called. A stage is an
invented world on which those calls are really run, so that what the tools answer fits together.
A writer turns the played scenes into the lines of one transcript format.
"""
