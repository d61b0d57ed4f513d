/** Figures as llama.cpp b1-7e4c0a9 and Ollama 0.17 send them. */

import assert from "node:assert/strict";
import { isLocalAddress } from "../../../src/adapters/http/localAddress.ts";
import { LocalWork } from "../../../src/adapters/http/localWork.ts";
import { readingOfProgress, speedOfDurations, speedOfTimings } from "../../../src/adapters/http/serverTimings.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";

describe("29.3 what local servers tell of their work", () => {
  const timings: readonly (readonly [name: string, given: unknown, expected: unknown])[] = [
    [
      "whole",
      {
        cache_n: 4_510,
        prompt_n: 1_081,
        prompt_ms: 20_000,
        prompt_per_second: 47,
        predicted_n: 2,
        predicted_per_second: 22,
      },
      { reads: { tokens: 1_081, perSecond: 47 }, writes: { tokens: 2, perSecond: 22 } },
    ],
    [
      "older, with durations only",
      { prompt_n: 500, prompt_ms: 2_000, predicted_n: 10, predicted_ms: 500 },
      { reads: { tokens: 500, perSecond: 250 }, writes: { tokens: 10, perSecond: 20 } },
    ],
    [
      "all was cached",
      { prompt_n: 0, prompt_ms: 0, predicted_n: 3, predicted_per_second: 30 },
      { writes: { tokens: 3, perSecond: 30 } },
    ],
    ["no durations", { prompt_n: 5, predicted_n: 3 }, undefined],
    [
      "a duration of nothing",
      { prompt_n: 5, prompt_ms: 0, predicted_n: 1, predicted_ms: 0, predicted_per_second: null },
      undefined,
    ],
    [
      "infinite and negative",
      { prompt_n: 5, prompt_per_second: Infinity, predicted_n: -1, predicted_per_second: -4 },
      undefined,
    ],
    ["text", { prompt_n: "5", prompt_per_second: "fast" }, undefined],
    ["none", null, undefined],
  ];
  for (const [name, given, expected] of timings) {
    it(`reads timings: ${name}`, () => {
      assert.deepEqual(speedOfTimings({ choices: [], timings: given }), expected);
    });
  }

  const durations: readonly (readonly [name: string, line: object, share: number, expected: unknown])[] = [
    [
      "a first prompt",
      { prompt_eval_count: 1_000, prompt_eval_duration: 5e9, eval_count: 50, eval_duration: 2e9 },
      1,
      { reads: { tokens: 1_000, perSecond: 200 }, writes: { tokens: 50, perSecond: 25 } },
    ],
    [
      "of which a tenth was not cached",
      { prompt_eval_count: 1_000, prompt_eval_duration: 5e8, eval_count: 50, eval_duration: 2e9 },
      0.1,
      { reads: { tokens: 100, perSecond: 200 }, writes: { tokens: 50, perSecond: 25 } },
    ],
    [
      "as the server counts its cache",
      { prompt_eval_count: 1_000, prompt_eval_cached_count: 800, prompt_eval_duration: 1e9 },
      1,
      { reads: { tokens: 200, perSecond: 200 } },
    ],
    [
      "nothing cached, as the server counts",
      { prompt_eval_count: 1_000, prompt_eval_cached_count: 0, prompt_eval_duration: 5e9 },
      0.1,
      { reads: { tokens: 1_000, perSecond: 200 } },
    ],
    ["all of it cached", { prompt_eval_count: 10, prompt_eval_duration: 1e6 }, 0, undefined],
    ["no durations", { prompt_eval_count: 10, eval_count: 4 }, 1, undefined],
  ];
  for (const [name, line, share, expected] of durations) {
    it(`reads durations: ${name}`, () => {
      assert.deepEqual(speedOfDurations({ done: true, ...line }, share), expected);
    });
  }

  const progress: readonly (readonly [name: string, given: unknown, expected: unknown])[] = [
    ["begun", { total: 4_510, cache: 0, processed: 0, time_ms: 0 }, { freshTokens: 4_510, readTokens: 0 }],
    [
      "under way, with a cache",
      { total: 5_591, cache: 4_510, processed: 5_022, time_ms: 2_000 },
      { freshTokens: 1_081, readTokens: 512, perSecond: 256 },
    ],
    [
      "at its end",
      { total: 30, cache: 20, processed: 30, time_ms: 1_000 },
      { freshTokens: 10, readTokens: 10, perSecond: 10 },
    ],
    ["with more than there is", { total: 30, cache: 40, processed: 99, time_ms: 1 }, { freshTokens: 0, readTokens: 0 }],
    ["before its cache", { total: 30, cache: 20, processed: 0, time_ms: 1 }, { freshTokens: 10, readTokens: 0 }],
    ["without a time", { total: 30, processed: 10 }, { freshTokens: 30, readTokens: 10 }],
    ["of nothing", { total: 0, processed: 0 }, undefined],
    ["in text", { total: "30" }, undefined],
    ["none", undefined, undefined],
  ];
  for (const [name, given, expected] of progress) {
    it(`reads progress ${name}`, () => {
      assert.deepEqual(readingOfProgress({ choices: [{ delta: {} }], prompt_progress: given }), expected);
    });
  }

  it("knows the addresses of the user's machines", () => {
    const own = [
      "http://127.0.0.1:8080/v1",
      "http://localhost:1234",
      "http://[::1]:11434",
      "https://llama.lan/v1",
      "http://box:8000",
      "http://box.local",
      "http://host.docker.internal:11434",
      "http://192.168.1.7:8080",
      "http://10.0.0.4",
      "http://172.20.0.2",
      "http://[fd12::7]:8080",
    ];
    const others = [
      "https://api.openai.com/v1",
      "http://example.com:8080",
      "http://172.32.0.2",
      "http://192.169.1.1",
      "http://8.8.8.8",
      "http://127.0.0.1.example.com",
      "http://localhost.example.com",
      "http://[2001:db8::1]",
      "no address",
      "",
    ];
    assert.deepEqual(
      own.filter((address) => !isLocalAddress(address)),
      [],
    );
    assert.deepEqual(
      others.filter((address) => isLocalAddress(address)),
      [],
    );
  });

  describe("a cache that the server says nothing of", () => {
    const MODEL = modelId("m");
    const said = (...texts: readonly string[]) => ({
      systemPrompt: "S".repeat(100),
      tools: [],
      messages: texts.map((text, index) => textMessage(index % 2 === 0 ? "user" : "assistant", text)),
    });
    const share = (work: LocalWork, ...texts: readonly string[]): number =>
      Math.round(work.freshShare(MODEL, said(...texts)) * 100) / 100;
    const long = "x".repeat(5_000);

    it("holds the prompt before and its answer", () => {
      const work = new LocalWork("http://127.0.0.1:11434");
      assert.equal(share(work, long), 1);
      assert.equal(share(work, long, long, long), 0.33);
      assert.equal(share(work, long, long, long), 0, "the same again");
      assert.equal(share(work, long, long, long, "no", "other"), 0);
    });

    it("ends where the prompt is another, with another model, and with the model", () => {
      const work = new LocalWork("http://127.0.0.1:11434");
      share(work, long, "a", "b");
      assert.equal(share(work, "A summary.", "a", "b"), 0.61);
      assert.equal(work.freshShare(modelId("n"), said(long)), 1);
      work.forgetPrompt(MODEL);
      assert.equal(share(work, "A summary.", "a", "b"), 1);
    });

    it("is nobody's business on a server of others", () => {
      const speeds: unknown[] = [];
      const work = new LocalWork("https://api.example.com", (model, speed) => speeds.push([model, speed]));
      work.noteSpeed(MODEL, { writes: { tokens: 9, perSecond: 9 } });
      assert.deepEqual([share(work, long), share(work, long), work.expected(4_000, 1), speeds], [1, 1, [], []]);
    });
  });
});
