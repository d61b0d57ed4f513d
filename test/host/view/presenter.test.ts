import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { countDraft } from "../../../src/host/view/draftTokens.ts";
import { explainImport } from "../../../src/host/words/explainFiles.ts";
import { failure, info, REPLACE_KEY, MOVE_HERE, NEW_CONVERSATION, warning } from "../../../src/host/words/banners.ts";
import type { Presenter } from "../../../src/host/view/presenter.ts";
import type { Banner, ToViewBody } from "../../../src/protocol/toView.ts";
import { openSession } from "../../support/session/openSession.ts";
import { quietPresenter } from "../../support/quietAround.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

/** A presenter with the messages that it sends to the view. */
function presenting(): { readonly presenter: Presenter; readonly told: readonly ToViewBody[] } {
  const told: ToViewBody[] = [];
  const presenter: Presenter = quietPresenter(
    (body) => told.push(body),
    () => told.push({ kind: "snapshot", view: presenter.snapshot() }),
  );
  return { presenter, told };
}

const note = info("Nothing is running.");
const fault = failure("It could not be stored.");
const offer = failure("The key was refused.", [REPLACE_KEY]);
const closable = explainImport({ of: "file", error: { code: "EMPTY" } }, "talk.json");

describe("Presenter", () => {
  for (const [what, banner, closed, dropped] of [
    ["a note", note, null, null],
    ["a failure without an action", fault, null, fault],
    ["a failure with an action", offer, offer, offer],
    ["a closable failure", closable, null, closable],
  ] as const) {
    it(`removes ${what} only on the events that may remove it`, () => {
      const { presenter } = presenting();
      const shown = (): Banner | null => presenter.snapshot().status.banner;
      presenter.showBanner(banner);
      presenter.dropNote();
      assert.equal(shown(), dropped);
      presenter.showBanner(banner);
      presenter.closeBanner();
      assert.equal(shown(), closed);
      presenter.block(banner);
      presenter.closeBanner();
      assert.equal(shown(), banner, "where nothing can be sent, the reason stays");
    });
  }

  it("shows a note before the reason that blocks sending, and retains that reason's actions", () => {
    const { presenter } = presenting();
    const shown = (): Banner | null => presenter.snapshot().status.banner;
    const inUse = warning("It is open in another window.", [MOVE_HERE, NEW_CONVERSATION]);
    presenter.block(inUse);
    presenter.showBanner(note);
    assert.deepEqual(shown(), { ...inUse, text: "Nothing is running. It is open in another window." });
    presenter.dropNote();
    assert.deepEqual(shown(), inUse);
    presenter.showBanner(failure("It could not be begun.", [NEW_CONVERSATION]));
    assert.deepEqual(shown()?.actions, [NEW_CONVERSATION, MOVE_HERE]);
    presenter.block(inUse);
    assert.deepEqual(shown(), inUse, "a new reason stands alone");
    assert.equal(presenter.snapshot().status.activity, "blocked");
  });

  it("shows another conversation in one snapshot, never mixed with the previous one", async () => {
    const { session } = await openSession(scriptedProvider(saying("Because.")));
    await session.send("1", "Why?");
    await session.composer.setText("And then?");
    const { presenter, told } = presenting();
    for (const shown of [session, undefined]) {
      presenter.show(shown);
      presenter.update();
    }
    const seen = told.map((body) =>
      body.kind === "snapshot"
        ? [body.view.status.title, body.view.rows.length, body.view.composer.text, body.view.status.activity]
        : [body.kind],
    );
    assert.deepEqual(seen, [
      ["Why?", 2, "And then?", "idle"],
      ["", 0, "", "loading"],
    ]);
  });

  it("counts draft tokens only for the conversation that is shown", async () => {
    const [{ session: left }, { session: opened }] = [
      await openSession(scriptedProvider()),
      await openSession(scriptedProvider()),
    ];
    await left.composer.setText("Why is the sky blue? ".repeat(100));
    await opened.composer.attachments.add({ kind: "attachment", label: "Problems", text: "none" });
    const counted: Promise<void>[] = [];
    const presenter = quietPresenter();
    presenter.onDidShow((session) => counted.push(countDraft(session, presenter)));
    for (const session of [left, undefined, opened]) presenter.show(session);
    await Promise.all(counted);
    const { draftTokens } = presenter;
    assert.ok(draftTokens !== null && draftTokens > 0 && draftTokens < 50);
    await countDraft(left, presenter);
    assert.equal(presenter.draftTokens, draftTokens);
  });
});
