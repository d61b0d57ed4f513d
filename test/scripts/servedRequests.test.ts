import assert from "node:assert/strict";
import { servedRequests } from "../../scripts/real/servedRequests.ts";

describe("requests in the log of llama.cpp's server", () => {
  const check = (title: string, lines: readonly string[], expected: ReturnType<typeof servedRequests>): void => {
    it(title, () => {
      assert.deepEqual(servedRequests(lines.join("\n")), expected);
    });
  };
  const begin = (tokens: number): string =>
    `0.05.032.430 I slot   operator(): id  3 | task 0 | new prompt, n_ctx_slot = 8192, n_keep = 0, task.n_tokens = ${String(tokens)}`;
  const cached = (tokens: number): string =>
    `0.05.032.434 I slot   operator(): id  3 | task 0 | cached n_tokens = ${String(tokens)}, memory_seq_rm [0, end)`;
  check("are none in an empty log", [""], []);
  check(
    "have their tokens, and those that were not read anew",
    ["loading", begin(32), cached(0), "stop processing: n_tokens = 36, truncated = 0", begin(4039), cached(4014)],
    [
      { promptTokens: 32, cachedTokens: 0 },
      { promptTokens: 4039, cachedTokens: 4014 },
    ],
  );
  check(
    "are counted once when they are read in parts",
    [begin(4039), cached(512), cached(1024)],
    [{ promptTokens: 4039, cachedTokens: 512 }],
  );
});
