import assert from "node:assert/strict";
import { withResponseHeaders } from "../../../src/adapters/http/httpFailure.ts";
import { retryAfterInMessage, retryAfterMs } from "../../../src/adapters/http/retryDelay.ts";

describe("retryAfterMs", () => {
  const now = Date.parse("Sat, 21 Nov 2026 10:00:00 GMT");
  const check = (headers: Readonly<Record<string, string>>, expected: number | undefined): void => {
    assert.equal(retryAfterMs(new Headers(headers), now), expected);
  };
  it("reads seconds", () => {
    check({ "retry-after": "7" }, 7_000);
    check({ "retry-after": "0.25" }, 250);
  });
  it("reads a date, relative to the server's clock when it sends one", () => {
    check({ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000);
    check({ "retry-after": "Sat, 21 Nov 2026 11:00:30 GMT", date: "Sat, 21 Nov 2026 11:00:00 GMT" }, 30_000);
    check({ "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0);
  });
  it("prefers milliseconds", () => {
    check({ "retry-after-ms": "1500", "retry-after": "9" }, 1_500);
  });
  it("returns undefined for missing or invalid headers", () => {
    check({}, undefined);
    check({ "retry-after": "soon" }, undefined);
    check({ "retry-after": "-3" }, undefined);
  });
});

describe("retryAfterInMessage", () => {
  const check = (message: string, expected: number | undefined): void => {
    assert.equal(retryAfterInMessage(message), expected, message);
  };
  it("reads a duration from an error message", () => {
    check("Rate limit reached for m on requests per min. Please try again in 1.2s. Visit the site.", 1_200);
    check("Limit 6000, Used 5000. Please try again in 1m26.4s.", 86_400);
    check("Please try again in 20ms.", 20);
    check("Quota exceeded. Please retry in 20.389078592s.", 20_390);
    check("Too many requests, try again after 5 seconds", 5_000);
    check("Please try again in 2 hours, 3 minutes", 7_380_000);
  });
  it("returns undefined for a message without a duration", () => {
    check("You exceeded your current quota, please check your plan and billing details.", undefined);
    check("Please try again in a moment.", undefined);
  });
  it("applies only to status 429 and only when the headers give no delay", () => {
    const waitOf = (status: number, headers: Readonly<Record<string, string>>): number | undefined => {
      const said = { status, type: "", message: "Please try again in 2s." };
      return withResponseHeaders(said, new Headers(headers), 0).retryAfterMs;
    };
    assert.deepEqual(
      [waitOf(429, {}), waitOf(429, { "retry-after": "7" }), waitOf(400, {})],
      [2_000, 7_000, undefined],
    );
  });
});
