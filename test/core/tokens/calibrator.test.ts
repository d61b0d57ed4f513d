import assert from "node:assert/strict";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { Calibrator, type CountedRequest } from "../../../src/core/tokens/calibrator.ts";
import type { ContentClass, Part } from "../../../src/core/message.ts";
import {
  type ClassCounts,
  contentClassOf,
  contentClassOfMessage,
  NO_CONTENT,
} from "../../../src/core/tokens/contentClass.ts";
import { countingFormula } from "../../../src/core/tokens/countingFormula.ts";
import { CORPUS } from "../../support/texts/corpus.ts";

const CLAUDE = countingFormula(modelId("claude-sonnet-5-5"));
const OPENAI = countingFormula(modelId("gpt-4o"));

function request(content: Partial<ClassCounts>, messages = 1, fixedTokens = 0): CountedRequest {
  return { content: { ...NO_CONTENT, ...content }, messages, fixedTokens };
}

describe("contentClassOf", () => {
  const check = (name: string, text: string, expected: ContentClass): void => {
    it(`${name}: ${expected}`, () => {
      assert.equal(contentClassOf(text), expected);
    });
  };
  check("nothing", "", "prose");
  check("prose", "We looked at the reports and found nothing that would explain it, so far.", "prose");
  check("TypeScript", CORPUS["typescript"] ?? "", "code");
  check("logs", CORPUS["logs"] ?? "", "data");
  check("Chinese", CORPUS["chinese"] ?? "", "cjk");
  check("Korean", CORPUS["korean"] ?? "", "cjk");
  check("Russian", CORPUS["russian"] ?? "", "other");
  check("a long text, by samples", `${"word ".repeat(50_000)}${"{};()".repeat(20)}`, "prose");
});

describe("contentClassOfMessage", () => {
  const code = CORPUS["typescript"] ?? "";
  const check = (title: string, parts: readonly Part[], expected: ContentClass): void => {
    it(`${title}: ${expected}`, () => {
      assert.equal(contentClassOfMessage({ role: "user", parts }), expected);
    });
  };
  const callId = toolCallId("c");
  const numbers = "[12,34,56],".repeat(40);
  check("nothing", [], "prose");
  check("a text too short to classify", [{ kind: "text", text: "{}();[]" }], "prose");
  check(
    "a long prompt with a short snippet",
    [
      { kind: "text", text: "Please look at this and tell me what is wrong with it. ".repeat(9) },
      { kind: "attachment", label: "a.ts", text: "x=[1];".repeat(20) },
    ],
    "prose",
  );
  check(
    "a file",
    [
      { kind: "text", text: "Look at it." },
      { kind: "attachment", label: "a", text: numbers },
    ],
    "data",
  );
  check("the input of a tool", [{ kind: "toolCall", callId, name: "write", inputJson: numbers }], "data");
  check("a picture", [{ kind: "image", mediaType: "image/png", dataBase64: "A1".repeat(999) }], "prose");
  check("code", [{ kind: "toolResult", callId, outcome: "ok", text: code }], contentClassOf(code));
});

describe("Calibrator", () => {
  it("starts with the formula of the model family", () => {
    const { tokens, replies } = new Calibrator(CLAUDE).predict(request({ prose: 1000 }, 3, 50));
    assert.deepEqual([tokens, replies], [1400 + 7 + 3 + 50, 0]);
  });

  it("has no error band for an exact formula, but one for an estimate", () => {
    assert.deepEqual(new Calibrator(OPENAI).predict(request({ code: 1000 }, 2)), {
      tokens: 1011,
      plusMinusTokens: 0,
      replies: 0,
    });
    const { plusMinusTokens } = new Calibrator(CLAUDE).predict(request({ prose: 1000 }));
    assert.ok(plusMinusTokens > 300 && plusMinusTokens < 600, `${plusMinusTokens}`);
  });

  /** Learns from a provider with a hidden ratio for each class, 3 % noise and a fixed number of tokens per request. */
  function learnedFrom(turns: number): { calibrator: Calibrator; errors: readonly number[]; inBand: number } {
    const truth: ClassCounts = { prose: 1.45, code: 1.2, data: 1.1, cjk: 1, other: 1 };
    const kinds: readonly ContentClass[] = ["prose", "code", "data"];
    let state = 11;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    const calibrator = new Calibrator(CLAUDE);
    const content: Record<ContentClass, number> = { ...NO_CONTENT };
    let billed = 0;
    let inBand = 0;
    const errors: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const kind = kinds[random(kinds.length)] ?? "prose";
      const tokens = 80 + random(1400);
      content[kind] += tokens;
      billed += Math.round(tokens * truth[kind] * (0.97 + random(600) / 10_000));
      const counted = request(content, turn + 1);
      const reported = billed + 7 + turn + 1;
      const estimate = calibrator.predict(counted);
      errors.push(Math.abs(estimate.tokens - reported) / reported);
      if (Math.abs(estimate.tokens - reported) <= estimate.plusMinusTokens) inBand++;
      calibrator.learn(counted, reported);
    }
    return { calibrator, errors, inBand };
  }

  it("learns the ratio of each class", () => {
    const { calibrator, errors } = learnedFrom(40);
    const late = errors.slice(10).sort((a, b) => a - b);
    assert.ok((late[15] ?? 1) < 0.01, `errors ${late.join(" ")}`);
    const ratioOf = (content: Partial<ClassCounts>): number => calibrator.predict(request(content)).tokens / 10_000;
    assert.ok(Math.abs(ratioOf({ prose: 10_000 }) - 1.45) < 0.08);
    assert.ok(Math.abs(ratioOf({ code: 10_000 }) - 1.2) < 0.08);
  });

  it("has a band that narrows and contains the true count in 9 of 10 cases", () => {
    const { calibrator, inBand } = learnedFrom(60);
    assert.ok(inBand >= 54, `${inBand} of 60`);
    const band = (one: Calibrator): number => one.predict(request({ prose: 5000, code: 5000 })).plusMinusTokens;
    assert.ok(band(calibrator) < band(new Calibrator(CLAUDE)) / 4, `${band(calibrator)}`);
  });

  it("resumes from a stored state and ignores a damaged one", () => {
    const { calibrator } = learnedFrom(10);
    const stored = structuredClone(calibrator.state);
    const asked = request({ prose: 777, data: 33 }, 4);
    assert.deepEqual(new Calibrator(CLAUDE, stored).predict(asked), calibrator.predict(asked));
    const fresh = new Calibrator(CLAUDE).predict(asked);
    for (const damaged of [
      { ...stored, ratios: [1] },
      { ...stored, replies: NaN },
      { ...stored, covariance: [[]] },
    ]) {
      assert.deepEqual(new Calibrator(CLAUDE, damaged).predict(asked), fresh);
    }
  });

  it("learns nothing from requests without information, and stays within bounds", () => {
    const calibrator = new Calibrator(CLAUDE);
    const before = calibrator.state;
    calibrator.learn(request({ prose: 5 }), 500);
    calibrator.learn(request({ prose: 500 }), 0);
    calibrator.learn(request({ prose: 500 }), NaN);
    assert.equal(calibrator.state, before);
    for (let i = 0; i < 50; i++) calibrator.learn(request({ prose: 500 }), 4_000);
    assert.equal(calibrator.predict(request({ prose: 1000 })).tokens, 2500 + 8);
  });

  it("learns nothing from a bill far above the estimate", () => {
    const calibrator = new Calibrator(CLAUDE);
    const before = calibrator.state;
    calibrator.learn(request({ prose: 100 }), 6_900);
    assert.deepEqual(calibrator.state, before);
    calibrator.learn(request({ prose: 100 }), 180);
    assert.notDeepEqual(calibrator.state, before);
  });

  it("moves only slightly from an exact formula", () => {
    const calibrator = new Calibrator(OPENAI);
    for (let i = 0; i < 10; i++) calibrator.learn(request({ prose: 1000 }), 1100);
    const { tokens, plusMinusTokens, replies } = calibrator.predict(request({ prose: 1000 }));
    assert.ok(tokens < 1050, `${tokens}`);
    assert.ok(plusMinusTokens > 50, `${plusMinusTokens}`);
    assert.equal(replies, 10);
  });
});
