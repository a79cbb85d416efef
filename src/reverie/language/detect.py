"""Whether a text is English: by its script, and by the small words that no sentence of a language does without.

The rules know English only. What is not English is kept word for word and found by search; nothing is read into it.
"""

import re
from functools import lru_cache

from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS, word_set

LOOKED_AT = 2_000  # characters of a text
SHORT = 2  # so many words can be a name or a reaction in any language
FOREIGN_SCRIPT = 0.4  # of the letters

_SMALL_WORDS = {
    "German": """
        der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ich du er sie es wir ihr
        mich mir dich dir ihn ihm uns euch ist sind war waren bin bist hat habe haben hatte wird werden kann muss soll
        will auf aus bei mit nach von zu zum zur vom beim im am für über unter vor wenn dass weil als wie wo was wer
        auch noch schon nur sehr mein meine meinen meiner dein seine heute morgen gestern immer nie bitte danke nein
        doch um seit uhr montag dienstag mittwoch donnerstag freitag samstag sonntag mal jetzt hier dort dann also
    """,
    "French": """
        le la les un une des du de et ou mais ne pas je tu il elle nous vous ils elles on me te se ce cette ces est
        sont était suis es êtes sommes ai as avons avez ont avait dans sur avec pour par sans chez que qui quoi dont
        où quand comme très bien mon ma mes ton ta tes son sa ses notre votre leur leurs au aux j'ai c'est d'un d'une
        qu'il n'est à depuis avant après faut fait être avoir lundi mardi mercredi jeudi vendredi samedi dimanche
        aussi encore toujours jamais oui non merci aujourd'hui demain hier ça
    """,
    "Spanish": """
        el la los las un una unos unas de del y o pero no yo tú él ella nosotros ellos ellas me te se nos lo le les es
        son era está están estoy soy eres somos he ha han tengo tiene hay en con por para sin sobre entre hasta desde
        que qué quien cuando donde como muy más mi mis tu tus su sus nuestro este esta estos eso esto también ya
        todavía siempre nunca sí gracias lunes martes miércoles jueves viernes sábado domingo hoy mañana ayer porque
        al
    """,
    "Portuguese": """
        o a os as um uma uns umas de do da dos das e ou mas não eu tu ele ela nós eles elas você vocês me te se lhe é
        são era está estão estou sou somos foi tenho tem têm há em no na nos nas com por para sem sobre até que quem
        quando onde como muito mais meu minha meus minhas seu sua seus suas nosso este esta isso isto também já ainda
        sempre nunca sim obrigado obrigada hoje amanhã ontem porque ao
    """,
    "Italian": """
        il lo la gli le un uno una di del della dei delle e o ma non io tu lui lei noi voi loro mi ti si ci vi è sono
        era ho hai ha abbiamo hanno sto sta in nel nella con per da dal su sul che chi quando dove come molto più mio
        mia miei tuo sua suo nostro questo questa anche già ancora sempre mai sì grazie oggi domani ieri perché al
    """,
    "Dutch": """
        de het een en of maar niet geen ik jij je hij zij ze wij we jullie mij me jou hem ons is zijn was waren ben
        bent heeft heb hebben had wordt worden kan moet zal wil op uit bij met naar van te voor over onder door als
        dat die dit wie wat waar hoe ook nog al heel mijn jouw onze vandaag morgen gisteren altijd nooit ja nee dank
    """,
    "Polish": """
        i w we z ze na do od po za przez dla o u nie tak ale czy że jest są był była było będzie jestem mam ma mamy
        się ja ty on ona my wy oni mnie mi mu jej jego ich nas co kto gdzie kiedy jak bardzo już jeszcze tylko też mój
        moja moje twój ten ta to te tego tej tym dzisiaj dziś jutro wczoraj zawsze nigdy proszę dziękuję który która
    """,
    "Czech": """
        a v ve z ze na do od po za pro o u ne ano ale že je jsou byl byla bylo bude jsem mám má máme se si já ty on
        ona my vy oni mě mi mu jí jeho jejich nás co kdo kde kdy jak velmi už ještě jen také můj moje tvůj ten ta to
        dnes zítra včera vždy nikdy prosím děkuji který která
    """,
    "Turkish": """
        ve veya ama bir bu şu o ben sen biz siz onlar benim senin bizim bana sana ona için ile gibi daha çok en da de
        mi mı mu mü değil var yok ne kim nerede nasıl neden hangi her şey olarak olan oldu olacak ediyorum bugün yarın
        pazartesi salı çarşamba perşembe cuma dün şimdi sonra önce evet hayır teşekkürler lütfen ki kadar artık hala
        sadece
    """,
    "Swedish, Norwegian, Danish": """
        och og att at det den de en ett et jag jeg du han hun hon vi ni dere mig meg dig deg är er var har hade kan
        ska skal vil ville på av til till från fra med för for om men eller inte ikke ikkje som när når hvor hur
        hvordan också også bare mycket meget min mitt mine din sin idag imorgon ja nej nei tack takk
    """,
    "Finnish": """
        ja tai mutta ei en et on ovat oli olen olet olemme minä sinä hän me te he minun sinun hänen se tämä että kun
        niin kuin mitä kuka missä milloin miten myös vielä jo vain hyvin tänään huomenna eilen aina koskaan kiitos
    """,
    "Hungarian, Romanian": """
        és vagy de nem egy az hogy van volt lesz vagyok én te ő mi ti ők nekem ez azt mint csak már még nagyon igen
        köszönöm și sau dar nu un o la cu pe pentru este sunt era am ai are eu tu el ea noi voi ei mă se îl ce cine
        unde când foarte mai meu mea azi mâine ieri da mulțumesc
    """,
    "Indonesian, Tagalog": """
        yang dan di ke dari untuk dengan tidak ini itu saya aku kamu dia kami kita mereka adalah ada akan sudah belum
        juga bisa harus karena apa siapa ang ng mga sa na ay ko mo ka siya tayo sila hindi wala may po opo naman lang
        din rin kasi pero kung ito iyan
    """,
    "Vietnamese": "và là của không có tôi bạn anh em cho với này đó được các một những trong người đã sẽ rất",
}  # fmt: skip
# Words of other languages that English, or English as it is typed, has too: they count for neither.
_BOTH = word_set("""
    a i o u w n z v e y in an am as at so on no me do to go die was will war hat man men met he her his van over under
    door pro per la le les un en el es et est sur car main pain son sin si su tu al da de des den du mi ma mu na ta po
    sa se te ne ni ka ko mo may lang din rin ha vi ai ei oh ja nu di ti re il una mon mis das bin min mit im till til
    var ten hal bar mam all also hier kind rest art gift fast bald rot mag mail mai mein pet pas bien tot dan dit hade
    vil ville fin mest far mor kan ska der che dei del non ton tan sus sea ve bu ki biz siz ben sen him mas
""")
_ENGLISH = (
    STOP_WORDS
    | word_set(
        "i'm i've i'll i'd it's that's don't can't won't isn't didn't doesn't there's let's we're you're they're"
    )
    | word_set("us get got going need want know think like make today tomorrow yesterday now new thanks said says went")
)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]")
_MARKED = re.compile(r"[À-ɏḀ-ỿ]")
_ELIDED = re.compile(r"(?:j|l|d|qu|n|s|c|m|t)'[a-zà-ÿ]")  # j'habite, s'appelle


@lru_cache(maxsize=1)
def _other() -> frozenset[str]:
    return frozenset(word for words in _SMALL_WORDS.values() for word in words.split()) - _BOTH - _ENGLISH


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    return frozenset(_ENGLISH - _BOTH)


def is_english(text: str) -> bool:
    """Whether the rules may read a text. Short texts count as English, unless their script says otherwise.

    >>> is_english("I moved to Łódź"), is_english("Ich bin nach Kiel gezogen"), is_english("ja")
    (True, False, True)
    """
    text = text[:LOOKED_AT].translate(APOSTROPHES)
    letters = _LETTER.findall(text)
    if sum(not _LATIN.match(letter) for letter in letters) > FOREIGN_SCRIPT * len(letters):
        return False
    words = _WORD.findall(text)
    if len(words) <= SHORT:
        return True
    small = {word.lower() for word in words}
    english = len(small & _english())
    other = len(small & _other()) + sum(bool(_ELIDED.match(word)) for word in small)
    if english:
        return other < 2 or other <= english
    # A name may be written with any letter; the other words of English are not.
    sure = other + sum(bool(_MARKED.search(word)) for word in words if word[0].islower())
    signs = sure + bool(_MARKED.search(words[0])) + sum(len(word) > 1 for word in small & _BOTH)
    return signs < 2 or 5 * signs < len(words) or not sure
