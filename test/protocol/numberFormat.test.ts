/** Numbers in the display language, the same for host and page; the spec fixes the English formats. */

import assert from "node:assert/strict";
import { ContextUsage, formatTokens as tokensInEnglish } from "../../src/core/context/usage/contextUsage.ts";
import {
  formatCost,
  formatDuration,
  formatDateTime,
  formatTokens,
  formatUsage,
} from "../../src/host/words/formatting.ts";
import { setTranslations } from "../../src/protocol/localize.ts";
import { formatTokenCount } from "../../src/webview/words/formatTokenCount.ts";

const usage = new ContextUsage({ usedTokens: 2100, budgetTokens: 129_200, summarizedSegments: 2 });
const tokens = [0, 412, 999, 1000, 2149, 9949, 9950, 61_000, 999_499, 999_500, 1_250_000, 12_345_678];
const durations = [0, 340, 999, 1000, 2840, 9949, 59_999];
const dollars = [0, 0.001, 0.0042, 0.0995, 0.1, 0.125, 1.2, 1234.5];
const moment = new Date(2026, 10, 12, 14, 3).getTime();

describe("number and date formats", () => {
  afterEach(() => {
    setTranslations({});
  });

  it("match the specified English formats", () => {
    assert.equal(formatUsage(usage), "2.1k / 129k (2%) [2S]");
    assert.deepEqual(tokens.map(formatTokens), tokens.map(tokensInEnglish));
    assert.deepEqual(tokens.map(formatTokenCount).slice(0, -1), tokens.map(tokensInEnglish).slice(0, -1));
    assert.deepEqual(durations.map(formatDuration), ["0 ms", "340 ms", "999 ms", "1.0 s", "2.8 s", "9.9 s", "60.0 s"]);
    assert.deepEqual(dollars.map(formatCost), [
      ...["$0", "$0.001", "$0.004", "$0.100", "$0.10"],
      ...["$0.13", "$1.20", "$1234.50"],
    ]);
    assert.equal(formatCost(0.0001), "under $0.001");
    assert.equal(formatDateTime(moment), "12 Nov, 14:03");
  });

  it("round every amount and duration like toFixed", () => {
    for (let step = 1; step < 20_000; step++) {
      const usd = step / 7919;
      const fixed = usd < 0.1 ? `$${usd.toFixed(3)}` : `$${usd.toFixed(2)}`;
      if (usd >= 0.001) assert.equal(formatCost(usd), fixed);
      assert.equal(formatDuration(1000 + step), `${((1000 + step) / 1000).toFixed(1)} s`);
    }
  });

  it("use a decimal comma and a trailing dollar sign in German", () => {
    setTranslations({ "under {0}": "unter {0}" }, "de");
    assert.equal(formatUsage(usage), "2,1k / 129k (2%) [2S]");
    assert.deepEqual([412, 2149, 129_200, 1_250_000].map(formatTokens), ["412", "2,1k", "129k", "1,3M"]);
    assert.deepEqual([412, 2149, 129_200, 1_250_000].map(formatTokenCount), ["412", "2,1k", "129k", "1,3M"]);
    assert.deepEqual([340, 2840].map(formatDuration), ["340 ms", "2,8 s"]);
    assert.deepEqual([0, 0.0042, 1234.5].map(formatCost), ["0\u00a0$", "0,004\u00a0$", "1234,50\u00a0$"]);
    assert.equal(formatCost(0.0001), "unter 0,001\u00a0$");
    assert.equal(formatDateTime(moment), "12. Nov., 14:03");
  });
});
