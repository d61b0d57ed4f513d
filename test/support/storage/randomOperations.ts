import fc from "fast-check";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { STRATEGIES } from "../../../src/core/context/plan/strategies/strategies.ts";
import { messageId, summaryId } from "../../../src/core/ids.ts";
import { attach, leaveOut, sendAgain } from "../session/attachedMessages.ts";
import { TEST_MODELS, type TestConversation } from "../session/conversation.ts";

/** An action of a user or a model on a conversation. Numbers are wrapped around to existing items. */
export type Operation =
  | { readonly kind: "turns"; readonly count: number; readonly question: number; readonly answer: number }
  | { readonly kind: "answer"; readonly tokens: number }
  | { readonly kind: "recall"; readonly ids: readonly number[]; readonly tokens: number }
  | { readonly kind: "toolBatch"; readonly results: readonly number[] }
  | { readonly kind: "summarize"; readonly start: number; readonly length: number; readonly percent: number }
  | { readonly kind: "summaryState"; readonly id: number; readonly state: "active" | "undone" | "replaced" }
  | { readonly kind: "pin" | "unpin" | "exclude" | "include"; readonly id: number }
  | { readonly kind: "attach"; readonly tokens: number }
  | { readonly kind: "hide" | "show"; readonly start: number; readonly length: number }
  | { readonly kind: "switch"; readonly model: string }
  | { readonly kind: "compact"; readonly trigger: "manual" | "overflow" | "threshold"; readonly percent: number }
  | { readonly kind: "strategy"; readonly name: string }
  | { readonly kind: "look" };

const tokens = fc.integer({ min: 1, max: 700 });
const place = fc.nat(200);
const percent = fc.integer({ min: 1, max: 130 });

/** Mostly turns, sometimes other actions. */
export const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("turns" as const),
        count: fc.integer({ min: 1, max: 6 }),
        question: tokens,
        answer: tokens,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("answer" as const), tokens }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("recall" as const),
        ids: fc.array(place, { minLength: 1, maxLength: 4 }),
        tokens: fc.integer({ min: 1, max: 60 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("toolBatch" as const),
        results: fc.array(fc.oneof(tokens, fc.integer({ min: 1_000, max: 9_000 })), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("summarize" as const),
        start: place,
        length: fc.integer({ min: 1, max: 12 }),
        percent,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("summaryState" as const),
        id: place,
        state: fc.constantFrom("active" as const, "undone" as const, "replaced" as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("pin" as const, "unpin" as const), id: place }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("attach" as const), tokens }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("exclude" as const, "include" as const), id: place }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("hide" as const, "show" as const),
        start: place,
        length: fc.integer({ min: 1, max: 6 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("switch" as const),
        model: fc.constantFrom(...Object.keys(TEST_MODELS)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("compact" as const),
        trigger: fc.constantFrom("manual" as const, "overflow" as const, "threshold" as const),
        percent,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("strategy" as const),
        name: fc.constantFrom("pipeline", ...Object.keys(STRATEGIES)),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("look" as const) }) },
  ),
  { minLength: 1, maxLength: 40, size: "max" },
);

/** Performs an operation if it is possible. */
export function perform(operation: Operation, conversation: TestConversation): void {
  const { manager } = conversation;
  const { length, summaryCount } = manager.history;
  const stretch = (start: number, count: number): [number, number] => [
    start % length,
    Math.min(length, (start % length) + count),
  ];
  switch (operation.kind) {
    case "turns":
      conversation.turns(operation.count, operation.question, operation.answer);
      return;
    case "answer":
      conversation.say("assistant", operation.tokens);
      return;
    case "recall":
      conversation.ask(
        operation.tokens,
        operation.ids.flatMap((id) => (length === 0 ? [] : [id % length])),
        operation.tokens,
      );
      return;
    case "attach":
      attach(conversation, Math.max(operation.tokens, 20));
      return;
    case "exclude":
    case "include": {
      // Few messages have attachments: the next one from `id` on.
      const ids = Array.from({ length }, (_, at) => (operation.id + at) % length);
      ids.some((id) => (operation.kind === "exclude" ? leaveOut : sendAgain)(conversation, id));
      return;
    }
    case "toolBatch":
      conversation.toolBatch(20, operation.results);
      return;
    case "look":
      manager.prepare();
      return;
    case "strategy":
      conversation.store({ kind: "setting", name: "strategy", value: operation.name, atMs: 1 });
      return;
    case "switch":
      conversation.switchTo(operation.model);
      return;
    case "compact":
      conversation.compactWith(operation.trigger, ({ maxTokens }) => Math.floor((maxTokens * operation.percent) / 100));
      return;
    case "summarize": {
      if (length === 0) return;
      const [start, end] = stretch(operation.start, operation.length);
      const pending = runSync(
        manager.prepareSummarization(Array.from({ length: end - start }, (_, at) => messageId(start + at))),
      );
      if (pending === undefined) return;
      conversation.complete(pending, Math.max(1, Math.floor((pending.maxTokens * operation.percent) / 100)));
      return;
    }
    case "summaryState": {
      if (summaryCount === 0) return;
      const made = manager.summaryStateRecord(summaryId(operation.id % summaryCount), operation.state, 1);
      if (made.ok) conversation.store(made.value);
      return;
    }
    case "pin":
    case "unpin":
      if (length > 0) conversation[operation.kind](operation.id % length);
      return;
    case "hide":
    case "show":
      if (length > 0) conversation[operation.kind](...stretch(operation.start, operation.length));
  }
}
