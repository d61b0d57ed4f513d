import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { Presenter } from "../../../src/host/presenter.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { openSession } from "../../support/openSession.ts";
import { saying, scriptedProvider } from "../../support/scriptedProvider.ts";

describe("Presenter", () => {
  it("shows another conversation whole: never its figures beside the rows and the draft of the one before", async () => {
    const { session } = await openSession(scriptedProvider(saying("Because.")));
    await session.send("1", "Why?");
    await session.setDraft("And then?");
    const told: ToViewBody[] = [];
    const presenter: Presenter = new Presenter({
      emit: (body) => told.push(body),
      refreshView: () => told.push({ kind: "snapshot", view: presenter.snapshot() }),
      font: () => ({ sizePx: null, family: null }),
      titled: () => undefined,
      asked: () => undefined,
      statusBar: { show: () => undefined },
      waysOut: () => ({ editorModels: 0, servers: [] }),
      contextPage: { shown: null, changed: () => undefined, close: () => undefined },
    });
    for (const shown of [session, undefined]) {
      presenter.show(shown);
      presenter.update();
    }
    const seen = told.map((body) =>
      body.kind === "snapshot"
        ? [body.view.status.title, body.view.rows.length, body.view.draft, body.view.status.activity]
        : [body.kind],
    );
    assert.deepEqual(seen, [
      ["Why?", 2, "And then?", "idle"],
      ["", 0, "", "loading"],
    ]);
  });
});
