import assert from "node:assert/strict";
import { UsageCalibrations } from "../../../../src/core/context/usage/usageCalibrations.ts";
import { modelId } from "../../../../src/core/ids.ts";
import type { CountedRequest } from "../../../../src/core/tokens/calibrator.ts";
import { NO_CONTENT, type ClassCounts } from "../../../../src/core/tokens/contentClass.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";

const model = modelId("house-model");

function request(content: Partial<ClassCounts>, tools = 0, toolSet = "set-1"): CountedRequest {
  const fixed = tools === 0 ? { fixedTokens: 0 } : { fixedTokens: tools, toolSet };
  return { content: { ...NO_CONTENT, ...content }, messages: 0, ...fixed };
}

/** Prediction for 1,000 tokens of prose. */
function thousand(calibrations: UsageCalibrations): readonly [tokens: number, plusMinus: number] {
  const { tokens, plusMinusTokens } = calibrations.of(model).predict(request({ prose: 1_000 }));
  return [tokens, plusMinusTokens];
}

describe("§10 calibration by a reply, against values calculated by hand,", () => {
  /**
   * Prose alone, so that ratio, variance and gain are scalars: P = 0.25² = 0.0625 at first, n = 0.015² + (6 / T)²,
   * k = P / (P + n), ratio = 1 + k (R / T - 1), then P = P (1 - k) / 0.995 + 0.000001.
   */
  const check = (
    title: string,
    [counted, billed]: readonly [number, number],
    expected: readonly [number, number],
  ): void => {
    it(title, () => {
      const calibrations = new UsageCalibrations();
      calibrations.learn(model, request({ prose: counted }), billed);
      assert.deepEqual(thousand(calibrations), expected);
    });
  };
  // n = 0.000225 + 0.000036 = 0.000261, k = 0.0625 / 0.062761 = 0.995841; 1 + 0.995841 × 0.3 = 1.298752.
  // The error was 300 of 1,300: e = 0.053254, and 1.645 × √0.053254 × 1,000 = 379.6.
  check("predicts 1,299 per 1,000 when 1,000 tokens are billed as 1,300", [1_000, 1_300], [1_299, 380]);
  // n = 0.000225 + (6 / 92)² = 0.004478, k = 0.0625 / 0.066978 = 0.933138; 1 + 0.933138 × 28 / 92 = 1.283999.
  // e = (28 / 120)² = 0.054444; 1.645 × 0.233333 × 1,000 = 383.8.
  check(
    "predicts 1,284 per 1,000 when 92 tokens are billed as 120, since the framing of so few is uncertain",
    [92, 120],
    [1_284, 384],
  );
  // n = 0.000225 + 0.09 = 0.090225, k = 0.0625 / 0.152725 = 0.409232; 1 + 0.409232 × 1 = 1.409232.
  // e = (20 / 40)² = 0.25; 1.645 × 0.5 × 1,000 = 822.5.
  check(
    "predicts 1,409 per 1,000 when 20 tokens are billed as 40, less than half of the increase",
    [20, 40],
    [1_409, 823],
  );
  // Ten times the text is accepted, with the ratio at its bound; e = (900 / 1,000)² = 0.81, 1.645 × 0.9 × 1,000 = 1,480.5.
  check("predicts the bound of 2,500 per 1,000 when 100 tokens are billed as 1,000", [100, 1_000], [2_500, 1_481]);
  // P = 0.0625, n = 0.000261: 1.645 × √0.062761 × 1,000 = 412.1.
  check("learns nothing when 100 tokens are billed as 1,001", [100, 1_001], [1_000, 413]);
  check("learns nothing from 19 tokens", [19, 25], [1_000, 413]);

  it("predicts 1,247 per 1,000 after a second reply that corrects the first", () => {
    const calibrations = new UsageCalibrations();
    calibrations.learn(model, request({ prose: 1_000 }), 1_300);
    // P = 0.0625 × (1 - 0.995841) / 0.995 + 0.000001 = 0.000262; n for 2,000 is 0.000225 + 0.000009 = 0.000234.
    // k = 0.000262 / 0.000496 = 0.528; the prediction was 2,598, billed were 2,400: 1.2988 + 0.528 × (1.2 - 1.2988) = 1.2466.
    calibrations.learn(model, request({ prose: 2_000 }), 2_400);
    assert.equal(thousand(calibrations)[0], 1_247);
  });

  it("changes the usage of a new conversation only after a plausible bill", () => {
    const calibrations = new UsageCalibrations();
    const overhead = { systemPrompt: "s", systemTokens: counts(88), tools: [], toolsTokens: counts(0) };
    const open = (): TestConversation => new TestConversation({ model: "house-model", overhead, calibrations });
    assert.equal(open().manager.usage().usedTokens, 92, "88 and 4 for the message");
    for (const inputTokens of [6_900, 6_980, 7_000, 8_980, 9_000, 9_100]) {
      const conversation = open().play("u4");
      conversation.ready();
      conversation.manager.recordReportedUsage({ inputTokens });
      assert.equal(conversation.manager.usage().usedTokens, inputTokens);
      assert.equal(open().manager.usage().usedTokens, 92, "69 times the text teaches nothing");
    }
    const conversation = open().play("u8");
    conversation.ready();
    conversation.manager.recordReportedUsage({ inputTokens: 130 });
    // 104 tokens of prose: n = 0.000225 + (6 / 104)² = 0.003553, k = 0.0625 / 0.066053 = 0.946207,
    // ratio = 1 + 0.946207 × 26 / 104 = 1.236552; 92 × 1.236552 = 113.8.
    assert.equal(open().manager.usage().usedTokens, 114);
  });
});

describe("the billed size of tools", () => {
  it("is learned from the first reply with them, apart from the ratios of text", () => {
    const calibrations = new UsageCalibrations();
    const before = calibrations.of(model).predict(request({ prose: 300 }, 52));
    // Counted as 52, with a margin of all 52: 1.645 × √(0.0625 + 0.000225 + 0.0004) × 300 = 123.99, and 52.
    assert.deepEqual([before.tokens, before.plusMinusTokens], [352, 124 + 52]);
    calibrations.learn(model, request({ prose: 300 }, 52), 300 + 640);
    const after = calibrations.of(model).predict(request({ prose: 300 }, 52));
    assert.deepEqual([after.tokens, after.plusMinusTokens, after.replies], [940, 124, 0]);
    assert.deepEqual(thousand(calibrations), [1_000, 413], "nothing was learned of text");
    calibrations.learn(model, request({ prose: 1_000 }, 52), 1_300 + 640);
    assert.equal(thousand(calibrations)[0], 1_299, "the next reply teaches how text is billed");
  });

  it("is learned separately for each tool set", () => {
    const calibrations = new UsageCalibrations();
    calibrations.learn(model, request({ prose: 300 }, 52), 940);
    const other = calibrations.of(model).predict(request({ prose: 300 }, 52, "set-2"));
    assert.equal(other.tokens, 352);
  });

  const keeps = (title: string, asked: CountedRequest, billed: number): void => {
    it(`is not learned from ${title}`, () => {
      const calibrations = new UsageCalibrations();
      calibrations.learn(model, asked, billed);
      assert.deepEqual(calibrations.of(model).saved.tools, []);
    });
  };
  keeps("a bill below the size of the text", request({ prose: 300 }, 52), 250);
  keeps("an implausibly large bill", request({ prose: 300 }, 52), 9_000);
  keeps("a long text whose error margin is too large", request({ prose: 50_000 }, 52), 52_000);

  describe("L3 is zero where a bill fits the request without them, and not with them:", () => {
    for (const [title, text, tools, billed, expected] of [
      ["a short first message with many tools", 150, 1_600, 149, true],
      ["one that the model counts otherwise", 150, 1_600, 200, true],
      ["one that is billed with its tools", 150, 1_600, 1_200, false],
      ["one whose tools are cheap", 150, 1_600, 800, false],
      ["a bill below the text, as of what was read anew", 150, 1_600, 40, false],
      ["a text that the tools vanish in", 5_000, 1_600, 4_900, false],
      ["a text that the tools vanish in, billed low", 5_000, 4_000, 3_900, true],
      ["few tools", 300, 52, 300, false],
      ["no tools", 150, 0, 149, false],
      ["a bill of nothing", 150, 1_600, 0, false],
    ] as const) {
      it(title, () => {
        const calibrations = new UsageCalibrations();
        const asked = request({ prose: text }, tools);
        assert.equal(calibrations.learn(model, asked, billed), expected);
        if (!expected) return;
        assert.equal(calibrations.of(model).toolTokensOf(asked), 0);
        // Undecided where the text has just turned out to be billed quite otherwise.
        assert.equal(calibrations.learn(model, asked, billed), text < 1_000, "again, if they are offered once more");
      });
    }
    it("not once they were billed", () => {
      const calibrations = new UsageCalibrations();
      calibrations.learn(model, request({ prose: 150 }, 1_600), 1_200);
      assert.equal(calibrations.learn(model, request({ prose: 150 }, 1_600), 149), false);
    });
  });

  it("distinguishes tool sets by their definitions", () => {
    const tool = { name: "read", description: "Reads.", inputSchemaJson: "{}" };
    const sets = [[], [tool], [{ ...tool, description: "Writes." }], [tool, tool]].map((tools) => {
      const overhead = { systemPrompt: "", systemTokens: counts(0), tools, toolsTokens: counts(10) };
      const calibrations = new UsageCalibrations();
      const conversation = new TestConversation({ overhead, calibrations }).play("u96");
      conversation.ready();
      conversation.manager.recordReportedUsage({ inputTokens: 150 });
      return calibrations.save().models.flatMap(({ tools: learned }) => learned.map(({ toolSet }) => toolSet));
    });
    assert.deepEqual(sets[0], []);
    assert.equal(new Set(sets.slice(1).flat()).size, 3);
  });
});

describe("a saved calibration", () => {
  const taught = (): UsageCalibrations => {
    const calibrations = new UsageCalibrations();
    calibrations.learn(model, request({ prose: 300 }, 52), 940);
    for (let reply = 0; reply < 5; reply++)
      calibrations.learn(model, request({ prose: 700, code: 300 }), 1_200 + reply);
    calibrations.learn(modelId("gpt-4o"), request({ data: 900 }), 901);
    calibrations.of(modelId("only asked"));
    return calibrations;
  };
  const asked = request({ prose: 777, code: 55, cjk: 3 }, 52);

  it("predicts the same in another window after a round trip through JSON", () => {
    const again = new UsageCalibrations();
    assert.ok(again.merge(JSON.parse(JSON.stringify(taught().save()))).ok);
    assert.deepEqual(again.of(model).predict(asked), taught().of(model).predict(asked));
    assert.deepEqual(again.save(), taught().save());
    assert.deepEqual(
      again.save().models.map((each) => each.model),
      ["house-model", "gpt-4o"],
    );
  });

  it("continues to learn after a merge", () => {
    const [own, other] = [taught(), new UsageCalibrations()];
    assert.ok(other.merge(own.save()).ok);
    for (const calibrations of [own, other]) calibrations.learn(model, request({ prose: 900 }), 1_000);
    assert.deepEqual(other.save(), own.save());
  });

  it("wins in a merge when it comes from more replies, whichever window writes last", () => {
    const [more, fewer] = [taught(), new UsageCalibrations()];
    fewer.learn(model, request({ prose: 900 }), 1_800);
    assert.ok(fewer.merge(more.save()).ok);
    assert.equal(fewer.of(model).predict(asked).replies, 5);
    const unchanged = more.save();
    assert.ok(more.merge({ version: 1, models: [{ ...unchanged.models[0], replies: 3, ratios: [2, 2, 2, 2, 2] }] }).ok);
    assert.deepEqual(more.save(), unchanged);
  });

  describe("is rejected as a whole, with the name of the field, for", () => {
    const saved = JSON.stringify(taught().save());
    const check = (title: string, damaged: string, field: string, expected: RegExp): void => {
      it(title, () => {
        const calibrations = new UsageCalibrations();
        const merged = calibrations.merge(JSON.parse(damaged));
        assert.equal(merged.ok ? "" : merged.error.field, field);
        assert.match(merged.ok ? "" : merged.error.expected, expected);
        assert.deepEqual(calibrations.save().models, [], "nothing was taken");
        assert.equal("polluted" in {}, false);
      });
    };
    const first = /"ratios":\[[^\]]*\]/;
    const at = "calibrations.models[0]";
    check("a value that is no object", "7", "calibrations", /object/);
    check("a newer version", saved.replace('"version":1', '"version":2'), "calibrations.version", /1 to 1/);
    check("a `__proto__` key", saved.replace("{", '{"__proto__":{"polluted":1},'), "calibrations.__proto__", /no such/);
    check("an empty model name", saved.replace('"model":"house-model"', '"model":""'), `${at}.model`, /not empty/);
    check("a missing ratio", saved.replace(first, '"ratios":[1,1]'), `${at}.ratios`, /^5 of them$/);
    check("an additional ratio", saved.replace(first, '"ratios":[1,1,1,1,1,1]'), `${at}.ratios`, /at most 5/);
    check("a ratio out of bounds", saved.replace(first, '"ratios":[1,1,9,1,1]'), `${at}.ratios[2]`, /0.5 to 2.5/);
    check("a ratio that is not a number", saved.replace(first, '"ratios":[1,"1",1,1,1]'), `${at}.ratios[1]`, /number/);
    check(
      "a negative variance",
      saved.replace(/"covariance":\[\[[^,]*/, '"covariance":[[-0.01'),
      `${at}.covariance`,
      /below 0/,
    );
    check(
      "a variance out of bounds",
      saved.replace(/"covariance":\[\[[^,]*/, '"covariance":[[1e9'),
      `${at}.covariance[0][0]`,
      /0.0625/,
    );
    check(
      "a fractional number of replies",
      saved.replace('"replies":5', '"replies":0.5'),
      `${at}.replies`,
      /0 or more/,
    );
    check(
      "a negative error",
      saved.replace(/"meanSquaredError":[^,]*/, '"meanSquaredError":-1'),
      `${at}.meanSquaredError`,
      /0 or more/,
    );
    check("a negative size of tools", saved.replace('"tokens":640', '"tokens":-640'), `${at}.tools[0].tokens`, /0 to/);
  });

  it("calls its listener when something new is learned", () => {
    let told = 0;
    const calibrations = new UsageCalibrations(() => told++);
    calibrations.of(model);
    calibrations.learn(model, request({ prose: 900 }), 1_000);
    assert.equal(told, 1);
  });
});

describe("§10 bills that fit nothing before", () => {
  /** Calibrations of a model that bills 1.3 times the count, learned in two conversations. */
  function established(): UsageCalibrations {
    const calibrations = new UsageCalibrations();
    for (const conversation of [{}, {}])
      for (const [counted, billed] of [
        [1_000, 1_300],
        [4_000, 5_200],
        [9_000, 11_700],
      ] as const)
        calibrations.learn(model, request({ prose: counted }), billed, conversation);
    return calibrations;
  }
  const odd = [
    ["too low", 0.7],
    ["far too high", 4],
  ] as const;
  for (const [title, factor] of odd) {
    it(`move what other conversations are told by no more than a percent when they are ${title}`, () => {
      const calibrations = established();
      const [before] = thousand(calibrations);
      const conversation = {};
      for (let bill = 0; bill < 30; bill++)
        calibrations.learn(model, request({ prose: 20_000 }), Math.round(20_000 * factor), conversation);
      const [after] = thousand(calibrations);
      assert.ok(Math.abs(after / before - 1) <= 0.01, `${String(before)} became ${String(after)}`);
    });
  }

  it("move it by no more than a percent when they are off by less", () => {
    const calibrations = established();
    const [before] = thousand(calibrations);
    calibrations.learn(model, request({ prose: 20_000 }), 20_000 * 1.4, {});
    const [after] = thousand(calibrations);
    assert.ok(Math.abs(after / before - 1) <= 0.01, `${String(before)} became ${String(after)}`);
  });

  it("are believed when three conversations have them", () => {
    const calibrations = established();
    for (let conversation = 0; conversation < 3; conversation++)
      calibrations.learn(model, request({ prose: 20_000 }), 16_000, { conversation });
    assert.equal(thousand(calibrations)[0], 801);
  });

  it("teach another kind of text at once", () => {
    const calibrations = established();
    calibrations.learn(model, request({ code: 10_000 }), 11_500, {});
    const { tokens } = calibrations.of(model).predict(request({ code: 1_000 }));
    assert.equal(tokens, 1_149);
  });
});

describe("§10 a report that cannot be", () => {
  for (const [reported, used] of [
    [12, 2_886],
    [1_400, 2_886],
    [3_000, 3_000],
  ] as const) {
    it(`of ${String(reported)} tokens for 2,886 leaves the usage at ${String(used)}`, () => {
      const conversation = new TestConversation().play("u2882");
      conversation.ready();
      conversation.manager.recordReportedUsage({ inputTokens: reported });
      assert.equal(conversation.manager.usage().usedTokens, used);
    });
  }
});
