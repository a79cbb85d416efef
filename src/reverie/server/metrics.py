"""What Prometheus is told about requests."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """One registry a server, so that two in one process do not count for each other."""

    def __init__(self, in_flight: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
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
        Gauge("reverie_http_in_flight", "Requests being answered", registry=self.registry).set_function(
            lambda: float(in_flight())
        )

    def answered(self, method: str, route: str, status: int, *, library: float, server: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._library.labels(route).observe(library)
        self._server.labels(route).observe(server)

    def text(self) -> bytes:
        return generate_latest(self.registry)
