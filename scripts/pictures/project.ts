/** The example project of the README's pictures: it buys shipping labels from a carrier. Its tests run. */

/** File contents by path in the workspace folder. */
export const projectFiles: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "parcels",
  "version": "3.2.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  "AGENTS.md": `# Parcels

- Amounts are cents, times are UTC.
- Every change comes with its test; \`npm test\` runs them.
`,
  "docs/carrier-api.md": `# Carrier API, version 2

What we know of it, from their handbook (May 2026) and from the mails with their support.

## Labels

\`POST /v2/labels\` buys one. The body is the parcel: \`grams\`, \`lengthMm\`, \`widthMm\`, \`heightMm\`, \`to\`. The answer has
\`tracking\`, \`pdfUrl\` (30 days) and \`priceCents\`.

| status | meaning | asked again? |
| --- | --- | --- |
| 201 | bought | no |
| 400, 422 | the parcel is not as they want it; \`detail\` says why | no |
| 401, 403 | our key has expired; it is renewed each March | no, page the person on call |
| 409 | the idempotency key was used with another body | no, this is a bug of ours |
| 429 | more than 20 requests a second | yes, after \`Retry-After\` |
| 502, 503, 504 | they deploy, nearly always between 01:00 and 03:00 UTC | yes |

## Idempotency

A request with the header \`idempotency-key\` is carried out once; the same key with the same body gets the first answer
again. Keys are kept for 24 hours. Without the header every request buys a label, and labels are refunded by hand only:
their support needs the tracking number and up to ten days.

## Test account

\`https://sandbox.carrier.example/v2\` takes the same requests and buys nothing. Parcels of 503 grams are always answered
with 503, parcels of 429 grams with 429 and \`Retry-After: 1\`.

## Limits

Bodies up to 16 KB, 20 requests a second for each key, answers within 10 seconds in 99 of 100 cases. They do not answer at
all when a request is cut off in the middle, so a timeout of 15 seconds is what their support recommends.
`,
  "src/carrier.js": `const CARRIER = "https://api.carrier.example/v2";

/** Buys the label of an order. */
export async function buyLabel(order, fetch) {
  const response = await fetch(\`\${CARRIER}/labels\`, {
    method: "POST",
    body: JSON.stringify(order.parcel),
  });
  const { ok, status } = response;
  if (!ok) throw new Error(\`carrier: \${status}\`);
  return response.json();
}
`,
  "src/orders.js": `import { buyLabel } from "./carrier.js";

/** Ships all orders that are paid and have no label yet, oldest first. */
export async function shipPaidOrders(orders, log) {
  const waiting = orders.filter((order) => order.state === "paid" && order.label === undefined);
  for (const order of waiting.toSorted((a, b) => a.paidAt - b.paidAt)) {
    try {
      order.label = await buyLabel(order, fetch);
      order.state = "shipped";
    } catch (error) {
      order.state = "failed";
      log.warn(\`order \${order.id}: \${error.message}\`);
    }
  }
}
`,
  "test/carrier.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { buyLabel } from "../src/carrier.js";

const order = { id: "A-1042", parcel: { grams: 730 } };
const answer = (status) => ({ ok: status < 300, status, json: async () => ({ tracking: "JD0142" }) });

test("a label has a tracking number", async () => {
  const label = await buyLabel(order, async () => answer(201));
  assert.equal(label.tracking, "JD0142");
});

test("a refusal is an error", async () => {
  await assert.rejects(
    buyLabel(order, async () => answer(422)),
    /carrier: 422/,
  );
});
`,
};

/** \`src/carrier.js\` after the conversation. */
export const betterCarrier = `import { setTimeout as wait } from "node:timers/promises";

const CARRIER = "https://api.carrier.example/v2";
const MAX_ATTEMPTS = 4;
const RETRIED = new Set([429, 502, 503, 504]);

/** Buys the label of an order, never twice. */
export async function buyLabel(order, fetch) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(\`\${CARRIER}/labels\`, {
      method: "POST",
      headers: { "idempotency-key": order.id },
      body: JSON.stringify(order.parcel),
    });
    const { ok, status } = response;
    if (ok) return response.json();
    if (attempt === MAX_ATTEMPTS || !RETRIED.has(status)) {
      throw new Error(\`carrier: \${status}\`);
    }
    await wait(250 * 2 ** attempt);
  }
}
`;
