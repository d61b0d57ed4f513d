/** The extract at once, and a model's notes in its place later, when the cut changes anyway. */

import assert from "node:assert/strict";
import { messageId, modelId } from "../../../../src/core/ids.ts";
import { summariesForNow } from "../../../../src/core/summary/schedule/notesLater.ts";
import { MOST_CALLS } from "../../../../src/core/summary/write/callAllowance.ts";
import { openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";
import { plantedSession } from "../../../support/texts/talk/plantedSession.ts";
import { temperament } from "../../../support/session/temperaments.ts";
import { ScriptedModel } from "../../../support/models/scriptedModel.ts";
import { TalkSession } from "../../../support/session/talkSession.ts";

const ANSWER = "The tide limit in src/harbour/tide.ts is 4711, as the port office said. ".repeat(10);
const NOTES = "## Findings\n- the tide limit in src/harbour/tide.ts is 4711, as the port office said";

/** A conversation on a server with one slot, in which a long message left no time for a model. */
async function extracted(): Promise<SummarizedSession> {
  const opened = await openSummarized({}, undefined, undefined, { slots: 1 });
  const { model } = opened;
  model.answer = ANSWER;
  model.notes = NOTES;
  model.script = "held";
  await opened.fill(85);
  await opened.rest();
  await opened.say(900);
  model.script = "good";
  return opened;
}

function authors({ session }: SummarizedSession): readonly string[] {
  return session.opened.manager.history.summaries.map(({ generatedBy }) => generatedBy);
}

async function sent({ session }: SummarizedSession): Promise<string> {
  const prepared = session.opened.manager.prepare();
  assert.ok(prepared.kind === "ready");
  const messages = await prepared.context.apiMessages();
  assert.ok(messages.ok);
  return JSON.stringify(messages.value);
}

describe("L5 the extract at once, and notes later", () => {
  it("writes them when the answer has ended, and leaves the request as it is until the cut changes", async () => {
    const opened = await extracted();
    const { manager } = opened.session.opened;
    const { history } = manager;
    const waiting = summariesForNow(manager);
    assert.ok(waiting.length > 0);
    const before = await sent(opened);
    const asked = opened.model.summaries;
    await opened.rest();
    assert.equal(opened.model.summaries, asked + 1);
    assert.equal(await sent(opened), before, "the prefix stays in the provider's cache");
    await opened.session.actions.setPinned(history.length - 1, true);
    await opened.rest();
    assert.deepEqual(summariesForNow(manager), []);
    assert.match(await sent(opened), /## Findings/);
    assert.deepEqual(
      authors(opened).slice(-waiting.length),
      waiting.map(() => "small"),
    );
    const receipt = history.spending.receipts.at(-1);
    assert.deepEqual([receipt?.trigger, receipt?.calls, receipt?.notesLater], ["threshold", 1, undefined]);
  });

  it("uses them with the next summary", async () => {
    const opened = await extracted();
    const { manager } = opened.session.opened;
    await opened.rest();
    assert.ok(summariesForNow(manager).length > 0);
    await opened.fill(80);
    await opened.rest();
    assert.deepEqual(summariesForNow(manager), []);
    assert.ok(authors(opened).includes("small"));
  });

  it("keeps the extract if the notes are worth less, and does not ask again", async () => {
    const opened = await extracted();
    opened.model.notes = "## Goal\nDone.";
    await opened.rest();
    const { summaries } = opened.model;
    await opened.session.actions.setPinned(opened.session.opened.manager.history.length - 1, true);
    await opened.rest();
    assert.deepEqual([opened.model.summaries, [...new Set(authors(opened))]], [summaries, ["extract"]]);
  });

  it("writes none for an extract that a larger window has no need of, until it is sent again", async () => {
    const opened = await extracted();
    const { session, model } = opened;
    const { manager } = session.opened;
    const [waiting, asked] = [summariesForNow(manager), model.summaries];
    const small = session.connection;
    await session.switchModel({ ...small, model: modelId("large") });
    await opened.rest();
    assert.deepEqual([summariesForNow(manager), model.summaries], [[], asked]);
    assert.equal(session.summaries.automatic.driver.summarizer.notesToWrite, 0);
    await session.switchModel(small);
    assert.deepEqual(summariesForNow(manager), waiting);
    await opened.rest();
    assert.equal(model.summaries, asked + 1);
  });

  it("says nothing of a service that fails meanwhile", async () => {
    const opened = await extracted();
    opened.model.script = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "overloaded", detail: "" };
    await opened.rest();
    assert.deepEqual([opened.notice("summaries"), [...new Set(authors(opened))]], [undefined, ["extract"]]);
  });
});

describe("a long import that meets a small window", function () {
  this.timeout(60_000);

  it(`takes at most ${String(MOST_CALLS)} calls, and puts off the other notes`, async () => {
    const summarizer = new ScriptedModel(temperament("good", 1));
    const talk = new TalkSession({ policy: "pipeline", contextWindow: 8_192, maxOutput: 2_048, summarizer });
    const turns = plantedSession({ seed: 7, scale: 0.5 });
    for (let turn = 0; turn < 200; turn++) for (const message of turns.next().value.messages) await talk.add(message);
    const done = await talk.compact("overflow");
    assert.ok(done.ok && done.value !== undefined);
    const { calls, notesLater = [], summaries } = done.value;
    assert.equal(calls, summarizer.asked.length);
    assert.ok(calls > 0 && calls <= MOST_CALLS, String(calls));
    assert.ok(
      notesLater.length > 0 && notesLater.length < summaries.length,
      `${String(notesLater)} of ${String(summaries)}`,
    );
    assert.equal(talk.manager.prepare().kind, "ready");
    assert.equal(talk.manager.history.entry(messageId(0)).id, 0);
  });
});
