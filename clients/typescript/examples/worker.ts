// A sleep-time worker in one process: turns are recorded as they come, and when nobody has spoken for a while a night
// consolidates them, at most so often an hour. Reverie's own sleeper does the same by itself; this shows how a program
// decides for itself when a space sleeps. Run: node worker.ts

import { Reverie, type NightReport, type Space } from "../src/index.js";

const IDLE_MS = Number(process.env.IDLE_MS ?? 60_000);
const TICK_MS = Number(process.env.TICK_MS ?? 5_000);
const MAX_PASSES_PER_HOUR = Number(process.env.MAX_PASSES_PER_HOUR ?? 4);

interface WorkerState {
  space: Space;
  lastUserTurn: number;
  lastPass: number;
  passes: number;
}

/** One exchange of the hot path: memory before the answer, both sides into the log after it. */
export async function turn(state: WorkerState, said: string, reply: (context: string) => Promise<string>): Promise<string> {
  state.lastUserTurn = Date.now();
  const ready = await state.space.answer(said);
  const answer = ready.text ?? (await reply((await state.space.context(said, { budget: 1_500 })).text));
  await state.space.append("user", said);
  await state.space.append("assistant", answer);
  return answer;
}

/** Looks every few seconds whether it is time; answers a function that stops it. */
export function startSleepTimeWorker(state: WorkerState, done: (night: NightReport) => void): () => void {
  let busy = false;
  const timer = setInterval(async () => {
    const now = Date.now();
    const idle = now - state.lastUserTurn >= IDLE_MS;
    const allowed = now - state.lastPass >= 3_600_000 / MAX_PASSES_PER_HOUR;
    if (busy || !idle || !allowed) return;
    busy = true;
    try {
      const asked = await state.space.sleep("night");
      state.lastPass = now;
      if (asked.status === "skipped") {
        console.log(`[sleep-time] not now: ${asked.why}`);
        return;
      }
      state.passes += 1;
      done(await state.space.slept(asked.night));
    } catch (error) {
      console.error("[sleep-time] pass failed", error);
    } finally {
      busy = false;
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}

const memory = new Reverie({ url: process.env.REVERIE_URL, key: process.env.REVERIE_KEY });
const state: WorkerState = { space: await memory.space("typescript"), lastUserTurn: Date.now(), lastPass: 0, passes: 0 };
await turn(state, "My sister Frieda keeps bees in Lisbon.", async () => "Noted.");
await turn(state, "From now on, answer in one sentence.", async () => "I will.");

const night = await new Promise<NightReport>((done) => {
  const stop = startSleepTimeWorker(state, (report) => {
    stop();
    done(report);
  });
});
console.log(`[sleep-time] pass #${state.passes}: ${night.night.status}, ${night.night.counts.facts ?? 0} facts`);
const [best] = await state.space.recall("who keeps bees?");
console.log(`recall: ${best?.text}`);
