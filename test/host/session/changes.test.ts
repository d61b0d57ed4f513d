/** Every kind of record, by every user action that writes it: the transcript, meter, context view, list and summaries after it. */

import assert from "node:assert/strict";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { allSummaries } from "../../../src/core/history/summaries/summaryForest.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { MessageRange } from "../../../src/core/history/summaries/summary.ts";
import { messageId, modelId, type StepId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import { placeSegment } from "../../../src/core/replica/segmentPlacement.ts";
import { SegmentWriter } from "../../../src/core/replica/segmentWriter.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import { readMeta } from "../../../src/adapters/node/conversationMeta.ts";
import { SpendingTracker } from "../../../src/host/connections/spendingTracker.ts";
import { ContextPresenter } from "../../../src/host/context/contextPresenter.ts";
import { changeListing } from "../../../src/host/conversations/list/changeListing.ts";
import type { Conversations } from "../../../src/host/conversations/conversations.ts";
import { ListingWriter } from "../../../src/host/conversations/list/listingWriter.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import { chooseStrategy } from "../../../src/host/pickers/strategyChoice.ts";
import { ActiveSession } from "../../../src/host/session/activeSession.ts";
import { Presenter } from "../../../src/host/view/presenter.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { ListingChange } from "../../../src/host/conversations/list/listingState.ts";
import type { ProviderUsage } from "../../../src/core/stream/streamEvent.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { breaking, saying, scriptedProvider, type ScriptedAnswer } from "../../support/models/scriptedProvider.ts";

/** Visible state of a conversation, as short text. */
interface Seen {
  readonly rows: string;
  readonly meter: string;
  readonly context: string;
  readonly list: string;
  readonly summaries: string;
}

interface Shown extends OpenedSession {
  readonly seen: () => Promise<Seen>;
}

/** An action, the kinds of records that it writes, and the visible state after it. */
interface Case {
  readonly door: string;
  /** Model answers before the action: without them, three turns; with them, one question. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly prepare?: (shown: Shown) => Promise<unknown>;
  readonly act: (shown: Shown) => Promise<unknown>;
  readonly kinds: readonly ConversationRecord["kind"][];
  readonly seen: Seen;
}

const LONG = "The harbour master keeps the tide table in src/tides.ts. ".repeat(12);
const file = { kind: "attachment", label: "src/tides.ts", text: "const high = 417;\n".repeat(50) } as const;

const CUT_OFF: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };

const usage: ProviderUsage = {
  inputTokens: 900,
  outputTokens: 20,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function billed(text: string): ScriptedAnswer {
  return async function* (beat) {
    yield { kind: "text", text };
    await beat();
    yield { kind: "usage", usage };
    yield { kind: "done", stopReason: "endTurn" };
  };
}

/** Records by which a copy with `records` publishes them, and takes a question and its answer of another machine. */
function fromElsewhere(records: readonly ConversationRecord[]): readonly ConversationRecord[] {
  const [here, there] = ["1".repeat(32), "2".repeat(32)];
  const copy = new ConversationCopy();
  const writer = new SegmentWriter(copy);
  for (const record of records) writer.add(record);
  const written = writer.finish({ writer: "1".repeat(16), machine: "desktop", sequence: 0 });
  assert.ok(written);
  const own = written.recordOf(here);
  copy.apply(own);
  const last = copy.ids.idOf(copy.ids.recordOfMessage(messageId(copy.history.length - 1)) ?? -1);
  const info = { writer: "2".repeat(16), sequence: 0, epoch: 2, after: [here], count: 2, machine: "laptop" };
  const facts = { state: "complete", createdAtMs: 1, tokens: { cl100k: 9, o200k: 9 }, turn: [-1, 0] } as const;
  const question = textMessage("user", "Asked on the laptop?");
  const answer = textMessage("assistant", "Answered there.");
  const { records: placed } = placeSegment(copy, there, {
    info,
    segments: [here],
    records: [
      { kind: "message", follows: [0, last?.index ?? 0], entry: { role: "user", ...facts }, message: question },
      { kind: "message", follows: [-1, 0], entry: { role: "assistant", ...facts }, message: answer },
    ],
  });
  return [own, ...placed];
}

const CASES: readonly Case[] = [
  {
    door: "shows a sent question with its title, answer and billed usage",
    answers: [],
    act: async ({ session }) => session.send("1", "How high is the tide?"),
    kinds: ["message", "title", "project", "usage"],
    seen: {
      rows: "How high is | And later th",
      meter: "908 / 19k (5%)",
      context: "system 1, tools 1, recent 2",
      list: "How high is the tide?; 2 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows a message that came from the editor's chat",
    act: async ({ session }) => session.sending.sendExternal("From outside?"),
    kinds: ["message", "usage"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th | From outside | And later th",
      meter: "908 / 19k (5%)",
      context: "system 1, tools 1, older 4, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 8 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the new branch when a question is edited",
    act: async ({ session }) => session.actions.edit(4, "In other words?", () => undefined),
    kinds: ["visibility", "message", "usage"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | In other wor (2/2) | And later th",
      meter: "908 / 19k (5%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 8 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the new version when an answer is retried",
    act: async ({ session }) => session.actions.retry(5),
    kinds: ["visibility", "usage", "message"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | And later th (2/2)",
      meter: "908 / 19k (5%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 7 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the previous branch when it is selected",
    prepare: async ({ session }) => session.actions.retry(5),
    act: async ({ session }) => session.actions.showSiblingBranch(6, -1),
    kinds: ["visibility"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th (1/2)",
      meter: "1.1k / 19k (6%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 7 messages; middle",
      summaries: "",
    },
  },
  {
    door: "replaces a hidden message by its placeholder",
    act: async ({ session }) => session.actions.setHidden(3, true),
    kinds: ["visibility"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | [hidden 3] | Question 2? | Answer 2. Th",
      meter: "1.3k / 19k (7%)",
      context: "system 1, tools 1, older 1, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows a hidden message again",
    prepare: async ({ session }) => session.actions.setHidden(3, true),
    act: async ({ session }) => session.actions.setHidden(3, false),
    kinds: ["visibility"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the partial text of an interrupted answer that the user keeps",
    answers: [breaking(CUT_OFF, "Half of it")],
    act: async ({ session }) => session.recover(stepOf(session), "keep"),
    kinds: ["message"],
    seen: {
      rows: "Question? | Half of it",
      meter: "133 / 19k (1%)",
      context: "system 1, tools 1, recent 2",
      list: "Question?; 2 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the new answer when an interrupted one is asked again",
    answers: [breaking(CUT_OFF, "Half of it"), saying("All of it.")],
    act: async ({ session }) => session.recover(stepOf(session), "askAgain"),
    kinds: ["message", "visibility"],
    seen: {
      rows: "Question? | All of it. (2/2)",
      meter: "134 / 19k (1%)",
      context: "system 1, tools 1, recent 2",
      list: "Question?; 3 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows a summary when one is written",
    act: async ({ session }) => session.summaries.summarizeNow({ range: range(0, 4) }),
    kinds: ["summary", "receipt"],
    seen: {
      rows: "Question 0? (summarized, src/tides.ts) | Answer 0. Th (summarized) | [summary 0 active] | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1k / 19k (5%) [1S]",
      context: "system 1, tools 1, summaries 1, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "0 [0-2]",
    },
  },
  {
    door: "shows the original messages when a summary is undone",
    prepare: async ({ session }) => session.summaries.summarizeNow({ range: range(0, 4) }),
    act: async ({ session }) => session.summaries.setState(0, "undone"),
    kinds: ["summaryState"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | [summary 0 undone] | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the new version when a summary is edited",
    prepare: async ({ session }) => session.summaries.summarizeNow({ range: range(0, 4) }),
    act: async ({ session }) => session.summaries.edit(0, "Tides, in short."),
    kinds: ["summary"],
    seen: {
      rows: "Question 0? (summarized, src/tides.ts) | Answer 0. Th (summarized) | [summary 1 active] | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "814 / 19k (4%) [1S]",
      context: "system 1, tools 1, summaries 1, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "1 [0-2]",
    },
  },
  {
    door: "shows the previous version of a summary when it is selected",
    prepare: async ({ session }) => {
      await session.summaries.summarizeNow({ range: range(0, 4) });
      await session.summaries.edit(0, "Tides, in short.");
    },
    act: async ({ session }) => session.summaries.use(0),
    kinds: ["summaryState"],
    seen: {
      rows: "Question 0? (summarized, src/tides.ts) | Answer 0. Th (summarized) | [summary 0 active] | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1k / 19k (5%) [1S]",
      context: "system 1, tools 1, summaries 1, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "0 [0-2]",
    },
  },
  {
    door: "shows a pinned message in the transcript and the context view",
    act: async ({ session }) => session.actions.setPinned(0, true),
    kinds: ["pin"],
    seen: {
      rows: "Question 0? (pinned, src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, pins 1, older 1, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "removes the pin from a message",
    prepare: async ({ session }) => session.actions.setPinned(0, true),
    act: async ({ session }) => session.actions.setPinned(0, false),
    kinds: ["pin"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "marks an attachment that the context view excludes",
    act: async ({ session }) => session.actions.setExcluded(0, 0, true),
    kinds: ["leftOut"],
    seen: {
      rows: "Question 0? (src/tides.ts excluded) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.1k / 19k (6%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "marks an attachment as sent when it is included again",
    prepare: async ({ session }) => session.actions.setExcluded(0, 0, true),
    act: async ({ session }) => session.actions.setExcluded(0, 0, false),
    kinds: ["leftOut"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows a notice and the new context window when the model is switched",
    act: async ({ session }) => session.switchModel({ ...session.connection, model: modelId("large") }),
    kinds: ["model"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th | [notice-model]",
      meter: "1.4k / 129k (1%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; large",
      summaries: "",
    },
  },
  {
    door: "shows the new title when a conversation is renamed in the list",
    act: async ({ session }) => listed(session, { title: "Tides" }),
    kinds: ["title"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Tides; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows the pin when a conversation is pinned in the list",
    act: async ({ session }) => listed(session, { isPinned: true }),
    kinds: ["setting"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle; pinned",
      summaries: "",
    },
  },
  {
    door: "changes nothing visible when the strategy is set",
    act: async ({ session }) => chooseStrategy(session, "slidingWindow"),
    kinds: ["setting"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (8%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "removes the tools from the context when all are disabled",
    act: async ({ session }) => session.tools.enableOnly(new Set()),
    kinds: ["setting"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.4k / 19k (7%)",
      context: "system 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
  {
    door: "goes on with what another machine wrote",
    act: async ({ session, disk }) => session.opened.conversation.change(fromElsewhere(disk.records)),
    kinds: ["segment", "message"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | Question 1? | Answer 1. Th | Question 2? | Answer 2. Th | [notice-machine] | Asked on the | Answered the",
      meter: "1.5k / 19k (8%)",
      context: "system 1, tools 1, older 4, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 8 messages; middle",
      summaries: "",
    },
  },
  {
    door: "shows a placeholder for an erased message",
    act: async ({ session }) => session.erasing.erase(messageId(2)),
    kinds: ["erasure", "title"],
    seen: {
      rows: "Question 0? (src/tides.ts) | Answer 0. Th | [Erased by t | Answer 1. Th | Question 2? | Answer 2. Th",
      meter: "1.3k / 19k (7%)",
      context: "system 1, tools 1, older 2, recent 4",
      list: "Question 0? The harbour master keeps the tide table in…; 6 messages; middle",
      summaries: "",
    },
  },
];

function short(row: Row): string {
  switch (row.kind) {
    case "message": {
      const words = row.text.slice(0, 12).trim();
      const marks = [
        row.pinned ? "pinned" : "",
        row.sent === "summary" ? "summarized" : "",
        row.pendingRecovery === null ? "" : "to decide",
        row.branch === null ? "" : `${String(row.branch.index + 1)}/${String(row.branch.count)}`,
        ...row.attachments.map(({ label, isExcluded }) => (isExcluded ? `${label} excluded` : label)),
      ].filter((mark) => mark !== "");
      return marks.length === 0 ? words : `${words} (${marks.join(", ")})`;
    }
    case "summary":
      return `[summary ${String(row.summaryId)} ${row.state}]`;
    case "hidden":
      return `[hidden ${String(row.messageId)}]`;
    case "notice":
      return `[${row.rowId.replace(/-\d+$/, "")}]`;
  }
}

async function opened(folder: string, answers: readonly ScriptedAnswer[]): Promise<Shown> {
  const active = new ActiveSession();
  let nowMs = 1_000_000;
  const clock = {
    nowMs: () => (nowMs += 10),
    after: (_: number, ring: () => void) => {
      const timer = setImmediate(ring);
      return () => {
        clearImmediate(timer);
      };
    },
  };
  const settings = { current: readSettings(() => undefined, {}) };
  const pages = {
    post: () => undefined,
    refresh: () => undefined,
    setTitle: () => undefined,
    setWaiting: () => undefined,
  };
  const report = (error: unknown): void => {
    throw error;
  };
  let meter = "";
  const page = new ContextPresenter(active, { draftTokens: 0 }, pages, clock, { report });
  const presenter = new Presenter(pages, { show: ({ text }) => (meter = text ?? "") }, page, {
    font: { sizePx: null, family: null },
    readOut: { amount: "all", silent: [] },
    connectionOptions: { editorModels: 0, servers: [] },
    unreachable: () => [],
  });
  const listing = new ListingWriter(clock);
  presenter.onDidUpdate((session) => {
    listing.scheduleWrite(session);
  });
  const ledger = { add: () => Promise.resolve(), spentOn: () => Promise.resolve(0), erase: () => Promise.resolve() };
  const log = { error: () => undefined };
  const spending = new SpendingTracker(ledger, new ModelRegistry(), settings, active, clock, log);
  const provider = spending.withMetering(scriptedProvider(...answers), {
    name: "anthropic",
    baseUrl: "",
    key: undefined,
  });
  const tools = [fakeTool("count")];
  const inMemory = await openSession(provider, memoryDisk(), undefined, {
    model: "middle",
    clock,
    tools,
    projects: () => [{ remotes: ["example.org/tides"], folder: "file:///tides" }],
    view: presenter,
    folder,
  });
  const { session } = inMemory;
  active.set(session);
  presenter.show(session);
  await page.open();
  return {
    ...inMemory,
    seen: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await listing.write(session);
      const meta = await readMeta(folder);
      const { history } = session.opened.conversation;
      return {
        rows: session.transcript.page.rows.map(short).join(" | "),
        meter: meter.replace(/^\$\([^)]*\) /, ""),
        context: (page.shown?.parts ?? [])
          .filter(({ kind }) => kind !== "free")
          .map(({ kind, itemCount }) => `${kind} ${String(itemCount)}`)
          .join(", "),
        list: `${meta?.title ?? ""}; ${String(meta?.messageCount)} messages; ${meta?.model ?? ""}${meta?.isPinned === true ? "; pinned" : ""}`,
        summaries: [...allSummaries(history.usableSummaries())]
          .map(({ id, covers }) => `${String(id)} [${String(covers.start)}-${String(covers.end)}]`)
          .join(" "),
      };
    },
  };
}

/** Step of the answer that waits for a decision. */
function stepOf(session: Session): StepId {
  const [leftover] = session.recoverable;
  assert.ok(leftover !== undefined);
  return leftover.stepId;
}

function range(start: number, end: number): MessageRange {
  return { start: messageId(start), end: messageId(end) };
}

function listed(session: Session, change: ListingChange): Promise<unknown> {
  const conversations = { session } as unknown as Conversations;
  return changeListing(session.opened, change, { conversations, dist: "" });
}

describe("visible state right after a change", () => {
  const done = new Set<ConversationRecord["kind"]>();

  for (const { door, answers, prepare, act, kinds, seen } of CASES) {
    it(door, async () => {
      const folder = temporaryFolder();
      const usual = [0, 1, 2].map((turn) => saying(`Answer ${String(turn)}. ${LONG}`));
      const shown = await opened(folder.path, [...(answers ?? usual), ...LATER]);
      const { session, disk } = shown;
      if (answers === undefined) {
        await session.composer.attachments.add(file);
        for (const turn of usual.keys())
          await session.send(`before-${String(turn)}`, `Question ${String(turn)}? ${LONG}`);
      } else if (answers.length > 0) await session.send("before", "Question?");
      await prepare?.(shown);
      const before = disk.records.length;
      await act(shown);
      const made = disk.records.slice(before);
      const kindsMade = [...new Set(made.map(({ kind }) => kind))];
      for (const kind of kinds) done.add(kind);
      const now = await shown.seen();
      folder.remove();
      assert.deepEqual(kindsMade, kinds);
      assert.deepEqual(now, seen);
    });
  }

  it("is tested for every kind of record", () => {
    const all: Readonly<Record<ConversationRecord["kind"], true>> = {
      message: true,
      visibility: true,
      summary: true,
      summaryState: true,
      pin: true,
      leftOut: true,
      receipt: true,
      usage: true,
      model: true,
      title: true,
      setting: true,
      project: true,
      erasure: true,
      segment: true,
    };
    assert.deepEqual([...done].sort(), Object.keys(all).sort());
  });
});

const LATER: readonly ScriptedAnswer[] = [billed("And later this."), saying("And this."), saying("And that.")];
