import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { textOf } from "../../../src/core/message.ts";
import { answerRequest, type EditorChatRequest } from "../../../src/host/editorChat/answerRequest.ts";
import type { Event } from "../../../src/host/background/emitter.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession, type SessionSetup } from "../../support/session/openSession.ts";
import {
  breaking,
  calling,
  saying,
  scriptedProvider,
  type ScriptedAnswer,
} from "../../support/models/scriptedProvider.ts";
import { whenTrue } from "../../support/whenTrue.ts";

interface EditorChatRun {
  readonly opened: OpenedSession;
  /** Markdown as one text; plain text stands between ‹ and ›. */
  readonly written: () => string;
  readonly progress: string[];
  readonly buttons: string[];
  readonly stop: () => void;
  readonly ask: (request: Partial<EditorChatRequest>) => Promise<vscode.ChatResult>;
}

async function open(answers: readonly ScriptedAnswer[], setup: SessionSetup = {}): Promise<EditorChatRun> {
  const listeners = new Set<(body: ToViewBody) => void>();
  const tell = (body: ToViewBody): void => {
    for (const listener of listeners) listener(body);
  };
  const opened = await openSession(scriptedProvider(...answers), memoryDisk(), tell, setup);
  const written: string[] = [];
  const progress: string[] = [];
  const buttons: string[] = [];
  const stopping = new Set<(event: unknown) => unknown>();
  let isStopped = false;
  const stream = {
    markdown: (value: string | vscode.MarkdownString) => written.push(typeof value === "string" ? value : value.value),
    progress: (value: string) => progress.push(value),
    button: ({ command }: vscode.Command) => buttons.push(command),
  };
  const token = {
    get isCancellationRequested() {
      return isStopped;
    },
    onCancellationRequested: (listener: (event: unknown) => unknown) => {
      stopping.add(listener);
      return { dispose: () => stopping.delete(listener) };
    },
  };
  const onDidPost: Event<ToViewBody> = (listener) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  };
  const markdown = {
    plain: (text: string) => `‹${text}›`,
    messageLink: (_conversation: string, message: number) => `[${String(message)}]`,
  };
  return {
    opened,
    written: () => written.join(""),
    progress,
    buttons,
    stop: () => {
      isStopped = true;
      for (const listener of stopping) listener(undefined);
    },
    ask: async ({ command, prompt = "", text = prompt }) => {
      const result = await answerRequest({ command, prompt, text }, stream, token, opened.session, onDidPost, markdown);
      assert.deepEqual([listeners.size, stopping.size], [0, 0], "nothing listens on");
      return result;
    },
  };
}

const texts = ({ opened }: EditorChatRun): readonly string[] =>
  opened.disk.records.flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));

describe("@forge in the editor's chat", () => {
  it("asks in this window's conversation, and streams the answer", async () => {
    const run = await open([saying("First."), saying("The ", "**second**", " answer.")]);
    await run.opened.session.send("1", "Begin.");
    await run.opened.session.composer.setText("half a thought");
    assert.deepEqual(await run.ask({ prompt: "Go on" }), {});
    assert.equal(run.written(), "The **second** answer.");
    assert.deepEqual(run.buttons, ["forge.chat.focus"]);
    assert.deepEqual(texts(run), ["Begin.", "First.", "Go on", "The **second** answer."]);
    assert.equal(run.opened.session.composer.text, "half a thought", "what stands in Forge's own composer stays");
  });

  it("shows the progress of tools, and that a question waits in Forge's own chat", async () => {
    const edit = fakeTool("edit", { effect: "writes" });
    const run = await open([calling("I look.", { id: "a", name: "edit", input: { p: 1 } }), saying("Done.")], {
      tools: [edit],
    });
    const asked = run.ask({ prompt: "Change it" });
    await whenTrue(() => run.progress.some((line) => line.startsWith("Forge asks")));
    assert.deepEqual(run.progress, ["Forge asks in its own chat: edit it"]);
    assert.deepEqual(run.buttons, ["forge.showQuestion"]);
    assert.equal(run.opened.session.waiting, 1);
    const row = run.opened.rows().at(-1);
    assert.ok(row?.kind === "message");
    await run.opened.session.tools.answer(row.rowId, "a", "once");
    assert.deepEqual(await asked, {});
    assert.equal(run.written(), "I look.\n\nDone.");
    assert.deepEqual(run.progress, ["Forge asks in its own chat: edit it", "edit it"]);
  });

  it("stops when the editor cancels, and saves what was received", async () => {
    const run = await open([saying("one ", "two ", "three ", "four")]);
    const asked = run.ask({ prompt: "Count" });
    await whenTrue(() => run.written().includes("one"));
    run.stop();
    assert.deepEqual(await asked, {}, "that it was stopped is no error");
    const [, kept = ""] = texts(run);
    assert.equal(kept, run.written());
    assert.ok(kept.startsWith("one ") && !kept.includes("four"), kept);
  });

  it("queues the question while Forge is busy, without affecting the running answer", async () => {
    const run = await open([saying("long ", "answer"), saying("later")]);
    const running = run.opened.session.send("1", "First");
    await whenTrue(() => run.opened.session.activity === "streaming");
    assert.deepEqual(await run.ask({ prompt: "Second" }), {});
    assert.match(run.written(), /^Forge is busy\. Your question waits in the queue of its own chat/);
    await running;
    await whenTrue(() => texts(run).length >= 4);
    assert.deepEqual(texts(run), ["First", "long answer", "Second", "later"]);
  });

  it("reports what went wrong", async () => {
    const cutOff = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" } as const;
    const cut = await open([breaking(cutOff, "half ")]);
    const { errorDetails } = await cut.ask({ prompt: "Q" });
    assert.match(errorDetails?.message ?? "", /^The connection to Scripted ended before the answer did\./);
    assert.equal(cut.written(), "half ");

    const large = await open([]);
    const refused = await large.ask({ prompt: "word ".repeat(300_000) });
    assert.match(refused.errorDetails?.message ?? "", /^This does not fit/);
    assert.deepEqual(texts(large), [], "nothing was asked");
  });

  it("explains where questions go when the prompt is empty", async () => {
    const run = await open([saying("Yes.")]);
    await run.ask({});
    assert.match(run.written(), /^This window's conversation is still empty\. Ask something/);
    await run.opened.session.send("1", "Q");
    await run.ask({});
    assert.match(run.written(), /This window's conversation has 2 messages\./);
    assert.equal(run.opened.session.activity, "idle");
  });

  it("finds words in the whole conversation, and shows messages with a link and as plain text", async () => {
    const run = await open([saying("We keep the `retry` budget at 3. [x](command:evil)"), saying("Fine.")]);
    await run.opened.session.send("1", "What of the budget?");
    await run.opened.session.send("2", "Good.");
    assert.deepEqual(await run.ask({ command: "recall", prompt: "retry budget" }), {});
    const found =
      /^\[1\] the assistant, \S+ \S+ UTC: ‹We keep the `retry` budget at 3\. \[x\]\(command:evil\)›\n\n\[0\] you, \S+ \S+ UTC: ‹What of the budget\?›\n\n$/;
    assert.match(run.written(), found);
    assert.equal(run.opened.disk.records.filter(({ kind }) => kind === "message").length, 4, "nothing was asked");

    const nothing = await open([]);
    await nothing.ask({ command: "recall", prompt: "tide" });
    assert.match(nothing.written(), /^Nothing in this window's conversation matches/);
    const empty = await nothing.ask({ command: "recall", prompt: "  " });
    assert.match(empty.errorDetails?.message ?? "", /^Give some words/);
  });
});
