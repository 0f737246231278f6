"""`python -m pixsize` is `pixsize`."""

from pixsize.cli import main

main()
