/** Log lines of failed requests: enough to look a request up at the service, and no part of the conversation. */

import assert from "node:assert/strict";
import { failedRequestLine, type FailedRequest } from "../../src/core/stream/failedRequest.ts";
import type { Fault, Script } from "../servers/script.ts";
import { whenTrue } from "../support/whenTrue.ts";
import { ask, prepared } from "../support/models/providerRequests.ts";
import { CONTRACT_KEY, CONTRACT_LIMITS, useProvider, type ProviderUnderTest } from "./providerUnderTest.ts";

const QUESTION = "Where does the heron nest?";
const ANSWER = { text: "In the reeds behind the sluice.", chunkChars: 5 };

export function providerLogContract(under: ProviderUnderTest): void {
  describe(`provider log: ${under.label}`, () => {
    const failures: FailedRequest[] = [];
    const tested = useProvider(under, { ...CONTRACT_LIMITS, onFailed: (failed) => failures.push(failed) });
    beforeEach(() => {
      failures.length = 0;
    });

    const check = async (scripts: readonly Script[], expected: readonly string[]): Promise<void> => {
      tested.server.script(...scripts);
      await ask(tested.provider, under.model, prepared(QUESTION, "Be brief."));
      const lines = failures.map(failedRequestLine);
      const start = `Request failed: ${tested.provider.name}, answer by ${under.model}, `;
      assert.deepEqual(
        lines,
        expected.map((line) => start + line),
      );
      for (const word of [CONTRACT_KEY, "heron", "reeds", "sluice", "brief"])
        assert.ok(!lines.join("\n").includes(word), word);
    };
    const status = (code: number, header: string): Fault => ({
      kind: "status",
      status: code,
      headers: { [header]: "req_01AbC-9" },
      message: `${CONTRACT_KEY} may not ask: ${QUESTION}`,
    });

    it("contains the status and the request id", () =>
      check([{ fault: status(401, "request-id") }], ["AUTH_FAILED, HTTP 401, request id req_01AbC-9, attempt 1"]));
    it("has a line per attempt, even when the next one succeeds", () =>
      check(
        [{ fault: status(503, "x-request-id"), times: 2 }, { answer: ANSWER }],
        [1, 2].map(
          (attempt) => `SERVICE_UNAVAILABLE (overloaded), HTTP 503, request id req_01AbC-9, attempt ${String(attempt)}`,
        ),
      ));
    it("ignores request ids that do not look like one", () =>
      check(
        [{ fault: { kind: "status", status: 400, headers: { "request-id": `${QUESTION} <b>` } } }],
        ["SERVICE_UNAVAILABLE (badRequest), HTTP 400, attempt 1"],
      ));
    it("names a failure after the first events", () =>
      check(
        [{ answer: ANSWER, fault: { kind: "kill", afterPieces: 2 } }],
        ["SERVICE_UNAVAILABLE (cutOff), HTTP 200, attempt 1"],
      ));
    it("reports a server that stopped sending", () =>
      check(
        [{ answer: ANSWER, fault: { kind: "stall", afterPieces: 1 } }],
        ["SERVICE_UNAVAILABLE (stalled), HTTP 200, attempt 1"],
      ));
    it("has no line for a complete answer, nor for a cancelled one", async () => {
      await check([{ answer: ANSWER }], []);
      tested.server.reset();
      tested.server.script({ answer: ANSWER, fault: { kind: "stall", afterPieces: 0 } });
      const stop = new AbortController();
      const asked = ask(tested.provider, under.model, prepared(QUESTION), stop.signal);
      await whenTrue(() => tested.server.requests.some(({ path }) => path === under.chatPath));
      stop.abort();
      await asked;
      assert.deepEqual(
        failures.map(failedRequestLine).filter((line) => line !== undefined),
        [],
      );
    });
  });
}
