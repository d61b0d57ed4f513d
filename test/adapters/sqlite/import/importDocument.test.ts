import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { longDocument } from "../../../../bench/support/long/longDocument.ts";
import { buildRanks } from "../../../../scripts/buildRanks.mjs";
import { nodeFileCalls } from "../../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { importDocument } from "../../../../src/adapters/sqlite/import/importDocument.ts";
import { TextFile } from "../../../../src/adapters/sqlite/import/textFile.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { textOf } from "../../../../src/core/message.ts";
import { FaultyCalls } from "../../../support/storage/faultyCalls.ts";
import { openStore, SQL_JS_FILE } from "../../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

describe("an import", function () {
  this.timeout(60_000);
  let root: ReturnType<typeof temporaryFolder>;
  before(() => (root = temporaryFolder()));
  after(() => {
    root.remove();
  });
  let folders = 0;
  const newFolder = (): string => {
    const folder = path.join(root.path, `conversation-${folders++}`);
    mkdirSync(folder);
    return folder;
  };
  const written = (name: string, content: string | Buffer): string => {
    const file = path.join(root.path, name);
    writeFileSync(file, content);
    return file;
  };
  const storedIn = async (folder: string): Promise<number> => {
    const store = await openStore(folder);
    assert.ok((await store.close()).ok);
    return store.shape.messageCount;
  };

  it("that is killed leaves nothing of what it had written", async () => {
    // More than the database holds in memory, so that rows are on disk before all are there.
    const file = written("long.json", [...longDocument(24_000)].join(""));
    const faulty = new FaultyCalls();
    let writes = 0;
    faulty.fault = ({ name, path: target }) => {
      if (name === "write" && target.includes("database")) writes++;
      return writes > 40 ? "EIO" : undefined;
    };
    const folder = newFolder();
    const imported = await importDocument(file, { folder, sqlJsFile: SQL_JS_FILE }, faulty.calls);
    assert.ok(!imported.ok && imported.error.code === "STORAGE_FAILED", JSON.stringify(imported));
    assert.ok(writes > 40);
    assert.equal(await storedIn(folder), 0);
  });

  it("stores nothing when a call for the document or a temporary file fails", async () => {
    await buildRanks(path.join(root.path, "ranks"));
    const contents = ["Why? ", "When? "].map((word) => word + "🌊".repeat(40_000));
    const lines = contents.map((content) => JSON.stringify({ type: "user", message: { role: "user", content } }));
    const file = written("session.jsonl", Buffer.from(`\uFEFF${lines.join("\n")}`, "utf16le"));
    const start = { sqlJsFile: SQL_JS_FILE, ranksFolder: path.join(root.path, "ranks") };
    const faulty = new FaultyCalls();
    const ofImport: number[] = [];
    faulty.fault = ({ path: target, index }) => {
      if (/session\.jsonl$|tmp\.import/.test(target)) ofImport.push(index);
      return undefined;
    };
    const folder = newFolder();
    const whole = await importDocument(file, { folder, ...start }, faulty.calls);
    assert.deepEqual(whole.ok && whole.value.map(({ messages }) => messages), [2]);
    assert.deepEqual(readdirSync(folder), ["conversation.sqlite"]);
    const store = await openStore(folder);
    const read = await store.readMessages([messageId(0), messageId(1)]);
    assert.ok(read.ok && (await store.close()).ok);
    assert.deepEqual(
      read.value.map(({ message }) => textOf(message)),
      contents,
    );
    for (const failing of ofImport.filter((_, at) => at % Math.ceil(ofImport.length / 12) === 0)) {
      const failed = newFolder();
      faulty.restart(({ index }) => (index === failing ? "EIO" : undefined));
      const imported = await importDocument(file, { folder: failed, ...start }, faulty.calls);
      assert.ok(!imported.ok && imported.error.code === "STORAGE_FAILED", `${failing}: ${JSON.stringify(imported)}`);
      assert.equal(await storedIn(failed), 0);
    }
  });

  it("of several conversations syncs each file once, after all that is written to it", async () => {
    await buildRanks(path.join(root.path, "ranks"));
    const conversation = (words: string) => ({
      chat_messages: [{ sender: "human", content: [{ type: "text", text: words }] }],
    });
    const file = written("conversations.json", JSON.stringify(["a", "b", "c"].map(conversation)));
    const start = { folder: newFolder(), sqlJsFile: SQL_JS_FILE, ranksFolder: path.join(root.path, "ranks") };
    const faulty = new FaultyCalls();
    const ofDatabases: string[] = [];
    faulty.fault = ({ name, path: target }) => {
      if (["write", "sync"].includes(name) && /sqlite(?:-wal)?$/.test(target)) ofDatabases.push(name);
      return undefined;
    };
    const imported = await importDocument(file, start, faulty.calls);
    assert.deepEqual(imported.ok && imported.value.map(({ title }) => title), ["a", "b", "c"]);
    assert.equal(ofDatabases.indexOf("sync"), ofDatabases.length - 3);
    assert.deepEqual(ofDatabases.slice(-3), ["sync", "sync", "sync"]);
  });

  describe("of one of many small files is of all that belong to the conversation:", () => {
    const at = (...names: readonly string[]): string => path.join(root.path, "many", ...names);
    const write = (content: unknown, ...names: readonly string[]): void => {
      mkdirSync(path.dirname(at(...names)), { recursive: true });
      writeFileSync(at(...names), typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
    };
    before(async () => {
      await buildRanks(path.join(root.path, "ranks"));
      const said = (id: string, source: string, text: string): object => {
        return { kind: "MessageEvent", id, source, timestamp: "2026-03-01T10:00:00", llm_message: { content: text } };
      };
      write({ id: "c", agent: { llm: { model: "sonnet" } } }, "openhands", "base_state.json");
      write(said("a", "user", "Go"), "openhands", "events", "event-00000-a.json");
      write('{"kind":"Mess', "openhands", "events", "event-00001-b.json");
      write(said("c", "agent", "Done."), "openhands", "events", "event-00009-c.json");
      write(said("d", "user", "Thanks"), "openhands", "events", "event-00010-d.json");
      write({}, "openhands", "events", "notes.json");
      write(
        { action: "message", source: "user", timestamp: "", args: { content: "Old" } },
        "older",
        "events",
        "9.json",
      );
      write(
        { action: "message", source: "user", timestamp: "", args: { content: "New" } },
        "older",
        "events",
        "10.json",
      );
      const storage = ["opencode", "storage"] as const;
      const info = { id: "ses_1", title: "The sky", directory: "/shop", time: { created: 1, updated: 2 } };
      write(info, ...storage, "session", "p1", "ses_1.json");
      write({ ...info, id: "ses_2" }, ...storage, "session", "p1", "ses_2.json");
      const message = (id: string, role: string, session = "ses_1"): void => {
        write({ id, sessionID: session, role, time: { created: 1 } }, ...storage, "message", session, `${id}.json`);
      };
      const part = (id: string, messageID: string, text: string): void => {
        const content = { id, messageID, sessionID: "ses_1", type: "text", text };
        write(content, ...storage, "part", messageID, `${id}.json`);
      };
      message("msg_1", "user");
      message("msg_2", "assistant");
      message("msg_9", "user", "ses_2");
      part("prt_1", "msg_1", "Why?");
      part("prt_2", "msg_2", "It scatters");
      part("prt_3", "msg_2", " light.");
      part("prt_9", "msg_9", "Another");
    });
    const check = (expected: readonly string[], ...names: readonly string[]): void => {
      it(names.join("/"), async () => {
        const folder = newFolder();
        const start = { folder, sqlJsFile: SQL_JS_FILE, ranksFolder: path.join(root.path, "ranks") };
        const imported = await importDocument(at(...names), start, nodeFileCalls);
        assert.deepEqual(imported.ok && imported.value.map(({ messages }) => messages), [expected.length]);
        assert.deepEqual(readdirSync(folder), ["conversation.sqlite"]);
        const store = await openStore(folder);
        const read = await store.readMessages(expected.map((_, index) => messageId(index)));
        assert.ok(read.ok && (await store.close()).ok);
        assert.deepEqual(
          read.value.map(({ message }) => textOf(message)),
          expected,
        );
      });
    };
    check(["Go", "Done.", "Thanks"], "openhands", "events", "event-00009-c.json");
    check(["Go", "Done.", "Thanks"], "openhands", "base_state.json");
    check(["Old", "New"], "older", "events", "10.json");
    check(["Why?", "It scatters light."], "opencode", "storage", "session", "p1", "ses_1.json");
    check(["Why?", "It scatters light."], "opencode", "storage", "message", "ses_1", "msg_2.json");
    check(["Why?", "It scatters light."], "opencode", "storage", "part", "msg_1", "prt_1.json");
  });

  describe("of a compressed file", () => {
    const words = (at: number): string => createHash("sha512").update(String(at)).digest("base64").repeat(2);
    const session = Array.from({ length: 2_000 }, (_, at) =>
      JSON.stringify({ type: "user", message: { role: "user", content: words(at) } }),
    ).join("\n");
    const importing = async (name: string, content: Buffer) => {
      const folder = newFolder();
      const start = { folder, sqlJsFile: SQL_JS_FILE, ranksFolder: path.join(root.path, "ranks") };
      const imported = await importDocument(written(name, content), start, nodeFileCalls);
      const messages = imported.ok ? imported.value.reduce((sum, each) => sum + each.messages, 0) : imported.error;
      return [messages, readdirSync(folder)] as const;
    };
    const check = (name: string, pack: (content: Buffer) => Buffer): void => {
      it(`is of what is in it: ${name}`, async () => {
        const packed = pack(Buffer.from(session));
        assert.deepEqual(await importing(name, packed), [2_000, ["conversation.sqlite"]]);
      });
      it(`is of what is whole in it: ${name}`, async () => {
        const packed = pack(Buffer.from(session));
        const [messages] = await importing(name, packed.subarray(0, -packed.length / 4));
        assert.ok(typeof messages === "number" && messages > 1_000 && messages < 2_000, JSON.stringify(messages));
      });
      it(`is refused where it is damaged: ${name}`, async () => {
        const packed = pack(Buffer.from(session)).fill(0xff, 8, 400);
        const fault = { found: "a damaged compressed file", expected: "a JSON document" };
        const error = { code: "VALIDATION_ERROR", field: "document", ...fault };
        assert.deepEqual((await importing(name, packed))[0], error);
      });
    };
    before(() => buildRanks(path.join(root.path, "ranks")));
    check("session.jsonl.gz", (content) => gzipSync(content));
    check("rollout.jsonl.zst", (content) => zstdCompressSync(content));
  });

  it("reads the texts that it put aside, of any length and in any order", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 50 }),
      fc.nat({ max: 600_000 }).map((length) => "é".repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.nat()), { maxLength: 12 }), (steps) => {
        const file = path.join(root.path, "texts");
        const texts = new TextFile(file, nodeFileCalls);
        const places: number[] = [];
        for (const [added, again] of steps) {
          places.push(texts.add(added));
          const one = again % places.length;
          assert.equal(texts.get(places[one] ?? 0), steps[one]?.[0]);
        }
        assert.deepEqual(
          places.map((place) => texts.get(place)),
          steps.map(([added]) => added),
        );
        texts.remove();
        assert.equal(existsSync(file), false);
      }),
      { numRuns: 30 },
    );
  });
});
