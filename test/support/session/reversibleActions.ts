import fc from "fast-check";
import { TEST_MODELS } from "./conversation.ts";

/** An action on a conversation with summaries and its forks. Numbers are wrapped around to existing items. */
export type Act =
  | { readonly kind: "say"; readonly turns: number }
  | { readonly kind: "compact"; readonly trigger: "manual" | "overflow" }
  | { readonly kind: "range"; readonly from: number; readonly length: number }
  | { readonly kind: "again"; readonly id: number; readonly sizePercent: number }
  | { readonly kind: "edit" | "undo" | "redo"; readonly id: number }
  | { readonly kind: "hide" | "show" | "pin"; readonly id: number }
  | { readonly kind: "attach" }
  | { readonly kind: "exclude" | "include"; readonly id: number }
  | { readonly kind: "switch"; readonly model: string }
  /** Edits or regenerates a message: hides it and everything after it, and adds new messages. */
  | { readonly kind: "resend"; readonly id: number }
  /** Continues in a fork, with `turns` new turns. */
  | { readonly kind: "fork"; readonly id: number; readonly turns: number }
  /** Continues in another fork. */
  | { readonly kind: "goTo"; readonly id: number }
  /** Exports the conversation, and continues in the imported one. */
  | { readonly kind: "transfer" }
  | { readonly kind: "restart" };

const id = fc.nat(60);
/** Mostly turns and summaries, sometimes other actions or a restart. */
export const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("say" as const), turns: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("compact" as const),
        trigger: fc.constantFrom("manual" as const, "overflow" as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("range" as const), from: id, length: fc.integer({ min: 1, max: 12 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("again" as const), id, sizePercent: fc.constantFrom(50, 100, 200) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constantFrom("edit" as const, "undo" as const, "redo" as const), id }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("hide" as const, "show" as const, "pin" as const), id }),
    },
    { weight: 2, arbitrary: fc.constant<Act>({ kind: "attach" }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("exclude" as const, "include" as const), id }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("switch" as const),
        model: fc.constantFrom(...Object.keys(TEST_MODELS)),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("resend" as const), id }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("fork" as const), id, turns: fc.integer({ min: 0, max: 2 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("goTo" as const), id }) },
    { weight: 2, arbitrary: fc.constant<Act>({ kind: "transfer" }) },
    { weight: 3, arbitrary: fc.constant<Act>({ kind: "restart" }) },
  ),
  { minLength: 4, maxLength: 24 },
);
