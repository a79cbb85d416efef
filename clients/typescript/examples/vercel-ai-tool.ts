// Memory as tools of the Vercel AI SDK, and as the system prompt of a call.
//
//   import { generateText, tool } from "ai";
//   import { z } from "zod";
//   const result = await generateText({
//     model, prompt, system: await memorySystem(space, prompt),
//     tools: memoryTools(space, { tool, z }),
//   });
//
// `tool` and `z` are given so that this file needs neither package to be loaded.

import type { Space } from "../src/index.js";

interface Sdk {
  tool: (made: { description: string; inputSchema: unknown; execute: (given: any) => Promise<string> }) => unknown;
  z: { object: (fields: Record<string, unknown>) => unknown; string: () => { describe: (text: string) => unknown } };
}

/** Two tools: one to search memory, one to keep a sentence. */
export function memoryTools(space: Space, { tool, z }: Sdk): Record<string, unknown> {
  return {
    recallMemory: tool({
      description: "Search long-term memory: past conversations, facts, preferences, decisions.",
      inputSchema: z.object({ query: z.string().describe("what to look for") }),
      execute: async ({ query }: { query: string }) =>
        (await space.recall(query, { k: 5 })).map((hit) => `- ${hit.text}`).join("\n") || "Nothing is known about that.",
    }),
    remember: tool({
      description: "Keep something that the user said, word for word, for later.",
      inputSchema: z.object({ text: z.string().describe("the user's own words") }),
      execute: async ({ text }: { text: string }) => `remembered as ${(await space.append("user", text)).id}`,
    }),
  };
}

/** What the space knows about a prompt, for `system`. */
export async function memorySystem(space: Space, prompt: string, budget = 1_500): Promise<string> {
  return (await space.context(prompt, { budget })).text;
}
