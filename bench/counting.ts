/**
 * `npm run bench -- counting --data DIR`: how much requests grow from one to the next as Forge counts, by the growth
 * that the provider reported. Reads sessions of pi (`*.jsonl`) and of Gemini CLI (`session-*.json`) under DIR; neither
 * is shipped. For each family of models: the median and the 5th and 95th percentile of the ratio, for the half of the
 * steps (every other one) to which the constants of `countingFormula.ts` were not fitted.
 */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { TokenCosts } from "../src/core/context/tokenCosts.ts";
import { messageId, modelId, toolCallId } from "../src/core/ids.ts";
import type { Message, Part } from "../src/core/message.ts";
import { testTokenCounter } from "../test/support/models/tokenCounter.ts";

/** Smaller steps are a handful of tokens, of which one is a large share. */
const SMALLEST_GROWTH = 30;

interface Step {
  readonly model: string;
  readonly reportedTokens: number;
  readonly added: readonly Message[];
}

export function run({ data }: BenchOptions): Promise<BenchReport> {
  if (data === undefined) throw new Error("usage: npm run bench -- counting --data DIR");
  const steps = globSync(["**/*.jsonl", "**/*session-*.json"], { cwd: data }).flatMap((file) => {
    const text = readFileSync(path.join(data, file), "utf8");
    return stepsOf(file.endsWith(".jsonl") ? piEvents(text) : geminiEvents(text));
  });
  const figures: Record<string, number> = {};
  for (const family of new Set(steps.map(({ model }) => familyOf(model)))) {
    const all = steps.filter(({ model }) => familyOf(model) === family);
    const ratios = all.filter((_, index) => index % 2 === 1).map((step) => countedTokens(step) / step.reportedTokens);
    const sorted = ratios.toSorted((one, other) => one - other);
    if (sorted.length < 10) continue;
    for (const [name, share] of [
      ["P5", 0.05],
      ["Median", 0.5],
      ["P95", 0.95],
    ] as const) {
      figures[`${family}${name}`] = Number((sorted[Math.floor(share * sorted.length)] ?? Number.NaN).toFixed(3));
    }
    figures[`${family}Steps`] = sorted.length;
  }
  return Promise.resolve({ figures });
}

function familyOf(model: string): string {
  return model.replace(/^.*\//, "").replace(/-(?:preview|latest|\d{8}).*$/, "");
}

function countedTokens({ model, added }: Step): number {
  const counter = testTokenCounter();
  const costs = new TokenCosts(modelId(model));
  return added.reduce((sum, message) => {
    const isOfResults = message.parts.some(({ kind }) => kind === "toolResult");
    const place = isOfResults ? { batch: messageId(0), partCount: message.parts.length } : {};
    return sum + costs.ofEntry({ id: messageId(1), ...place, tokens: counter.countMessage(message) });
  }, 0);
}

/** An answer with its input as reported; a message that goes with the next request; or a break: nothing can be compared. */
type SessionEvent =
  | { readonly kind: "answer"; readonly model: string; readonly inputTokens: number; readonly message: Message }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "break" };

function stepsOf(events: readonly SessionEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let last: { readonly model: string; readonly inputTokens: number } | undefined;
  let added: Message[] = [];
  for (const event of events) {
    if (event.kind === "break") last = undefined;
    else if (event.kind === "message") added.push(event.message);
    else {
      const { model, inputTokens, message } = event;
      const reportedTokens = inputTokens - (last?.inputTokens ?? inputTokens);
      if (last?.model === model && reportedTokens >= SMALLEST_GROWTH) steps.push({ model, reportedTokens, added });
      last = { model, inputTokens };
      added = [message];
    }
  }
  return steps;
}

function piEvents(text: string): readonly SessionEvent[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SessionEvent => {
      const { type, message } = JSON.parse(line) as { readonly type: string; readonly message?: PiMessage };
      if (type === "session" || message === undefined) return { kind: "break" };
      const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
      if (!parts?.every((part) => ["text", "toolCall", "thinking"].includes(part.type))) return { kind: "break" };
      if (message.role === "user") return { kind: "message", message: { role: "user", parts: parts.flatMap(piPart) } };
      if (message.role === "toolResult") {
        const said = parts.map((part) => part.text ?? "").join("");
        return { kind: "message", message: { role: "user", parts: [resultPart(message.toolCallId ?? "", said)] } };
      }
      const { input = 0, cacheRead = 0, cacheWrite = 0 } = message.usage ?? {};
      const inputTokens = input + cacheRead + cacheWrite;
      const isWhole = message.stopReason !== "aborted" && message.stopReason !== "error";
      if (message.role !== "assistant" || inputTokens === 0 || !isWhole) return { kind: "break" };
      const answer: Message = { role: "assistant", parts: parts.flatMap(piPart) };
      return { kind: "answer", model: message.model ?? "", inputTokens, message: answer };
    });
}

interface PiMessage {
  readonly role: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly toolCallId?: string;
  readonly usage?: { readonly input?: number; readonly cacheRead?: number; readonly cacheWrite?: number };
  readonly content?: string | readonly PiPart[];
}

interface PiPart {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly thinkingSignature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

function piPart({ type, text = "", thinking = "", thinkingSignature, ...call }: PiPart): readonly Part[] {
  if (type === "text") return [{ kind: "text", text }];
  if (type === "toolCall") return [callPart(call.id ?? "", call.name ?? "", call.arguments)];
  return thinkingSignature === undefined ? [] : [{ kind: "thinking", text: thinking, signature: thinkingSignature }];
}

function geminiEvents(text: string): readonly SessionEvent[] {
  const { messages } = JSON.parse(text) as { readonly messages: readonly GeminiMessage[] };
  return messages.flatMap(({ type, content, model = "", tokens, toolCalls = [] }): readonly SessionEvent[] => {
    const said: readonly Part[] = typeof content === "string" ? [{ kind: "text", text: content }] : [];
    if (type === "user") return [{ kind: "message", message: { role: "user", parts: said } }];
    if (type !== "gemini" || tokens?.input === undefined || model === "") return [{ kind: "break" }];
    const calls = toolCalls.map(({ id = "", name = "", args }) => callPart(id, name, args));
    const results = toolCalls.flatMap(({ id = "", result = [] }) =>
      result.map(({ functionResponse }) => {
        const { response } = functionResponse ?? {};
        const output = response?.["output"];
        return resultPart(id, typeof output === "string" ? output : JSON.stringify(response ?? {}));
      }),
    );
    const answer: Message = { role: "assistant", parts: [...said, ...calls] };
    return [
      { kind: "answer", model, inputTokens: tokens.input, message: answer },
      ...(results.length === 0
        ? []
        : [{ kind: "message" as const, message: { role: "user" as const, parts: results } }]),
    ];
  });
}

interface GeminiMessage {
  readonly type: string;
  readonly content?: unknown;
  readonly model?: string;
  readonly tokens?: { readonly input?: number };
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name?: string;
    readonly args?: unknown;
    readonly result?: readonly { readonly functionResponse?: { readonly response?: Record<string, unknown> } }[];
  }[];
}

function callPart(id: string, name: string, input: unknown): Part {
  return { kind: "toolCall", callId: toolCallId(id), name, inputJson: JSON.stringify(input ?? {}) };
}

function resultPart(id: string, text: string): Part {
  return { kind: "toolResult", callId: toolCallId(id), outcome: "ok", text };
}
