"""The sleeper's process: worker."""

from reverie.cli.app import app, opened_store


@app.command()
def worker() -> None:
    """Sleep for all spaces of a store, in this process, until Ctrl-C. Many may run on one Postgres."""
    from reverie.worker import work

    with opened_store() as (memory, output):
        output.err.print("The sleeper watches. Ctrl-C stops it at the next batch, a second one at once.", style="dim")
        work(memory)
