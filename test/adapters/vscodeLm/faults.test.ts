/**
 * The editor's models have no wire of their own: what can go wrong is what the editor gives and throws, and when. No hang,
 * no end that is taken for complete, no piece lost or made up.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { createEditorProvider } from "../../../src/adapters/vscodeLm/client.ts";
import { encodeMessages } from "../../../src/adapters/vscodeLm/encode.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { list, member, text } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { fakeEditor, textPart, toolCallPart, type FakeAnswer } from "../../support/editor/fakeEditor.ts";
import { ask, nameOf, type Received } from "../../support/models/providerRequests.ts";
import { anyConversation } from "../../support/models/wireHistories.ts";

const LIMITS = { namedAfterMs: 20, noBytesMs: 40, noContentMs: 60, retries: 0 };
const PIECES = ["Übung ", "日本 ", "🎉 ", "done."];

describe("editor's models: faults", () => {
  let cases = 0;
  after(() => {
    console.log(`      ${String(cases)} fault cases`);
    assert.ok(cases >= 40);
  });
  const asked = (answer: FakeAnswer): Promise<Received> => {
    cases++;
    const provider = createEditorProvider(fakeEditor(["small"], answer).api);
    return ask(guardedProvider(provider, realClock, LIMITS), modelId("local/small"));
  };
  /** Some pieces, and then what goes wrong. */
  const piecesThen = (count: number, fault: () => Promise<unknown>): FakeAnswer =>
    async function* () {
      for (const piece of PIECES.slice(0, count)) yield textPart(piece);
      yield await fault();
    };

  const thrown: readonly (readonly [string, object, string])[] = [
    ["a lost connection", {}, "serverError"],
    ["a model that is gone", { code: "NotFound" }, "MODEL_UNKNOWN"],
    ["no consent", { code: "NoPermissions" }, "CONSENT_NEEDED"],
    ["a quota that is used up", { code: "Blocked" }, "RATE_LIMITED"],
    ["a cancelled request", { name: "Canceled" }, "CANCELLED"],
    ["too long a request", { message: "Message exceeds token limit." }, "contextOverflow"],
    [
      "too long a request, as the service behind the editor says it",
      {
        message:
          'Request Failed: 400 {"error":{"message":"prompt token count of 514673 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
      },
      "contextOverflow",
    ],
    ["too many tokens a minute", { message: "exceeds the limit of 30000 tokens per minute" }, "RATE_LIMITED"],
    ["a filtered answer", { message: "Response got filtered" }, "REFUSED"],
    ["a cause that says more", { cause: new Error("quota exceeded") }, "RATE_LIMITED"],
  ];
  for (const [name, properties, expected] of thrown) {
    it(`${name}, after every piece`, async () => {
      for (let count = 0; count <= PIECES.length; count++) {
        const fault = (): Promise<never> => Promise.reject(Object.assign(new Error("said"), properties));
        const { text: said, end } = await asked(piecesThen(count, fault));
        assert.deepEqual([nameOf(end), said], [expected, PIECES.slice(0, count).join("")]);
      }
    });
  }

  it("something thrown that is no error", async () => {
    for (const value of ["text", 7, null, undefined, {}]) {
      const { end } = await asked(piecesThen(1, () => rejectedWith(value)));
      assert.equal(nameOf(end), "serverError");
    }
  });

  it("silence, after every piece", async () => {
    for (let count = 0; count <= PIECES.length; count++) {
      const { text: said, end } = await asked(piecesThen(count, () => new Promise(() => undefined)));
      assert.deepEqual([nameOf(end), said], ["stalled", PIECES.slice(0, count).join("")]);
    }
  });

  it("parts that nobody knows, and empty ones, are passed over", async () => {
    for (const odd of [null, undefined, 7, "text", {}, [], textPart("")]) {
      const { text: said, end } = await asked(async function* () {
        await Promise.resolve();
        for (const piece of PIECES) {
          yield odd;
          yield textPart(piece);
        }
      });
      assert.deepEqual([nameOf(end), said], ["endTurn", PIECES.join("")]);
    }
  });

  it("a call comes whole or not at all", async () => {
    const { toolCalls, end } = await asked(async function* () {
      yield toolCallPart("c1", "read", { path: "ä" });
      throw await Promise.resolve(new Error("socket"));
    });
    assert.deepEqual(
      [nameOf(end), toolCalls],
      ["serverError", [{ id: "c1", name: "read", inputJson: '{"path":"ä"}' }]],
    );
  });

  it("nothing at all is an answer without a word, which is none", async () => {
    const {
      text: said,
      toolCalls,
      end,
    } = await asked(async function* () {
      await Promise.resolve();
      yield* [];
    });
    assert.deepEqual([said, toolCalls, nameOf(end)], ["", [], "endTurn"]);
  });
});

describe("editor's models: histories", () => {
  it("are sent with roles in turn, the user's last, each call before its result", () => {
    const { api } = fakeEditor(["small"], async function* () {
      yield await Promise.resolve(textPart("a"));
    });
    const property = fc.property(anyConversation, (given) => {
      const messages = encodeMessages(api, given);
      const roles = messages.map((message) => text(message, "role"));
      assert.deepEqual([roles[0], roles.at(-1)], ["user", "user"]);
      assert.equal(
        roles.findIndex((role, index) => role === roles[index - 1]),
        -1,
      );
      let open: readonly string[] = [];
      for (const message of messages) {
        const parts = list(message, "content");
        const results = parts
          .filter((part) => member(part, "content") !== undefined)
          .map((part) => text(part, "callId"));
        assert.deepEqual(results, open, "results of exactly the calls before");
        open = parts.filter((part) => member(part, "input") !== undefined).map((part) => text(part, "callId"));
      }
      assert.deepEqual(open, []);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 500 });
  });
});

/** Extensions throw what they like. */
function rejectedWith(value: unknown): Promise<never> {
  const settle: { reject?: (reason: unknown) => void } = {};
  const promise = new Promise<never>((_, reject) => {
    settle.reject = reject;
  });
  settle.reject?.(value);
  return promise;
}
