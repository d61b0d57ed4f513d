/** Tool calls: scripting them in a local server, and finding them in the chat. */

import type { Frame, Locator } from "playwright-core";
import type { ModelServer } from "../../servers/protocol.ts";
import type { Answer, Framing, ScriptedCall } from "../../servers/script.ts";

/** A step of a scripted turn: text, and tool calls by name and input. */
export interface ScriptedStep extends Pick<Answer, "text" | "chunkChars"> {
  readonly calls?: readonly (readonly [name: string, input: object])[];
  readonly framing?: Framing;
}

/** Counter for unique call ids across all servers. */
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

/** The line of a call with title, state and duration. */
export function callLine(chat: Frame, words: string | RegExp): Locator {
  return chat.locator(".call-line", { hasText: words }).last();
}

/** The permission question of a call, with its buttons. */
export function question(chat: Frame): Locator {
  return chat.getByRole("group", { name: /^May this run/ });
}

/** Opens the line of a call, and returns its complete result as shown. */
export async function resultOf(chat: Frame, words: string | RegExp): Promise<string> {
  const line = callLine(chat, words);
  if ((await line.getAttribute("aria-expanded")) !== "true") await line.click();
  return chat.getByRole("group", { name: "Result" }).last().innerText();
}
