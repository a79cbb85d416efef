"""What Prometheus is told: requests as this server met them, nights as the store knows them."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from reverie.model.base import Instant
from reverie.model.spaces import Gauges

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """One registry a server, so that two in one process do not count for each other."""

    def __init__(
        self,
        in_flight: Callable[[], int],
        gauges: Callable[[], tuple[Gauges, Instant]],
        searchers: Callable[[], int] = lambda: 0,
    ) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(Nights(gauges))
        self._requests = Counter(
            "reverie_http_requests", "Requests answered", ("method", "route", "status"), registry=self.registry
        )
        self._library = Histogram(
            "reverie_http_library_seconds", "Time in the library", ("route",), buckets=SECONDS, registry=self.registry
        )
        self._server = Histogram(
            "reverie_http_server_seconds",
            "Time in the server outside the library",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._calls = Counter(
            "reverie_calls", "Calls of tools by name", ("surface", "name", "status"), registry=self.registry
        )
        self._call_seconds = Histogram(
            "reverie_call_seconds", "Time of such a call", ("surface", "name"), buckets=SECONDS, registry=self.registry
        )
        self._proxied = Counter(
            "reverie_proxied_requests",
            "Requests passed on to providers, by whether memory was added",
            ("api", "memory"),
            registry=self.registry,
        )
        Gauge("reverie_http_in_flight", "Requests being answered", registry=self.registry).set_function(
            lambda: float(in_flight())
        )

        Gauge("reverie_searchers", "Processes that answer recalls", registry=self.registry).set_function(
            lambda: float(searchers())
        )

    def count_request(self, method: str, route: str, status: int, *, library: float, server: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._library.labels(route).observe(library)
        self._server.labels(route).observe(server)

    def count_call(self, surface: str, name: str, *, ok: bool, seconds: float) -> None:
        """A call that is no route of its own: a tool of MCP, memory beside a proxied request, a verb of an adapter."""
        self._calls.labels(surface, name, "ok" if ok else "error").inc()
        self._call_seconds.labels(surface, name).observe(seconds)

    def count_proxied(self, api: str, memory: str) -> None:
        self._proxied.labels(api, memory).inc()

    def text(self) -> bytes:
        return generate_latest(self.registry)


class Nights(Collector):
    """Nights run in another process: what they came to is read from the store when it is asked for."""

    def __init__(self, read: Callable[[], tuple[Gauges, Instant]]) -> None:
        self._read = read

    def describe(self) -> list[Metric]:
        return []  # registering must not read the store

    def collect(self) -> Iterator[Metric]:
        found, now = self._read()
        yield gauge("reverie_spaces", "Spaces", found.spaces)
        yield gauge("reverie_unread_turns", "Turns that no night has read", found.unread_turns)
        yield gauge("reverie_unread_seconds", "Age of the oldest of them", age(found.oldest_unread_at, now))
        yield gauge("reverie_leases", "Nights that are running", found.leases)
        yield gauge("reverie_failing_spaces", "Spaces whose last three runs have failed", found.failing_spaces)
        yield gauge("reverie_sleeper_silence_seconds", "Since the sleeper spoke", age(found.sleeper_seen_at, now, -1))
        yield gauge("reverie_answers_asked", "Questions that an answer was looked for", found.answers_asked)
        yield gauge("reverie_answers_served", "Those that got a precomputed one", found.answers_served)
        yield gauge_by("reverie_workers", "Workers by what they do; gone: died within the hour", "state", found.workers)
        yield gauge_by("reverie_nights", "Nights by how they ended", "status", found.nights)
        yield gauge_by("reverie_step_seconds", "Time that steps took, ever", "step", found.step_seconds)
        yield gauge_by("reverie_model_tokens", "Tokens of model calls", "regime", found.tokens)
        yield gauge_by("reverie_model_dollars", "Cost of model calls", "regime", found.cost)


def gauge(name: str, help: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help, value=value)


def gauge_by(name: str, help: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, help, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


def age(at: Instant | None, now: Instant, never: float = 0.0) -> float:
    """
    >>> age(90.0, 100.0), age(None, 100.0), age(None, 100.0, never=-1)
    (10.0, 0.0, -1)
    """
    return never if at is None else max(0.0, now - at)
