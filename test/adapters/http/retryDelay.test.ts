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
    check("Please wait 3 seconds before retrying.", 3_000);
    check("You can try again in 6 minutes and 30 seconds.", 390_000);
    check("Rate limited, try again in 1h2m3.5s", 3_723_500);
    check(
      "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 38400 seconds before retrying.",
      38_400_000,
    );
    check("Your quota will reset after 2h7m23s.", 7_643_000);
    check("Too many requests. Retry-After: 30", 30_000);
    check("Please try again in a minute.", 60_000);
    check("Limit reached, available again in 1 day 2 hours", 93_600_000);
    check("请求过于频繁，请在 30 秒后重试", 30_000);
  });
  it("returns undefined for a message without a duration", () => {
    check("You exceeded your current quota, please check your plan and billing details.", undefined);
    check("Please try again in a moment.", undefined);
    check("Limit 6000 tokens per 1 minute. Slow down and retry.", undefined);
    check("You may retry 3 times per 60s.", undefined);
    check("The request timed out after 60 seconds, please retry.", undefined);
    check("The model gpt-5s is busy, wait.", undefined);
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

describe("withResponseHeaders", () => {
  const nowMs = Date.parse("Fri, 27 Nov 2026 10:00:00 GMT");
  const check = (headers: Readonly<Record<string, string>>, expected: number | undefined): void => {
    const said = { status: 429, type: "", message: "Slow." };
    assert.equal(
      withResponseHeaders(said, new Headers(headers), nowMs).retryAfterMs,
      expected,
      JSON.stringify(headers),
    );
  };

  it("E:402 reads when an allowance is renewed, in each form of a time", () => {
    check({ "x-ratelimit-reset-requests": "1m30s" }, 90_000);
    check({ "x-ratelimit-reset-tokens": "6ms" }, 6);
    check({ "x-ratelimit-reset-requests": "12" }, 12_000);
    check({ "x-ratelimit-reset": String(nowMs / 1000 + 45) }, 45_000);
    check({ "x-ratelimit-reset": String(nowMs + 45_000) }, 45_000);
    check({ "anthropic-ratelimit-tokens-reset": "2026-11-27T10:01:00Z" }, 60_000);
    check({ "retry-after": "1m" }, 60_000);
    check({ "x-ratelimit-reset-requests": "soon" }, undefined);
    check({ "retry-after": "5", "x-ratelimit-reset-requests": "60" }, 5_000);
  });

  it("E:402 counts only the allowance that is used up, if one is", () => {
    check(
      {
        "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-tokens": "1h",
        "x-ratelimit-remaining-tokens": "900",
      },
      2_000,
    );
  });
});
