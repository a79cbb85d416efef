"""What every reasoner keeps, with a model or without: one class that each of them inherits."""

from dataclasses import replace

import pytest

from reverie.language.quoting import shown
from reverie.minds.reasoner import Reasoner
from reverie.model.memories import Memory
from reverie.model.thinking import (
    BlockDraft,
    ContextLine,
    Episode,
    Evidence,
    FactDraft,
    Material,
    NightStory,
    ProposedChange,
    QuestionContext,
    Quote,
    Sentence,
)
from reverie.policy.core.lines import shown as line

NOW = 1_780_000_000.0
DAY = 86_400.0


def episode(text: str, id: str = "mem-1", at: float = NOW, speaker: str = "user", role: str = "user") -> Episode:
    return Episode(id, text, at, speaker=speaker, role=role)


def fact(id: str, subject: str, predicate: str, value: str, quote: str, at: float = NOW, **marks: object) -> Memory:
    return Memory(
        id=id, space="s", kind="fact", text=shown(quote, "user", at), sources=("mem-0",), created_at=at, said_at=at,
        subject=subject, predicate=predicate, value=value, speaker="user", marks={"quote": quote, **marks},
    )  # fmt: skip


HAMBURG = fact("mem-h", "user", "lives_in", "Hamburg", "I live in Hamburg.", exclusive=True)
BERLIN = fact("mem-b", "user", "lives_in", "Berlin", "I moved to Berlin.", NOW + 40 * DAY, exclusive=True, cue="moved")
TEA = fact("mem-t", "user", "likes", "tea", "I like tea.")
COFFEE = fact("mem-c", "user", "likes", "coffee", "I like coffee.", NOW + DAY)
ACME = fact("mem-a", "user", "works_at", "Acme", "I work at Acme.", exclusive=True)
LIVES = Evidence(
    "mem-h", HAMBURG.text, NOW, "user", 0.9, kind="fact", subject="user", predicate="lives_in", value="Hamburg",
    quote=HAMBURG.quote,
)  # fmt: skip


class ReasonerContract:
    """Inherit it, and give a fixture `reasoner`."""

    @pytest.fixture
    def reasoner(self) -> Reasoner:
        raise NotImplementedError

    def found(self, reasoner: Reasoner, text: str, speaker: str = "user") -> list[FactDraft]:
        return reasoner.facts([episode(text, speaker=speaker)])

    def test_it_has_a_name(self, reasoner: Reasoner) -> None:
        assert reasoner.name

    def test_a_plain_statement_becomes_a_fact_that_cites_its_episode(self, reasoner: Reasoner) -> None:
        (draft,) = self.found(reasoner, "I live in Hamburg.")
        assert (draft.source, draft.subject, draft.quote) == ("mem-1", "user", "I live in Hamburg.")

    def test_every_fact_is_a_quote_of_its_episode(self, reasoner: Reasoner) -> None:
        said = "Hi! I live in Hamburg and have a dog named Rex.\nI moved here from Kiel in May 2019, by the way."
        drafts = self.found(reasoner, said)
        assert {"Rex", "Kiel"} <= {word.strip(",.") for draft in drafts for word in draft.quote.split()}
        assert all(draft.quote in said and 0.0 < draft.confidence <= 1.0 for draft in drafts)

    def test_a_named_speaker_is_the_subject_of_what_they_say_of_themselves(self, reasoner: Reasoner) -> None:
        assert {draft.subject for draft in self.found(reasoner, "I live in Lagos.", speaker="Deon")} == {"Deon"}

    @pytest.mark.parametrize("text", ["Where do I live?", "Thanks, see you!", "If I lived in Rome I would bake.", ""])
    def test_what_states_nothing_gives_nothing(self, reasoner: Reasoner, text: str) -> None:
        assert self.found(reasoner, text) == []

    def test_what_the_assistant_says_is_no_fact_of_the_user(self, reasoner: Reasoner) -> None:
        assert reasoner.facts([episode("I live in the cloud.", speaker="assistant", role="assistant")]) == []

    def test_nothing_in_gives_nothing_out(self, reasoner: Reasoner) -> None:
        assert reasoner.facts([]) == []
        assert reasoner.note([]) is None
        assert reasoner.profile("user", []) is None
        assert reasoner.infer([]) == []
        assert reasoner.questions(QuestionContext((), ()), 5) == []
        assert reasoner.answer("Where do I live?", []) is None

    def test_a_note_cites_at_least_two_of_its_episodes(self, reasoner: Reasoner) -> None:
        texts = (
            "I signed up for the pottery class on Mondays with Ines, it costs 40 euros.",
            "My pottery class with Ines moved to Tuesdays at six.",
            "My sister Anna joined the pottery class in May 2026.",
        )
        episodes = [episode(text, f"mem-{i}", NOW + i * DAY) for i, text in enumerate(texts)]
        note = reasoner.note(episodes)
        assert note is not None
        assert len(set(note.sources)) >= 2
        assert set(note.sources) <= {e.id for e in episodes}
        assert note.title
        assert "ottery" in note.text

    def test_moving_house_is_an_update_with_its_evidence(self, reasoner: Reasoner) -> None:
        clash = reasoner.clash(HAMBURG, BERLIN)
        assert clash.kind == "update"
        assert clash.why

    def test_two_things_one_likes_do_not_clash(self, reasoner: Reasoner) -> None:
        assert reasoner.clash(TEA, COFFEE).kind in ("none", "extends")

    def test_facts_of_two_persons_do_not_clash(self, reasoner: Reasoner) -> None:
        other = fact("mem-n", "Anna", "lives_in", "Berlin", "Anna moved to Berlin.", NOW + 40 * DAY, exclusive=True)
        assert reasoner.clash(HAMBURG, other).kind in ("none", "extends")

    def test_a_profile_cites_only_facts_it_was_given(self, reasoner: Reasoner) -> None:
        profile = reasoner.profile("user", [HAMBURG, ACME, TEA])
        assert profile is not None
        assert set(profile.sources) <= {"mem-h", "mem-a", "mem-t"}
        assert "Hamburg" in profile.text

    def test_insights_rest_on_enough_premises_and_stay_below_what_was_said(self, reasoner: Reasoner) -> None:
        facts = [fact(f"mem-{i}", "user", "visited", place, f"I visited {place}.", NOW + i * DAY)
                 for i, place in enumerate(("Malta", "Peru", "Kyoto", "Crete"))]  # fmt: skip
        for insight in reasoner.infer(facts):
            assert set(insight.premises) <= {f.id for f in facts}
            least, (low, high) = (2, (0.8, 0.9)) if insight.kind == "deduction" else (3, (0.6, 0.75))
            assert len(insight.premises) >= least
            assert low <= insight.confidence <= high

    def test_a_summary_is_no_longer_than_asked(self, reasoner: Reasoner) -> None:
        text = "We built a boat. The boat leaked at once. We fixed the boat with tar. It rained. The boat floats now."
        summary = reasoner.summary(text, 2)
        assert summary
        assert len(summary) < len(text)

    def test_a_new_fact_makes_a_question_askable(self, reasoner: Reasoner) -> None:
        drafts = reasoner.questions(QuestionContext((LIVES,), (episode("I live in Hamburg."),)), 3)
        assert 1 <= len(drafts) <= 3
        assert all(draft.text.endswith("?") for draft in drafts)

    def test_an_answer_is_short_and_cites_its_evidence(self, reasoner: Reasoner) -> None:
        answer = reasoner.answer("Where do I live?", [LIVES])
        assert answer is not None
        assert answer.sources == ("mem-h",)
        assert "Hamburg" in answer.text
        assert 0.0 < answer.confidence <= 1.0

    def test_evidence_that_does_not_answer_gives_none(self, reasoner: Reasoner) -> None:
        assert reasoner.answer("What is my dentist's phone number?", [LIVES]) is None

    def test_rethink_keeps_a_persons_own_sentence_word_for_word(self, reasoner: Reasoner) -> None:
        own = Sentence("Call me Lou, never Louise!", ("mem-0",), own=True)
        block = BlockDraft("human", 2_000, (own, Sentence(line(HAMBURG), ("mem-h",))))
        after = reasoner.rethink(block, [replace(HAMBURG, valid_until=BERLIN.said_at), BERLIN])
        assert own in after.sentences
        assert any("Berlin" in s.text and "mem-b" in s.sources for s in after.sentences)
        assert not any("Hamburg" in s.text for s in after.sentences)

    def test_rethink_stays_within_the_limit(self, reasoner: Reasoner) -> None:
        many = [fact(f"m{i}", "user", "owns", f"thing {i}", f"I have a thing with the number {i}.") for i in range(40)]
        after = reasoner.rethink(BlockDraft("human", 300, ()), many)
        assert sum(len(s.text) + 1 for s in after.sentences) <= 300

    def test_the_diary_tells_in_the_users_words_what_was_learned(self, reasoner: Reasoner) -> None:
        said = ("I moved to Kiel last week and live near the harbour now", "My sister Anna is a nurse at the clinic")
        more = ("I signed the lease for two years at 900 euros", "The cat hides under the bed since we arrived here")
        learned = tuple(Quote(text, "user", NOW) for text in (*said, *more))
        text = reasoner.diary(NightStory("n", NOW, "night", learned, topics=("Anna", "Kiel", "lease")))
        assert "I moved to Kiel" in text
        assert len(text.split()) <= 180

    def test_a_review_refuses_to_empty_a_block(self, reasoner: Reasoner) -> None:
        verdict = reasoner.review(ProposedChange("safety", "Be kind. Be brief. Ask first.", "", ()))
        assert not verdict.approve
        assert verdict.why

    def test_pondering_cites_lines_that_are_there_and_adds_up_what_a_list_holds(self, reasoner: Reasoner) -> None:
        lines = ("Costs:", "- Rent: $900", "- Food: $100")
        found = reasoner.ponder(Material("costs", tuple(ContextLine(line, "mem-1") for line in lines)))
        assert "Total Costs: Rent $900 + Food $100 = $1,000" in [thought.text for thought in found.thoughts]
        assert all(set(thought.lines) <= {1, 2, 3} for thought in found.thoughts)
