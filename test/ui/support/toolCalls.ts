/** Calls of tools: what a local model server asks for, and what the user sees of it in the chat. */

import type { Frame, Locator } from "playwright-core";
import type { ModelServer } from "../../servers/protocol.ts";
import type { Answer, Framing, ScriptedCall } from "../../servers/script.ts";

/** A step of a scripted turn: what is said, and which tools are called with which input. */
export interface ScriptedStep extends Pick<Answer, "text" | "chunkChars"> {
  readonly calls?: readonly (readonly [name: string, input: object])[];
  readonly framing?: Framing;
}

/** Numbers the calls of all servers: a real one gives each call an id of its own. */
let lastCall = 0;

/** Has `models` answer the next requests with these steps, each once and in this order. */
export function scriptSteps(models: ModelServer, ...steps: readonly ScriptedStep[]): void {
  models.script(
    ...steps.map(({ calls = [], framing, ...answer }) => ({
      answer: { ...answer, ...(calls.length === 0 ? {} : { toolCalls: calls.map(scripted) }) },
      times: 1,
      ...(framing === undefined ? {} : { framing }),
    })),
  );
}

function scripted([name, input]: readonly [string, object]): ScriptedCall {
  return { id: `call_${String(++lastCall)}`, name, inputJson: JSON.stringify(input) };
}

/** The line of a call: its title, its state and how long it took. */
export function callLine(chat: Frame, words: string | RegExp): Locator {
  return chat.locator(".call-line", { hasText: words }).last();
}

/** What the user is asked about a call; the buttons are in it. */
export function question(chat: Frame): Locator {
  return chat.getByRole("group", { name: /^May this run\?/ });
}

/** Opens the line of a call and returns its whole result as it is shown. */
export async function resultOf(chat: Frame, words: string | RegExp): Promise<string> {
  const line = callLine(chat, words);
  if ((await line.getAttribute("aria-expanded")) !== "true") await line.click();
  return chat.getByRole("group", { name: "Result" }).last().innerText();
}
