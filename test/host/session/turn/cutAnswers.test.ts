import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { exportMarkdown, markdownOutline } from "../../../../src/core/documents/markdownExport.ts";
import { savedOutline, saveConversation } from "../../../../src/core/documents/savedConversation.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import type { ForgeError } from "../../../../src/core/errors.ts";
import type { ReadContents } from "../../../../src/core/history/readPages.ts";
import { ok } from "../../../../src/core/result.ts";
import type { Provider } from "../../../../src/core/stream/provider.ts";
import type { StopReason } from "../../../../src/core/stream/streamEvent.ts";
import type { MessageRow } from "../../../../src/protocol/toView.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import {
  breaking,
  calling,
  saying,
  scriptedProvider,
  type ScriptedAnswer,
} from "../../../support/models/scriptedProvider.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { loadConversation } from "../../../support/documents.ts";

const TALE = "Once there was a ship, and she was called the";

/** An answer that stops for `stopReason`, billed with so many tokens. */
function stopping(text: string, stopReason: StopReason, inputTokens = 100, outputTokens = 300): ScriptedAnswer {
  return async function* (beat) {
    yield { kind: "text", text };
    await beat();
    const none = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    yield { kind: "usage", usage: { inputTokens, outputTokens, ...none } };
    yield { kind: "done", stopReason };
  };
}

function messageRows({ rows }: OpenedSession): readonly MessageRow[] {
  return rows().filter((row) => row.kind === "message");
}

/** The last answer, as stored and shown. */
function lastAnswer(opened: OpenedSession): unknown {
  const entry = opened.session.opened.conversation.history.entries.at(-1);
  const row = messageRows(opened).at(-1);
  return { stop: entry?.stop, state: row?.state, stopReason: row?.stopReason, said: row?.stateText };
}

function contentsOf({ session }: OpenedSession): ReadContents {
  return async (ids) => {
    const read = await session.opened.store.readMessages(ids);
    return read.ok ? ok(read.value.map(({ message }) => message)) : read;
  };
}

async function markdownOf(opened: OpenedSession): Promise<string> {
  let text = "";
  const outline = runSync(markdownOutline(opened.session.opened.manager));
  await exportMarkdown(outline, contentsOf(opened), (piece) => Promise.resolve(void (text += piece)));
  return text.replaceAll(/\*\d{4}-.* UTC\*/g, "*then*");
}

const KEPT = "Everything you saw is kept.";
const ENDS: readonly (readonly [
  title: string,
  answer: ScriptedAnswer,
  expected: { readonly stop?: object; readonly state: string; readonly stopReason: string; readonly said: string },
  exported: string,
])[] = [
  ["that ends", stopping(TALE, "endTurn"), { state: "complete", stopReason: "endTurn", said: "" }, ""],
  ["at a stop sequence", stopping(TALE, "stopSequence"), { state: "complete", stopReason: "endTurn", said: "" }, ""],
  [
    "cut at its limit",
    stopping(TALE, "maxTokens"),
    {
      ...{ stop: { reason: "maxTokens", tokens: 300 }, state: "complete", stopReason: "maxTokens" },
      said: `Answer cut at its limit of 300 tokens. ${KEPT}`,
    },
    "*The answer was cut here, at its limit of 300 tokens.*",
  ],
  [
    "cut by a full window",
    stopping(TALE, "contextFull", 7_000, 99),
    {
      ...{ stop: { reason: "contextFull", tokens: 99 }, state: "complete", stopReason: "contextFull" },
      said: `Answer cut: the window is full, 99 tokens were left. ${KEPT}`,
    },
    "*The answer was cut here: the window was full, 99 tokens were left for it.*",
  ],
  [
    "refused",
    stopping(TALE, "refusal"),
    {
      ...{ stop: { reason: "refusal" }, state: "failed", stopReason: "refusal" },
      said: `The provider refused to go on. ${KEPT} Ask in another way, or another model.`,
    },
    "*The provider refused to go on here.*",
  ],
  [
    "paused",
    stopping(TALE, "pause"),
    {
      ...{ stop: { reason: "pause" }, state: "complete", stopReason: "pause" },
      said: `The model paused. ${KEPT}`,
    },
    "*The model paused here.*",
  ],
];

describe("an answer", () => {
  for (const [title, answer, expected, exported] of ENDS) {
    it(`L1 ${title} is stored, shown and exported so, also after a reload`, async () => {
      const live = await openSession(scriptedProvider(answer));
      await live.session.send("1", "Tell a tale.");
      const again = await openSession(scriptedProvider(), live.disk);
      for (const opened of [live, again]) {
        assert.deepEqual(lastAnswer(opened), { stop: undefined, ...expected });
        const text = await markdownOf(opened);
        assert.equal(text.slice(text.indexOf(TALE) + TALE.length).trim(), exported);
      }
    });
  }
});

const cutOff: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };

describe("a continued answer", () => {
  /** Messages with what they continue, and the rows. */
  const shape = (opened: OpenedSession): unknown => ({
    messages: opened.session.opened.conversation.history.entries.map(({ role, continues }) => continues ?? role),
    rows: messageRows(opened).map(({ text, continues }) => (continues === null ? text : `${continues}: ${text}`)),
  });
  const CONTINUED = {
    messages: ["user", "assistant", 1],
    rows: ["Tell a tale.", TALE, "message-1:  Queen of the Seas."],
  };

  it("L1 is a message of its own that names the one before, after a reload too", async () => {
    const provider = scriptedProvider(stopping(TALE, "maxTokens"));
    const live = await openSession(provider);
    await live.session.send("1", "Tell a tale.");
    const later = scriptedProvider(saying(" Queen", " of the Seas."));
    const again = await openSession(later, live.disk);
    await again.session.continueAnswer();
    assert.deepEqual(shape(again), CONTINUED);
    assert.deepEqual(shape(await openSession(scriptedProvider(), live.disk)), CONTINUED);
    const sent = later.requests[0]?.map(({ role, parts }) => [role, parts]);
    assert.deepEqual(sent, [
      ["user", [{ kind: "text", text: "Tell a tale." }]],
      ["assistant", [{ kind: "text", text: TALE }]],
    ]);
  });

  it("L1 is one in an export, and itself again when that is imported", async () => {
    const opened = await openSession(
      scriptedProvider(stopping("```ts\nconst po", "maxTokens"), saying("rt = 1;\n```")),
    );
    await opened.session.send("1", "Write code.");
    await opened.session.continueAnswer();
    assert.equal(
      await markdownOf(opened),
      [
        "# Write code.\n\n## You\n\n*then*\n\nWrite code.\n",
        "## Assistant (claude-haiku-4-5)\n\n*then*\n\n```ts\nconst port = 1;\n```\n",
      ].join("\n"),
    );
    let json = "";
    const { history } = opened.session.opened.conversation;
    const outline = runSync(savedOutline(history));
    await saveConversation(outline, contentsOf(opened), (piece) => Promise.resolve(void (json += piece)));
    const loaded = loadConversation(json);
    assert.ok(loaded.ok);
    assert.deepEqual(
      loaded.value.flatMap((record) => (record.kind === "message" ? [record.entry] : [])),
      history.entries,
    );
  });

  it("L1 goes on after a crash in its rest", async () => {
    const live = await openSession(scriptedProvider(stopping(TALE, "maxTokens"), breaking(cutOff, " Queen of")));
    await live.session.send("1", "Tell a tale.");
    await live.session.continueAnswer();
    const again = await openSession(scriptedProvider(saying(" the Seas.")), live.disk);
    const rest = messageRows(again).at(-1);
    assert.deepEqual([rest?.text, rest?.continues, rest?.pendingRecovery], [" Queen of", "message-1", "answer"]);
    const [step] = again.session.recoverable;
    assert.ok(step);
    await again.session.recover(step.stepId, "continue");
    assert.deepEqual(shape(again), {
      messages: ["user", "assistant", 1, 2],
      rows: ["Tell a tale.", TALE, "message-1:  Queen of", "message-2:  the Seas."],
    });
  });

  it("L1 may call tools, and is pinned, hidden and answered again as one", async () => {
    const look = fakeTool("look");
    const provider = scriptedProvider(
      stopping(TALE, "maxTokens"),
      calling(" Queen.", { id: "a", name: "look", input: {} }),
      saying("Done."),
      saying("Another tale."),
    );
    const setup = { tools: [look], always: new Set(["look"]) };
    const opened = await openSession(provider, undefined, undefined, setup);
    const { history } = opened.session.opened.conversation;
    await opened.session.send("1", "Tell a tale.");
    await opened.session.continueAnswer();
    assert.deepEqual(
      history.entries.map(({ role, continues, batch }) => [role, continues, batch]),
      [
        ["user", undefined, undefined],
        ["assistant", undefined, undefined],
        ["assistant", 1, 2],
        ["user", undefined, 2],
        ["assistant", undefined, undefined],
      ],
    );
    await opened.session.actions.setPinned(1, true);
    assert.deepEqual([...history.pins], [1, 2]);
    await opened.session.actions.setPinned(2, false);
    assert.deepEqual([...history.pins], []);
    await opened.session.actions.setHidden(1, true);
    const visible = (): readonly number[] =>
      history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id);
    assert.deepEqual(visible(), [0, 4]);
    await opened.session.actions.setHidden(1, false);
    await opened.session.actions.setHidden(2, false);
    await opened.session.actions.retry(1);
    assert.deepEqual(visible(), [0, 5]);
  });

  it("L1 is asked for after a summary when the window was full", async () => {
    const turns = [1, 2, 3, 4, 5, 6].map((number) => saying(`Answer ${String(number)}. ${"And so on. ".repeat(100)}`));
    const answers = scriptedProvider(...turns, stopping(TALE, "contextFull", 0, 99), saying(" Queen."));
    const asked = { summaries: 0 };
    const provider: Provider = {
      ...answers,
      stream: (prepared, options, cancel) => {
        if (options.purpose !== "summary") return answers.stream(prepared, options, cancel);
        asked.summaries++;
        return saying("## Goal\nA tale of a ship.")(() => Promise.resolve());
      },
    };
    const settings = { "context.background": false };
    const opened = await openSession(provider, undefined, undefined, { model: "small", settings });
    for (const [index] of turns.entries()) await opened.session.send(String(index), "Go on.");
    await opened.session.send("last", "Tell a tale.");
    assert.equal(asked.summaries, 0);
    await opened.session.continueAnswer();
    assert.notEqual(asked.summaries, 0);
    assert.equal(opened.session.opened.conversation.history.usableSummaries().length, 1);
    assert.equal(messageRows(opened).at(-1)?.continues, "message-13");
  });
});
