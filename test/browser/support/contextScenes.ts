import type { ContextItem, ContextPart, ContextView } from "../../../src/protocol/contextView.ts";
import type { Scene } from "./scenes.ts";
import { answer, status, user, view } from "./viewBuilders.ts";

/** An item that links to a message. */
export function item(id: number, label: string, changes: Partial<ContextItem> = {}): ContextItem {
  return {
    itemId: `message-${String(id)}`,
    label,
    tokens: 410,
    why: "",
    place: { kind: "message", id },
    pinned: false,
    attachments: [],
    ...changes,
  };
}

const parts: readonly ContextPart[] = [
  {
    kind: "system",
    label: "Instructions",
    tokens: 5200,
    share: "4%",
    why: "Sent first in every request",
    itemCount: 2,
    items: null,
  },
  {
    kind: "tools",
    label: "9 tools",
    tokens: 6100,
    share: "5%",
    why: "What the model may call; sent with every request",
    itemCount: 9,
    items: null,
  },
  {
    kind: "pins",
    label: "3 pinned messages",
    tokens: 3900,
    share: "3%",
    why: "You pinned them: always sent as they are",
    itemCount: 3,
    items: null,
  },
  {
    kind: "summaries",
    label: "2 summaries for 162 messages",
    tokens: 30_100,
    share: "23%",
    why: "In place of older messages, which are kept and can be searched",
    itemCount: 2,
    items: null,
  },
  {
    kind: "recent",
    label: "31 messages",
    tokens: 9000,
    share: "7%",
    why: "The newest messages are always sent as they are",
    itemCount: 31,
    items: null,
  },
  {
    kind: "draft",
    label: "What you are typing",
    tokens: 1100,
    share: "<1%",
    why: "Sent with the next message",
    itemCount: 0,
    items: null,
  },
  {
    kind: "free",
    label: "Free; summarizing starts at 80%",
    tokens: 73_800,
    share: "57%",
    why: "",
    itemCount: 0,
    items: null,
  },
];

const context: ContextView = {
  modelLabel: "claude-haiku-4-5",
  strategyLabel: "Pipeline",
  inUse: null,
  barTokens: 129_200,
  figure: "55k of 129k tokens (43%)",
  certainty: "Measured by the provider, ± 120 for newer messages",
  note: "",
  parts,
  reserve: "A window of 200k: 64k reserved for the answer, 6.8k as a margin for counting.",
  totals: ["Summarized 3 times: 148k tokens saved", "5 model calls, 61k tokens billed, $0.012, 8.4 s"],
};

/** The context with `items` shown in the parts that they name. */
export function unfolded(items: Partial<Record<ContextPart["kind"], readonly ContextItem[]>>): ContextView {
  return { ...context, parts: parts.map((part) => ({ ...part, items: items[part.kind] ?? null })) };
}

const rows = [user(189, "Why does the third retry never happen?"), answer(190, "The budget is spent too early.")];
const draft = { draft: "and log the reason of each retry", status: status({ draftTokens: 9 }) };

const recalledPart: ContextPart = {
  kind: "recalled",
  label: "2 passages recalled for this question",
  tokens: 190,
  share: "<1%",
  why: "Your message names what is no longer sent as it is; they go with it until the next summary",
  itemCount: 2,
  items: [
    item(17, "Answer: Ilse Brandt, the harbour master, said so", {
      itemId: "recalled-0-17",
      why: "Beside message 190",
      pinned: null,
    }),
    item(3, "You: The tide gauge at the north pier is SK-41.", {
      itemId: "recalled-1-3",
      why: "Beside message 190",
      pinned: null,
    }),
  ],
};

export const contextScenes: Readonly<Record<string, Scene>> = {
  contextRecalled: {
    view: view(rows, { ...draft, context: { ...context, parts: parts.toSpliced(4, 0, recalledPart) } }),
  },
  context: { view: view(rows, { ...draft, context }) },
  contextUnfolded: {
    view: view(rows, {
      ...draft,
      context: unfolded({
        system: [
          {
            ...item(0, "Forge's own instructions", { itemId: "instructions-0", place: { kind: "text" }, pinned: null }),
            why: "Say what Forge is and how to read summaries",
          },
        ],
        summaries: [
          item(1, "Summary 1: messages 120–161", {
            itemId: "summary-1",
            place: { kind: "summary", id: 1 },
            pinned: null,
            why: "Stands for 42 messages of 61k tokens",
          }),
        ],
        recent: [
          item(
            190,
            "Answer: The budget is spent before the loop starts, because attempts counts the first try as well",
          ),
          item(189, "You: Why does the third retry never happen?", {
            why: "The last question: always sent as it is",
            attachments: [
              { index: 1, label: "src/net/upload.ts 40–118", tokens: 1_240, isExcluded: false },
              { index: 2, label: "src/net/policy.ts", tokens: 8_105, isExcluded: true },
            ],
          }),
          item(188, "Result: Read src/net/upload.ts, lines 40–118", {
            why: "Too long: an excerpt is sent, the whole is in the history",
          }),
        ],
        pins: [item(12, "You: Never retry a 4xx except 408 and 429.", { pinned: true })],
      }),
    }),
  },
  contextTrial: {
    view: view(rows, {
      ...draft,
      context: {
        ...context,
        modelLabel: "qwen3:8b",
        inUse: "claude-haiku-4-5, Pipeline",
        note: "Will be summarized: 55k → 24k tokens, about 2 calls.",
        certainty: "Estimated, ± 2.1k",
        barTokens: 61_000,
        figure: "55k of 27k tokens (203%)",
        totals: [],
      },
    }),
  },
};
