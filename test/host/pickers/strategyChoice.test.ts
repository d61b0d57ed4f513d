import assert from "node:assert/strict";
import manifest from "../../../package.json" with { type: "json" };
import {
  CONTEXT_POLICIES,
  DEFAULT_CONTEXT_SETTINGS,
  type ContextPolicy,
} from "../../../src/core/context/contextSettings.ts";
import { STRATEGIES } from "../../../src/core/context/plan/strategies/strategies.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import {
  chooseStrategy,
  conversationStrategy,
  parameterFault,
  parameterItems,
  setParameter,
  STRATEGY_DETAILS,
  strategyItems,
} from "../../../src/host/pickers/strategyChoice.ts";
import { openSession } from "../../support/session/openSession.ts";
import { openSummarized } from "../../support/session/summarizedSession.ts";
import { ScriptedModel } from "../../support/models/scriptedModel.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const model = (): ScriptedModel => new ScriptedModel(() => ({ text: "Yes." }));

describe("strategyItems", () => {
  it("offers the setting's strategy and every strategy, each with a description", () => {
    const items = strategyItems("", "tree");
    assert.deepEqual(
      items.map(({ value }) => value),
      ["", ...CONTEXT_POLICIES],
    );
    assert.deepEqual(items[0], { label: "As in the settings", detail: "Tree", value: "", description: "in use" });
    assert.equal(new Set(items.map(({ label }) => label)).size, items.length);
    assert.ok(items.every(({ detail }) => detail !== ""));
  });

  it("marks the strategy in use", () => {
    const marked = strategyItems("archive", "pipeline").filter(({ description }) => description === "in use");
    assert.deepEqual(
      marked.map(({ value }) => value),
      ["archive"],
    );
  });
});

describe("chooseStrategy", () => {
  const choose = async (
    opened: Awaited<ReturnType<typeof openSession>>,
    value: ContextPolicy | "",
  ): Promise<readonly Banner[]> => {
    const before = opened.banners.length;
    await chooseStrategy(opened.session, value);
    return opened.banners.slice(before).filter((banner) => banner !== null);
  };

  for (const policy of CONTEXT_POLICIES) {
    it(`sets ${policy} for one conversation and persists it`, async () => {
      const first = await openSession(model());
      assert.deepEqual(await choose(first, policy), []);
      assert.equal(first.session.opened.manager.policy, policy);
      const again = await openSession(model(), first.disk);
      assert.deepEqual([again.session.opened.manager.policy, conversationStrategy(again.session)], [policy, policy]);
      const other = await openSession(model());
      assert.equal(other.session.opened.manager.policy, "pipeline", "another conversation goes by the settings");
    });
  }

  it("returns to the setting's strategy when the choice is removed", async () => {
    const opened = await openSession(model(), undefined, undefined, { settings: { "context.strategy": "tree" } });
    const { session } = opened;
    session.connect(session.connection);
    assert.equal(session.opened.manager.policy, "tree");
    await choose(opened, "sandwich");
    assert.equal(session.opened.manager.policy, "sandwich");
    await choose(opened, "");
    assert.equal(session.opened.manager.policy, "tree");
  });

  it("stores nothing when the strategy is unchanged", async () => {
    const opened = await openSession(model());
    await choose(opened, "tree");
    const { commits } = opened.store;
    await choose(opened, "tree");
    assert.equal(opened.store.commits, commits);
  });

  it("refuses with a banner while an answer is running", async () => {
    const opened = await openSession(new ScriptedModel(() => "waitsForCancel"));
    const sending = opened.session.send("s1", "Hello?");
    await whenTrue(() => opened.session.activity !== "idle");
    const banners = await choose(opened, "tree");
    assert.deepEqual(
      banners.map((banner) => banner.text),
      ["The strategy can be changed when this answer has ended."],
    );
    assert.equal(opened.session.opened.manager.policy, "pipeline");
    opened.session.stop();
    await sending;
    assert.deepEqual(await choose(opened, "tree"), []);
    assert.equal(opened.session.opened.manager.policy, "tree");
  });

  it("cancels a running summary of the previous strategy and starts one with the new strategy", async () => {
    const opened = await openSummarized();
    opened.model.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, opened.model.live], [1, 1]);
    assert.deepEqual(await choose(opened, "sandwich"), []);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, opened.model.live], [2, 1]);
    opened.model.script = "good";
    opened.model.release();
    await opened.fill(80);
    await opened.rest();
    const [receipt] = opened.session.opened.manager.history.spending.receipts;
    assert.equal(receipt?.strategy, "sandwich");
  });

  it("changes nothing and shows the reason when it cannot be stored", async () => {
    const opened = await openSession(model());
    opened.store.failNext = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
    const [banner] = await choose(opened, "tree");
    assert.match(banner?.text ?? "", /disk is full/i);
    assert.deepEqual([opened.session.opened.manager.policy, conversationStrategy(opened.session)], ["pipeline", ""]);
  });
});

describe("the parameters of the strategy in use", () => {
  const listed = ({ session }: Awaited<ReturnType<typeof openSession>>): readonly string[] =>
    parameterItems(session, session.opened.manager.settings).map(
      ({ label, description }) => `${label}: ${description}`,
    );

  it("are listed with the values that hold", async () => {
    const opened = await openSession(model(), undefined, undefined, { settings: { "context.tree.levels": 2 } });
    opened.session.connect(opened.session.connection);
    const seen: Record<string, readonly string[]> = {};
    for (const policy of CONTEXT_POLICIES) {
      await chooseStrategy(opened.session, policy);
      seen[policy] = listed(opened);
    }
    assert.deepEqual(seen, {
      pipeline: [],
      toolCalls: [],
      threshold: [],
      goalBatch: [],
      sandwich: [
        "Messages at the beginning: 5, as in the settings",
        "Messages at the end: 5, as in the settings",
        "Summarizes the middle from this percentage of the budget: 70, as in the settings",
      ],
      archive: ["Summarizes from this percentage of the budget: 85, as in the settings"],
      tree: [
        "Most tokens of a summary's originals: 20000, as in the settings",
        "Levels of summaries: 2, as in the settings",
      ],
      slidingWindow: ["Messages that are sent: 20, as in the settings"],
      fullHistory: [],
    });
  });

  it("are set for one conversation, at once and across reopening, and follow the settings again", async () => {
    const first = await openSession(model());
    await chooseStrategy(first.session, "slidingWindow");
    await setParameter(first.session, "slidingWindow.last", "6");
    assert.deepEqual(listed(first), ["Messages that are sent: 6, for this conversation"]);
    const again = await openSession(model(), first.disk);
    assert.equal(again.session.opened.manager.settings.parameters["slidingWindow.last"], 6);
    const { commits } = again.store;
    await setParameter(again.session, "slidingWindow.last", "06");
    assert.equal(again.store.commits, commits, "nothing is stored when the value is unchanged");
    await setParameter(again.session, "slidingWindow.last", "");
    assert.deepEqual(listed(again), ["Messages that are sent: 20, as in the settings"]);
  });

  const fault = "A whole number from 1 to 10, or nothing for that of the settings.";
  for (const [typed, expected] of [
    ["", undefined],
    ["1", undefined],
    ["10", undefined],
    ["0", fault],
    ["11", fault],
    ["-1", fault],
    ["1.5", fault],
    ["1e1", fault],
    ["many", fault],
  ] as const) {
    it(`are checked in words: ${JSON.stringify(typed)}`, () => {
      assert.equal(parameterFault("tree.levels", typed), expected);
    });
  }

  it("cancel a summary that was planned with others", async () => {
    const opened = await openSummarized();
    await chooseStrategy(opened.session, "sandwich");
    opened.model.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, opened.model.live], [1, 1]);
    await setParameter(opened.session, "sandwich.top", "2");
    await opened.rest();
    assert.deepEqual([opened.model.summaries, opened.model.live], [2, 1]);
  });
});

describe("the strategy setting", () => {
  const schema = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries<object>(properties));
  const enumOf = (name: string): unknown => {
    const found = schema.find(([key]) => key === name)?.[1] ?? {};
    const listed = "items" in found ? found.items : found;
    return typeof listed === "object" && listed !== null && "enum" in listed ? listed.enum : undefined;
  };

  it("lists all strategies, and for the pipeline only those that plan", () => {
    assert.deepEqual(enumOf("forge.context.strategy"), CONTEXT_POLICIES);
    const planning = Object.values(STRATEGIES).filter(({ name }) => name !== "fullHistory" && name !== "slidingWindow");
    assert.deepEqual(
      enumOf("forge.context.pipeline"),
      planning.map(({ name }) => name),
    );
    assert.deepEqual(Object.keys(STRATEGY_DETAILS), CONTEXT_POLICIES);
  });

  for (const policy of CONTEXT_POLICIES) {
    it(`accepts ${policy} and applies it immediately`, async () => {
      const { context } = readSettings((name) => (name === "context.strategy" ? policy : undefined), {});
      assert.deepEqual(context, { ...DEFAULT_CONTEXT_SETTINGS, strategy: policy });
      const { session } = await openSession(model());
      session.opened.manager.configure({ settings: context });
      assert.equal(session.opened.manager.policy, policy);
      session.opened.manager.switchModel(modelId("gpt-5"));
      assert.equal(session.opened.manager.policy, policy);
    });
  }
});
