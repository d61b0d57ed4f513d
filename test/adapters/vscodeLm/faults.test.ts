/**
 * The editor's models have no wire protocol: faults are what the editor yields or throws, and when. The provider must not
 * hang, treat an interrupted answer as complete, or lose or invent a piece.
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

describe("VS Code language model faults", () => {
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
  /** Yields the first `count` pieces, then the fault. */
  const piecesThen = (count: number, fault: () => Promise<unknown>): FakeAnswer =>
    async function* () {
      for (const piece of PIECES.slice(0, count)) yield textPart(piece);
      yield await fault();
    };

  const thrown: readonly (readonly [string, object, string])[] = [
    ["a lost connection", {}, "serverError"],
    ["a missing model", { code: "NotFound" }, "MODEL_UNKNOWN"],
    ["missing consent", { code: "NoPermissions" }, "CONSENT_NEEDED"],
    ["an exhausted quota", { code: "Blocked" }, "RATE_LIMITED"],
    ["a cancelled request", { name: "Canceled" }, "CANCELLED"],
    ["a request that is too long", { message: "Message exceeds token limit." }, "contextOverflow"],
    [
      "a request that is too long, in the words of the underlying service",
      {
        message:
          'Request Failed: 400 {"error":{"message":"prompt token count of 514673 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
      },
      "contextOverflow",
    ],
    ["too many tokens per minute", { message: "exceeds the limit of 30000 tokens per minute" }, "RATE_LIMITED"],
    ["a filtered answer", { message: "Response got filtered" }, "REFUSED"],
    ["an error with an informative cause", { cause: new Error("quota exceeded") }, "RATE_LIMITED"],
  ];
  for (const [name, properties, expected] of thrown) {
    it(`reports ${name} after any number of pieces`, async () => {
      for (let count = 0; count <= PIECES.length; count++) {
        const fault = (): Promise<never> => Promise.reject(Object.assign(new Error("said"), properties));
        const { text: said, end } = await asked(piecesThen(count, fault));
        assert.deepEqual([nameOf(end), said], [expected, PIECES.slice(0, count).join("")]);
      }
    });
  }

  it("reports a thrown value that is not an Error as a server error", async () => {
    for (const value of ["text", 7, null, undefined, {}]) {
      const { end } = await asked(piecesThen(1, () => rejectedWith(value)));
      assert.equal(nameOf(end), "serverError");
    }
  });

  it("reports silence after any number of pieces as stalled", async () => {
    for (let count = 0; count <= PIECES.length; count++) {
      const { text: said, end } = await asked(piecesThen(count, () => new Promise(() => undefined)));
      assert.deepEqual([nameOf(end), said], ["stalled", PIECES.slice(0, count).join("")]);
    }
  });

  it("ignores unknown and empty parts", async () => {
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

  it("preserves a complete tool call when the stream then fails", async () => {
    const { toolCalls, end } = await asked(async function* () {
      yield toolCallPart("c1", "read", { path: "ä" });
      throw await Promise.resolve(new Error("socket"));
    });
    assert.deepEqual(
      [nameOf(end), toolCalls],
      ["serverError", [{ id: "c1", name: "read", inputJson: '{"path":"ä"}' }]],
    );
  });

  it("treats an empty stream as an empty answer", async () => {
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

describe("VS Code language model histories", () => {
  it("are sent with alternating roles, a user message last and each call before its result", () => {
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

/** Rejects with a value that need not be an Error, as extensions may. */
function rejectedWith(value: unknown): Promise<never> {
  const settle: { reject?: (reason: unknown) => void } = {};
  const promise = new Promise<never>((_, reject) => {
    settle.reject = reject;
  });
  settle.reject?.(value);
  return promise;
}
