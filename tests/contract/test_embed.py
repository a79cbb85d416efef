"""Every embedder keeps one contract; the bundled model also has to know what is alike."""

import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import ArrayLike

from reverie.errors import ConfigError, ModelError, ModelUnavailable, extra_needed
from reverie.minds.embed import Embedder, FromFunction, MiniLM, NoEmbedder, by_name

TEXTS = [
    "I moved to Berlin last November.",
    "ok",
    "My sister is allergic to peanuts, and so is her son.",
    "The deploy failed because the migration took a lock on the orders table.",
    "",
    "Ich wohne jetzt in Köln 👍",
    "word " * 600,
]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM(threads=1)


def letters(texts: Sequence[str]) -> list[list[float]]:
    """A function such as a user might hand in: neither float32 nor of length 1."""
    return [[1.0 + text.count(letter) for letter in "abcde"] for text in texts]


class TestEveryEmbedder:
    @pytest.fixture(params=["minilm", "none", "function"])
    def embedder(self, request: pytest.FixtureRequest, minilm: MiniLM) -> Embedder:
        embedders: dict[str, Embedder] = {
            "minilm": minilm,
            "none": NoEmbedder(),
            "function": FromFunction(letters, "letters"),
        }
        return embedders[request.param]

    def test_gives_one_float32_row_of_length_one_per_text(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS)
        assert vectors.shape == (len(TEXTS), embedder.dim)
        assert vectors.dtype == np.float32
        if embedder.dim:
            assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)

    def test_gives_no_row_for_no_text(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dim)

    def test_one_equals_its_row_in_a_batch_and_comes_out_the_same_twice(self, embedder: Embedder) -> None:
        batch = embedder.embed(TEXTS)
        for row, text in zip(batch, TEXTS, strict=True):
            assert embedder.embed_one(text) == pytest.approx(row, abs=1e-5)
        assert np.array_equal(batch, embedder.embed(TEXTS))


def test_alike_sentences_are_closer_than_unrelated_ones(minilm: MiniLM) -> None:
    query, alike, unrelated = minilm.embed(
        ["Where does she live now?", "She moved to an apartment in Lisbon.", "The build is red again since noon."]
    )
    assert query @ alike > query @ unrelated + 0.1


def test_vectors_are_those_of_the_float_model(minilm: MiniLM) -> None:
    """The expected cosines are those of the same weights, run in float32."""
    a, b, c = minilm.embed(["A man is eating food.", "A man is eating a piece of bread.", "A cheetah chases its prey."])
    assert float(a @ b) == pytest.approx(0.7553, abs=0.02)
    assert float(a @ c) == pytest.approx(0.1956, abs=0.02)


def test_only_the_beginning_of_a_long_text_counts(minilm: MiniLM) -> None:
    long = "word " * 400
    assert np.array_equal(minilm.embed_one(long), minilm.embed_one(long + "and something else"))


def test_a_remembered_query_cannot_be_spoilt(minilm: MiniLM) -> None:
    vector = minilm.embed_one("what does she cook?")
    assert minilm.embed_one("what does she cook?") is vector
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1.0


def test_a_lone_surrogate_is_embedded_like_any_unknown_sign(minilm: MiniLM) -> None:
    assert np.isfinite(minilm.embed_one("bad \ud800 sign")).all()


def test_four_threads_that_start_together_get_the_same_vectors(minilm: MiniLM) -> None:
    expected = minilm.embed(TEXTS[:6])
    fresh = MiniLM(threads=2)
    gate = threading.Barrier(4)

    def work() -> list[bool]:
        gate.wait(timeout=10)
        return [bool(np.allclose(fresh.embed(TEXTS[:6]), expected, atol=1e-5)) for _ in range(3)]

    with ThreadPoolExecutor(4) as pool:
        results = [future.result(timeout=60) for future in [pool.submit(work) for _ in range(4)]]
    assert results == [[True] * 3] * 4


def test_importing_and_naming_an_embedder_loads_no_model_runtime() -> None:
    """Half the commands never embed; they must not pay for it."""
    code = (
        "import sys, reverie; from reverie.minds.embed import by_name; by_name('minilm');"
        "print(sorted({'onnxruntime', 'tokenizers', 'openai', 'fastembed'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_forked_process_embeds_and_exits() -> None:
    """Servers fork their workers; onnxruntime's own reporting thread would make each of them hang at its end."""
    code = (
        "import os, sys; from reverie.minds.embed import MiniLM; embedder = MiniLM(); embedder.embed(['before'])\n"
        "if os.fork() == 0: embedder.embed(['after']); sys.exit(0)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "0", done.stderr


def test_an_index_of_a_large_space_may_be_opened_before_the_embedder() -> None:
    """Which of the two native libraries a process needs first is chance; loaded in the wrong order they end it."""
    pytest.importorskip("numkong")
    code = (
        "from reverie.minds.embed import MiniLM; from reverie.native import int8_products\n"
        "int8_products(); print(len(MiniLM().embed_one('after')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "384"), done.stderr


@pytest.mark.parametrize(
    ("vectors", "complaint"),
    [([[1.0, 2.0]], "array of"), ([[1.0], [float("nan")]], "not finite"), ([1.0, 2.0], "array of")],
)
def test_a_function_that_gives_nonsense_is_told_so(vectors: ArrayLike, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        FromFunction(lambda _: vectors, "odd").embed(["a", "b"])


@pytest.mark.parametrize(("name", "dim"), [("minilm", 384), ("none", 0)])
def test_the_built_in_names_need_nothing_else(name: str, dim: int) -> None:
    assert by_name(name).dim == dim


@pytest.mark.parametrize("name", ["", "minilm:large", "fastembed:", "openai:", "word2vec"])
def test_an_unknown_name_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        by_name(name)
    assert "openai:MODEL" in refused.value.next_move


def test_a_missing_package_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelUnavailable) as missing:
        by_name("fastembed:BAAI/bge-small-en-v1.5")
    assert missing.value.next_move == extra_needed("fastembed")


class FastEmbed:
    """As much of that package as is used: a class that takes a model's name and gives vectors one by one."""

    class TextEmbedding:
        def __init__(self, model: str, threads: int) -> None:
            if model == "unknown":
                raise ValueError("Model unknown is not supported")

        def embed(self, texts: list[str]) -> Iterator[ArrayLike]:
            yield from letters(texts)


def test_fastembed_models_are_known_by_their_full_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", FastEmbed)
    embedder = by_name("fastembed:BAAI/bge-small-en-v1.5")
    assert (embedder.id, embedder.dim) == ("fastembed:BAAI/bge-small-en-v1.5", 5)
    with pytest.raises(ConfigError, match="no model 'unknown'"):
        by_name("fastembed:unknown")


class Server(http.server.BaseHTTPRequestHandler):
    """Speaks as much of the embeddings API as a client needs, and answers out of order."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": i, "embedding": [1.0 + len(text), 1.0], "object": "embedding"}
                for i, text in enumerate(asked["input"])]  # fmt: skip
        body = {"object": "list", "data": rows[::-1], "model": asked["model"], "usage": {}}
        refused = asked["model"] == "unknown"
        self.send_response(404 if refused else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"error": {"message": "no such model"}} if refused else body).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), Server) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/v1"
        listening.shutdown()
        thread.join(timeout=10)


class TestOpenAI:
    @pytest.fixture(autouse=True)
    def _package(self) -> None:
        pytest.importorskip("openai")

    @pytest.fixture
    def compatible(self, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Another server with the same protocol, set as the guide says."""
        monkeypatch.setenv("OPENAI_BASE_URL", server)
        monkeypatch.setenv("OPENAI_API_KEY", "none")

    @pytest.mark.usefixtures("compatible")
    def test_rows_come_back_in_order_over_several_requests(self) -> None:
        embedder = by_name("openai:small")
        vectors = embedder.embed(["x" * size for size in range(300)])
        lengths = np.rint(vectors[:, 0] / vectors[:, 1]) - 1
        assert (embedder.id, embedder.dim, len(vectors)) == ("openai:small", 2, 300)
        assert list(lengths) == [1, *range(1, 300)], "an empty text is sent as a space"

    @pytest.mark.usefixtures("compatible")
    def test_a_refusal_is_a_model_error(self) -> None:
        with pytest.raises(ModelError, match="no such model"):
            by_name("openai:unknown").embed(["a"])

    def test_a_missing_key_is_a_configuration_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        with pytest.raises(ConfigError) as missing:
            by_name("openai:small")
        assert "OPENAI_API_KEY" in missing.value.next_move
