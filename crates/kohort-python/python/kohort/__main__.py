"""`python -m kohort` is the command."""

from ._command import main

main()
