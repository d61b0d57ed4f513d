import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { listConversations, type ConversationListing } from "../../../src/adapters/node/conversationFolders.ts";
import { readMeta, writeMeta } from "../../../src/adapters/node/conversationMeta.ts";
import { nodeFiles, type Files } from "../../../src/adapters/node/files.ts";
import { acquireLease, type Lease } from "../../../src/adapters/node/lease.ts";
import { forgetListings, ListingCache } from "../../../src/adapters/node/listingCache.ts";
import { SegmentFolder } from "../../../src/adapters/node/segments/segmentFolder.ts";
import { eraseConversation, moveToTrash, restoreFromTrash } from "../../../src/adapters/node/trash.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { runWaiting } from "../../support/waitingTasks.ts";

const COUNT = 3;
const WHOLE = "SQLite format 3\0";
const FILE = "listings.jsonl";
/** As FAT rounds the times of files. */
const ROUNDED_TO_MS = 2_000;
const BEGIN_MS = 1_700_000_000_000;
const LONG_MS = 3_600_000;

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

/** Windows and a disk on which time passes only when told, and is rounded. */
class Disk {
  readonly #folder = temporaryFolder();
  readonly index = join(this.#folder.path, "search");
  readonly places = {
    conversations: join(this.#folder.path, "conversations"),
    trash: join(this.#folder.path, "trash"),
  };
  readonly files = onThisDisk(nodeFiles);
  nowMs = BEGIN_MS;
  readonly #held = new Map<number, Lease>();
  #written = 0;

  constructor() {
    mkdirSync(this.index);
    mkdirSync(this.places.conversations);
  }

  folderOf(number: number): string {
    return join(this.places.conversations, idOf(number));
  }

  async say(number: number): Promise<void> {
    mkdirSync(this.folderOf(number), { recursive: true });
    await this.#whileHeld(number, () => this.write(number));
  }

  /** As its owner. */
  async write(number: number): Promise<void> {
    if (!this.exists(number)) return;
    writeFileSync(join(this.folderOf(number), "conversation.sqlite"), WHOLE + "x".repeat(++this.#written));
    await this.change(number, `said ${this.#written}`);
    this.#touch(number, "conversation.sqlite");
  }

  async change(number: number, title: string, isArchived = false): Promise<void> {
    const before = await readMeta(this.folderOf(number));
    const usage = { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 };
    const fixed = { version: 1, createdAtMs: 1, provider: "offline", model: "offline", usage, undecided: 0 } as const;
    const counted = { messageCount: this.#written, lastUsedAtMs: before?.lastUsedAtMs ?? this.#written };
    assert.ok((await writeMeta(this.folderOf(number), { ...fixed, ...counted, title, isArchived })).ok);
    this.#touch(number);
  }

  async rename(number: number): Promise<void> {
    if (this.exists(number)) await this.#whileHeld(number, () => this.change(number, `named ${++this.#written}`, true));
  }

  /** Held by this window until released or killed. */
  async hold(number: number): Promise<void> {
    if (!this.exists(number) || this.#held.has(number)) return;
    const lease = await acquireLease(this.folderOf(number));
    assert.ok(lease.ok);
    this.#held.set(number, lease.value);
    this.#touch(number);
  }

  async release(number: number): Promise<void> {
    const lease = this.#held.get(number);
    if (lease === undefined) return;
    this.#held.delete(number);
    assert.ok((await lease.release()).ok);
    this.#touch(number);
  }

  /** Its lease stays, of a process that is no more, and nothing else changes. */
  async kill(number: number): Promise<void> {
    await this.hold(number);
    const lease = this.#held.get(number);
    if (lease === undefined) return;
    this.#held.delete(number);
    const owner: unknown = JSON.parse(readFileSync(lease.file, "utf8"));
    writeFileSync(lease.file, JSON.stringify({ ...(owner as object), boot: "before", nonce: "killed" }));
  }

  async trash(number: number): Promise<void> {
    if (this.#held.has(number)) return;
    await moveToTrash(idOf(number), this.places);
  }

  async restore(number: number): Promise<void> {
    if (this.exists(number)) return;
    await restoreFromTrash(idOf(number), this.places);
    if (this.exists(number)) this.#touch(number);
  }

  async erase(number: number): Promise<void> {
    if (this.#held.has(number)) return;
    assert.ok((await eraseConversation(this.folderOf(number))).ok);
    await runWaiting(new SegmentFolder(this.index).removeLeftovers()); // first, as at each change of the index
    forgetListings(this.index, new Set([idOf(number)]));
  }

  /** The cache is as a disk left it that lost power. */
  damage(at: number): void {
    if (!readdirSync(this.index).includes(FILE)) return;
    const bytes = readFileSync(join(this.index, FILE));
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1;
    writeFileSync(join(this.index, FILE), at % 2 === 0 ? bytes : bytes.subarray(0, at % bytes.length));
  }

  read(): Promise<ListingCache> {
    return ListingCache.read(this.index, this.files, this.nowMs);
  }

  async list(cache?: ListingCache): Promise<readonly ConversationListing[]> {
    const listed = await listConversations(this.places.conversations, cache, this.files);
    assert.ok(listed.ok);
    return listed.value;
  }

  exists(number: number): boolean {
    return readdirSync(this.places.conversations).includes(idOf(number));
  }

  /** All files of the index. */
  bytes(): string {
    return readdirSync(this.index)
      .map((name) => readFileSync(join(this.index, name), "latin1"))
      .join("\n");
  }

  async remove(): Promise<void> {
    for (const number of this.#held.keys()) await this.release(number);
    this.#folder.remove();
  }

  async #whileHeld(number: number, work: () => Promise<void>): Promise<void> {
    const wasHeld = this.#held.has(number);
    await this.hold(number);
    await work();
    if (!wasHeld) await this.release(number);
  }

  #touch(number: number, name = "."): void {
    const seconds = (Math.floor(this.nowMs / ROUNDED_TO_MS) * ROUNDED_TO_MS) / 1_000;
    utimesSync(join(this.folderOf(number), name), seconds, seconds);
  }
}

function onThisDisk(files: Files): Files {
  return { ...files, statNow: (path) => withoutRealTime(files.statNow(path)) };
}

function withoutRealTime(stats: Stats): Stats {
  return Object.assign(stats, { ctimeMs: stats.mtimeMs });
}

const CHANGES = ["say", "write", "rename", "hold", "release", "kill", "trash", "restore"] as const;

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom(...CHANGES, "erase" as const),
    number: fc.nat(COUNT - 1),
  }),
  fc.record({ kind: fc.constant("wait" as const), number: fc.nat(6_000) }),
  fc.record({ kind: fc.constant("damage" as const), number: fc.nat(1_000) }),
  fc.record({ kind: fc.constantFrom("save" as const, "killedSave" as const, "lateSave" as const), number: fc.nat(4) }),
);

describe("the cache of listings", () => {
  let disk: Disk;
  beforeEach(() => (disk = new Disk()));
  afterEach(() => disk.remove());

  const save = async (): Promise<void> => {
    const cache = await disk.read();
    await disk.list(cache);
    await cache.save(disk.places.conversations);
  };

  it("lists the same as the folders, whatever other windows do", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
        const own = new Disk();
        /** Of another window, which saves later what it read. */
        let late: ListingCache | undefined;
        const erased = new Set<string>();
        const fill = async (files: Files): Promise<ListingCache> => {
          const cache = await ListingCache.read(own.index, files, own.nowMs);
          await own.list(cache);
          return cache;
        };
        for (const { kind, number } of steps) {
          switch (kind) {
            case "wait":
              own.nowMs += number;
              break;
            case "damage":
              own.damage(number);
              break;
            case "save":
              await (await fill(own.files)).save(own.places.conversations);
              break;
            case "killedSave": {
              let writes = 0;
              const dying = faultyFiles(({ name }) =>
                (name === "writeNew" || name === "rename" || name === "unlink") && writes++ >= number % 2
                  ? "EIO"
                  : undefined,
              );
              await (await fill(onThisDisk(dying))).save(own.places.conversations).catch(() => undefined);
              break;
            }
            case "lateSave":
              await late?.save(own.places.conversations);
              late = await fill(own.files);
              break;
            case "erase": {
              const title = own.exists(number) ? (await readMeta(own.folderOf(number)))?.title : undefined;
              await own.erase(number);
              if (title !== undefined && !own.exists(number)) erased.add(`"${title}"`);
              break;
            }
            default:
              await own[kind](number);
          }
          assert.deepEqual(await own.list(await own.read()), await own.list());
          const bytes = own.bytes();
          assert.deepEqual(
            [...erased].filter((title) => bytes.includes(title)),
            [],
          );
        }
        await own.remove();
      }),
      { numRuns: 60 },
    );
  });

  it("reads no folder that did not change", async () => {
    for (let number = 0; number < COUNT; number++) await disk.say(number);
    disk.nowMs += LONG_MS;
    await save();
    const cache = await disk.read();
    let reads = 0;
    const counting = { ...disk.files, readText: (path: string) => (reads++, nodeFiles.readText(path)) };
    const listed = await listConversations(disk.places.conversations, cache, counting);
    assert.ok(listed.ok);
    assert.deepEqual([reads, cache.isOutdated], [0, false]);
    assert.deepEqual(listed.value, await disk.list());
  });

  it("is not used on a disk that leaves a folder's times as they are when a file is replaced", async () => {
    await disk.say(0);
    disk.nowMs += LONG_MS;
    await save();
    const { mtimeMs } = nodeFiles.statNow(join(disk.index, FILE));
    utimesSync(disk.index, mtimeMs / 1_000 - 1, mtimeMs / 1_000 - 1);
    const cache = await disk.read();
    await disk.list(cache);
    assert.ok(cache.isOutdated);
  });

  it("does not save what was erased while it was listed", async () => {
    await disk.say(0);
    await disk.say(1);
    await disk.say(2);
    disk.nowMs += LONG_MS;
    const cache = await disk.read();
    await disk.list(cache);
    await disk.erase(1);
    await disk.rename(2);
    await cache.save(disk.places.conversations);
    assert.deepEqual(
      ["said 1", "said 2", "said 3"].map((title) => disk.bytes().includes(title)),
      [true, false, false],
    );
  });

  it("is saved again when a conversation is gone", async () => {
    await disk.say(0);
    await disk.say(1);
    disk.nowMs += LONG_MS;
    await save();
    await disk.trash(1);
    const cache = await disk.read();
    await disk.list(cache);
    assert.ok(cache.isOutdated);
    await cache.save(disk.places.conversations);
    assert.doesNotMatch(disk.bytes(), new RegExp(idOf(1)));
  });
});
