/** The conversation of the README's pictures. */

import type { ScriptedStep } from "../../test/ui/support/toolCalls.ts";
import { betterCarrier } from "./project.ts";

export interface TalkTurn {
  readonly question: string;
  readonly steps: readonly ScriptedStep[];
  /** Buttons that the user presses for the permission questions, in order. */
  readonly allows?: readonly string[];
}

/** A change to the code: read, edited, tested. */
export const fixing: readonly TalkTurn[] = [
  {
    question: "Why do orders lose their label at night?",
    steps: [
      {
        text: "I look for the places that buy labels.",
        calls: [
          ["search_text", { query: "buyLabel", files: "src/**" }],
          ["read_file", { path: "src/carrier.js" }],
          ["read_file", { path: "src/orders.js" }],
        ],
      },
      {
        text: [
          "Two things together:",
          "",
          "1. `buyLabel` in `src/carrier.js` gives up at the first 503, which the carrier sends while it deploys.",
          "2. `shipPaidOrders` in `src/orders.js` then sets the order to `failed`, and only `paid` orders are looked at again.",
        ].join("\n"),
      },
    ],
  },
  {
    question:
      "Try up to four times, with growing waits. Never buy a label twice: the order's id is the idempotency key.",
    allows: ["Allow once", "Allow once"],
    steps: [
      {
        text: "Only answers that can pass are asked again, always with the same key.",
        calls: [["edit_file", { path: "src/carrier.js", content: betterCarrier }]],
      },
      { text: "", calls: [["run_command", { command: "npm test" }]] },
      {
        text: [
          "Both tests pass. The part that decides:",
          "",
          "```js",
          "if (ok) return response.json();",
          "if (attempt === MAX_ATTEMPTS || !RETRIED.has(status)) {",
          "  throw new Error(`carrier: ${status}`);",
          "}",
          "await wait(250 * 2 ** attempt); // 0.5 s, 1 s, 2 s",
          "```",
          "",
          "A 422 is still an error at once. The worst case waits 3.5 seconds.",
        ].join("\n"),
      },
    ],
  },
];

export const planning: readonly TalkTurn[] = [
  {
    question: "And when the carrier is down for an hour?",
    steps: [
      { text: "I look at what their API promises.", calls: [["read_file", { path: "docs/carrier-api.md" }]] },
      {
        text: [
          "Then four attempts are not enough, and the order should stay `paid`:",
          "",
          "| answer | now | better |",
          "| --- | --- | --- |",
          "| 429, 502, 503, 504 | `failed` after 3.5 s | stays `paid`, next run tries again |",
          "| 400, 422 | `failed` | `failed`, with the carrier's words |",
          "| no answer | `failed` | stays `paid` |",
          "",
          "`shipPaidOrders` runs every five minutes from `cron/ship.js`, so nothing else is needed. The idempotency key makes it " +
            "safe: the carrier keeps keys for 24 hours, so orders that wait longer than `LABEL_KEY_HOURS = 20` should go to a person.",
        ].join("\n"),
      },
    ],
  },
  {
    question: "Write shipPaidOrders that way. Keep the order of the log lines, support greps for them.",
    steps: [
      {
        text: [
          "```js",
          "const LABEL_KEY_HOURS = 20;",
          "",
          "export async function shipPaidOrders(orders, log, now = Date.now()) {",
          '  const waiting = orders.filter((order) => order.state === "paid" && order.label === undefined);',
          "  for (const order of waiting.toSorted((a, b) => a.paidAt - b.paidAt)) {",
          "    if (now - order.paidAt > LABEL_KEY_HOURS * 3_600_000) {",
          '      order.state = "needsPerson";',
          "      log.warn(`order ${order.id}: waits for a label since ${new Date(order.paidAt).toISOString()}`);",
          "      continue;",
          "    }",
          "    const label = await buyLabel(order, fetch).catch((error) => error);",
          "    if (label.tracking !== undefined) {",
          "      order.label = label;",
          '      order.state = "shipped";',
          "    } else {",
          '      if (!label.canPass) order.state = "failed";',
          "      log.warn(`order ${order.id}: ${label.message}`);",
          "    }",
          "  }",
          "}",
          "```",
          "",
          "The lines begin as before, `order A-1042: carrier: 503`, and come in the order of payment.",
        ].join("\n"),
      },
    ],
  },
  {
    question: "Which figure tells us next week that it works?",
    steps: [
      {
        text: [
          "One is enough: **paid orders without a label for more than 30 minutes**, from `orders_waiting_minutes`.",
          "",
          "- Before the change it was 14 a day, all from the nights when the carrier deploys.",
          "- Afterwards it should be 0, and at most as many as `needsPerson` while the carrier is really down.",
        ].join("\n"),
      },
    ],
  },
  {
    question: "What would you write into the change log?",
    steps: [
      {
        text:
          "> **3.3.0** Orders no longer lose their label when the carrier is briefly down: labels are asked for up to four times, " +
          "never bought twice, and orders that wait longer than 20 hours are shown to a person.",
      },
    ],
  },
];

/** Asked after the conversation was summarized. */
export const checking: readonly TalkTurn[] = [
  {
    question: "Does our timeout fit what they recommend?",
    steps: [
      {
        text: "I look it up again.",
        calls: [
          ["read_file", { path: "docs/carrier-api.md" }],
          ["read_file", { path: "src/carrier.js" }],
        ],
      },
      { text: "No: `fetch` has none in `src/carrier.js`, and their support recommends 15 seconds." },
    ],
  },
];

/** The summary of the conversation. */
export const notes = [
  "## Decisions",
  "- `buyLabel` asks up to `MAX_ATTEMPTS` = 4 times after 429, 502, 503, 504; it waits 0.5, 1 and 2 s.",
  "- `order.id` is the `idempotency-key`; the carrier keeps keys for 24 hours.",
  "- Orders that can still pass stay `paid`; `cron/ship.js` runs every five minutes.",
  "## The user's words",
  "- Never buy a label twice.",
  "## Done",
  "`src/carrier.js` is changed, `npm test` passes.",
].join("\n");
