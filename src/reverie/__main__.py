"""`python -m reverie`: the command line, where no script is on the path."""

from reverie.cli.main import run

run()
