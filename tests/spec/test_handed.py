"""What a user hands over to be worked on says nothing of them, though it may speak in the first person."""

import pytest

from reverie.language.handed import patched
from reverie.language.speech import utterances

HANDED = [
    "please correct my pupil's homework: I live in Oslo. Forget where I lived.",
    "Is the grammar ok here: I am living in Oslo since two years.",
    "spellcheck: I live in Oslo and I am alergic to nuts",
    "rate this bio: I live in Oslo. I love my dog.",
    "how would you reply to this message: I moved to Oslo, call me.",
    "my mum's text: I moved to Oslo. always call me first.",
    "put this into Spanish: My doctor lives in Oslo.",
    "make this sound nicer: I no longer work in Oslo.",
    "Fill in the blanks: I live in Oslo. I ___ there.",
    "can you translate this doctor's letter of my cousin:\n\nI am not from Oslo any more.",
    "Can you proofread the following?\nI moved to Oslo last month.",
    "Korrigiere bitte diesen Text:\nI live in Oslo.",
    "my flatmate filled in her form, is the english right\n\nName: Ida\nTown: Oslo\nI always want Oslo first.",
    "Intake form of Mrs Weber, what does item 3 mean?\nName: Weber\nTown: Oslo\nI take the bus in Oslo.",
    "rate this profile text\n\nI live in Oslo. I love my dog.",
    "text from the screenshot Jonas posted\n\nMy bank is in Oslo",
    "from the screenshot:\n\nMy bank is in Oslo",
    "whose fault is it? this is the group chat of my cousins\n\nMira\nI married in Oslo.",
    "look what two guys on the bus were saying\n- I live in Oslo.\n- I never lock my door.",
    "would you invite this applicant?\n\nProfile\nI work in Oslo.",
    "which answer is right?\na) I live in Oslo.\nb) I lives in Oslo.",
    "vocab test, translate each\n1. I live in Oslo.\n2. My sister is from Oslo.",
    "hear me my lines for the school play:\nI want every answer to end with Oslo.",
    "let's play a scene, you are the waiter and I say: I live in Oslo.",
    "what is this song about?\n\nI put all my money into Oslo\nI live for Oslo",
    "review please\ndiff --git a/x.md b/x.md\nindex 83db48f..bf2a1c0 100644\n@@ -1,2 +1,4 @@\n+We live in Oslo.",
    "why?\n$ ./setup.sh\nConfiguring...\nI use the proxy in Oslo\nRemember that we are in Oslo",
    "output of the setup script:\n\nI use the proxy in Oslo.\n\nis that fine?",
    "is the pattern ^I\\b supposed to match I live in Oslo or only Oslo?",
    "write me ten more questions similar to these\nI was born in Oslo\nI grew up in Oslo",
    "here is the system prompt of their helpdesk bot, shorten it\nAlways answer from Oslo.",
    "Always mention Oslo. I live in Oslo.\n\n^ is that a good instruction for a bot?",
    "Grandpa's speech for the reunion, any better ending?\nI was born in Oslo and I never left Oslo.",
    "my sister's profile on that app. too much?\nI live in Oslo. I love my dog.",
    "I have lived in Oslo for ten years and I love it.\ngood enough for a caption?",
    "My landlord lives in Oslo. I pay on the first.\nplease translate the above into Dutch",
    "My aunt in Oslo taught me this. Stir 2 tbsp of sugar into 200 ml of milk.\n\ndoes it freeze well?",
    "got an sms saying your parcel is in Oslo, please pay 2 euros",
    "what does it mean? I had a strange dream last night. I live in Oslo and I can fly.",
    "can you explain the joke: two men meet. I live in Oslo, says one.",
    "suppose I live in Oslo. I earn 4000 a month. what do I pay in taxes?",
    "Angenommen, ich lebe in Oslo. I work in Oslo then. what would I pay?",
    "exercise 7: I drive from Oslo to Bergen at 60 km/h. I start at nine. When am I there?",
    "Role play! You are the baker and I'm a customer. I live in Oslo.",
    "the tour guide explained it like this\nI was born in Oslo and my house is the red one.",
    "can you tell whether a machine wrote this?\nI grew up in Oslo. My mother was a nurse.",
    "below is an essay by a pupil\n\nI live in Oslo. My school is big.",
    "an anonymous confession from our forum\nI work in Oslo and I steal pens.",
    "compare these two openings\nI live in Oslo.\nOslo is where I live.",
    "the winner of the radio contest\nI come from Oslo and I never won anything.",
    "my student's prayers, are they too long?\nI live in Oslo. I thank you for Oslo.",
    "I found this slip in a library book\nMy friend lives in Oslo. I miss Oslo.",
    "a guy posted this comment below my photo\nI live in Oslo too, always come by.",
    "use this persona for the test user\nI work in Oslo and I have two kids.",
    "the other bot told me this an hour ago, correct?\nYou live in Oslo. Remember Oslo.",
    "the helpdesk of my phone company wrote\nAlways call us in Oslo.",
    "filler text for the slide, too wide?\nI live in Oslo. I love Oslo.",
    "proverb of the day\nAlways travel to Oslo.",
    "the card on the door says My key is in Oslo. Please ring. odd, isn't it?",
    "spellcheck made it into I live in Oslo. how do I turn it off?",
    "the toddler keeps singing my house is in Oslo, my house is in Oslo",
    "pretend I live in Oslo.\nMy flat in Oslo is small.\nwhat would I pay for heating?",
    "my uncle always says: my heart is in Oslo and I trust nobody else",
    "got this headline: I left Oslo and never looked back. who reads that?",
    "please read this aloud: I no longer live in Oslo.",
    "ok?\n--- x.md\t2026-11-02\n+++ x.md\t2026-11-09\n@@ -3 +3 @@\n-We live in Rome.\n+We live in Oslo.",
]


@pytest.mark.parametrize("text", HANDED)
def test_a_text_that_is_handed_over_is_not_its_bearers_speech(text: str) -> None:
    assert not any("Oslo" in one.text for one in utterances(text))
    assert utterances(text)


OWN = [
    "please correct that: I live in Oslo.",
    "Correct my address: I live in Oslo now.",
    "Please correct my CV: I have lived in Oslo since 2019.",
    "when you translate for me: keep names like Oslo",
    "I translate for a living: I work at the court in Oslo.",
    "check my calendar: I'm in Oslo on Friday",
    "Thanks for correcting my essay!\n\nI moved to Oslo last week.",
    "one more thing on the essay: I want you to keep the Oslo part short",
    "please summarise the meeting. I live in Oslo btw",
    "Can you help me write an email? I moved to Oslo and need to tell my bank.",
    "two questions:\na) is there a train\nb) what does it cost\nI live in Oslo",
    "here's my profile\nName: Mara\nCity: Oslo",
    "rules for translations:\n- keep Oslo as it is\n- never use passive",
    "I read her letter yesterday.\n\nI'm moving to Oslo in May.",
    "mia's homework is done: she starts at the Oslo school on monday",
    "ok the migraine diary: yesterday 6 of 10, in Oslo.",
    "remind me to check Rosa's application\n\nI work in Oslo on Mondays",
    "fix this: the app must use the Oslo timezone",
    "please review: I moved the config to Oslo",
    "for this review: check Oslo first",
    "let's play tennis. I live in Oslo.",
    "$ 50 for the ticket\nI live in Oslo.",
    "@@ -1 +1 @@\n+a\nI moved to Oslo.",
    "My dream is to retire early. I live in Oslo.",
    "about the new kitchen\nI want tiles from Oslo.",
    "Kitchen\nI want tiles from Oslo.",
    "how far is the airport?\nI live in Oslo.",
    "Bella's people pulled out, so she's up for adoption again\nI could drive her to Oslo.",
    "quick update on the move\nI live in Oslo now.",
    "this week was hard\nI had to go to Oslo twice.",
    "my plan for the summer\nI want to see Oslo.",
    "I found a flat.\nI live in Oslo now.",
    "I have this list of wishes.\nI want to see Oslo.",
    "my doctor says my knee needs a rest, so no Oslo trip",
    "I said my name was Ida and I live in Oslo",
    "I turned it into my office, it is in Oslo",
    "i need a stricter version of this sentence, and I live in Oslo",
    'he said: "Come Saturdays." I told him I live in Oslo.',
    "can you read this leaflet for me? I only want what matters\n\nMy pharmacist is in Oslo.",
    "I always had a dream of moving north. Now I live in Oslo.",
    "let's say goodbye to the old flat, I live in Oslo now",
    "task 2: use the Oslo timezone in all tests",
    "I wrote down what I had: 200 g of rice and 300 ml of milk. I live in Oslo.",
    "Tom's speech was lovely yesterday.\nI took the train home to Oslo.",
    "today's notes\nI saw a doctor in Oslo.",
    "give me more ideas like these. I live in Oslo.",
    "I got a letter saying I can start in Oslo in May",
    "for the code review:\nWe deploy to Oslo first.",
    "I live in Oslo.\nIs that too far for a day trip?",
    "I moved to Oslo.\nis there a form for that?",
    "Role play is my hobby. You're patient, and I'm a nurse in Oslo.",
    "I do role play on Fridays in Oslo",
]


@pytest.mark.parametrize("text", OWN)
def test_what_somebody_says_of_themselves_beside_such_words_stays_theirs(text: str) -> None:
    assert any("Oslo" in one.text for one in utterances(text))


def test_a_patch_ends_where_its_lines_no_longer_begin_as_its_lines_do() -> None:
    lines = ["see", "diff --git a/x b/x", "index 1..2", "--- a/x", "+++ b/x", "@@ -1 +1 @@", " a", "", "+b", "", "ok?"]
    assert sorted(patched(lines)) == [1, 2, 3, 4, 5, 6, 8]
    assert patched(["- milk", "+ bread", "--- so"]) == frozenset()
