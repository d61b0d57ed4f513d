/** Documents crafted to do harm: each yields one typed error that names the field, and nothing is imported. */

import assert from "node:assert/strict";
import { sourceHash } from "../../../src/core/history/summaries/sourceHash.ts";
import { messageId } from "../../../src/core/ids.ts";
import { richConversation, saved } from "../../support/session/savedConversations.ts";
import { loadConversation } from "../../support/documents.ts";

/** A document of `messages` messages, with a summary for each of `ranges`. */
function documentOf(messages: number, ranges: readonly (readonly [start: number, end: number])[]): string {
  const tokens = { cl100k: 9, o200k: 9 };
  const entries = Array.from({ length: messages }, (_, id) => ({ id: messageId(id), state: "complete" as const }));
  const hashes = new Map<string, string>();
  const hashOf = (start: number, end: number): string => {
    const name = `${start}-${end}`;
    const hash = hashes.get(name) ?? sourceHash(entries.slice(start, end), () => true);
    hashes.set(name, hash);
    return hash;
  };
  return JSON.stringify({
    version: 1,
    messages: entries.map(({ id, state }) => {
      return { id, role: "user", turn: id, state, createdAtMs: 1, tokens, parts: [{ kind: "text", text: "x" }] };
    }),
    summaries: ranges.map(([start, end], id) => ({
      ...{ id, covers: { start, end }, level: 1, kind: "conversation", content: "s", tokenCount: tokens },
      ...{ originalTokens: tokens, createdAtMs: 1, generatedBy: "m", sourceHash: hashOf(start, end) },
      ...{ factsKept: 0, factsTotal: 0, state: "active" },
    })),
    ...{ receipts: [], pins: [], hidden: [], settings: [] },
  });
}

const AROUND = '"summaries":[],"receipts":[],"pins":[],"hidden":[],"settings":[]}';

describe("loadConversation rejects hostile input, naming the field,", function () {
  this.timeout(60_000);

  const check = (title: string, make: () => string, field: string, expected: RegExp): void => {
    it(title, () => {
      const refused = loadConversation(make());
      assert.deepEqual(refused.ok ? "" : [refused.error.code, refused.error.field], ["VALIDATION_ERROR", field]);
      assert.match(refused.ok ? "" : refused.error.expected, expected);
      assert.ok(!refused.ok && refused.error.found.length < 100, "and what was found is shown in short");
      assert.equal("polluted" in {}, false);
    });
  };
  const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  check("a deeply nested version", () => `{"version":${deep(100_000)}}`, "document.version", /^1$/);
  check(
    "deeply nested messages",
    () => `{"version":1,"messages":[${deep(1_000_000)}],${AROUND}`,
    "document.messages[0]",
    /object/,
  );
  check(
    "100 MB of text in place of the messages",
    () => `{"version":1,"messages":"${"x".repeat(100_000_000)}",${AROUND}`,
    "document.messages",
    /list/,
  );
  check("a version of 100 MB", () => `{"version":"${"x".repeat(100_000_000)}"}`, "document.version", /^1$/);
  check(
    "50 million numbers in place of messages",
    () => `{"version":1,"messages":[${"0,".repeat(50_000_000)}0],${AROUND}`,
    "document.messages[0]",
    /object/,
  );
  check(
    "a field with a name of 10 MB",
    () => `{"version":1,"${"x".repeat(10_000_000)}":0}`,
    `document.${"x".repeat(60)}`,
    /no such/,
  );
  check(
    "more nested summaries than the limit",
    () => {
      const depth = 1_500;
      return documentOf(
        2 * depth,
        Array.from({ length: depth }, (_, at) => [depth - at - 1, depth + at + 1]),
      );
    },
    "document.summaries[499].covers",
    /at most 1000 active summaries inside each other/,
  );
  check(
    "summaries that cover more messages in total than the limit",
    () => {
      return documentOf(
        20_000,
        Array.from({ length: 6_000 }, () => [0, 20_000]),
      );
    },
    "document.summaries[5000].covers",
    /at most 100000000 messages in all summaries together/,
  );

  const replaced = (title: string, from: string, to: string, field: string, expected: RegExp): void => {
    it(title, async () => {
      const json = await saved(richConversation());
      assert.ok(json.includes(from), `the document has ${from}`);
      const refused = loadConversation(json.replace(from, to));
      assert.deepEqual(refused.ok ? "" : [refused.error.code, refused.error.field], ["VALIDATION_ERROR", field]);
      assert.match(refused.ok ? "" : refused.error.expected, expected);
      assert.equal("polluted" in {}, false);
    });
  };
  replaced(
    "a __proto__ field in a message",
    '"role":"user"',
    '"__proto__":{"polluted":1},"role":"user"',
    "document.messages[0].__proto__",
    /no such/,
  );
  replaced(
    "a __proto__ field in a part",
    '{"kind":"text"',
    '{"__proto__":{"polluted":1},"kind":"text"',
    "document.messages[0].parts[0].__proto__",
    /no such/,
  );
  replaced(
    "a number that overflows to infinity",
    '"tokensBefore":900',
    '"tokensBefore":1e400',
    "document.receipts[0].tokensBefore",
    /0 or more/,
  );
  replaced(
    "an integer beyond the safe range",
    '"tokensBefore":900',
    '"tokensBefore":9007199254740993',
    "document.receipts[0].tokensBefore",
    /0 or more/,
  );
  replaced(
    "a message with empty parts only",
    '"parts":[{"kind":"text","text":"user 0"}]',
    '"parts":[{"kind":"text","text":""},{"kind":"thinking","text":""}]',
    "document.messages[0].parts",
    /not empty/,
  );
  replaced(
    "a receipt of a missing summary",
    '"summaries":[0],"t',
    '"summaries":[0,2],"t',
    "document.receipts[0].summaries[1]",
    /^0 to 1$/,
  );
  replaced(
    "a receipt of missing messages",
    '"span":{"end":6,"start":0}',
    '"span":{"end":60,"start":0}',
    "document.receipts[0].span",
    /within the 17 messages/,
  );

  describe("S18 every number that cannot be real, where it enters:", () => {
    const LATEST = 8_640_000_000_000_000;
    const bounded = (field: string, from: string, path: string, most: number): void => {
      it(field, async () => {
        const json = await saved(richConversation());
        const edited = (value: string): string => {
          const changed = json.replace(from, from.replace(/[\d.]+$/, value));
          assert.ok(changed !== json || from.endsWith(`:${value}`), `the document has ${from}`);
          return changed;
        };
        assert.equal(loadConversation(edited(String(most))).ok, true, "the largest is accepted");
        for (const value of ["9007199254740992", "1e400", "-1", "1e16", "null", '"1"']) {
          const refused = loadConversation(edited(value));
          assert.deepEqual(refused.ok ? value : refused.error.field, path);
        }
      });
    };
    const all = [
      ["a message's time", '"createdAtMs":9000', "document.messages[16].createdAtMs", LATEST],
      ["a receipt's time", '"atMs":7', "document.receipts[0].atMs", LATEST],
      ["a bill's time", '"atMs":9', "document.usage[0].atMs", LATEST],
      ["a duration", '"durationMs":12.5', "document.messages[16].durationMs", 1e12],
      ["a result's duration", '"durationMs":1.5', "document.messages[16].parts[4].durationMs", 1e12],
      ["a problem's line", '"line":3', "document.messages[16].parts[4].problems.listed[0].line", 1e9],
      ["tokens before", '"tokensBefore":900', "document.receipts[0].tokensBefore", 1e12],
      ["tokens after", '"tokensAfter":300', "document.receipts[0].tokensAfter", 1e12],
      ["a receipt's cost", '"costUsd":0.01', "document.receipts[0].costUsd", 1e12],
      ["calls", '"calls":1', "document.receipts[0].calls", 1e12],
      ["facts", '"factsTotal":2', "document.receipts[0].factsTotal", 1e12],
      ["billed input", '"inputTokens":900', "document.usage[0].inputTokens", 1e12],
      ["billed output", '"outputTokens":20', "document.usage[0].outputTokens", 1e12],
      ["read from the cache", '"cacheReadTokens":800', "document.usage[0].cacheReadTokens", 1e12],
      ["written to the cache", '"cacheWriteTokens":50', "document.usage[0].cacheWriteTokens", 1e12],
      ["a picture's width", '"widthPx":1', "document.messages[16].parts[2].widthPx", 1e6],
      ["a picture's height", '"heightPx":2', "document.messages[16].parts[2].heightPx", 1e6],
    ] as const;
    for (const [field, from, path, most] of all) bounded(field, from, path, most);
  });

  it("a receipt in a document without summaries", () => {
    const receipt = {
      ...{ summaries: [0], span: { start: 0, end: 1 }, strategy: "tree", trigger: "manual", tokensBefore: 1 },
      ...{ tokensAfter: 1, model: "m", calls: 0, durationMs: 1, factsKept: 0, factsTotal: 0, atMs: 1 },
    };
    const refused = loadConversation(
      documentOf(1, []).replace('"receipts":[]', `"receipts":[${JSON.stringify(receipt)}]`),
    );
    assert.deepEqual(refused.ok ? "" : [refused.error.field, refused.error.expected], [
      "document.receipts[0].summaries[0]",
      "none, there is no summary",
    ]);
  });

  it("but accepts a thousand nested summaries", () => {
    const json = documentOf(
      2_000,
      Array.from({ length: 1_000 }, (_, at) => [1_000 - at - 1, 1_000 + at + 1]),
    );
    assert.ok(loadConversation(json).ok);
  });
});
