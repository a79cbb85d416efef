"""Which texts the rules may read: English, and what is too short to tell."""

import pytest

from reverie.language.detect import is_english

OTHER = [
    "Mein Sohn hat am Samstag Geburtstag und wünscht sich ein Fahrrad.",
    "Können wir das auf nächste Woche verschieben?",
    "Ich vertrage keine Milch",
    "On a changé la date, ce sera le douze mars.",
    "Mon fils est allergique aux arachides, il ne faut pas l'oublier",
    "Nos mudamos a Valencia el año pasado",
    "El plazo se ha movido al viernes, por favor apúntalo",
    "Meu filho mora no Porto e trabalha numa padaria",
    "A reunião foi cancelada, não vamos mais",
    "Mój syn mieszka w Gdańsku i pracuje jako kucharz",
    "Termin przesunięto na piątek, nie zapomnij",
    "Oğlum Ankara'da oturuyor ve bir fırında çalışıyor",
    "Toplantı iptal oldu, artık gerek yok",
    "息子は来月から大学生になります。",
    "コーヒーはブラックが好き",
    "我儿子下个月开始上大学",
    "ابني يعيش في الإسكندرية",
    "मेरा बेटा पुणे में काम करता है",
    "Мой сын работает в пекарне",
    "ok, але зустріч перенесли на п'ятницю",
    "Mio figlio abita a Torino e lavora in una panetteria",
    "Mijn zoon woont in Gent en werkt bij een bakker",
]
ENGLISH = [
    "",
    "ja",
    "Ça va?",
    "Sigríður Þórsdóttir",
    "José, André and Zoë are coming",
    "My son lives in Gdańsk and works at a bakery called Śliwka",
    "we moved the standup to 9:30",
    "deadline 11 December, budget 4,000",
    "The café on Rue de la Paix is closed",
    "Das Boot is my favourite film",
    "merci! can you send it to Benoît instead",
    "my boss says 'das ist mir egal' about everything",
    "git push --force origin main",
    "no no no",
    "she said 頑張って and left",
    "pls fix asap thx",
    "ERR_CONN_RESET",
    "u can go, its fine",
]


@pytest.mark.parametrize("text", OTHER)
def test_other_languages_are_not_english(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_with_foreign_names_short_texts_and_codes_is_english(text: str) -> None:
    assert is_english(text)


def test_a_turn_of_two_languages_is_what_most_of_it_is() -> None:
    assert is_english("sige, I will send it to you tomorrow, po")
    assert not is_english("Ich habe gestern mit dem team gesprochen und das meeting ist am Freitag, ok thanks")
