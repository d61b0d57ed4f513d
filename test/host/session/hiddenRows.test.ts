import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import {
  breaking,
  calling,
  saying,
  scriptedProvider,
  type ScriptedAnswer,
} from "../../support/models/scriptedProvider.ts";

const refused: ForgeError = { code: "AUTH_FAILED", provider: "scripted", detail: "" };
const cutOff: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };

/** Text of a row, with "version/versions" if there are several, and "(undecided)" if the user must decide on recovery. */
function seen(row: Row): string {
  if (row.kind === "hidden") return `hidden ${String(row.messageId)}`;
  if (row.kind !== "message") return row.rowId;
  const place = row.branch === null ? "" : ` ${String(row.branch.index + 1)}/${String(row.branch.count)}`;
  return `${row.text}${place}${row.pendingRecovery === null ? "" : " (undecided)"}`;
}

type Step = readonly ["hide" | "show" | "retry" | "back", number] | readonly ["say", string];

/** Model answers, user actions, and the rows after them. */
const CASES: readonly (readonly [title: string, ScriptedAnswer[], readonly Step[], readonly string[]])[] = [
  [
    "shows a hidden question again when its answer is retried",
    [saying("one"), saying("two"), saying("three")],
    [
      ["say", "First?"],
      ["say", "Second?"],
      ["hide", 2],
      ["retry", 3],
    ],
    ["First?", "one", "Second?", "three 2/2"],
  ],
  [
    "shows the hidden first question again on retry and moves later turns to the other branch",
    [saying("one"), saying("two"), saying("three")],
    [
      ["say", "First?"],
      ["say", "Second?"],
      ["hide", 0],
      ["retry", 1],
    ],
    ["First?", "three 2/2"],
  ],
  [
    "shows a placeholder for the hidden last answer",
    [saying("one")],
    [
      ["say", "First?"],
      ["hide", 1],
    ],
    ["First?", "hidden 1"],
  ],
  [
    "shows a placeholder for each message when all are hidden",
    [saying("one")],
    [
      ["say", "First?"],
      ["hide", 1],
      ["hide", 0],
    ],
    ["hidden 0", "hidden 1"],
  ],
  [
    "shows an unanswered question and its failure notice after hiding and showing it",
    [saying("one"), breaking(refused)],
    [
      ["say", "First?"],
      ["say", "Second?"],
      ["hide", 2],
      ["show", 2],
    ],
    ["First?", "one", "Second?", "notice-failed"],
  ],
  [
    "keeps the placeholder of an answer that was hidden before the next question",
    [saying("one"), saying("two")],
    [
      ["say", "First?"],
      ["hide", 1],
      ["say", "Second?"],
    ],
    ["First?", "hidden 1", "Second?", "two"],
  ],
  [
    "shows a placeholder for an answer whose retry failed before the next question",
    [saying("one"), breaking(refused), saying("two")],
    [
      ["say", "First?"],
      ["retry", 1],
      ["say", "Second?"],
    ],
    ["First?", "hidden 1", "Second?", "two"],
  ],
  [
    "shows placeholders for the turns after a hidden answer when it is shown again",
    [saying("one"), saying("two"), breaking(refused), saying("three")],
    [
      ["say", "First?"],
      ["say", "Second?"],
      ["retry", 0],
      ["say", "Third?"],
      ["show", 1],
    ],
    ["First?", "one", "hidden 2", "hidden 3", "Third?", "three"],
  ],
  [
    "shows a placeholder for the hidden version, not for its sibling",
    [saying("one"), saying("two"), saying("three")],
    [
      ["say", "First?"],
      ["retry", 1],
      ["say", "Second?"],
      ["back", 2],
      ["hide", 1],
    ],
    ["First?", "hidden 1"],
  ],
  [
    "shows later turns as placeholders with the hidden answer when every retry failed",
    [saying("one"), breaking(refused), saying("two"), breaking(refused)],
    [
      ["say", "First?"],
      ["retry", 1],
      ["say", "Second?"],
      ["retry", 0],
      ["hide", 0],
      ["show", 0],
    ],
    ["First?", "hidden 1", "hidden 2", "hidden 3"],
  ],
  [
    "shows no placeholder for an answer whose retry was interrupted midway",
    [saying("one"), breaking(cutOff, "Half")],
    [
      ["say", "First?"],
      ["retry", 1],
    ],
    ["First?", "Half (undecided)"],
  ],
  [
    "shows a placeholder for an interrupted answer that was saved and hidden",
    [breaking(cutOff, "Half"), saying("two")],
    [
      ["say", "First?"],
      ["say", "Second?"],
      ["hide", 3],
      ["hide", 2],
      ["hide", 1],
    ],
    ["First?", "hidden 1", "hidden 2", "hidden 3"],
  ],
];

async function take([what, whom]: Step, { session }: OpenedSession): Promise<void> {
  if (what === "say") await session.send(whom, whom);
  else if (what === "back") await session.actions.showSiblingBranch(whom, -1);
  else if (what === "retry") await session.actions.retry(whom);
  else await session.actions.setHidden(whom, what === "hide");
}

describe("rows of hidden messages, before and after a restart", () => {
  for (const [title, answers, steps, expected] of CASES) {
    it(title, async () => {
      const live = await openSession(scriptedProvider(...answers));
      for (const step of steps) await take(step, live);
      const again = await openSession(scriptedProvider(), structuredClone(live.disk));
      for (const { rows } of [live, again]) assert.deepEqual(rows().map(seen), expected);
    });
  }

  it("shows the retried answer after a tool call instead of the hidden one", async () => {
    const call = { id: "a", name: "look", input: {} };
    const answers = [calling("I look.", call), saying("one"), saying("two")];
    const setup = { tools: [fakeTool("look")] };
    const live = await openSession(scriptedProvider(...answers), undefined, undefined, setup);
    await live.session.send("1", "First?");
    await live.session.actions.setHidden(3, true);
    await live.session.retry();
    const again = await openSession(scriptedProvider(), structuredClone(live.disk));
    for (const { rows } of [live, again]) assert.deepEqual(rows().map(seen), ["First?", "I look.", "two 2/2"]);
  });

  it("offers the old answer again when its retry failed", async () => {
    const { session, rows } = await openSession(scriptedProvider(saying("one"), breaking(refused)));
    await session.send("1", "First?");
    await session.actions.retry(1);
    assert.deepEqual(rows().map(seen), ["First?", "hidden 1", "notice-failed"]);
    await session.actions.setHidden(1, false);
    assert.deepEqual(rows().map(seen), ["First?", "one"]);
  });
});
