"""Build the judge: the upper layers that bench/fit_judge.py has fitted, and their heads, as an int8 ONNX graph.

    python -m scripts.build_judge FITTED.npz [overtaking]    # that one is fitted by bench/fit_overtaking.py

Needs `onnx`, `safetensors` and `tokenizers`, as build_embedder.py does. It reads the states of the embedder's third
layer, so the two files belong together.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from scripts.build_embedder import LOWER, TARGET, WIDTH, Graph, attention_bias, layer_of, model_of


def build(weights: dict[str, np.ndarray], tasks: int) -> onnx.ModelProto:
    """States, mask and which tokens are the sentence's own in; one number a task and text out."""
    graph = Graph(quantized=True, tokens="attention_mask")
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    bias = attention_bias(graph, mask)
    shape = graph.node("Shape", "attention_mask")
    x = "states"
    for layer in range(LOWER, 6):
        x = layer_of(graph, x, f"encoder.layer.{layer}", weights, shape, bias)
    by_text = graph.node("Reshape", x, graph.node("Concat", shape, graph.ints(WIDTH), axis=0))
    first = graph.node(
        "Squeeze", graph.node("Slice", by_text, graph.ints(0), graph.ints(1), graph.ints(1)), graph.ints(1)
    )
    own = graph.node("Mul", by_text, graph.node("Unsqueeze", "own", graph.ints(2)))
    tokens = graph.node("ReduceSum", "own", graph.ints(1), keepdims=1)
    mean = graph.node("Div", graph.node("ReduceSum", own, graph.ints(1), keepdims=0), tokens)
    both = graph.node("Concat", first, mean, axis=1)
    product = graph.node("MatMul", both, graph.constant("heads", weights["heads"]))
    graph.nodes.append(
        helper.make_node("Add", [product, graph.constant("heads.bias", weights["heads.bias"])], ["judged"])
    )
    inputs = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, ["all tokens", WIDTH]),
        helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["texts", "tokens"]),
        helper.make_tensor_value_info("own", TensorProto.FLOAT, ["texts", "tokens"]),
    ]
    outputs = [helper.make_tensor_value_info("judged", TensorProto.FLOAT, ["texts", tasks])]
    return model_of(graph, "reverie-judge", inputs, outputs)


def main() -> None:
    with np.load(sys.argv[1]) as file:
        weights = {name: file[name].astype(np.float32) for name in file.files}
    target = TARGET / f"{sys.argv[2] if len(sys.argv) > 2 else 'judge'}.onnx"
    onnx.save(build(weights, weights["heads"].shape[1]), target)
    print(
        f"{target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target}: "
        f"{target.stat().st_size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
