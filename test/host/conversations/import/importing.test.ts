/** Finding and importing conversations of other tools, on real files, with the threads that do it. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { zstdCompressSync } from "node:zlib";
import { moveToTrash } from "../../../../src/adapters/node/trash.ts";
import { messageId, type ConversationId } from "../../../../src/core/ids.ts";
import { textOf } from "../../../../src/core/message.ts";
import type { Conversations } from "../../../../src/host/conversations/conversations.ts";
import { Importing, type ImportSummary } from "../../../../src/host/conversations/import/importing.ts";
import { listGroups, summaryBanner } from "../../../../src/host/conversations/import/importList.ts";
import { chosenPlace, usualPlaces } from "../../../../src/host/conversations/import/toolPlaces.ts";
import { NEVER_CANCELLED } from "../../../../src/host/background/readInSlices.ts";
import { buildDist, openWindow } from "../../../support/session/openConversations.ts";
import { openStore } from "../../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";
import { writeToolFile } from "../../../support/toolFiles.ts";

describe("importing from other tools", function () {
  this.timeout(60_000);
  const shipped = temporaryFolder();
  let disk: ReturnType<typeof temporaryFolder>;
  let conversations: Conversations;
  let importing: Importing;
  before(() => buildDist(shipped.path));
  after(() => {
    shipped.remove();
  });
  beforeEach(() => {
    disk = temporaryFolder();
    const folders = { storage: path.join(disk.path, "storage"), dist: shipped.path };
    mkdirSync(folders.storage);
    ({ conversations } = openWindow(folders));
    importing = new Importing(conversations, folders);
  });
  afterEach(async () => {
    await conversations.close();
    disk.remove();
  });

  const at = (...names: readonly string[]): string => path.join(disk.path, "tools", ...names);
  const CLAUDE = (): string => at("claude", "s1.jsonl");

  function writeThree(): void {
    writeToolFile(CLAUDE(), "claudeCode", "s1", "When is high water?", "At noon.");
    writeToolFile(at("codex", "rollout-1.jsonl"), "codex", "c1", "Which harbour is deep?", "The old one.");
    writeToolFile(at("gemini", "chat.json"), "geminiCli", "g1", "Why is it salty?", "Rivers.");
    writeFileSync(at("broken.jsonl"), "\u0000\u0001 not a line of anything");
    writeFileSync(at("package.json"), '{"name":"tides"}');
  }

  async function found(): Promise<readonly string[]> {
    const places = [chosenPlace(at())];
    const seen = await importing.find(places, NEVER_CANCELLED);
    assert.ok(seen.ok, JSON.stringify(seen));
    const groups = listGroups(seen.value.files, places, seen.value.known);
    const lines = groups.flatMap(({ tool, lines: own }) =>
      own.map(({ label, description, isPreselected }) => {
        const [state = ""] = description.split(" · ");
        return `${isPreselected ? "x" : " "} ${tool}: ${label} (${state})`;
      }),
    );
    return lines.toSorted();
  }

  async function importAll(...files: readonly string[]): Promise<ImportSummary> {
    const done = await importing.importAll(files, NEVER_CANCELLED);
    assert.ok(done.ok, JSON.stringify(done));
    return done.value;
  }

  const sizes = ({ created, updated, unchanged, busy, failed, left }: ImportSummary): readonly number[] => [
    ...[created.length, updated.length, unchanged.length, busy.length, failed.length, left],
  ];

  const FILES = (): readonly string[] => [
    ...[CLAUDE(), at("codex", "rollout-1.jsonl"), at("gemini", "chat.json"), at("broken.jsonl")],
  ];

  async function said(id: ConversationId): Promise<readonly string[]> {
    const store = await openStore(path.join(conversations.places.conversations, id));
    const ids = Array.from({ length: store.shape.messageCount }, (_, each) => messageId(each));
    const read = await store.readMessages(ids);
    assert.ok(read.ok && (await store.close()).ok);
    return read.value.map(({ message }) => textOf(message));
  }

  it("finds what is in a folder, by content, and changes nothing there", async () => {
    writeThree();
    const before = FILES().map((file) => [readFileSync(file, "latin1"), statSync(file).mtimeMs]);
    assert.deepEqual(await found(), [
      "x Claude Code: When is high water? (new)",
      "x Codex: Which harbour is deep? (new)",
      "x Gemini CLI: Why is it salty? (new)",
      "x Other files: broken.jsonl (damaged, or no conversation)",
    ]);
    const after = FILES().map((file) => [readFileSync(file, "latin1"), statSync(file).mtimeMs]);
    assert.deepEqual(after, before);
    assert.deepEqual(readdirSync(path.join(disk.path, "storage", "importing")), []);
  });

  it("imports the chosen ones, and says which could not be read", async () => {
    writeThree();
    const done = await importAll(...FILES());
    assert.deepEqual(sizes(done), [3, 0, 0, 0, 1, 0]);
    assert.deepEqual(
      summaryBanner(done).text,
      "3 imported, 1 could not be read. broken.jsonl is not JSON, or a part of it is missing. " +
        "All files are as they were, and what was imported is safe; import again when the rest can be read.",
    );
    const listed = await conversations.list();
    assert.deepEqual(listed.map(({ meta }) => meta?.title).toSorted(), [
      ...["When is high water?", "Which harbour is deep?", "Why is it salty?"],
    ]);
    const folders = listed.flatMap(({ meta }) => meta?.projects?.map(({ folder }) => folder) ?? []);
    assert.deepEqual(folders.toSorted(), ["file:///home/somebody/harbour", "file:///home/somebody/tides"]);
    assert.ok(listed.every(({ lastUsedAtMs }) => lastUsedAtMs === Date.parse("2026-03-02T10:01:00Z")));
  });

  it("imports nothing twice, and a week later what is new", async () => {
    writeThree();
    const first = await importAll(...FILES());
    assert.deepEqual(sizes(await importAll(...FILES())), [0, 0, 3, 0, 1, 0]);
    writeToolFile(CLAUDE(), "claudeCode", "s1", "When is high water?", "At noon.", "And low water?", "At six.");
    writeToolFile(at("cline", "9", "api_conversation_history.json"), "cline", "", "How cold is it?", "Very.");
    assert.deepEqual(await found(), [
      "  Codex: Which harbour is deep? (already here)",
      "  Gemini CLI: Why is it salty? (already here)",
      "x Claude Code: When is high water? (already here, 2 new messages)",
      "x Cline: How cold is it? (new)",
      "x Other files: broken.jsonl (damaged, or no conversation)",
    ]);
    const again = await importAll(CLAUDE(), at("cline", "9", "api_conversation_history.json"));
    assert.deepEqual([sizes(again), again.updated], [[1, 1, 0, 0, 0, 0], first.created.slice(0, 1)]);
    const [updated] = again.updated;
    assert.ok(updated !== undefined);
    assert.deepEqual(await said(updated), ["When is high water?", "At noon.", "And low water?", "At six."]);
    assert.equal((await conversations.list()).length, 4);
    assert.deepEqual((await found()).filter((line) => /already here$|already here\)/.test(line)).length, 4);
  });

  it("adds what is new to a file that its tool has shortened", async () => {
    const file = at("cline", "9", "api_conversation_history.json");
    writeToolFile(file, "cline", "", "How cold is it?", "Very.", "How deep?", "Ten metres.");
    const { created } = await importAll(file);
    const [id] = created;
    assert.ok(id !== undefined);
    writeToolFile(file, "cline", "", "How cold is it?", "Very.", "How wide?");
    assert.deepEqual(await found(), ["x Cline: How cold is it? (already here, rewritten since)"]);
    assert.deepEqual(sizes(await importAll(file)), [0, 1, 0, 0, 0, 0]);
    assert.deepEqual(await said(id), ["How cold is it?", "Very.", "How deep?", "Ten metres.", "How wide?"]);
    assert.deepEqual(await found(), ["  Cline: How cold is it? (already here)"]);
  });

  it("finds what is compressed, and imports it once", async () => {
    writeToolFile(at("codex.jsonl"), "codex", "c1", "Which harbour is deep?", "The old one.");
    writeFileSync(at("rollout-1.jsonl.zst"), zstdCompressSync(readFileSync(at("codex.jsonl"))));
    rmSync(at("codex.jsonl"));
    assert.deepEqual(await found(), ["x Codex: Which harbour is deep? (new)"]);
    assert.deepEqual(sizes(await importAll(at("rollout-1.jsonl.zst"))), [1, 0, 0, 0, 0, 0]);
    assert.deepEqual(await found(), ["  Codex: Which harbour is deep? (already here)"]);
    assert.deepEqual(sizes(await importAll(at("rollout-1.jsonl.zst"))), [0, 0, 1, 0, 0, 0]);
  });

  it("adds to the open conversation what is new, beside what was said here", async () => {
    writeThree();
    const { created } = await importAll(CLAUDE());
    const [id] = created;
    assert.ok(id !== undefined);
    await conversations.openExisting(id);
    const { session } = conversations;
    await session?.send("Is it cold?", "Is it cold?");
    writeToolFile(CLAUDE(), "claudeCode", "s1", "When is high water?", "At noon.", "And low water?");
    assert.deepEqual(sizes(await importAll(CLAUDE())), [0, 1, 0, 0, 0, 0]);
    const history = session?.opened.manager.history;
    assert.ok(history !== undefined);
    assert.deepEqual(
      history.entries.map((entry) => [history.isVisible(entry), history.branches.parentOf(entry.id) ?? -1]),
      [
        [true, -1],
        [true, 0],
        [true, 1],
        [true, 2],
        [false, 1],
      ],
    );
    await conversations.openNew();
    assert.equal((await said(id))[4], "And low water?");
  });

  it("adds a compaction that its tool has made since as a summary, once", async () => {
    const line = (number: number, text: string, more: object = {}): string => {
      const role = number % 2 === 1 ? "user" : "assistant";
      const place = { uuid: `u${number}`, parentUuid: number === 1 ? null : `u${number - 1}`, sessionId: "s1" };
      return JSON.stringify({ type: role, ...place, message: { role, content: text }, ...more });
    };
    const begun = [line(1, "When is high water? ".repeat(30)), line(2, "At noon. ".repeat(30))];
    const write = (...lines: readonly string[]): void => {
      mkdirSync(at("claude"), { recursive: true });
      writeFileSync(CLAUDE(), lines.join("\n"));
    };
    write(...begun);
    const [id] = (await importAll(CLAUDE())).created;
    assert.ok(id !== undefined);
    write(...begun, line(3, "They spoke of high water.", { isCompactSummary: true }));
    assert.match((await found())[0] ?? "", /already here, 1 new message/);
    assert.deepEqual(sizes(await importAll(CLAUDE())), [0, 1, 0, 0, 0, 0]);
    await conversations.openExisting(id);
    const history = conversations.session?.opened.manager.history;
    const summaries = (): readonly unknown[] =>
      (history?.summaries ?? []).map((each) => [each.covers, each.content, history?.isUsable(each.id)]);
    const HIGH = [{ start: 0, end: 2 }, "They spoke of high water.", true];
    assert.deepEqual([summaries(), history?.length], [[HIGH], 2]);
    write(...begun, line(3, "They spoke of high water.", { isCompactSummary: true }), line(4, "At six. ".repeat(30)));
    const later = line(5, "They spoke of tides.", { isCompactSummary: true });
    write(readFileSync(CLAUDE(), "utf8"), later);
    assert.deepEqual(sizes(await importAll(CLAUDE())), [0, 1, 0, 0, 0, 0]);
    assert.deepEqual([summaries(), history?.length], [[HIGH, [{ start: 0, end: 3 }, "They spoke of tides.", true]], 3]);
    assert.deepEqual(sizes(await importAll(CLAUDE())), [0, 0, 1, 0, 0, 0]);
  });

  it("leaves out by itself what was deleted here, and what another tool's sub-agent did", async () => {
    writeThree();
    rmSync(at("codex"), { recursive: true });
    rmSync(at("broken.jsonl"));
    const { created } = await importAll(CLAUDE());
    const [id] = created;
    assert.ok(id !== undefined && (await moveToTrash(id, conversations.places)).ok);
    const aside = { type: "user", isSidechain: true, agentId: "a1", sessionId: "s1", uuid: "u" };
    const message = { role: "user", content: "Look for buoys" };
    writeFileSync(at("claude", "agent-a1.jsonl"), JSON.stringify({ ...aside, message }));
    assert.deepEqual(await found(), [
      "  Claude Code: When is high water? (deleted here)",
      "  Claude Code: agent-a1.jsonl (new, of a sub-agent)",
      "x Gemini CLI: Why is it salty? (new)",
    ]);
  });

  it("counts the conversations of an export, and the new ones among them", async () => {
    const conversation = (uuid: string, ...texts: readonly string[]): object => ({
      ...{ uuid, name: uuid },
      chat_messages: texts.map((text, index) => ({ uuid: `${uuid}${index}`, sender: "human", text })),
    });
    const write = (...all: readonly object[]): void => {
      mkdirSync(at(), { recursive: true });
      writeFileSync(at("conversations.json"), JSON.stringify(all));
    };
    write(conversation("one", "a"), conversation("two", "b"));
    assert.deepEqual(await found(), ["x claude.ai: conversations.json (new)"]);
    assert.deepEqual(sizes(await importAll(at("conversations.json"))), [2, 0, 0, 0, 0, 0]);
    write(conversation("one", "a", "c"), conversation("two", "b"), conversation("three", "d"));
    assert.deepEqual(await found(), ["x claude.ai: conversations.json (1 new)"]);
    assert.deepEqual(sizes(await importAll(at("conversations.json"))), [1, 1, 1, 0, 0, 0]);
    assert.deepEqual(await found(), ["  claude.ai: conversations.json (already here)"]);
  });

  it("stops when it is told to, between two files", async () => {
    writeThree();
    const cancel = new AbortController();
    const done = await importing.importAll(FILES(), cancel.signal, ({ done: count }) => {
      if (count === 1) cancel.abort();
    });
    assert.deepEqual(done.ok && sizes(done.value), [1, 0, 0, 0, 0, 3]);
    const stopped = new AbortController();
    stopped.abort();
    assert.deepEqual(await importing.find([chosenPlace(at())], stopped.signal), {
      ok: false,
      error: { code: "CANCELLED" },
    });
  });

  it("reads conversations that lie in many files, and what they have got since", async () => {
    const put = (name: string, value: unknown): void => {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), typeof value === "string" ? value : JSON.stringify(value));
    };
    const opencode = (number: number, role: string, text: string): void => {
      const info = { id: `msg_${number}`, sessionID: "ses_1", role, time: { created: number } };
      put(`storage/message/ses_1/msg_${number}.json`, info);
      put(`storage/part/msg_${number}/prt_1.json`, { type: "text", text });
    };
    const event = (number: number, source: string, content: string): void => {
      const timestamp = `2026-03-02T10:00:${10 + number}`;
      put(`openhands/events/${number}.json`, { id: number, source, timestamp, action: "message", args: { content } });
    };
    put("storage/session/project/ses_1.json", { id: "ses_1", title: "Tides", directory: "/home/a/tides" });
    opencode(1, "user", "High?");
    opencode(2, "assistant", "At noon.");
    for (let number = 0; number < 12; number++) event(number, number % 2 === 0 ? "user" : "agent", `said ${number}`);
    put("openhands/events/11.json", "{");
    assert.deepEqual(await found(), ["x OpenHands: said 0 (new)", "x opencode: Tides (new)"]);
    const files = [at("storage/session/project/ses_1.json"), at("openhands/events/0.json")];
    const { created } = await importAll(...files);
    const [first, second] = created;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(await said(first), ["High?", "At noon."]);
    assert.deepEqual(
      await said(second),
      Array.from({ length: 11 }, (_, number) => `said ${number}`),
    );
    assert.deepEqual((await found())[0], "  OpenHands: said 0 (already here)");
    opencode(3, "user", "Low?");
    event(11, "agent", "said 11");
    assert.deepEqual(await found(), [
      "x OpenHands: said 0 (already here, 1 new message)",
      "x opencode: Tides (already here, 1 new message)",
    ]);
    assert.deepEqual(sizes(await importAll(...files)), [0, 2, 0, 0, 0, 0]);
    assert.deepEqual([(await said(first))[2], (await said(second))[11]], ["Low?", "said 11"]);
  });

  it("looks in the usual places of each tool", async () => {
    const home = at();
    writeToolFile(path.join(home, ".claude/projects/-tides/s1.jsonl"), "claudeCode", "s1", "One?");
    writeToolFile(path.join(home, ".codex/sessions/2026/03/02/rollout-1.jsonl"), "codex", "c1", "Two?");
    writeToolFile(path.join(home, ".gemini/tmp/abc/chats/session-1.json"), "geminiCli", "g1", "Three?");
    const task = ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json";
    writeToolFile(path.join(home, task), "cline", "", "Four?", "Yes.");
    writeToolFile(path.join(home, ".claude/history.jsonl"), "claudeCode", "s2", "No session");
    const places = usualPlaces({ platform: "linux", home, env: {}, openFolders: [] });
    const seen = await importing.find(places, NEVER_CANCELLED);
    assert.ok(seen.ok);
    const groups = listGroups(seen.value.files, places, seen.value.known);
    assert.deepEqual(groups.map(({ tool, lines }) => [tool, ...lines.map(({ label }) => label)]).toSorted(), [
      ["Claude Code", "One?"],
      ["Codex", "Two?"],
      ["Gemini CLI", "Three?"],
      ["Roo Code", "Four?"],
    ]);
  });
});
