"""Dates in speech against the time they were said, as a table. The base is Monday, 8 May 2023."""

from datetime import UTC, datetime

import pytest

from reverie.minds.rules.reading import dates

SAID = 1_683_547_200.0
PAST = [
    ("yesterday", "on 7 May 2023"),
    ("last night", "on 7 May 2023"),
    ("the day before yesterday", "on 6 May 2023"),
    ("this morning", "on 8 May 2023"),
    ("last week", "in the week of 1 May 2023"),
    ("last weekend", "on the weekend of 6 May 2023"),
    ("last Friday", "on 5 May 2023"),
    ("last Tues", "on 2 May 2023"),
    ("on Friday", "on 5 May 2023"),
    ("two weeks ago", "in the week of 24 April 2023"),
    ("two months ago", "in March 2023"),
    ("10 years ago", "in 2013"),
    ("last summer", "in the summer of 2022"),
    ("last year", "in 2022"),
    ("in March", "in March 2023"),
    ("on 3 March", "on 3 March 2023"),
    ("on the 3rd of July 2021", "on 3 July 2021"),
    ("July 4, 2022", "on 4 July 2022"),
    ("2023-05-01", "on 1 May 2023"),
    ("since 2019", "since 2019"),
]
FUTURE = [
    ("tomorrow", "on 9 May 2023"),
    ("the day after tomorrow", "on 10 May 2023"),
    ("this Friday", "on 12 May 2023"),
    ("on Friday", "on 12 May 2023"),
    ("by Friday", "on 12 May 2023"),
    ("next Monday", "on 15 May 2023"),
    ("next month", "in June 2023"),
    ("in two days", "on 10 May 2023"),
    ("in three weeks", "in the week of 29 May 2023"),
    ("on 3 July", "on 3 July 2023"),
    ("this summer", "in the summer of 2023"),
    ("in August", "in August 2023"),
]


@pytest.mark.parametrize(("said", "meant"), PAST)
def test_what_is_told_in_the_past_tense_lies_before(said: str, meant: str) -> None:
    assert [when.words for when in dates.find(f"we met {said}", SAID)] == [meant]


@pytest.mark.parametrize(("said", "meant"), FUTURE)
def test_what_is_planned_lies_ahead(said: str, meant: str) -> None:
    assert [when.words for when in dates.find(f"we'll meet {said}", SAID)] == [meant]


@pytest.mark.parametrize("text", ["we may go", "on Mondays", "31 February", "a second chance", "he is 52", "march on"])
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert dates.find(text, SAID) == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("she told me the rota changes from June 1st", "from 1 June 2023"),
        ("the window is 45 days now, since May 1", "since 1 May 2023"),
        ("we'll do the half distance in September instead, on the 13th", "on 13 September 2023"),
    ],
)
def test_a_day_lies_where_the_talk_around_it_puts_it(said: str, meant: str) -> None:
    assert dates.find(said, SAID)[-1].words == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("we're away 12 to 15 June", "12 to 15 June 2023"),
        ("Saturday the 10th, at the pool", "10 June 2023"),
        ("I'll go back in September, she was glad when I told her", "September 2023"),
        ("we're getting married in September", "September 2023"),
        ("I'll send it by the 20th", "20 May 2023"),
        ("the report is due by 18 June", "18 June 2023"),
        ("the appointment is on Thursday of next week", "18 May 2023"),
        ("my hands tremble since last summer", "since the summer of 2022"),
        ("the rent goes up in a month", "June 2023"),
        ("the vet comes on Friday", "12 May 2023"),
        ("the vows are on 26 June at 11, we rest on Saturday", "26 June 2023"),
    ],
)
def test_a_date_is_made_plain(said: str, meant: str) -> None:
    assert dates.made_plain(said, dates.find(said, SAID), SAID) == meant


@pytest.mark.parametrize(
    "text",
    [
        "third time the same fault in a year",
        "first close now, the rest within 6 months",
        "he went in on a Tuesday and stayed eleven weeks",
        "the Thursday gap is hers",
        "spelling is 3 marks",
        "years 8 and 9 this year",
        "on call since Monday",
        "1,480 euros, due 15 March",
        "6000 more in a year",
        "we met in June",
        "we met a few days ago",
        "we met on Monday",  # today, or a week ago
        "I'll come next Friday",
        "the market is next weekend",
        "she came in her Sunday hat",
        "it was on Easter Monday",
        "he was ill and sits it on Monday at lunch",
        "she told me she finishes on Friday",
        "it was fine in May",
        "before I turn fifty in March",
        "two minutes from Saturday. No, Sunday",
        "he can stay until the 17th",
        "she takes 9-13 sunday",
        "it is her last year",
        "I was born in March",
        "I left in March, back in 2019",
        "I'd have gone on Friday",
        "thanks for Friday",
        "the soup from Sunday",
        "I can do it saturday 25",
        "three or four weeks ago",
    ],
)
def test_where_a_date_is_not_certain_none_is_shown(text: str) -> None:
    assert dates.made_plain(text, dates.find(text, SAID), SAID) == ""


@pytest.mark.parametrize(("day", "meant"), [(10, "the week of 1 May 2023"), (14, "")])
def test_on_a_weekend_nobody_knows_which_week_was_the_last(day: int, meant: str) -> None:
    said = datetime(2023, 5, day, 12, tzinfo=UTC).timestamp()
    assert dates.made_plain("we met last week", dates.find("we met last week", said), said) == meant


@pytest.mark.parametrize(
    ("before", "meant"),
    [("We land on 9 June.", ""), ("It was on 9 March.", "12 May 2023"), ("I have a cat.", "12 May 2023")],
)
def test_a_weekday_may_belong_to_a_date_just_before_it(before: str, meant: str) -> None:
    said = "I'll drive on Friday."
    assert dates.made_plain(said, dates.find(said, SAID, around=f"{before} {said}"), SAID) == meant


def test_a_day_has_the_month_that_the_talk_gave_it() -> None:
    said = "Mossie can't drive me on the 4th"
    assert (
        dates.made_plain(said, dates.find(said, SAID, around="It is moved to the 4th of July."), SAID) == "4 July 2023"
    )


def test_a_day_that_the_year_of_the_talk_does_not_have_is_no_date() -> None:
    said_at = datetime(2027, 11, 1, tzinfo=UTC).timestamp()
    assert dates.find("the party is on 29 February", said_at, around="they wrote 29 Feb 2027") == []
