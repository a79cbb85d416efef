"""Statements of a developer, and prompts that have and have not an answer among them: for the bar of injected hits.

Made for this measure, in two halves: the bar was set on `SET` and is reported on `HELD`, but by somebody who had seen
the scores of both; a blind figure it is not.
"""

STATEMENTS = """
We deploy the billing service to staging every Monday morning.
The production database runs on Postgres 15 in Frankfurt.
Feature flags live in the LaunchDarkly project called harbor.
Mara owns the payments module and reviews every change there.
The mobile team uses Flutter, not React Native.
Our error budget for checkout is 99.9 percent a month.
The API rate limit for partners is 120 requests a minute.
We keep secrets in Vault under the path kv/billing.
The old invoices exporter was written by Tomas in Perl.
Integration tests need the docker network called testnet.
I prefer pytest fixtures over setUp methods.
Our monorepo uses Bazel for the backend and pnpm for the frontend.
The nightly job that recalculates taxes starts at 02:30 UTC.
Customer support escalations go to the Slack channel #red-phone.
The design system is called Larch and lives in packages/larch.
We dropped Kafka last spring and use NATS JetStream now.
The staging cluster is called otter and has six nodes.
My laptop is a ThinkPad with Fedora 41.
Releases are tagged with calendar versions such as 2026.11.
The feature for gift cards was postponed to March.
Pavel is on parental leave until January.
The GDPR export must be finished within 30 days.
We use structlog, and every log line carries a tenant id.
The search index is rebuilt with the command make reindex.
Our biggest customer is Nordwind Logistics in Bremen.
The legacy SOAP endpoint will be switched off on 1 February.
I live in Kiel with my daughter Ida.
My daughter is allergic to hazelnuts.
I play the cello in an amateur orchestra on Thursdays.
I am vegetarian since 2019.
Our office moved to Hafenstrasse 12 in October.
The CI runners have 8 cores and 16 GB of memory.
Code coverage must not fall below 85 percent.
The webhook signatures are made with HMAC SHA-256.
Sessions of the admin console expire after 20 minutes.
The pricing page is rendered by Astro.
The retry policy for Stripe is five attempts with backoff.
Our canary takes ten percent of the traffic for an hour.
The data warehouse is BigQuery, loaded by Airbyte.
We name branches after the ticket, for example BIL-214.
""".strip().splitlines()

# (prompt, the place of the statement that answers it)
SET = [
    ("when do we deploy billing to staging?", 0), ("what database does production use?", 1),
    ("where are our feature flags?", 2), ("who should review my change to the payments module?", 3),
    ("is the mobile app in react native?", 4), ("what rate limit do partners have on the api?", 6),
    ("where do I find the billing secrets", 7), ("which docker network do the integration tests need", 9),
    ("what build tool does the backend use", 11), ("when does the tax recalculation job start", 12),
    ("which slack channel for customer escalations?", 13), ("do we still use kafka?", 15),
    ("how many nodes does the staging cluster have", 16), ("how do we tag releases", 18),
    ("when will gift cards be done?", 19), ("when is pavel back?", 20),
    ("how do I rebuild the search index", 23), ("who is our biggest customer?", 24),
    ("what is my daughter allergic to?", 27), ("write a test for the parser, how do I like fixtures?", 10),
]  # fmt: skip
HELD = [
    ("what is the error budget of checkout", 5), ("who wrote the invoices exporter?", 8),
    ("what's the name of our design system", 14), ("which linux is on my laptop?", 17),
    ("how long do we have for a gdpr export", 21), ("what has to be in every log line?", 22),
    ("when does the soap endpoint go away", 25), ("which city do I live in?", 26),
    ("what instrument do I play", 28), ("suggest a dinner for me, what diet do I follow?", 29),
    ("what is our office address", 30), ("how much memory do the ci runners have", 31),
    ("what is the minimum code coverage?", 32), ("how are webhook signatures computed", 33),
    ("how long until an admin console session expires?", 34), ("what renders the pricing page", 35),
    ("how often do we retry stripe calls", 36), ("how much traffic does the canary get", 37),
    ("which data warehouse do we have", 38), ("how should I name my branch?", 39),
]  # fmt: skip

# Prompts that nothing above answers: plain work, other matters, and neighbours of what was said.
SET_NONE = """
fix the failing test in parser.py
rename this variable to something clearer
what is the capital of Bulgaria?
add type hints to the function above
explain how garbage collection works in Go
why does this regex not match unicode letters?
write a haiku about autumn
can you split this file into two modules
the build is red again, please have a look
how do I center a div?
what is the weather in Lisbon tomorrow
refactor the loop into a comprehension
summarise the last commit
undo your last change
is there a difference between a list and a tuple?
how do I exit vim
run the linter and fix what it says
what time is it in Tokyo
add a button that closes the dialog
make the function return early when the input is empty
thanks, that looks good, go on
please write a docstring for each public function
which sorting algorithm is stable?
convert this curl call to python requests
how tall is the Eiffel tower
add a changelog entry
what does exit code 137 mean
replace print with logging
generate ten random names
why is my css grid overflowing
""".strip().splitlines()
HELD_NONE = """
remove the unused imports
who won the world cup in 1998?
what port does redis listen on by default
add an index to the orders table
why is the sky blue
write a function that reverses a linked list
the tooltip flickers when I hover, find out why
how do I squash my commits
bump the version of lodash
translate this sentence into Spanish
what is the airspeed of a swallow
make the test for the date parser less flaky
explain the difference between TCP and UDP
format this file
is it safe to delete node_modules
catch the exception and show a message
what is a monad
move the helper into utils
how many grams are in an ounce
create a new component for the sidebar
now do the same for the other endpoint
recommend a good science fiction novel
write a dockerfile for a flask app
how do I mock a clock in jest
compare quicksort with mergesort
set up dark mode
why does git say detached head
the user avatar is not loading on safari
add pagination to the list of articles
how do I cook risotto
""".strip().splitlines()

# Work on what statements name, but do not answer: a hit is a reminder there, not an error; counted apart.
NEIGHBOURS = """
write a unit test for the payments module
the staging cluster is down, restart it
why is the tax job so slow
add a button to the admin console
upgrade stripe to the newest version
the pricing page has a typo in the title
add a column to the data warehouse export
the checkout page throws an error on safari
how do I write a docker compose file
speed up the ci pipeline
rotate the key of the webhook
delete the old invoices from the table
""".strip().splitlines()
