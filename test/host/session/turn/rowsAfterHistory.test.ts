import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ForgeError } from "../../../../src/core/errors.ts";
import { modelId } from "../../../../src/core/ids.ts";
import type { Row } from "../../../../src/protocol/toView.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { breaking, saying, scriptedProvider, type ScriptedAnswer } from "../../../support/models/scriptedProvider.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const cutOff: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };

/** Text of a row, with "(undecided)" if the user must decide on recovery. */
function seen(row: Row): string {
  if (row.kind === "message") return row.pendingRecovery === null ? row.text : `${row.text} (undecided)`;
  return row.kind === "notice" ? row.rowId.replace(/-\d+$/, "") : row.rowId;
}

/** Answer to the second question, the action after it, and the rows below the first turn. */
const CASES: readonly (readonly [
  title: string,
  last: ScriptedAnswer,
  act: (opened: OpenedSession) => Promise<void>,
  seen: readonly string[],
])[] = [
  ["an interrupted answer", breaking(cutOff, "Half"), () => Promise.resolve(), ["Second?", "Half (undecided)"]],
  [
    "an answer that was interrupted before the model was changed",
    breaking(cutOff, "Half"),
    change,
    ["Second?", "notice-model", "Half (undecided)"],
  ],
  [
    "a notice of an answer that failed before the model was changed",
    breaking(cutOff),
    change,
    ["Second?", "notice-model", "notice-failed"],
  ],
  [
    "the placeholder of an answer hidden before the model was changed",
    saying("two"),
    hideAndChange,
    ["Second?", "notice-model", "hidden-3"],
  ],
  ["a complete answer before the model was changed", saying("two"), change, ["Second?", "two", "notice-model"]],
  ["one placeholder for each hidden message of a turn", saying("two"), hide, ["hidden-2", "hidden-3"]],
];

async function change({ session }: OpenedSession): Promise<void> {
  await session.switchModel({ ...session.connection, model: modelId("large") });
}

async function hideAndChange(opened: OpenedSession): Promise<void> {
  await opened.session.actions.setHidden(3, true);
  await change(opened);
}

async function hide({ session }: OpenedSession): Promise<void> {
  await session.actions.setHidden(3, true);
  await session.actions.setHidden(2, true);
}

describe("rows below the last message, after a rebuild and a restart, show", () => {
  for (const [title, last, act, behind] of CASES) {
    it(title, async () => {
      const opened = await openSession(scriptedProvider(saying("one"), last));
      await opened.session.send("1", "First?");
      await opened.session.send("2", "Second?");
      await act(opened);
      assert.deepEqual(opened.rows().map(seen), ["First?", "one", ...behind]);
      await opened.session.transcript.rebuild();
      assert.deepEqual(opened.rows().map(seen), ["First?", "one", ...behind]);
      const again = await openSession(scriptedProvider(), structuredClone(opened.disk));
      assert.deepEqual(again.rows().map(seen), ["First?", "one", ...behind]);
    });
  }

  for (const moment of ["goes on", "ends"]) {
    it(`an answer that ${moment} while the model is changed`, async () => {
      let end = (): void => undefined;
      const ending = new Promise<void>((resolve) => (end = resolve));
      const last: ScriptedAnswer = async function* (pause) {
        yield { kind: "text", text: "two, " };
        await ending;
        yield { kind: "text", text: "three" };
        await pause();
        if (moment === "goes on") await changed;
        yield { kind: "done", stopReason: "endTurn" };
      };
      const opened = await openSession(scriptedProvider(saying("one"), last));
      const { session, store } = opened;
      const words = (): readonly string[] => opened.rows().map(seen);
      await session.send("1", "First?");
      const answered = session.send("2", "Second?");
      await whenTrue(() => words().includes("two, "));
      const read = store.readMessages.bind(store);
      store.readMessages = async (ids) => {
        const messages = await read(ids);
        end();
        const { history } = session.opened.conversation;
        await whenTrue(() => (moment === "ends" ? history.length === 4 : words().includes("two, three")));
        return messages;
      };
      const changed = change(opened);
      await changed;
      assert.deepEqual(words(), ["First?", "one", "Second?", "notice-model", "two, three"]);
      await answered;
      const again = await openSession(scriptedProvider(), structuredClone(opened.disk));
      for (const { rows } of [opened, again]) {
        assert.deepEqual(rows().map(seen), ["First?", "one", "Second?", "notice-model", "two, three"]);
        assert.equal(rows().findLast((row) => row.kind === "message")?.state, "complete");
      }
    });
  }
});
