import assert from "node:assert/strict";
import fc from "fast-check";
import { textMessage, type Message } from "../../../src/core/message.ts";
import {
  createOfflineProvider,
  OFFLINE_MODEL,
  OFFLINE_NOTICE,
  offlineAnswer,
} from "../../../src/core/offline/offlineProvider.ts";
import { findPassages, passagesOf, termsOf } from "../../../src/core/offline/passages.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { fold, NEVER, prepared } from "../../support/models/providerRequests.ts";

const user = (text: string): Message => textMessage("user", text);
const model = (text: string): Message => textMessage("assistant", text);
const TALK: readonly Message[] = [
  user("We store sessions in Redis, never in Postgres."),
  model(
    "Understood.\n\nThe retry limit of `uploadQueue` is 5.\n\n```ts\nconst uploadQueue = new Queue({ retries: 5 });\n```",
  ),
  user("日本語の設定はどこですか"),
  model("設定は settings.json にあります。"),
];

describe("offlineProvider", () => {
  const numbers = (messages: readonly Message[]): readonly number[] => messages.map((_, index) => index + 1);
  const quoted = (question: string, before: readonly Message[] = TALK): readonly string[] => {
    const messages = [...before, user(question)];
    return offlineAnswer(messages, numbers(messages))
      .split("\n")
      .filter((line) => /^>|message \d+:$/.test(line));
  };

  it("starts with the notice that no language model is connected, and what to do", () => {
    for (const question of ["hello", "uploadQueue retries?", ""]) {
      const answer = offlineAnswer([user(question)], [1]);
      assert.ok(answer.startsWith(OFFLINE_NOTICE));
      assert.match(answer, /add an API key, choose a server .* or use the editor's own models/);
    }
  });
  it("quotes relevant passages verbatim, with their message number", () => {
    assert.deepEqual(quoted("Where do sessions live?"), [
      "You, message 1:",
      "> We store sessions in Redis, never in Postgres.",
    ]);
    assert.deepEqual(quoted("How many retries has the upload queue?"), [
      "The model, message 2:",
      "> The retry limit of `uploadQueue` is 5.",
      "The model, message 2:",
      "> ```ts",
      "> const uploadQueue = new Queue({ retries: 5 });",
      "> ```",
    ]);
  });
  it("finds words in scripts without spaces", () => {
    assert.deepEqual(quoted("設定?").filter((line) => line.startsWith(">")).length, 2);
  });
  it("says when no passage matches, and quotes nothing", () => {
    assert.deepEqual(quoted("What about kangaroos?"), []);
    assert.match(offlineAnswer([...TALK, user("kangaroos?")], []), /Nothing earlier in this conversation/);
  });
  it("never quotes itself", () => {
    const own = model(offlineAnswer([...TALK, user("Redis?")], []));
    const lines = quoted("Redis?", [...TALK, user("Redis?"), own]).filter((line) => line.startsWith(">"));
    assert.deepEqual(lines, ["> We store sessions in Redis, never in Postgres.", "> Redis?"]);
  });
  it("streams the whole text in several pieces and ends with done", async () => {
    const events: StreamEvent[] = [];
    const context = prepared([...TALK, user("Where do sessions live?")]);
    const options = { model: OFFLINE_MODEL, maxOutputTokens: 10 };
    for await (const event of createOfflineProvider().stream(context, options, NEVER)) events.push(event);
    const { text, end } = fold(events);
    assert.ok(events.length > 5);
    assert.deepEqual(end, { stopReason: "endTurn" });
    assert.equal(text, offlineAnswer([...TALK, user("Where do sessions live?")], [1, 2, 3, 4, 5]));
  });
  it("stops when cancelled", async () => {
    const cancel = new Cancellation();
    const events: StreamEvent[] = [];
    const options = { model: OFFLINE_MODEL, maxOutputTokens: 10 };
    for await (const event of createOfflineProvider().stream(prepared(TALK), options, cancel)) {
      events.push(event);
      cancel.abort();
    }
    assert.deepEqual(fold(events).end, { error: { code: "CANCELLED" } });
    assert.equal(events.length, 2);
  });
});

describe("findPassages", () => {
  it("splits at blank lines, never inside a fence", () => {
    assert.deepEqual(passagesOf("a\nb\n\n\n```\nx\n\ny\n```\nc\n\n```open\nz\n\n"), [
      "a\nb",
      "```\nx\n\ny\n```",
      "c",
      "```open\nz",
    ]);
  });
  it("prefers rarer words and passages with more of them", () => {
    const texts = ["the cache is warm", "the cache is cold\n\nthe cache of tiles is cold", "nothing"];
    assert.deepEqual(findPassages("tiles cache", texts, 1), [{ source: 1, text: "the cache of tiles is cold" }]);
  });
  it("splits identifiers into words", () => {
    assert.deepEqual(termsOf("getUserName of MAX_RETRY_COUNT"), [
      "getusername",
      "get",
      "user",
      "name",
      "max_retry_count",
      "max",
      "retry",
      "count",
    ]);
  });
  it("returns only existing text, at most the given number of passages, in message order", () => {
    const property = fc.property(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }),
      (question, texts) => {
        const found = findPassages(question, texts, 3);
        assert.ok(found.length <= 3);
        assert.ok(found.every(({ source, text }) => texts[source]?.includes(text.split("\n")[0] ?? "") === true));
        assert.deepEqual(
          found.map(({ source }) => source),
          found.map(({ source }) => source).toSorted((a, b) => a - b),
        );
      },
    );
    fc.assert(property, { seed: 20_261_121, numRuns: 500 });
  });
});
