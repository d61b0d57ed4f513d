/** Words that stay in sight: they are shown as long as they are true, whatever changes. */

import assert from "node:assert/strict";
import type { ForgeError } from "../../../src/core/errors.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";
import { summarize } from "../../../src/host/commands/summarizeCommand.ts";
import type { StatusBarContent } from "../../../src/host/editor/statusBar.ts";
import type { Presenter } from "../../../src/host/view/presenter.ts";
import { quietPresenter } from "../../support/quietAround.ts";
import { openSummarized, OVERLOADED, type SummarizedSession } from "../../support/session/summarizedSession.ts";

interface Shown extends SummarizedSession {
  readonly presenter: Presenter;
  /** All lasting words around the messages: banner, notices, status bar, lines of summaries. */
  readonly words: () => readonly string[];
}

async function open(settings: Readonly<Record<string, unknown>> = {}): Promise<Shown> {
  let status: StatusBarContent | undefined;
  const presenter = quietPresenter(undefined, undefined, (content) => (status = content));
  const opened = await openSummarized(settings, undefined, presenter);
  presenter.show(opened.session);
  const words = (): readonly string[] => {
    const { rows, status: around } = presenter.snapshot();
    return [
      ...rows.flatMap((row) => (row.kind === "notice" ? [row.text] : [])),
      ...(around.banner === null ? [] : [around.banner.text]),
      ...(status?.note === undefined ? [] : [status.note]),
      ...(status?.retryAtMs === undefined ? [] : ["again at"]),
    ];
  };
  return { ...opened, presenter, words };
}

type Step = (opened: Shown) => unknown;

const switchTo =
  (name: string): Step =>
  async ({ session, clock }) => {
    await clock.advance(1);
    await session.switchModel({ ...session.connection, model: modelId(name) });
  };
const changeSetting: Step = ({ session }) => {
  session.noteSetupChanged();
};
const reconnect: Step = ({ session }) => {
  session.connect({ ...session.connection });
};
const undo: Step = ({ session }) => session.summaries.setState(0, "undone");
const rewind: Step = ({ session }) => session.actions.setHidden(0, true);
const edit: Step = ({ session }) => session.summaries.edit(0, "They spoke of orders and of nothing else at all.");
const goOn: Step = ({ say }) => say(4);

/** An answer that fails, with `why`. */
const failing =
  (why: ForgeError): Step =>
  async ({ model, session }) => {
    model.answerScript = why;
    await session.send("failing", "What now?");
    model.answerScript = "good";
  };
const summarized: Step = async ({ fill, rest }) => {
  await fill(80);
  await rest();
};
const ordered: Step = async ({ fill, session, presenter, clock }) => {
  await fill(40);
  await summarize(session, {}, presenter);
  await clock.advance(10_000); // the note in the status bar has gone
};

const NOT_ANSWERED = "This message has no answer yet.";
const REFUSED: ForgeError = { code: "AUTH_FAILED", provider: "scripted", detail: "" };
const BUSY: ForgeError = { code: "RATE_LIMITED", provider: "scripted", retryAfterMs: 600_000, detail: "" };

interface Case {
  readonly name: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly before: Step;
  /** Begins the words before the change. */
  readonly words: readonly RegExp[];
  /** After each of these, the words are `after`. */
  readonly changes: Readonly<Record<string, Step>>;
  readonly after: readonly RegExp[];
}

const cases: readonly Case[] = [
  {
    name: "what a summary saves, in the status bar",
    before: summarized,
    words: [/^Summarized: \S+ → \S+$/],
    changes: { "its undo": undo, "an edit": edit, "a rewind": rewind, "a setting": changeSetting },
    after: [],
  },
  {
    name: "what a summary saves, after a switch",
    before: summarized,
    words: [/^Summarized: \S+ → \S+$/],
    changes: { "a larger window": switchTo("large"), "another model": switchTo("middle") },
    after: [/^Model: (?:large|middle)\./],
  },
  {
    name: "what an ordered summary saves",
    before: ordered,
    words: [/^Summarized: \S+ → \S+ tokens are sent\. The originals stay\.$/],
    changes: { "its undo": undo, "an edit": edit, "a rewind": rewind, "a setting": changeSetting },
    after: [],
  },
  {
    name: "that there is nothing to summarize",
    before: async ({ session, presenter }) => {
      await summarize(session, {}, presenter);
    },
    words: [/^There is nothing to summarize yet/],
    changes: { "a message": goOn, "a setting": changeSetting },
    after: [],
  },
  {
    name: "the effect of a model switch",
    before: async (opened) => {
      await opened.say(4);
      await switchTo("large")(opened);
    },
    words: [/^Model: large\. Everything fits as it is\.$/],
    changes: { "a message": goOn, "a rewind": rewind, "a setting": changeSetting },
    after: [/^Model: large\.$/],
  },
  {
    name: "the effect of a model switch, after another one",
    before: async (opened) => {
      await opened.say(4);
      await switchTo("large")(opened);
    },
    words: [/^Model: large\. Everything fits as it is\.$/],
    changes: { "a switch": switchTo("middle") },
    after: [/^Model: large\.$/, /^Model: middle\. Everything fits as it is\.$/],
  },
  {
    name: "why a message has no answer",
    before: failing(REFUSED),
    words: [/^Scripted refused the key\./],
    changes: { "a key": changeSetting },
    after: [new RegExp(`^${NOT_ANSWERED}$`)],
  },
  {
    name: "why a message has no answer, as long as it is so",
    before: failing(REFUSED),
    words: [/^Scripted refused the key\./],
    changes: { "learning something of the service": reconnect },
    after: [/^Scripted refused the key\./],
  },
  {
    name: "when a service can be asked again",
    before: failing(BUSY),
    words: [/^Scripted asks to slow down; it can be tried again at /, /^again at$/],
    changes: { "a key": changeSetting },
    after: [new RegExp(`^${NOT_ANSWERED}$`)],
  },
  {
    name: "when a service can be asked again, after a switch",
    before: failing(BUSY),
    words: [/^Scripted asks to slow down; it can be tried again at /, /^again at$/],
    changes: { "another model": switchTo("large") },
    after: [/^Model: large\./, new RegExp(`^${NOT_ANSWERED}$`)],
  },
  {
    name: "when a summary is tried again",
    before: async ({ model, fill, rest }) => {
      model.script = OVERLOADED;
      await fill(75);
      await rest();
      model.script = "held";
    },
    words: [/^Summarizing failed\. Nothing was changed\. It is tried again at \d\d:\d\d:\d\d\./],
    changes: { "a setting": reconnect },
    after: [],
  },
  {
    name: "that changes wait for an answer",
    before: async ({ session, model, rest }) => {
      model.answerScript = "held";
      void session.send("held", "What now?");
      await rest();
      await session.actions.setPinned(0, true);
    },
    words: [/^Pins can be changed when this answer has ended\.$/],
    changes: {
      "its end": async ({ session }) => {
        session.stop();
        await session.run.settled;
      },
    },
    after: [/^Stopped before the answer began\./],
  },
];

describe("lasting words", () => {
  for (const { name, settings, before, words, changes, after } of cases)
    for (const [change, make] of Object.entries(changes))
      it(`E:words tell ${name}, until ${change} changes that`, async () => {
        const opened = await open(settings);
        const check = (expected: readonly RegExp[]): void => {
          const shown = opened.words();
          assert.ok(
            shown.length === expected.length && expected.every((each, index) => each.test(shown[index] ?? "")),
            `${JSON.stringify(shown)} for ${expected.join(", ")}`,
          );
        };
        await before(opened);
        check(words);
        await make(opened);
        await opened.rest();
        check(after);
      });

  it("E:words withdraw an offer that is no longer asked for", async () => {
    const settings: Record<string, unknown> = { "context.askBeforeSummarizing": true };
    const opened = await open(settings);
    await summarized(opened);
    assert.match(opened.notice("offer")?.text ?? "", /^A summary of .* is ready|can be summarized/);
    settings["context.askBeforeSummarizing"] = false;
    reconnect(opened);
    await opened.rest();
    assert.deepEqual([opened.notice("offer"), opened.activeSummaries()], [undefined, 1]);
  });

  it("E:words count a summary as the model in use does", async () => {
    const opened = await open();
    await summarized(opened);
    const figures = (): unknown =>
      opened.rows().flatMap((row) => (row.kind === "summary" ? [[row.tokensBefore, row.tokensAfter]] : []));
    const { originalTokens, tokenCount } = opened.session.opened.manager.history.summary(messageId(0) as never);
    assert.deepEqual(figures(), [[originalTokens.cl100k, tokenCount.cl100k]]);
    await switchTo("claude-odd")(opened);
    await opened.rest();
    assert.deepEqual(figures(), [[originalTokens.cl100k, tokenCount.cl100k]]);
  });
});
