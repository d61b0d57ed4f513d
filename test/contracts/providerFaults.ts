/** Faults in an answer, for every provider: no hang, no broken answer taken as complete, nothing lost or invented. */

import assert from "node:assert/strict";
import type { Answer, Fault, Framing, Script } from "../servers/script.ts";
import { ask, nameOf, prepared, type Received } from "../support/models/providerRequests.ts";
import { isThorough } from "../support/runOptions.ts";
import { CONTRACT_LIMITS, useProvider, type ProviderUnderTest } from "./providerUnderTest.ts";

/** Minimum number of fault cases per provider; the actual number is printed. */
const LEAST_CASES = 40;

const CALL = { id: "call_1", name: "get_weather", inputJson: '{"city":"Zürich 🌦️"}' };
const ANSWER: Answer = { thinking: "Hm – 考え …", text: "Übung 日本 🎉 done.", toolCalls: [CALL], chunkChars: 6 };
const PLAIN: Answer = { text: "0123456789".repeat(6), chunkChars: 10 };
const PIECES = 6;

/** Number of concurrent requests. */
const AT_ONCE = 24;

/** Bytes from one cut to the next, so that cuts fall within events and between them, and within characters. */
const EVERY = isThorough ? 1 : 5;

/** Ends of an incomplete answer. */
const BROKEN = /^(?:cutOff|badAnswer|stalled|serverError|overloaded|notAStream)$/;

export function providerFaultContract(under: ProviderUnderTest): void {
  describe(`provider faults: ${under.label}`, () => {
    let cases = 0;
    const tested = useProvider(under, { ...CONTRACT_LIMITS, reportedAfterMs: 150, noBytesMs: 250, noContentMs: 400 });
    after(() => {
      console.log(`      ${String(cases)} fault cases`);
      assert.ok(cases >= LEAST_CASES, `${String(cases)} cases are fewer than ${String(LEAST_CASES)}`);
    });

    const asked = (...scripts: readonly Script[]): Promise<Received> => {
      cases++;
      tested.server.reset();
      tested.server.script(...scripts);
      return ask(tested.provider, under.model);
    };
    /** Asserts that the answer is broken and that its text, thinking and calls are prefixes of the complete ones. */
    const checkBroken = (received: Received, answer: Answer, where: string): void => {
      const { text, thinking, toolCalls, end } = received;
      assert.match(nameOf(end), BROKEN, where);
      assert.ok((answer.text ?? "").startsWith(text), `text is a beginning: ${where}`);
      assert.ok((answer.thinking ?? "").startsWith(thinking), `thinking is a beginning: ${where}`);
      for (const [index, call] of toolCalls.entries()) {
        const whole = answer.toolCalls?.[index];
        assert.ok(
          whole?.id === call.id && whole.inputJson.startsWith(call.inputJson),
          `a beginning of a call: ${where}`,
        );
      }
    };
    const checkWhole = ({ text, thinking, toolCalls, end }: Received, answer: Answer, where: string): void => {
      assert.deepEqual(
        [text, thinking, toolCalls, nameOf(end)],
        [answer.text ?? "", answer.thinking ?? "", answer.toolCalls ?? [], answer.toolCalls ? "toolUse" : "endTurn"],
        where,
      );
    };

    it("reports an answer cut at any of its bytes as broken and preserves what was received", async () => {
      const cutAt = (bytes: number): Promise<Received> => {
        cases++;
        const question = `Cut it at ${String(bytes)}.`;
        tested.server.script({ match: question, times: 1, answer: ANSWER, fault: { kind: "cutAtByte", bytes } });
        return ask(tested.provider, under.model, prepared(question));
      };
      for (let from = 0; ; from += AT_ONCE * EVERY) {
        tested.server.reset();
        const numbers = Array.from({ length: AT_ONCE }, (_, index) => from + index * EVERY);
        const cut = await Promise.all(numbers.map(cutAt));
        const firstWhole = cut.findIndex(({ end }) => nameOf(end) === "toolUse");
        for (const [index, received] of cut.entries()) {
          const where = `cut at ${String(numbers[index])}`;
          if (firstWhole >= 0 && index >= firstWhole) checkWhole(received, ANSWER, where);
          else checkBroken(received, ANSWER, where);
        }
        if (firstWhole >= 0) break;
      }
    }).timeout(120_000);

    const endings: readonly (readonly [string, (afterPieces: number) => Fault, string | RegExp])[] = [
      ["the socket dies", (afterPieces) => ({ kind: "kill", afterPieces }), "cutOff"],
      ["the body ends properly", (afterPieces) => ({ kind: "cleanEnd", afterPieces }), "cutOff"],
      ["silence", (afterPieces) => ({ kind: "stall", afterPieces }), "stalled"],
      ["an event that is not JSON", (afterPieces) => ({ kind: "odd", afterPieces, data: "{oops" }), "badAnswer"],
      ["half an event", (afterPieces) => ({ kind: "badJson", afterPieces }), "badAnswer"],
      ["two objects in one event", (afterPieces) => ({ kind: "odd", afterPieces, data: "{}{}" }), "badAnswer"],
    ];
    for (const [name, fault, expected] of endings) {
      it(`reports a broken answer with the text received, after every piece: ${name}`, async () => {
        // After the last piece only the protocol's end remains; half of that is not bad JSON in every protocol.
        const last = name === "half an event" ? PIECES - 1 : PIECES;
        for (let afterPieces = 1; afterPieces <= last; afterPieces++) {
          const received = await asked({ answer: PLAIN, fault: fault(afterPieces) });
          const where = `after ${String(afterPieces)}`;
          checkBroken(received, PLAIN, where);
          assert.deepEqual([nameOf(received.end), received.text.length], [expected, afterPieces * 10], where);
        }
      });
    }

    it("skips events that it does not understand or ends the answer, and never hangs", async () => {
      for (const data of [
        "null",
        "7",
        "[]",
        '""',
        "{}",
        '{"type":"surprise"}',
        '{"choices":7}',
        '{"message":7}',
        "[[]]",
      ]) {
        for (const afterPieces of [0, 2]) {
          const received = await asked({ answer: PLAIN, fault: { kind: "odd", afterPieces, data } });
          const where = `${data} after ${String(afterPieces)}`;
          if (nameOf(received.end) === "endTurn") checkWhole(received, PLAIN, where);
          else checkBroken(received, PLAIN, where);
        }
      }
    });

    const framings: Readonly<Record<string, Framing>> = {
      "repeated events around the pieces": { doubled: true },
      "repeated events, in pieces of 7 bytes, with CRLF": { doubled: true, pieceBytes: 7, newline: "\r\n" },
      "characters split in the middle": { pieceBytes: 1 },
      "a late end": { delayMs: 12, firstDelayMs: 60, keepAliveMs: 20 },
    };
    for (const [name, framing] of Object.entries(framings)) {
      it(`reads the complete answer in any framing: ${name}`, async () => {
        for (const answer of [PLAIN, ANSWER]) checkWhole(await asked({ answer, framing }), answer, name);
      });
    }
    it("reads the complete answer in pieces of 1 to 64 bytes", async () => {
      for (let pieceBytes = 1; pieceBytes <= 64; pieceBytes++) {
        checkWhole(await asked({ answer: ANSWER, framing: { pieceBytes } }), ANSWER, `pieces of ${String(pieceBytes)}`);
      }
    }).timeout(60_000);
    it("reads the complete answer with empty pieces in between", async () => {
      for (const answer of [PLAIN, ANSWER]) {
        checkWhole(await asked({ answer: { ...answer, emptyPieces: true } }), answer, "empty pieces");
      }
    });

    describe("reports the error when the response is", () => {
      const raw = (status: number, contentType: string | null, body: string): Fault => {
        return { kind: "raw", status, contentType, body };
      };
      const check = async (fault: Fault, expected: RegExp): Promise<void> => {
        const received = await asked({ fault });
        assert.match(nameOf(received.end), expected);
        assert.deepEqual([received.text, received.thinking, received.toolCalls], ["", "", []]);
      };
      const page = "<!doctype html><title>Gateway</title><p>Sorry</p>";
      it("an HTML page with status 200", () => check(raw(200, "text/html", page), /^notAStream$/));
      it("a page declared as plain text", () =>
        check(raw(200, "text/plain", page), /^(?:cutOff|badAnswer|notAStream)$/));
      it("an HTML page without a type", () => check(raw(200, null, page), /^(?:cutOff|badAnswer|notAStream)$/));
      it("an image", () => check(raw(200, "image/png", "PNG"), /^notAStream$/));
      it("empty with status 200", () => check(raw(200, null, ""), /^(?:cutOff|badAnswer|notAStream)$/));
      it("empty with status 204", () => check(raw(204, null, ""), /^(?:cutOff|badAnswer|notAStream|badRequest)$/));
      it("JSON without an answer", () => check(raw(200, "application/json", "{}"), /^notAStream$/));
      it("truncated JSON", () => check(raw(200, "application/json", '{"er'), /^(?:notAStream|badAnswer)$/));
      it("a gateway's own error page", () => check(raw(502, "text/html", page), /^serverError$/));
      it("an error body that is a list", () => check(raw(500, "application/json", '[{"error":1}]'), /^serverError$/));
      it("an empty error body", () => check(raw(500, "application/json", ""), /^serverError$/));
      it("a null error body", () => check(raw(400, "application/json", "null"), /^badRequest$/));
      it("an HTML error body", () => check(raw(400, "text/html", page), /^badRequest$/));
      it("a rejected key, reported in a page", () => check(raw(401, "text/html", page), /^AUTH_FAILED$/));
      it("too many requests, reported in a page", () => check(raw(429, "text/html", page), /^RATE_LIMITED$/));
    });
  });
}
