"""What the tests stand on: clocks, servers, hosts that are killed, samples. No test is here."""
