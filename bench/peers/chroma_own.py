"""chromadb with a collection for each user: nothing to filter."""

from bench.peers.chroma import Chroma
from bench.peers.wire import serve


class ChromaOwn(Chroma):
    _where = None


if __name__ == "__main__":
    serve(ChromaOwn)
