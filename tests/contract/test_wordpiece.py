"""Word pieces: the ids that the model was trained on, whatever the text."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.minds import wordpiece
from reverie.minds.minilm import MODEL
from reverie.minds.wordpiece import WordPiece

FILE = MODEL / "wordpiece.json"
EXPECTED = Path(__file__).parents[1] / "corpora" / "word_pieces.jsonl"
CLS, SEP, UNK, MASK = 101, 102, 100, 103
ASSIGNED = (*range(0xD800), *range(0xE000, 0x323B0), *range(0xE0000, 0xE0200), 0xF0000, 0x10FFFF)


@pytest.fixture(scope="module")
def ours() -> WordPiece:
    return WordPiece(FILE)


@pytest.fixture(scope="module")
def theirs() -> Any:
    """The same vocabulary in the package whose ids count."""
    package = pytest.importorskip("tokenizers")
    settings = json.loads(FILE.read_text("utf-8"))
    vocabulary = {piece: number for number, piece in enumerate(settings["pieces"])}
    model = package.models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = package.Tokenizer(model)
    tokenizer.normalizer = package.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = package.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = package.processors.BertProcessing(("[SEP]", SEP), ("[CLS]", CLS))
    tokenizer.add_special_tokens(settings["special"])
    tokenizer.enable_truncation(256)
    return tokenizer


def expected() -> list[Any]:
    lines = map(json.loads, EXPECTED.read_text("utf-8").splitlines())
    return [pytest.param(line["text"], line["ids"], id=ascii(line["text"][:24])) for line in lines]


@pytest.mark.parametrize(("text", "ids"), expected())
def test_ids_are_those_of_the_original_tokenizer(ours: WordPiece, text: str, ids: list[int]) -> None:
    assert ours.ids(text) == ids
    assert ours.ids(text) == ids, "the same when its words are remembered"


def test_every_character_does_to_a_word_what_it_does_in_the_tokenizers_package(ours: WordPiece, theirs: Any) -> None:
    words = [f"a{chr(code)}b" for code in ASSIGNED]
    texts = [" ".join(words[i : i + 60]) for i in range(0, len(words), 60)]
    assert [text for text in texts if ours.ids(text) != theirs.encode(text).ids] == []


def generated(count: int) -> Iterator[str]:
    """Letters with accents and marks, whole Unicode, one script at a time; short and long, with and without spaces."""
    chance = random.Random(14)
    for _ in range(count):
        start = chance.choice((0, 0, 0x250, chance.randrange(0x32000)))
        codes = [start + chance.randrange(chance.choice((0x80, 0x600))) for _ in range(chance.choice((1, 9, 40, 300)))]
        letters = [chr(code) for code in codes if not 0xD800 <= code < 0xE000]
        for _ in range(len(letters) // chance.choice((4, 8, 200))):
            letters[chance.randrange(len(letters))] = chance.choice((" ", " ", "e\u0301", "Σ", "[SEP]", "\n", "家"))
        yield "".join(letters)


def test_thousands_of_generated_texts_get_the_ids_of_the_tokenizers_package(ours: WordPiece, theirs: Any) -> None:
    assert [text for text in generated(5_000) if ours.ids(text) != theirs.encode(text).ids] == []


def test_prose_gets_the_ids_of_the_tokenizers_package(ours: WordPiece, theirs: Any) -> None:
    texts = [path.read_text("utf-8") for path in Path(__file__).parents[2].glob("docs/**/*.md")]
    parts = [text[i : i + size] for text in texts for size in (120, 900) for i in range(0, len(text), size)]
    assert len(parts) > 500
    assert [part for part in parts if ours.ids(part) != theirs.encode(part).ids] == []


def test_a_text_is_cut_at_256_pieces_and_keeps_its_end_mark(ours: WordPiece) -> None:
    ids = ours.ids("word " * 400)
    assert (len(ids), ids[0], ids[-1]) == (256, CLS, SEP)
    assert ours.ids("word " * 254) == ids


@pytest.mark.parametrize(("length", "known"), [(100, True), (101, False)])
def test_a_word_of_more_than_a_hundred_characters_is_unknown(ours: WordPiece, length: int, known: bool) -> None:
    assert (ours.ids("a" * length) == [CLS, UNK, SEP]) is not known


def test_half_a_character_counts_as_a_question_mark(ours: WordPiece) -> None:
    assert ours.ids("bad\ud800sign") == ours.ids("bad?sign")


def test_a_special_token_is_one_only_as_it_is_spelt(ours: WordPiece) -> None:
    assert ours.ids("a[MASK]b").count(MASK) == 1
    assert MASK not in ours.ids("a[mask]b")


def test_what_is_remembered_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "REMEMBERED_WORDS", 50)
    monkeypatch.setattr(wordpiece, "REMEMBERED_CHARACTERS", 50)
    small, whole = WordPiece(FILE), WordPiece(FILE)
    texts = [f"{chr(0x4E00 + i)} word{i} {chr(0xC0 + i)}" for i in range(300)]
    assert [small.ids(text) for text in texts] == [whole.ids(text) for text in texts]
    assert small._word_ids.cache_info().currsize <= 50
    assert len(small._characters) <= 50
