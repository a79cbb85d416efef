"""The closed list of predicates: how each reads, how much it matters, whether a person has one value at a time."""

from dataclasses import dataclass

from reverie.model.thinking import FactKind


@dataclass(frozen=True, slots=True)
class Predicate:
    name: str
    says: str  # "{s} lives in {v}"
    ended: str  # "{s} no longer lives in {v}"
    question: str = ""  # as the user would ask it: "Where do I live?"
    about: str = ""  # the same of somebody else: "Where does {s} live?"
    theme: str = "other"  # profiles group by it
    kind: FactKind = "statement"
    importance: float = 0.5
    exclusive: bool = False


_ROWS = (
    # name, says, ended, question, about, theme, kind, importance, exclusive
    ("name", "{p} name is {v}", "{p} name is no longer {v}", "What is my name?", "What is {p} name?", "identity", "statement", 0.9, True),
    ("age", "{s} is {v} years old", "{s} is no longer {v}", "How old am I?", "How old is {s}?", "identity", "statement", 0.6, True),
    ("birthday", "{p} birthday is {v}", "{p} birthday is not {v}", "When is my birthday?", "When is {p} birthday?", "identity", "statement", 0.8, True),
    ("lives_in", "{s} lives in {v}", "{s} no longer lives in {v}", "Where do I live?", "Where does {s} live?", "home", "statement", 0.85, True),
    ("from", "{s} comes from {v}", "{s} does not come from {v}", "Where am I from?", "Where is {s} from?", "home", "statement", 0.7, True),
    ("works_at", "{s} works at {v}", "{s} no longer works at {v}", "Where do I work?", "Where does {s} work?", "work", "statement", 0.8, True),
    ("job", "{s} works as {v}", "{s} no longer works as {v}", "What is my job?", "What is {p} job?", "work", "statement", 0.8, True),
    ("studies", "{s} studies {v}", "{s} no longer studies {v}", "What do I study?", "What does {s} study?", "work", "statement", 0.65, False),
    ("likes", "{s} likes {v}", "{s} no longer likes {v}", "What do I like?", "What does {s} like?", "tastes", "preference", 0.5, False),
    ("dislikes", "{s} dislikes {v}", "{s} no longer dislikes {v}", "What do I dislike?", "What does {s} dislike?", "tastes", "preference", 0.5, False),
    ("favorite", "{p} favourite {n} is {v}", "{p} favourite {n} is no longer {v}", "What is my favourite {n}?", "What is {p} favourite {n}?", "tastes", "preference", 0.6, True),
    ("allergic_to", "{s} is allergic to {v}", "{s} is no longer allergic to {v}", "What am I allergic to?", "What is {s} allergic to?", "health", "statement", 0.95, False),
    ("diet", "{s} keeps a diet: {v}", "{s} no longer keeps a diet: {v}", "What is my diet?", "What is {p} diet?", "health", "preference", 0.8, False),
    ("owns", "{s} has {v}", "{s} no longer has {v}", "What do I own?", "What does {s} own?", "things", "statement", 0.45, False),
    ("has_pet", "{s} has a pet: {v}", "{s} no longer has a pet: {v}", "What pets do I have?", "What pets does {s} have?", "family", "statement", 0.65, False),
    ("has_child", "{s} has a child: {v}", "{s} has no child: {v}", "What are my children's names?", "What are {p} children's names?", "family", "statement", 0.8, False),
    ("spouse", "{s} is married to {v}", "{s} is no longer married to {v}", "Who is my spouse?", "Who is {p} spouse?", "family", "statement", 0.85, True),
    ("partner", "{p} partner is {v}", "{p} partner is no longer {v}", "Who is my partner?", "Who is {p} partner?", "family", "statement", 0.8, True),
    ("sibling", "{p} sibling is {v}", "{v} is not {p} sibling", "Who are my siblings?", "Who are {p} siblings?", "family", "statement", 0.7, False),
    ("parent", "{p} parent is {v}", "{v} is not {p} parent", "What are my parents called?", "What are {p} parents called?", "family", "statement", 0.7, False),
    ("friend", "{s} has a friend, {v}", "{v} is no longer {p} friend", "Who are my friends?", "Who are {p} friends?", "people", "statement", 0.55, False),
    ("colleague", "{s} works with {v}", "{s} no longer works with {v}", "Who do I work with?", "Who does {s} work with?", "people", "statement", 0.5, False),
    ("relation", "{s} knows {v}", "{s} no longer knows {v}", "", "", "people", "statement", 0.5, False),
    ("speaks", "{s} speaks {v}", "{s} no longer speaks {v}", "Which languages do I speak?", "Which languages does {s} speak?", "identity", "statement", 0.55, False),
    ("uses", "{s} uses {v}", "{s} no longer uses {v}", "What do I use?", "What does {s} use?", "work", "statement", 0.55, False),
    ("prefers", "{s} prefers {v}", "{s} no longer prefers {v}", "What do I prefer?", "What does {s} prefer?", "tastes", "preference", 0.6, False),
    ("drives", "{s} drives {v}", "{s} no longer drives {v}", "What car do I drive?", "What car does {s} drive?", "things", "statement", 0.5, True),
    ("plays", "{s} plays {v}", "{s} no longer plays {v}", "What do I play?", "What does {s} play?", "tastes", "statement", 0.5, False),
    ("habit", "{s} has a habit: {v}", "{s} no longer has the habit: {v}", "What are my habits?", "What are {p} habits?", "tastes", "statement", 0.5, False),
    ("plans", "{s} is planning: {v}", "{s} no longer plans: {v}", "What am I planning?", "What is {s} planning?", "plans", "plan", 0.6, False),
    ("decided", "{s} decided to {v}", "{s} no longer wants to {v}", "What did I decide?", "What did {s} decide?", "plans", "decision", 0.7, False),
    ("visited", "{s} visited {v}", "{s} did not visit {v}", "Where have I been?", "Where has {s} been?", "events", "event", 0.45, False),
    ("event", "{s} {v}", "It is not so that {s} {v}", "What have I been up to?", "What has {s} been up to?", "events", "event", 0.45, False),
    ("remember", "{v}", "No longer so: {v}", "What did I ask you to remember?", "", "other", "request", 0.9, False),
    ("health", "{s} has a health condition: {v}", "{s} no longer has {v}", "Which health conditions do I have?", "Which health conditions does {s} have?", "health", "statement", 0.85, False),
    ("email", "{p} email address is {v}", "{p} email address is no longer {v}", "What is my email address?", "What is {p} email address?", "identity", "statement", 0.7, True),
    ("phone", "{p} phone number is {v}", "{p} phone number is no longer {v}", "What is my phone number?", "What is {p} phone number?", "identity", "statement", 0.7, True),
    ("deadline", "{p} deadline is {v}", "{p} deadline is no longer {v}", "When is my deadline?", "When is {p} deadline?", "plans", "plan", 0.75, False),
    ("goal", "{s} wants to {v}", "{s} no longer wants to {v}", "What are my goals?", "What are {p} goals?", "plans", "plan", 0.6, False),
)  # fmt: skip
PREDICATES: dict[str, Predicate] = {row[0]: Predicate(*row) for row in _ROWS}  # type: ignore[arg-type]
