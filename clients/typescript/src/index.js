// A client for a Reverie server: fetch alone, so that it runs in Node, Deno, Bun, workers and browsers.

/** An error that the server told: `code` is stable, `nextMove` says what to do. */
export class ReverieError extends Error {
  constructor(status, said) {
    super(said?.message ?? `HTTP ${status}`);
    this.name = "ReverieError";
    this.status = status;
    this.code = said?.code ?? "error";
    this.nextMove = said?.next_move ?? "";
    this.data = said?.data ?? {};
  }
}

export class Reverie {
  constructor({ url = "http://127.0.0.1:8283", key, timeoutMs = 30_000, fetch: own } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.key = key;
    this.timeoutMs = timeoutMs;
    this.fetch = own ?? globalThis.fetch.bind(globalThis);
  }

  /** One request: its JSON answer, or a ReverieError. */
  async request(method, path, body, headers = {}) {
    const reply = await this.fetch(this.url + path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    const text = await reply.text();
    const value = text ? parsed(text) : undefined;
    if (!reply.ok) throw new ReverieError(reply.status, value?.error);
    return value;
  }

  /** The space of that name; it is made if there is none and the key may make one. */
  async space(name) {
    const space = new Space(this, name);
    try {
      await this.request("GET", space.path);
    } catch (error) {
      if (!(error instanceof ReverieError) || error.status !== 404) throw error;
      await this.request("POST", "/v1/spaces", { name });
    }
    return space;
  }

  /** Spaces in the order they were made. */
  async spaces({ limit = 50, after } = {}) {
    return this.request("GET", `/v1/spaces?${query({ limit, after })}`);
  }
}

export class Space {
  constructor(client, name) {
    this.client = client;
    this.name = name;
    this.path = `/v1/spaces/${encodeURIComponent(name)}`;
  }

  /** Stores one turn, durably. The same `key` twice stores once. */
  append(role, text, options = {}) {
    return this.client.request("POST", `${this.path}/turns`, { role, text, ...options });
  }

  /** What the space knows about a query, best first. */
  async recall(text, options = {}) {
    return (await this.client.request("POST", `${this.path}/recall`, { query: text, ...options })).hits;
  }

  /** The section for a prompt: blocks, memories and recent turns within a budget of tokens. */
  context(text, options = {}) {
    return this.client.request("POST", `${this.path}/context`, { query: text ?? null, ...options });
  }

  /** A precomputed answer; `text` is null where there is none, and `why` says the reason. */
  answer(text) {
    return this.client.request("POST", `${this.path}/answer`, { query: text });
  }

  /** Asks for a nap or a night and comes back at once; `status` is `skipped`, with `why`, if a gate is closed. */
  sleep(kind = "night") {
    return this.client.request("POST", `${this.path}/sleep`, { kind });
  }

  /** Nights, newest first: a page of `items` and where the `next` begins. */
  nights({ limit = 20, after, status } = {}) {
    return this.client.request("GET", `${this.path}/nights?${query({ limit, after, status })}`);
  }

  /** One night with its steps and how it went. */
  night(id) {
    return this.client.request("GET", `${this.path}/nights/${encodeURIComponent(id)}`);
  }

  /** Waits until a night has ended; answers it. */
  async slept(id, { everyMs = 250, timeoutMs = 600_000 } = {}) {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = await this.night(id);
      if (!["requested", "running"].includes(found.night.status)) return found;
      if (Date.now() > end) throw new ReverieError(408, { message: `${id} is still ${found.night.status}` });
      await new Promise((done) => setTimeout(done, everyMs));
    }
  }
}

function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { message: text.slice(0, 200) } };
  }
}
