import assert from "node:assert/strict";
import { toolCallId } from "../../../src/core/ids.ts";
import { type Message, type Part, textMessage } from "../../../src/core/message.ts";
import { buildTokenCounter } from "../../../src/core/tokens/buildTokenCounter.ts";
import { imageTokens } from "../../../src/core/tokens/tokenCounter.ts";
import { testRankFiles, testTokenCounter } from "../../support/models/tokenCounter.ts";

const counter = testTokenCounter();
const callId = toolCallId("toolu_01");

describe("TokenCounter", () => {
  describe("countMessage", () => {
    const check = (name: string, parts: readonly Part[], cl100k: number, o200k: number): void => {
      it(`${name}: ${cl100k}, ${o200k}`, () => {
        assert.deepEqual(counter.countMessage({ role: "assistant", parts }), { cl100k, o200k });
      });
    };
    check("no parts", [], 0, 0);
    check("text", [{ kind: "text", text: "Hello, world!" }], 4, 4);
    check(
      "two texts",
      [
        { kind: "text", text: "Hello" },
        { kind: "text", text: " world" },
      ],
      2,
      2,
    );
    check(
      "thinking, without its signature",
      [{ kind: "thinking", text: "Hello, world!", signature: "c2ln".repeat(99) }],
      4,
      4,
    );
    check("tool call", [{ kind: "toolCall", callId, name: "read", inputJson: '{"path":"a.ts"}' }], 17, 17);
    check("tool result", [{ kind: "toolResult", callId, outcome: "ok", text: "Hello, world!" }], 14, 14);
    check("attachment", [{ kind: "attachment", label: "a.ts", text: "Hello, world!" }], 18, 18);
    check(
      "image",
      [{ kind: "image", mediaType: "image/png", dataBase64: "A".repeat(99_999), widthPx: 750, heightPx: 1000 }],
      1000,
      1000,
    );
  });

  describe("imageTokens", () => {
    const check = (widthPx: number | undefined, heightPx: number | undefined, expected: number): void => {
      it(`${String(widthPx)} × ${String(heightPx)}: ${expected}`, () => {
        const size = { ...(widthPx === undefined ? {} : { widthPx }), ...(heightPx === undefined ? {} : { heightPx }) };
        assert.equal(imageTokens(size), expected);
      });
    };
    check(undefined, undefined, 1600);
    check(100, undefined, 1600);
    check(0, 0, 1600);
    check(NaN, 10, 1600);
    check(16, 16, 85);
    check(1000, 750, 1000);
    check(3136, 1568, 1600);
    check(8000, 800, 328);
    check(1e9, 1e9, 1600);
  });

  describe("countInSlices", () => {
    const message: Message = {
      role: "user",
      parts: [
        { kind: "text", text: "for (const x of y) { z += x; } // the sum\n".repeat(2_000) },
        { kind: "toolResult", callId, outcome: "error", text: "b".repeat(50_000) },
        { kind: "image", mediaType: "image/png", dataBase64: "" },
        { kind: "attachment", label: "日本語.md", text: "要約".repeat(3_000) },
      ],
    };
    it("returns the same counts as countMessage", async () => {
      assert.deepEqual(await counter.countInSlices(message, () => Promise.resolve()), counter.countMessage(message));
    });

    it("yields often enough to keep 90 % of the slices under 16 ms", async function () {
      this.timeout(20_000);
      const slicesMs: number[] = [];
      let sliceStartMs = performance.now();
      await counter.countInSlices(message, async () => {
        slicesMs.push(performance.now() - sliceStartMs);
        await new Promise((resolve) => setImmediate(resolve));
        sliceStartMs = performance.now();
      });
      slicesMs.sort((a, b) => a - b);
      assert.ok(slicesMs.length > 50, `${slicesMs.length} slices`);
      const p90Ms = slicesMs[Math.floor(slicesMs.length * 0.9)] ?? Infinity;
      assert.ok(p90Ms < 16, `90 % of the slices took at most ${p90Ms} ms`);
    });

    it("does not yield for a short message", async () => {
      const never = (): Promise<void> => Promise.reject(new Error("gave way"));
      assert.deepEqual(await counter.countInSlices(textMessage("user", "Hello, world!"), never), {
        cl100k: 4,
        o200k: 4,
      });
    });
  });

  describe("buildTokenCounter", () => {
    const check = (name: string, file: Uint8Array, detail: string): void => {
      it(`rejects ${name}`, () => {
        const steps = buildTokenCounter({ ...testRankFiles(), cl100k: file });
        let step = steps.next();
        while (step.done !== true) step = steps.next();
        const error = { code: "STORAGE_FAILED", reason: "damaged", detail: `not a whole token rank file: ${detail}` };
        assert.deepEqual(step.value, { ok: false, error });
      });
    };
    check("an empty rank file", new Uint8Array(0), "0 bytes");
    check(
      "a rank file that declares more tokens than it has bytes",
      Uint8Array.of(255, 255, 255, 255, 1),
      "4294967295 tokens in 5 bytes",
    );
    check("a truncated rank file", Uint8Array.of(2, 0, 0, 0, 1, 2, 65, 66), "8 bytes, not 9");
  });
});

describe("thinking", () => {
  const counter = testTokenCounter();
  const said = { kind: "text", text: "Done." } as const;
  const call = { kind: "toolCall", callId: toolCallId("c"), name: "run", inputJson: "{}" } as const;
  const thinking = { kind: "thinking", text: "First I look at the harbour." } as const;
  const isCounted = async (parts: readonly Part[]): Promise<readonly boolean[]> => {
    const [message, without] = [parts, parts.filter(({ kind }) => kind !== "thinking")].map((each) => {
      return { role: "assistant", parts: each } as const;
    });
    if (message === undefined || without === undefined) return [];
    const inSlices = await counter.countInSlices(message, () => Promise.resolve());
    const least = counter.countMessage(without).cl100k;
    return [counter.countMessage(message).cl100k > least, inSlices.cl100k > least];
  };
  const check = (title: string, parts: readonly Part[], expected: boolean): void => {
    it(title, async () => {
      assert.deepEqual(await isCounted(parts), [expected, expected]);
    });
  };
  check("is not counted unsigned, which no provider takes back", [thinking, said], false);
  check("is counted signed", [{ ...thinking, signature: "s" }, said], true);
  check("is counted before calls", [thinking, said, call], true);
});
