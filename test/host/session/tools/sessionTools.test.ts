import assert from "node:assert/strict";
import { messageId } from "../../../../src/core/ids.ts";
import type { ApprovalAnswer } from "../../../../src/protocol/toHost.ts";
import type { ToolCallCard } from "../../../../src/protocol/toolCallView.ts";
import type { MessageRow, ToViewBody } from "../../../../src/protocol/toView.ts";
import { callDetail } from "../../../../src/host/transcript/callDetail.ts";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import { settled } from "../../../support/clocks.ts";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession, type SessionSetup } from "../../../support/session/openSession.ts";
import { calling, saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const edit = () => fakeTool("edit", { effect: "writes" });
const call = { id: "a", name: "edit", input: { p: 1 } };

function rowOf({ rows }: OpenedSession, at: number): MessageRow {
  const row = rows().at(at);
  assert.ok(row?.kind === "message", JSON.stringify(row));
  return row;
}
const line = ({ title, state, time }: ToolCallCard): readonly string[] => [title, state, time];

/** Answers approval questions with `answers` in order, then stops the turn. */
function answering(answers: readonly ApprovalAnswer[]) {
  const asked: ToolCallCard[] = [];
  const onEmit = (opened: () => OpenedSession) => (body: ToViewBody) => {
    if (body.kind !== "call" || body.call.state !== "asking") return;
    const answer = answers[asked.length];
    asked.push(body.call);
    const { session } = opened();
    setImmediate(() => {
      if (answer === undefined) session.stop();
      else void session.tools.answer(body.rowId, body.call.callId, answer);
    });
  };
  return { asked, onEmit };
}

describe("tools in a session", () => {
  it("offers tools to the model and counts their tokens, and offers none when they are disabled", async () => {
    const opened = await openSession(scriptedProvider(), memoryDisk(), undefined, { tools: [edit()] });
    const { manager } = opened.session.opened;
    const offered = (): number => manager.usage().parts?.tools ?? 0;
    assert.ok(offered() > 10);
    await opened.session.tools.enableOnly(new Set());
    assert.equal(offered(), 0);
    await opened.session.tools.enableOnly(new Set(["edit"]));
    assert.ok(offered() > 10);
    const off = await openSession(scriptedProvider(), memoryDisk(), undefined, {
      tools: [edit()],
      settings: { "tools.enabled": false },
    });
    assert.equal(off.session.opened.manager.usage().parts?.tools, 0);
  });

  it("offers and counts usable tools only, and lists them to a model that calls another one", async () => {
    const tools = [fakeTool("look"), edit()];
    const call = { id: "a", name: "edit", input: {} };
    const provider = scriptedProvider(calling("", call), saying("Well."));
    const setup = { tools, worksHere: (name: string) => name === "look" };
    const { session } = await openSession(provider, memoryDisk(), undefined, setup);
    const all = await openSession(scriptedProvider(), memoryDisk(), undefined, { tools });
    const counted = ({ opened }: typeof session): number => opened.manager.usage().parts?.tools ?? 0;
    assert.deepEqual(session.tools.offered, [tools[0]]);
    assert.ok(counted(session) > 0 && counted(session) < counted(all.session));
    await session.send("1", "Q");
    const read = await session.opened.store.readMessages([messageId(2)]);
    const [result] = read.ok ? (read.value[0]?.message.parts ?? []) : [];
    assert.ok(result?.kind === "toolResult");
    assert.equal(result.text, 'There is no tool "edit" here. There are: look.');
  });

  it("has no room in a small window for a tool that works in no open folder", async () => {
    const tools = [fakeTool("look"), edit()];
    const sent: unknown[] = [];
    for (const model of ["small", "large"]) {
      const setup = { tools, model, isUseless: (name: string) => name === "edit" };
      const { session } = await openSession(scriptedProvider(), memoryDisk(), undefined, setup);
      sent.push([session.tools.definitions.map(({ name }) => name), session.tools.offered.length]);
    }
    assert.deepEqual(sent, [
      [["look"], 2],
      [["look", "edit"], 2],
    ]);
  });

  it("uses the tools chosen for a conversation, also after a restart", async () => {
    const disk = memoryDisk();
    const tools = [fakeTool("read"), edit()];
    const names = ({ session }: OpenedSession): readonly string[] =>
      session.tools.offered.map(({ definition }) => definition.name);
    const open = (settings = {}) => openSession(scriptedProvider(), disk, undefined, { tools, settings });
    const opened = await open();
    await opened.session.tools.enableOnly(new Set(["read"]));
    assert.deepEqual([names(opened), names(await open())], [["read"], ["read"]]);
    await opened.session.tools.enableOnly(new Set());
    assert.deepEqual([names(opened), opened.session.tools.unavailableReason], [[], "off"]);
    const later = await open({ "tools.enabled": false });
    assert.equal(later.session.tools.unavailableReason, "off");
    await later.session.tools.enableOnly(new Set(["edit"]));
    assert.deepEqual(names(later), ["edit"]);
    const { settings } = later.session.opened.manager.history;
    const turnsOn = [...settings].filter(([, value]) => value === "on").map(([name]) => name);
    assert.deepEqual(turnsOn, ["grant.tools"], "which no document that is imported may hold");
  });

  it("sends no tools to a model that cannot call any, and gives the reason", async () => {
    const setup = { tools: [edit()], supportsTools: () => false };
    const { session } = await openSession(scriptedProvider(), memoryDisk(), undefined, setup);
    assert.deepEqual([session.tools.offered, session.tools.unavailableReason], [[], "model"]);
    assert.equal(session.opened.manager.usage().parts?.tools, 0);
  });

  it("shows a call while it is written, run and done, and the same after a restart", async () => {
    const disk = memoryDisk();
    const read = fakeTool("read", {
      describe: () => Promise.resolve({ ok: true, value: { title: "Read it", detail: "" } }),
    });
    const provider = scriptedProvider(calling("I look.", { id: "a", name: "read", input: {} }), saying("Done."));
    const opened = await openSession(provider, disk, undefined, { tools: [read] });
    await opened.session.send("1", "Q");
    const states = opened.emitted.flatMap((body) => (body.kind === "call" ? [body.call.state] : []));
    assert.deepEqual(states, ["writing", "running", "done"]);
    const expected = [
      ["user", "Q", []],
      ["assistant", "I look.", [["Read it", "done", "10 ms"]]],
      ["assistant", "Done.", []],
    ];
    for (const { rows } of [opened, await openSession(scriptedProvider(), disk)]) {
      const seen = rows().map((row) => row.kind === "message" && [row.role, row.text, row.calls.map(line)]);
      assert.deepEqual(seen, expected);
    }
    const place = { rowId: "message-1", callId: "a", whole: false };
    const detail = await callDetail(opened.session, place);
    assert.deepEqual(detail, { ok: true, value: { input: "{}", result: "ran {}", isCut: false } });
  });

  it("titles a failing call like a successful one, while it is written and after it failed", async () => {
    const refusing = fakeTool("read_file", {
      describe: () => Promise.resolve({ ok: false, error: "There is no b.ts." }),
    });
    const provider = scriptedProvider(
      calling("", { id: "a", name: "read_file", input: { path: "b.ts" } }),
      saying("It is not there."),
    );
    const disk = memoryDisk();
    const opened = await openSession(provider, disk, undefined, { tools: [refusing] });
    await opened.session.send("1", "Q");
    const shown = opened.emitted.flatMap((body) => (body.kind === "call" ? [line(body.call)] : []));
    assert.deepEqual(shown, [
      ["Read a file", "writing", ""],
      ["Read b.ts", "failed", ""],
    ]);
    assert.deepEqual(rowOf(await openSession(scriptedProvider(), disk), 1).calls.map(line), [
      ["Read b.ts", "failed", ""],
    ]);
  });

  it("asks before a tool writes, remembers approvals by scope, and asks again after a revocation", async () => {
    const disk = memoryDisk();
    const always = new Set<string>();
    const tool = edit();
    const { asked, onEmit } = answering(["once", "deny", "conversation", "always"]);
    const rounds = Array.from({ length: 5 }, () => [calling("", call), saying("Well.")]).flat();
    const setup = { tools: [tool], always };
    const opened: OpenedSession = await openSession(
      scriptedProvider(...rounds),
      disk,
      onEmit(() => opened),
      setup,
    );
    const { session } = opened;
    await session.send("1", "Q");
    assert.deepEqual(asked[0]?.question, {
      folder: "",
      detail: '{"p":1}',
      look: "code",
      scopes: ["once", "conversation", "always"],
    });
    await session.send("2", "Q");
    assert.deepEqual(rowOf(opened, -2).calls.map(line), [["edit it", "denied", ""]]);
    await session.send("3", "Q");
    assert.deepEqual(session.tools.rules.remembered, [{ name: "edit", scope: "conversation" }]);
    await session.send("4", "Q");
    assert.equal(asked.length, 3, "allowed in this conversation");
    await session.tools.rules.revokeApproval("edit");
    await session.send("5", "Q");
    assert.deepEqual([asked.length, [...always]], [4, ["edit"]]);
    assert.equal(tool.ran.length, 4);
    const later = await openSession(scriptedProvider(), disk, undefined, { tools: [tool], always: new Set() });
    assert.deepEqual(later.session.tools.rules.remembered, []);
  });

  it("S15 asks for a tool whose name to models is that of an allowed one", async () => {
    const { asked, onEmit } = answering(["always", "deny"]);
    const named = (approvalName: string): Tool => ({ ...fakeTool("mcp_x_do", { effect: "runs" }), approvalName });
    const always = new Set<string>();
    const use = { id: "a", name: "mcp_x_do", input: {} };
    for (const tool of [named("editor:mcp_x_do"), named("editor:mcp_x.do"), named("editor:mcp_x_do")]) {
      const opened: OpenedSession = await openSession(
        scriptedProvider(calling("", use), saying("Well.")),
        memoryDisk(),
        onEmit(() => opened),
        { tools: [tool], always },
      );
      await opened.session.send("1", "Q");
    }
    assert.deepEqual([asked.length, [...always]], [2, ["editor:mcp_x_do"]]);
  });

  describe("that need a permission for some calls", () => {
    const view = { title: "Look elsewhere", detail: "", look: "words", needsPermission: true } as const;
    const look = { id: "a", name: "recall_history", input: {} };
    const tool = () => ({
      ...fakeTool("recall_history", { describe: () => Promise.resolve({ ok: true, value: view }) }),
      permission: "elsewhere",
    });

    /** Sends as many messages as `calls`, each of which is answered by a call. */
    async function sent(answers: readonly ApprovalAnswer[], calls: number, setup: SessionSetup = {}) {
      const { asked, onEmit } = answering(answers);
      const own = tool();
      const rounds = Array.from({ length: calls }, () => [calling("", look), saying("Well.")]).flat();
      const disk = memoryDisk();
      const opened: OpenedSession = await openSession(
        scriptedProvider(...rounds),
        disk,
        onEmit(() => opened),
        { tools: [own], ...setup },
      );
      for (let number = 0; number < calls; number++) await opened.session.send(String(number), "Q");
      const results = disk.records.flatMap((record) =>
        record.kind === "message"
          ? record.message.parts.flatMap((part) => (part.kind === "toolResult" ? [part] : []))
          : [],
      );
      return { opened, own, asked, results, disk };
    }

    it("asks although the tool itself would not ask, and takes each answer at its word", async () => {
      const always = new Set<string>();
      const { asked, own } = await sent(["once", "deny", "conversation"], 4, { always });
      assert.deepEqual(asked[0]?.question, {
        folder: "",
        detail: "",
        look: "words",
        scopes: ["once", "conversation", "always"],
        canRefuse: true,
      });
      assert.deepEqual([asked.length, own.ran.length, [...always]], [3, 3, []]);
    });

    it("does not ask again in a conversation where the user refused, and tells the model so", async () => {
      const always = new Set<string>();
      const { asked, own, results, opened, disk } = await sent(["never"], 2, { always });
      assert.deepEqual([asked.length, own.ran.length], [1, 0]);
      const text = "The user does not allow this in this conversation, so it was not run. Do not try it again here.";
      assert.deepEqual(
        results.map((result) => [result.outcome, result.text]),
        [
          ["denied", text],
          ["denied", text],
        ],
      );
      assert.ok(opened.session.tools.rules.isRefused("elsewhere"));
      // Neither a restart nor an approval elsewhere changes that; the user does.
      always.add("elsewhere");
      const { session } = await openSession(scriptedProvider(), disk, undefined, { tools: [tool()], always });
      assert.ok(session.tools.rules.isRefused("elsewhere"));
      assert.equal(session.tools.isAutomatic(tool(), view), false);
      await session.tools.rules.revokeApproval("elsewhere");
      assert.deepEqual([session.tools.rules.isRefused("elsewhere"), [...always]], [false, []]);
    });

    it("needs no question in any conversation once it is always allowed, but in an untrusted folder", async () => {
      const always = new Set(["elsewhere"]);
      assert.deepEqual((await sent([], 1, { always })).asked, []);
      const untrusted = await sent(["conversation"], 2, { always, isTrusted: false });
      assert.deepEqual(
        untrusted.asked.map(({ question }) => question?.scopes),
        [["once", "conversation"]],
      );
    });

    it("are the only ones that can be refused for good", async () => {
      const { asked, onEmit } = answering(["never"]);
      const opened: OpenedSession = await openSession(
        scriptedProvider(calling("", call), saying("Well.")),
        memoryDisk(),
        onEmit(() => opened),
        { tools: [edit()] },
      );
      const sending = opened.session.send("1", "Q");
      await whenTrue(() => asked.length > 0);
      await settled();
      assert.equal(opened.session.tools.waiting, 1, "the answer is ignored");
      opened.session.stop();
      await sending;
    });
  });

  it("shows the conversations that a result quotes, also after a restart", async () => {
    const source = { conversation: "0f8fad5b-d9cb-469f-a165-70867728950e", lastUsedAtMs: Date.UTC(2026, 10, 12, 12) };
    const sources = [
      { ...source, title: "Re\u202etries", messages: [7, 3] },
      { ...source, title: "", messages: [0] },
    ];
    const tool = fakeTool("look", { run: () => Promise.resolve({ outcome: "ok", text: "found", sources }) });
    const disk = memoryDisk();
    const provider = scriptedProvider(calling("", { id: "a", name: "look", input: {} }), saying("Well."));
    const opened = await openSession(provider, disk, undefined, { tools: [tool] });
    await opened.session.send("1", "Q");
    const card = { conversationId: source.conversation, date: "12 Nov 2026" };
    const expected = [
      { ...card, title: "Re[U+202E]tries", count: 2, messageId: 7 },
      { ...card, title: "Conversation 0f8fad5b", count: 1, messageId: 0 },
    ];
    for (const each of [opened, await openSession(scriptedProvider(), disk)])
      assert.deepEqual(rowOf(each, 1).calls[0]?.sources, expected);
  });

  it("shows the problems that an edit added, also after a restart", async () => {
    const problem = { severity: "error", path: "src/a.ts", line: 3, column: 5, message: "No \u202eb." } as const;
    const inNotebook = { ...problem, severity: "warning", path: "n.ipynb", cell: 2 } as const;
    const many = Array.from({ length: 40 }, () => problem);
    const results = [
      { listed: [problem, inNotebook], more: 0 },
      { listed: many, more: 2 },
    ];
    const tools = results.map((problems, index) =>
      fakeTool(`edit${String(index)}`, { run: () => Promise.resolve({ outcome: "ok", text: "done", problems }) }),
    );
    const disk = memoryDisk();
    const calls = tools.map(({ definition: { name } }) => ({ id: name, name, input: {} }));
    const provider = scriptedProvider(calling("", ...calls), saying("Well."));
    const opened = await openSession(provider, disk, undefined, { tools });
    await opened.session.send("1", "Q");
    const shown = { severity: "error", message: "No [U+202E]b.", path: "src/a.ts", line: 3, column: 5 };
    const [card, cell] = [
      { ...shown, place: "src/a.ts:3:5" },
      { ...shown, severity: "warning", path: "n.ipynb", line: 0, column: 0, place: "n.ipynb, cell 2, line 3" },
    ];
    const expected = [
      { listed: [card, cell], more: 0 },
      { listed: Array.from({ length: 30 }, () => card), more: 12 },
    ];
    for (const each of [opened, await openSession(scriptedProvider(), disk)])
      assert.deepEqual(
        rowOf(each, 1).calls.map(({ problems }) => problems),
        expected,
      );
  });

  it("offers no writing tools in an untrusted folder and asks before a read", async () => {
    const { asked, onEmit } = answering(["always", "once", "once"]);
    const read = fakeTool("read");
    const tools = [edit(), read];
    const provider = scriptedProvider(calling("", call, { id: "b", name: "read", input: {} }), saying("Well."));
    const setup = { tools, isTrusted: false, always: new Set(["edit", "read"]) };
    const opened: OpenedSession = await openSession(
      provider,
      memoryDisk(),
      onEmit(() => opened),
      setup,
    );
    assert.deepEqual(opened.session.tools.offered, [read]);
    const sent = opened.session.send("1", "Q");
    await whenTrue(() => asked.length > 0);
    assert.deepEqual(
      asked.map(({ name, question }) => [name, question?.scopes]),
      [["read", ["once", "conversation"]]],
    );
    await opened.session.tools.answer(rowOf(opened, -1).rowId, "b", "always");
    assert.equal(read.ran.length, 0, "that was not offered");
    await opened.session.tools.answer(rowOf(opened, -1).rowId, "b", "once");
    await sent;
    assert.deepEqual(
      rowOf(opened, -2).calls.map(({ state }) => state),
      ["failed", "done"],
    );
    assert.deepEqual(tools[0]?.ran, []);
  });

  it("withdraws an approval question when the turn is stopped, and continues on retry", async () => {
    const { onEmit } = answering([]);
    const tool = edit();
    const provider = scriptedProvider(calling("I do.", call), saying("Done."));
    const opened: OpenedSession = await openSession(
      provider,
      memoryDisk(),
      onEmit(() => opened),
      { tools: [tool] },
    );
    await opened.session.send("1", "Q");
    assert.deepEqual(
      [rowOf(opened, -1).state, rowOf(opened, -1).calls.map(({ state }) => state)],
      ["cancelled", ["notRun"]],
    );
    assert.equal(opened.session.tools.waiting, 0);
    await opened.session.retry();
    assert.deepEqual(
      opened.rows().map((row) => row.kind === "message" && row.text),
      ["Q", "I do.", "Done."],
    );
    assert.deepEqual(tool.ran, []);
  });
});
