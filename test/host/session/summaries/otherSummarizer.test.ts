/** Summaries that another service writes than the one that answers. */

import assert from "node:assert/strict";
import { modelId } from "../../../../src/core/ids.ts";
import { HeldModel, openSummarized } from "../../../support/session/summarizedSession.ts";

describe("a summarizer of another provider", () => {
  const open = async (
    abilities = {},
    model = "middle",
  ): Promise<{ opened: Awaited<ReturnType<typeof openSummarized>>; other: HeldModel }> => {
    const other = new HeldModel();
    const summarizer = {
      providerName: "ollama",
      provider: other,
      model: modelId(model),
      isLanguageModel: true,
      why: "",
    } as const;
    return { opened: await openSummarized({}, undefined, undefined, abilities, summarizer), other };
  };

  it("writes all summaries, and no answer", async () => {
    const { opened, other } = await open();
    await opened.fill(80);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, other.answers], [0, 0]);
    assert.ok(other.summaries > 0);
    const [receipt] = opened.session.opened.manager.history.spending.receipts;
    assert.deepEqual(
      receipt?.notes?.map(({ model }) => model),
      ["middle"],
    );
  });

  for (const [what, name] of [
    ["", "middle"],
    [", also where it has the same name", "small"],
  ] as const) {
    it(`leaves what the main model writes to it${what}`, async () => {
      const { opened, other } = await open({}, name);
      await opened.session.setSetting("strategy", "archive", "");
      await opened.fill(90);
      await opened.rest();
      assert.deepEqual([opened.model.summaries > 0, other.summaries], [true, 0]);
    });
  }

  it("writes its summaries where the model that answers has the same name", async () => {
    const { opened, other } = await open({}, "small");
    await opened.fill(80);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, other.summaries > 0], [0, true]);
  });

  it("is named when it fails", async () => {
    const { opened, other } = await open();
    other.script = { code: "SERVICE_UNAVAILABLE", provider: "ollama", reason: "unreachable", detail: "" };
    await opened.fill(80);
    await opened.rest();
    assert.match(opened.notice("summaries")?.text ?? "", /Ollama/);
  });

  it("writes while the only slot of the answering server is in use", async () => {
    const { opened, other } = await open({ slots: 1 });
    await opened.fill(75);
    await opened.rest();
    assert.ok(other.summaries > 0, "without waiting for a pause in typing");
  });
});
