import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { buildRanks } from "../../../../scripts/buildRanks.mjs";
import { withTruncatedResults } from "../../../../src/core/context/request/resultTruncation.ts";
import { messageId, parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import type { ForgeError } from "../../../../src/core/errors.ts";
import { textOf } from "../../../../src/core/message.ts";
import type { ConversationStore } from "../../../../src/core/store/conversationStore.ts";
import { ok, type Result } from "../../../../src/core/result.ts";
import { exportToFile } from "../../../../src/host/conversations/transfer/exportToFile.ts";
import {
  eraseUnfinishedImports,
  importUntrustedFile,
  importFromFile,
} from "../../../../src/host/conversations/transfer/importFromFile.ts";
import type { TransferFailed } from "../../../../src/host/words/explainFiles.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";
import type { TestConversation } from "../../../support/session/conversation.ts";
import { MemoryStore, memoryDisk } from "../../../support/storage/memoryStore.ts";
import { richConversation, saved } from "../../../support/session/savedConversations.ts";
import { openStore, SQL_JS_FILE, WORKER_FILE } from "../../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";
import { loadConversation } from "../../../support/documents.ts";

const conversationId = (): ConversationId =>
  parseConversationId("00000000-0000-4000-8000-000000000007") ?? assert.fail("a UUID");

describe("a conversation file", function () {
  this.timeout(60_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let ranks: ReturnType<typeof temporaryFolder>;
  before(async () => {
    ranks = temporaryFolder();
    await buildRanks(ranks.path);
  });
  after(() => {
    ranks.remove();
  });
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });
  const at = (name: string): string => path.join(folder.path, name);

  async function stored(conversation: TestConversation): Promise<ConversationStore> {
    const store = new MemoryStore(memoryDisk());
    const committed = await store.commit(conversation.records.map((record) => ({ kind: "record", record })));
    assert.ok(committed.ok);
    return store;
  }

  async function exported(name: string, cancel = new AbortController()): Promise<Result<number, TransferFailed>> {
    const conversation = richConversation();
    const store = await stored(conversation);
    return exportToFile(at(name), { manager: conversation.manager, store }, { cancel: cancel.signal });
  }

  const importing = (file: string, cancel = new AbortController()): Parameters<typeof importFromFile>[0] => {
    const root = at("conversations");
    const thread = { workerFile: WORKER_FILE, sqlJsFile: SQL_JS_FILE, ranksFolder: ranks.path };
    return { file, id: conversationId(), root, ...thread, cancel: cancel.signal };
  };
  /** All of the file's conversations are new. */
  const imported = async (file: string, cancel?: AbortController): Promise<Result<object, ForgeError>> => {
    const done = await importFromFile(importing(file, cancel));
    if (!done.ok) return done;
    const messages = done.value.reduce((sum, one) => sum + (one.kind === "created" ? one.messages : 0), 0);
    return ok({ messages, conversations: done.value.length });
  };

  const conversations = (): readonly string[] =>
    existsSync(at("conversations")) ? readdirSync(at("conversations")) : [];

  describe("is exported in the format of its extension", () => {
    const check = (name: string, begins: RegExp): void => {
      it(name, async () => {
        assert.deepEqual(await exported(name), { ok: true, value: 17 });
        assert.match(readFileSync(at(name), "utf8"), begins);
        assert.deepEqual(readdirSync(folder.path), [name]);
      });
    };
    check("talk.forge.json", /^\{"version":1,/);
    check("talk.md", /^# A title\n\n## You\n/);
    check("TALK.MD", /^# A title\n/);
    check("talk", /^\{"version":1,/);
  });

  it("replaces an existing file as a whole", async () => {
    writeFileSync(at("talk.forge.json"), "x".repeat(1_000_000));
    assert.ok((await exported("talk.forge.json")).ok);
    assert.ok(loadConversation(readFileSync(at("talk.forge.json"), "utf8")).ok);
  });

  it("leaves an existing file unchanged when the export is cancelled", async () => {
    writeFileSync(at("talk.md"), "before");
    const cancel = new AbortController();
    const underWay = exported("talk.md", cancel);
    cancel.abort();
    assert.deepEqual(await underWay, { ok: false, error: { of: "conversation", error: { code: "CANCELLED" } } });
    assert.deepEqual([readdirSync(folder.path), readFileSync(at("talk.md"), "utf8")], [["talk.md"], "before"]);
  });

  it("leaves the target unchanged when it cannot be written", async () => {
    mkdirSync(at("talk.md"));
    const refused = await exported("talk.md");
    assert.deepEqual(refused, { ok: false, error: { of: "file", error: { code: "FOLDER" } } });
    assert.deepEqual(readdirSync(folder.path), ["talk.md"]);
  });

  it("is reported as missing its folder when that does not exist", async () => {
    const refused = await exported("gone/talk.md");
    assert.ok(!refused.ok && refused.error.of === "file" && refused.error.error.code === "STORAGE_FAILED");
    assert.equal(refused.error.error.reason, "fileGone");
  });

  it("may come from another tool", async () => {
    const lines = [
      {
        type: "user",
        message: { role: "user", content: "Why is the sky blue?" },
        timestamp: "2026-03-01T22:38:47.557Z",
      },
      { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Rayleigh." }], id: "m" } },
    ];
    writeFileSync(at("session.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    assert.deepEqual(await imported(at("session.jsonl")), { ok: true, value: { messages: 2, conversations: 1 } });
    const store = await openStore(path.join(at("conversations"), conversationId()));
    const read = await store.readMessages([messageId(0), messageId(1)]);
    assert.ok(read.ok && (await store.close()).ok);
    assert.deepEqual(
      read.value.map(({ message, entry }) => [textOf(message), entry.tokens.o200k > 0]),
      [
        ["Why is the sky blue?", true],
        ["Rayleigh.", true],
      ],
    );
    writeFileSync(at("session.jsonl"), `{"type":"assistant","message":{"role":"robot"}}`);
    const refused = await imported(at("session.jsonl"));
    assert.ok(
      !refused.ok && refused.error.code === "VALIDATION_ERROR" && refused.error.field === "line 1.message.role",
    );
  });

  it("an export of several conversations becomes as many conversations", async () => {
    const exportOf = (title: string, ...words: readonly string[]): object => ({
      name: title,
      chat_messages: words.map((text) => ({ sender: "human", text })),
    });
    const exports = [exportOf("One", "a"), exportOf("Two", "b", "c"), exportOf("Three", "d")];
    writeFileSync(at("conversations.json"), JSON.stringify(exports));
    const done = await imported(at("conversations.json"));
    assert.deepEqual(done, { ok: true, value: { messages: 4, conversations: 3 } });
    const stored = await Promise.all(
      conversations().map(async (id) => {
        const store = await openStore(path.join(at("conversations"), id));
        const read = await store.readMessages(
          Array.from({ length: store.shape.messageCount }, (_, at) => messageId(at)),
        );
        assert.ok(read.ok && (await store.close()).ok);
        return read.value.map(({ message }) => textOf(message)).join();
      }),
    );
    assert.deepEqual([stored.sort(), conversations().includes(conversationId())], [["a", "b,c", "d"], true]);
  });

  it("§11 counts what is sent: results as they are cut, no thinking of another tool's model", async () => {
    const long = "tide table\n".repeat(20_000);
    const answer = [
      { type: "thinking", thinking: "High water follows the moon. ".repeat(500), signature: "sealed" },
      { type: "text", text: "At noon." },
      { type: "tool_use", id: "t", name: "Read", input: {} },
    ];
    const lines = [
      { type: "user", message: { role: "user", content: "When?" } },
      { type: "assistant", message: { role: "assistant", content: answer, id: "m" } },
      { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: long }] } },
    ];
    writeFileSync(at("session.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    assert.deepEqual(await imported(at("session.jsonl")), { ok: true, value: { messages: 3, conversations: 1 } });
    const store = await openStore(path.join(at("conversations"), conversationId()));
    const read = await store.readMessages([messageId(1), messageId(2)]);
    assert.ok(read.ok && (await store.close()).ok);
    const counter = testTokenCounter();
    assert.deepEqual(
      read.value.map(({ entry }) => [entry.tokens, entry.sentTokens]),
      read.value.map(({ entry, message }) => {
        const sent = { ...message, parts: message.parts.filter(({ kind }) => kind !== "thinking") };
        return [counter.countMessage(message), counter.countMessage(withTruncatedResults(sent, entry.id))];
      }),
    );
    assert.ok(read.value.every(({ entry: { tokens, sentTokens = tokens } }) => sentTokens.o200k < tokens.o200k / 2));
  });

  it("has the same messages after an import", async () => {
    assert.ok((await exported("talk.forge.json")).ok);
    assert.deepEqual(await imported(at("talk.forge.json")), { ok: true, value: { messages: 17, conversations: 1 } });
    assert.deepEqual(conversations(), [conversationId()]);
    const store = await openStore(path.join(at("conversations"), conversationId()));
    const read = await store.readMessages([messageId(0), messageId(11)]);
    await store.close();
    assert.deepEqual(
      [store.shape.messageCount, read.ok && read.value.map(({ message }) => textOf(message))],
      [17, ["user 0", "assistant 11"]],
    );
  });

  it("E:own exports edited by hand: what is imported is counted anew", async () => {
    const words = "word ".repeat(6_000);
    const result = "line of a result\n".repeat(9_000);
    const parts = (text: string) => [{ kind: "text", text }];
    const said = { state: "complete", createdAtMs: 1, tokens: { cl100k: 3, o200k: 3 } };
    const call = { kind: "toolCall", callId: "c", name: "read_file", inputJson: "{}" };
    const document = {
      version: 1,
      messages: [
        { id: 0, role: "user", turn: 0, ...said, parts: parts(words) },
        { id: 1, role: "assistant", turn: 0, batch: 1, ...said, textClass: "data", parts: [call] },
        {
          ...{ id: 2, role: "user", turn: 0, batch: 1, ...said, sentTokens: { cl100k: 1_000_000, o200k: 0 } },
          parts: [{ kind: "toolResult", callId: "c", outcome: "ok", text: result }],
        },
      ],
      ...{ summaries: [], receipts: [], pins: [], hidden: [], settings: [] },
    };
    writeFileSync(at("talk.json"), JSON.stringify(document));
    assert.deepEqual(await imported(at("talk.json")), { ok: true, value: { messages: 3, conversations: 1 } });
    const store = await openStore(path.join(at("conversations"), conversationId()));
    const read = await store.readMessages([0, 1, 2].map(messageId));
    await store.close();
    assert.ok(read.ok);
    const counter = testTokenCounter();
    const counted = read.value.map(({ message }) => counter.countMessage(message));
    const sent = read.value.map(({ message }) => counter.countMessage(withTruncatedResults(message, messageId(2))));
    assert.deepEqual(
      read.value.map(({ entry: { tokens, sentTokens, textClass } }) => ({ tokens, sentTokens, textClass })),
      [
        { tokens: counted[0], sentTokens: undefined, textClass: undefined },
        { tokens: counted[1], sentTokens: undefined, textClass: undefined },
        { tokens: counted[2], sentTokens: sent[2], textClass: undefined },
      ],
    );
    assert.ok((counted[0]?.o200k ?? 0) > 5_999 && (sent[2]?.o200k ?? 0) < (counted[2]?.o200k ?? 0));
  });

  describe("E:a byte order mark before Forge's own export is no fault, in", () => {
    const check = (encoding: string, encode: (text: string) => Uint8Array): void => {
      it(encoding, async () => {
        writeFileSync(at("talk.json"), encode(`\uFEFF${await saved(richConversation())}`));
        assert.deepEqual(await imported(at("talk.json")), { ok: true, value: { messages: 17, conversations: 1 } });
        const store = await openStore(path.join(at("conversations"), conversationId()));
        const read = await store.readMessages([messageId(16)]);
        await store.close();
        assert.deepEqual(read.ok && read.value.map(({ message }) => message), [
          richConversation().message(messageId(16)),
        ]);
      });
    };
    check("UTF-8", (text) => Buffer.from(text, "utf8"));
    check("UTF-16 of Windows", (text) => Buffer.from(text, "utf16le"));
    check("UTF-16, big end first", (text) => Buffer.from(text, "utf16le").swap16());
  });

  describe("adds no conversation after a failed import", () => {
    const check = (title: string, change: (json: string) => string, place: string): void => {
      it(title, async () => {
        writeFileSync(at("talk.json"), change(await saved(richConversation())));
        const refused = await imported(at("talk.json"));
        assert.ok(!refused.ok && refused.error.code === "VALIDATION_ERROR");
        assert.equal(refused.error.field, place);
        assert.deepEqual(conversations(), []);
      });
    };
    check("of invalid JSON", () => "{", "document");
    check("of deeply nested JSON", (json) => json.replace("17", `${"[".repeat(1e6)}${"]".repeat(1e6)}`), "document");
    check("of an invalid document", (json) => json.replace('"id":4,', '"id":3,'), "document.messages[4].id");

    it("of a missing file", async () => {
      const refused = await imported(at("gone.json"));
      assert.deepEqual([refused.ok ? "" : refused.error.code, conversations()], ["STORAGE_FAILED", []]);
    });

    const checkFault = (title: string, make: (file: string) => void, code: string): void => {
      it(title, async () => {
        make(at("talk.json"));
        const refused = await importUntrustedFile(importing(at("talk.json")));
        assert.ok(!refused.ok);
        assert.deepEqual([refused.error.of, refused.error.error.code, conversations()], ["file", code, []]);
      });
    };
    checkFault("of a folder", (file) => mkdirSync(file), "FOLDER");
    checkFault("of an empty file", (file) => writeFileSync(file, ""), "EMPTY");
    checkFault(
      "of a picture",
      (file) => writeFileSync(file, Buffer.from("89504e470d0a1a0a", "hex")),
      "VALIDATION_ERROR",
    );
    checkFault("of a missing untrusted file", () => undefined, "STORAGE_FAILED");
    if (process.platform !== "win32") {
      checkFault("S18 of a named pipe that nobody writes to", (file) => execFileSync("mkfifo", [file]), "NO_FILE");
      checkFault("S18 of a link to an endless device", (file) => symlinkSync("/dev/zero", file), "NO_FILE");
      it("S18 of a socket", async () => {
        const server = createServer().listen(at("talk.json"));
        await once(server, "listening");
        const refused = await importUntrustedFile(importing(at("talk.json")));
        server.close();
        assert.deepEqual(refused, { ok: false, error: { of: "file", error: { code: "NO_FILE" } } });
      });
    }

    it("that the user cancelled", async () => {
      writeFileSync(at("talk.json"), await saved(richConversation()));
      const cancel = new AbortController();
      const underWay = imported(at("talk.json"), cancel);
      cancel.abort();
      assert.deepEqual(await underWay, { ok: false, error: { code: "CANCELLED" } });
      assert.deepEqual(conversations(), []);
    });
  });

  it("is erased if a crash interrupted its import, without touching finished ones", async () => {
    const [unfinished, whole] = [`${conversationId()}.importing`, conversationId()];
    for (const name of [unfinished, whole]) mkdirSync(path.join(at("conversations"), name), { recursive: true });
    writeFileSync(path.join(at("conversations"), unfinished, "conversation.sqlite"), "half of it");
    assert.ok((await eraseUnfinishedImports(at("conversations"))).ok);
    assert.deepEqual(conversations(), [whole]);
    assert.ok((await eraseUnfinishedImports(at("nowhere"))).ok);
  });

  it("does not block the host's thread while 20 MB are imported", async () => {
    const words = "x".repeat(20_000_000);
    writeFileSync(at("large.json"), (await saved(richConversation())).replace('"user 0"', JSON.stringify(words)));
    let longestMs = 0;
    const startedMs = performance.now();
    let lastMs = startedMs;
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 5);
    const done = await imported(at("large.json"));
    clearInterval(watch);
    assert.deepEqual(done, { ok: true, value: { messages: 17, conversations: 1 } });
    const shareOfTime = longestMs / (performance.now() - startedMs);
    assert.ok(shareOfTime < 0.5, `held for ${Math.round(shareOfTime * 100)} % of the time`);
  });
});
