/** The contract of every provider, run against a local server that speaks its protocol and fails on command. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { RecordedRequest } from "../servers/protocol.ts";
import type { Answer, Fault, Framing, Script } from "../servers/script.ts";
import { ask, nameOf, prepared, type Received } from "../support/models/providerRequests.ts";
import { FRAMINGS, WHOLE_ANSWERS } from "./providerCases.ts";
import { CONTRACT_KEY, useProvider, type ProviderUnderTest } from "./providerUnderTest.ts";

export function providerContract(under: ProviderUnderTest): void {
  describe(`provider contract: ${under.label}`, () => {
    const tested = useProvider(under);

    const chats = (): readonly RecordedRequest[] =>
      tested.server.requests.filter(({ path }) => path === under.chatPath);
    const byType = (expected: string): string => (under.isUntyped === true ? "serverError" : expected);

    const asked = (...scripts: readonly Script[]): Promise<Received> => {
      tested.server.script(...scripts);
      return ask(tested.provider, under.model);
    };

    describe("decodes a whole stream as the library's own accumulator does", () => {
      const check = async (answer: Answer, framing: Framing): Promise<void> => {
        tested.server.reset();
        const received = await asked({ answer, framing });
        const { text, thinking, signatures, toolCalls, usage, end } = received;
        const accumulated = await under.accumulate(tested.server.url, CONTRACT_KEY, chats()[0]?.body);
        assert.deepEqual({ text, thinking, signatures, toolCalls, usage, stop: nameOf(end) }, accumulated);
        assert.deepEqual(
          [text, thinking, toolCalls],
          [answer.text ?? "", answer.thinking ?? "", answer.toolCalls ?? []],
        );
      };
      for (const [name, answer] of Object.entries(WHOLE_ANSWERS)) {
        it(name, () => check(answer, {}));
      }
      for (const [name, framing] of Object.entries(FRAMINGS)) {
        it(`in any framing: ${name}`, () => check(WHOLE_ANSWERS["everything at once"], framing));
      }
      it("any text in pieces of any size", () => {
        const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
        const pieces = fc.record({
          chunkChars: fc.integer({ min: 1, max: 9 }),
          pieceBytes: fc.integer({ min: 1, max: 40 }),
        });
        const property = fc.asyncProperty(text, pieces, (words, { chunkChars, pieceBytes }) =>
          check({ text: words, chunkChars }, { pieceBytes }),
        );
        return fc.assert(property, { seed: 20_261_121, numRuns: 25 });
      });
    });

    it("previews the request body exactly as it is sent, without a key", async () => {
      const context = prepared("What is a clamp?", "Be brief.");
      const messages = await context.apiMessages();
      assert.ok(messages.ok && tested.provider.requestBody !== undefined);
      const wire = { systemPrompt: context.systemPrompt, tools: [], messages: messages.value };
      const options = { model: under.model, maxOutputTokens: 500 };
      const shown = await tested.provider.requestBody(wire, options, context.limits);
      assert.equal(chats().length, 0);
      tested.server.script({ answer: { text: "A limit." } });
      await ask(tested.provider, under.model, context);
      assert.deepEqual(JSON.parse(JSON.stringify(shown)), chats()[0]?.body);
      assert.ok(!JSON.stringify(shown).includes(CONTRACT_KEY));
    });

    describe("reports a fault before the answer as one failure", () => {
      const status = (code: number, type: string, message: string, headers = {}): Fault => {
        return { kind: "status", status: code, type, message, headers };
      };
      const check = async (fault: Fault, expected: string, requests = 1): Promise<Received> => {
        const received = await asked({ fault });
        assert.deepEqual([nameOf(received.end), received.text, chats().length], [expected, "", requests]);
        return received;
      };
      it("401", () => check(status(401, "authentication_error", "bad key"), "AUTH_FAILED"));
      it("403", () => check(status(403, "permission_error", "not yours"), "AUTH_FAILED"));
      it("404 for a model", () => check(status(404, "not_found_error", "model: nobody"), "MODEL_UNKNOWN"));
      it("404 for an endpoint", () => check(status(404, "not_found_error", "Not Found"), "notAStream"));
      it("402", () => check(status(402, "billing_error", "no credit"), "NO_CREDIT"));
      it("429 without a retry time", () => check(status(429, "rate_limit_error", "slow down"), "RATE_LIMITED"));
      it("429 with a retry time too long to wait", async () => {
        const { end } = await check(status(429, "", "slow down", { "retry-after": "3600" }), "RATE_LIMITED");
        assert.equal(
          end !== undefined && "error" in end && "retryAfterMs" in end.error && end.error.retryAfterMs,
          3_600_000,
        );
      });
      it("400", () => check(status(400, "invalid_request_error", "no such field"), "badRequest"));
      it("400 whose message says that the prompt is too long", () =>
        check(status(400, "", "prompt is too long: 9 tokens > 5 maximum"), "contextOverflow"));
      it("400 with a message that does not mention length: only the error code counts, if the protocol has one", () =>
        check(
          status(400, "context_length_exceeded", "too much"),
          under.isUntyped === true ? "badRequest" : "contextOverflow",
        ));
      it("413", () => check(status(413, "request_too_large", "too large"), "contextOverflow"));
      it("500 at every attempt", () => check(status(500, "api_error", "oops"), "serverError", 3));
      it("529 at every attempt", () => check(status(529, "overloaded_error", "busy"), "overloaded", 3));
      it("a redirect", () => check(status(307, "", "moved", { location: "http://127.0.0.1:9/" }), "notAStream"));
      it("an HTML page with status 200", () => check({ kind: "html" }, "notAStream"));
      it("an error in JSON with status 200", () =>
        under.isUntyped === true
          ? check({ kind: "jsonError", type: "", message: "slow down" }, "serverError", 3)
          : check({ kind: "jsonError", type: "rate_limit_error", message: "slow down" }, "RATE_LIMITED"));
      it("headers that never arrive", async () => {
        const { waited } = await check({ kind: "noHeaders" }, "stalled");
        assert.deepEqual(waited, ["silent"]);
      });
      it("never contains the key in an error", async () => {
        const said = `Bearer ${CONTRACT_KEY} is wrong: ${CONTRACT_KEY}`;
        const { end } = await check(status(401, "authentication_error", said), "AUTH_FAILED");
        assert.doesNotMatch(JSON.stringify(end), /0123456789/);
      });
    });

    describe("retries temporary failures before anything was shown", () => {
      const check = async (fault: Fault, waitedAtLeastMs = 0): Promise<void> => {
        const startedMs = performance.now();
        const { text, waited, end } = await asked({ fault, times: 1 }, { answer: { text: "here" } });
        assert.deepEqual([text, waited, nameOf(end), chats().length], ["here", ["retry"], "endTurn", 2]);
        assert.ok(performance.now() - startedMs >= waitedAtLeastMs, "it waited as long as it was told");
      };
      const limited = (headers: Record<string, string>): Fault => ({ kind: "status", status: 429, headers });
      it("429 with seconds", () => check(limited({ "retry-after": "1" }), 950));
      it("429 with a date", () => {
        const date = "Sat, 21 Nov 2026 10:00:00 GMT";
        return check(limited({ date, "retry-after": "Sat, 21 Nov 2026 10:00:01 GMT" }), 950);
      });
      it("429 with milliseconds", () => check(limited({ "retry-after-ms": "30" }), 25));
      it("503", () => check({ kind: "status", status: 503 }));
      it("529", () => check({ kind: "status", status: 529, type: "overloaded_error" }));
      it("a reused connection that closes: retried at once, a limited number of times", async () => {
        const once = await asked({ fault: { kind: "closed" }, times: 1 }, { answer: { text: "here" } });
        assert.deepEqual([once.text, once.waited, nameOf(once.end), chats().length], ["here", [], "endTurn", 2]);
        tested.server.reset();
        const always = await asked({ fault: { kind: "closed" } });
        assert.deepEqual([nameOf(always.end), chats().length], ["unreachable", 2]);
      });
      it("an overload error in the stream", () =>
        check({ kind: "errorEvent", afterPieces: 0, type: "overloaded_error", message: "busy" }));
    });

    describe("preserves the text after a fault in mid-stream, without retrying or completing", () => {
      const check = async (fault: Fault, expected: string, framing: Framing = {}): Promise<void> => {
        const { text, end } = await asked({ answer: { text: "0123456789".repeat(6), chunkChars: 10 }, fault, framing });
        assert.deepEqual([nameOf(end), text, chats().length], [expected, "0123456789".repeat(3), 1]);
      };
      it("the socket dies", () => check({ kind: "kill", afterPieces: 3 }, "cutOff"));
      it("the body ends early but cleanly", () => check({ kind: "cleanEnd", afterPieces: 3 }, "cutOff"));
      it("silence", () => check({ kind: "stall", afterPieces: 3 }, "stalled"));
      it("silence with keep-alive comments", () =>
        check({ kind: "stall", afterPieces: 3 }, "stalled", { keepAliveMs: 60 }));
      it("broken JSON", () => check({ kind: "badJson", afterPieces: 3 }, "badAnswer"));
      it("an overload error in the stream", () =>
        check({ kind: "errorEvent", afterPieces: 3, type: "overloaded_error", message: "busy" }, byType("overloaded")));
      it("an error event in the stream", () =>
        check({ kind: "errorEvent", afterPieces: 3, type: "api_error", message: "oops" }, "serverError"));
    });
  });
}
