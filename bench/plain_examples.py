"""Plain sentences, as people say them who tell something in so many words: forms that are filled with names and things.

Talk that was written to be hard has few of these, and a judge that has only seen hard talk doubts "I live in Bremen".
"""

import random
import re
from collections.abc import Iterator, Mapping

FILLERS: Mapping[str, str] = {
    "name": "Ines;Tomas;Aroha;Piotr;Leyla;Bram;Chidi;Yuna;Oskar;Marit;Dario;Samira;Wren;Kofi;Ludo;Freya;Hamza;Nia",
    "kin": "sister;brother;mother;father;wife;husband;partner;daughter;son;aunt;cousin;grandmother;flatmate",
    "role": "boss;manager;landlord;doctor;dentist;accountant;supervisor;neighbour;teacher;physio;lawyer",
    "city": "Bremen;Porto;Leeds;Ghent;Oslo;Kraków;Nantes;Bergen;Tartu;Cork;Izmir;Nagoya;Quito;Lagos;Turin;Split",
    "firm": "Nordholz;Brightloop;the city library;Acme Tools;a bakery;the fire service;Halvorsen;a law firm",
    "job": "carpenter;nurse;data engineer;baker;translator;teacher;electrician;designer;bus driver;vet",
    "food": "peanuts;shellfish;gluten;lactose;penicillin;latex;sesame;strawberries;bee stings",
    "diet": "vegetarian;vegan;celiac;diabetic;pescatarian;asthmatic;colour-blind;left-handed;pregnant",
    "day": "Monday;Tuesday;Wednesday;Thursday;Friday;Saturday;Sunday",
    "date": "3 May;the 14th of June;12 November;1 March;21 September;30 January;the 5th of August",
    "tool": "Postgres 16;pytest;a standing desk;Python 3.12;Figma;tabs;Kubernetes;an old Volvo;uv;Terraform",
    "pet": "two cats;a dog called Nero;three children;a twin sister;a small garden;an allotment;two jobs",
    "thing": "deadline;release;exam;wedding;audit;appointment;demo;move;interview;surgery;thesis defence",
    "project": "the billing service;my thesis;a kitchen renovation;the new website;a podcast;a novel",
    "sum": "4,000 euros;$250 a month;1,200 a year;80 pounds;3 million;600 Kč",
    "taste": "tea;green tea;jazz;window seats;short walks;dark chocolate;early flights;cold weather",
    "dose": "50 mg of sertraline;10 mg of ramipril;two puffs;insulin;iron tablets",
}
# Place, alone and meant, as in `judged.tsv`, then a form.
FORMS = """\
CAL I live in {city}.
CAL i live in {city} now
CAL I moved to {city} last month.
CAL We live in {city}, near the station.
CAL My name is {name}.
CAL I'm {name}.
CAL Hi, I'm {name}, a {job} from {city}.
CAL I work as a {job}.
CAL I work at {firm}.
CAL I'm a {job} at {firm}.
CAL My {kin} {name} lives in {city}.
CAL My {kin} is called {name}.
CAL {name} is my {kin}.
CAL My {role} is called {name}.
CAL my {role} is {name}
CAL I'm allergic to {food}.
CAL My {kin} {name} is allergic to {food}.
CAL I can't eat {food}.
CAL I'm {diet}.
CAL i'm {diet} btw
CAL I take {dose} every morning.
CAL I have {pet}.
CAL We use {tool}.
CAL we use {tool} here
CAL I'm working on {project}.
CAL The {thing} is on {date}.
CAL My {thing} is on {date}.
CAL my {thing} is {date}
CAL The {thing} of {project} is on {date}.
CAL Our budget for {project} is {sum}.
CAL Our rent is {sum}.
CAL We decided to go with {tool} for {project}.
CAL I play football every {day}.
CAL Deploys are on {day}s.
CAL My birthday is {date}.
CAL I speak Polish and a little Dutch.
CAL I prefer {taste}.
CAL I love {taste}.
CAL I don't like {taste}.
FAL I went to {city} with {name} last summer.
FAL I studied in {city}.
FAL {name} lent me a ladder.
FAL We met in {city} in 2019.
FAL I used to work at {firm}.
FAL My {kin} {name} bought {tool}.
FAL Yesterday I finished {project}.
FAL The paint for {project} cost {sum}.
FXL He moved to {city}.
FXL She works at {firm} now.
FXL It cost {sum}.
FBL {sum}.
FBL on {date}
JXL That went well.
JXL ok thanks {name}
JAN Can you book a table in {city}?
JAN What is the weather in {city} on {day}?
JAN If I lived in {city} I would take the train.
JAN Maybe I should move to {city}.
JXL Write a mail to {name} about {project}.
JXL Thanks, that helps.
JXL Good morning!
DAL Always answer in English.
DAL Keep answers short.
DAL Never call {name} before noon.
"""
_GAP = re.compile(r"\{(\w+)\}")


def plain_sentences(each: int = 24, seed: int = 3) -> Iterator[tuple[str, str]]:
    """Three letters and a sentence, some of each form."""
    chance = random.Random(seed)
    for line in FORMS.splitlines():
        letters, _, form = line.partition(" ")
        found = {_GAP.sub(lambda gap: chance.choice(FILLERS[gap[1]].split(";")), form) for _ in range(each)}
        yield from ((letters, text) for text in sorted(found))
