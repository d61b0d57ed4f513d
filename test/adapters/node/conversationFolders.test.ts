import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createConversationFolder,
  findConversation,
  listConversations,
  type ConversationListing,
} from "../../../src/adapters/node/conversationFolders.ts";
import { readMeta, writeMeta, type ConversationMeta } from "../../../src/adapters/node/conversationMeta.ts";
import { acquireLease } from "../../../src/adapters/node/lease.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { skip } from "../../support/skipped.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

function id(number: number): ConversationId {
  const parsed = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(parsed);
  return parsed;
}

function meta(lastUsedAtMs: number): ConversationMeta {
  return {
    version: 1,
    title: "Title \n 😀",
    createdAtMs: 1,
    lastUsedAtMs,
    messageCount: 3,
    provider: "offline",
    model: "offline",
    usage: { usedTokens: 10, budgetTokens: 100, summarizedSegments: 0 },
    undecided: 1,
  };
}

describe("conversation folders", () => {
  let root: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (root = temporaryFolder()));
  afterEach(() => {
    root.remove();
  });
  const make = async (number: number, database: string | undefined): Promise<string> => {
    const folder = await createConversationFolder(root.path, id(number));
    assert.ok(folder.ok);
    if (database !== undefined) writeFileSync(join(folder.value, "conversation.sqlite"), database);
    return folder.value;
  };
  const whole = `SQLite format 3\0${"x".repeat(84)}`;

  const list = async (path: string): Promise<readonly ConversationListing[]> => {
    const listed = await listConversations(path);
    assert.ok(listed.ok);
    return listed.value;
  };

  it("S19 lists a conversation whose files are named pipes as broken, without waiting for them", async function () {
    if (process.platform === "win32") skip(this, "there are no named pipes in folders");
    const folder = await make(1, undefined);
    for (const name of ["conversation.sqlite", "meta.json", "lease.1"]) execFileSync("mkfifo", [join(folder, name)]);
    const [listing] = await list(root.path);
    assert.ok(listing?.broken !== undefined);
  });

  it("lists no conversations when the folder does not exist", async () => {
    assert.deepEqual(await list(join(root.path, "none")), []);
  });

  it("lists all conversations, including broken ones, most recently used first", async () => {
    const first = await make(1, whole);
    await writeMeta(first, meta(1_000));
    const second = await make(2, whole);
    await writeMeta(second, meta(3_000));
    const torn = await make(3, whole);
    writeFileSync(join(torn, "meta.json"), '{"version":1,"ti');
    const noDatabase = await make(4, undefined);
    await writeMeta(noDatabase, meta(2_000));
    await make(5, "these bytes are no database at all");
    await make(6, "");
    await make(7, undefined);
    mkdirSync(join(root.path, "something else"));
    writeFileSync(join(root.path, id(8)), "a file");
    const seen = (await list(root.path)).map((listing) => [
      Number(listing.id.slice(-2)),
      listing.broken,
      listing.meta?.lastUsedAtMs,
      listing.sizeBytes,
      listing.openIn,
    ]);
    const byTime = seen.filter(([, , usedAtMs]) => usedAtMs !== undefined);
    assert.deepEqual(byTime, [
      [2, undefined, 3_000, 100, "free"],
      [4, "conversation.sqlite is missing", 2_000, 0, "free"],
      [1, undefined, 1_000, 100, "free"],
    ]);
    const others = seen.filter(([, , usedAtMs]) => usedAtMs === undefined).sort((a, b) => Number(a[0]) - Number(b[0]));
    assert.deepEqual(others, [
      [3, undefined, undefined, 100, "free"],
      [5, "conversation.sqlite is no database", undefined, 34, "free"],
      [6, undefined, undefined, 0, "free"],
    ]);
  });

  it("lists an unreadable folder as broken beside the others", async function () {
    if (process.getuid?.() === 0) skip(this, "root may read everything");
    const closed = await make(1, whole);
    await make(2, whole);
    chmodSync(closed, 0);
    const listings = await list(root.path);
    chmodSync(closed, 0o700);
    assert.deepEqual(listings.map(({ broken }) => broken !== undefined).sort(), [false, true]);
  });

  it("reports which conversation is open", async () => {
    const folder = await make(1, whole);
    const lease = await acquireLease(folder);
    assert.ok(lease.ok);
    assert.equal((await list(root.path))[0]?.openIn, "own");
    await lease.value.release();
    assert.equal((await list(root.path))[0]?.openIn, "free");
  });

  it("writes folders and files that only the user can access", async () => {
    const folder = await make(1, undefined);
    await writeMeta(folder, meta(1));
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, "meta.json")).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ["meta.json"]);
    assert.deepEqual(await readMeta(folder), meta(1));
  });

  it("ignores a meta.json that it cannot parse", async () => {
    const folder = await make(1, undefined);
    for (const text of [
      "",
      "null",
      "{}",
      JSON.stringify({ ...meta(1), version: 2 }),
      JSON.stringify({ ...meta(1), usage: 3 }),
    ]) {
      writeFileSync(join(folder, "meta.json"), text);
      assert.equal(await readMeta(folder), undefined, text);
    }
  });

  it("reports noFolder when a file is in the folder's place", async () => {
    const file = join(root.path, "file");
    writeFileSync(file, "");
    const results = [
      await createConversationFolder(file, id(1)),
      await listConversations(file),
      await findConversation(join(file, id(1))),
    ];
    assert.deepEqual(
      results.map((result) => (result.ok ? "done" : result.error.reason)),
      ["noFolder", "noFolder", "noFolder"],
    );
  });

  it("distinguishes a complete conversation, one without its database and one without messages", async () => {
    const lost = await make(2, undefined);
    await writeMeta(lost, meta(1));
    const begun = await make(3, undefined);
    assert.ok((await acquireLease(begun)).ok);
    const found = [await make(1, whole), lost, begun, join(root.path, id(4))].map((folder) => findConversation(folder));
    assert.deepEqual(
      (await Promise.all(found)).map((result) => (result.ok ? result.value : result.error.reason)),
      ["whole", "missing", "nothing", "nothing"],
    );
    assert.equal((await list(root.path)).length, 2);
  });
});
