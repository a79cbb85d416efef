export type Role = "user" | "assistant" | "tool" | "system";
export type SleepKind = "nap" | "night";
export type HitKind = "turn" | "episode" | "fact" | "directive" | "note" | "insight" | "profile" | "summary";
export type NightStatus =
  | "requested" | "running" | "done" | "failed" | "skipped" | "cancelled" | "undoing" | "undone";

export interface Options {
  /** Where the server listens; by default http://127.0.0.1:8283. */
  url?: string;
  /** A key (`reverie keys create`) or the home's token (`reverie connect`). */
  key?: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export interface TurnOptions {
  session?: string;
  /** The same key twice stores once. */
  key?: string;
  speaker?: string;
  /** Seconds since 1970. */
  at?: number;
  origin?: string;
  metadata?: Record<string, unknown>;
}

export interface Appended { id: string; seq: number; repeated: boolean; redacted: number }

export interface RecallOptions {
  k?: number;
  session?: string;
  after?: number;
  before?: number;
  as_of?: number;
  kinds?: HitKind[];
  tags?: string[];
  mode?: "all" | "raw";
}

export interface Hit {
  id: string;
  kind: HitKind;
  text: string;
  score: number;
  /** 0 to 1. */
  relevance: number;
  sources: string[];
  said_at: number | null;
  speaker: string | null;
  session: string | null;
  flags: string[];
}

export interface ContextOptions { budget?: number; session?: string; k?: number }
export interface Context { text: string; hits: Hit[]; [more: string]: unknown }
export interface Answered { text: string | null; why: string; sources: string[]; [more: string]: unknown }
export interface SleepReply { night: string; status: NightStatus; why: string }

export interface Night {
  id: string;
  kind: SleepKind;
  status: NightStatus;
  trigger: string;
  counts: Record<string, number>;
  requested_at: number;
  began_at: number | null;
  ended_at: number | null;
  why: string;
  error: string | null;
  [more: string]: unknown;
}

export interface NightStep { step: string; status: string; duration_ms: number | null; [more: string]: unknown }
export interface NightReport { night: Night; steps: NightStep[]; verdict: { verdict: string; [more: string]: unknown } }
export interface Page<T> { items: T[]; next: string | null }

/** An error that the server told: `code` is stable, `nextMove` says what to do. */
export class ReverieError extends Error {
  status: number;
  code: string;
  nextMove: string;
  data: Record<string, unknown>;
}

export class Reverie {
  constructor(options?: Options);
  request<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  /** The space of that name; it is made if there is none and the key may make one. */
  space(name: string): Promise<Space>;
  spaces(options?: { limit?: number; after?: string }): Promise<Page<{ id: string; name: string }>>;
}

export class Space {
  readonly name: string;
  /** Stores one turn, durably. */
  append(role: Role, text: string, options?: TurnOptions): Promise<Appended>;
  /** What the space knows about a query, best first. */
  recall(query: string, options?: RecallOptions): Promise<Hit[]>;
  /** The section for a prompt: blocks, memories and recent turns within a budget of tokens. */
  context(query?: string | null, options?: ContextOptions): Promise<Context>;
  /** A precomputed answer; `text` is null where there is none, and `why` says the reason. */
  answer(query: string): Promise<Answered>;
  /** Asks for a nap or a night and comes back at once. */
  sleep(kind?: SleepKind): Promise<SleepReply>;
  nights(options?: { limit?: number; after?: string; status?: NightStatus }): Promise<Page<Night>>;
  night(id: string): Promise<NightReport>;
  /** Waits until a night has ended; answers it. */
  slept(id: string, options?: { everyMs?: number; timeoutMs?: number }): Promise<NightReport>;
}
