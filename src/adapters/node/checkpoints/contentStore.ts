/**
 * Contents of files by their hashes, each once, in a folder:
 *
 *     <hash>         one, deflated
 *     pack.<uuid>    many small ones: their number, the hash and length of each, and the contents themselves
 *
 * Each file costs a wait for the disk: the thousands of small ones of a workspace go into a few packs. Files are never
 * changed, and are whole once they have their name.
 */

import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import type { ContentHash, KeptFile } from "../../../core/checkpoints/changeSet.ts";
import { type Files, replaceFile, TEMPORARY_PREFIX, undefinedIfMissing, unlinkIfThere } from "../files.ts";

/** Longer contents are not kept. */
export const MOST_KEPT_BYTES = 64 * 1024 * 1024;

const HASH = /^[0-9a-f]{64}$/;
const PACK = /^pack\.[0-9a-f-]{36}$/;
/** Another window may be about to name a content that is younger. */
const UNNAMED_MS = 60 * 60 * 1_000;

/** Fewer do not need a pack, of which each is read before each command. */
const LEAST_IN_PACK = 8;
const MOST_IN_PACK = 1_000;
const MOST_PACK_BYTES = 4 * 1024 * 1024;
/** Deflated; a longer one is a file of its own. */
const MOST_PACKED_BYTES = 256 * 1024;
/** A pack is written anew once less of it is wanted. */
const LEAST_WANTED = 0.5;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Deflated at once: sooner than a thread of the pool would begin with it. */
const SMALL_BYTES = 16_384;
/** In front of a longer one, which is stored as it is if this becomes no smaller than that share, as in pictures. */
const SAMPLE_BYTES = 4_096;
const MOST_OF_SAMPLE = 0.9;
/** Each chunk waits for a thread, so most contents are one. */
const MOST_CHUNK_BYTES = 262_144;

interface DeflatedContent {
  readonly hash: ContentHash;
  readonly deflated: Uint8Array;
}

/** Failures reject with Node's system errors. */
export class ContentStore {
  readonly #folder: string;
  readonly #files: Files;
  readonly #packs = new Map<string, PackContents>();
  /** Files that were given names, and those of them whose names are on the disk. */
  #named = 0;
  #synced = 0;
  #hasFolder = false;

  constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.#files = files;
  }

  /** On the disk after {@link sync}. */
  async keep(bytes: Uint8Array): Promise<KeptFile> {
    const hash = hashOf(bytes);
    if (!(await this.#has(hash))) await this.#write({ hash, deflated: await deflated(bytes) });
    this.#named++; // also what is there: the one who put it there may be about to sync its name
    return { hash, bytes: bytes.length };
  }

  /** For many contents; `kept` are those that are there. */
  batch(kept: ReadonlySet<ContentHash>): ContentBatch {
    const known = new Set(kept);
    let waiting: DeflatedContent[] = [];
    let waitingBytes = 0;
    const flush = async (): Promise<void> => {
      const contents = waiting;
      [waiting, waitingBytes] = [[], 0];
      if (contents.length < LEAST_IN_PACK) await Promise.all(contents.map((each) => this.#write(each)));
      else await this.#writePack(contents);
    };
    return {
      keep: async (bytes) => {
        const hash = hashOf(bytes);
        const kept = { hash, bytes: bytes.length };
        if (known.has(hash)) return kept;
        known.add(hash);
        const content = { hash, deflated: await deflated(bytes) };
        if (content.deflated.length > MOST_PACKED_BYTES) {
          await this.#write(content);
          return kept;
        }
        waiting.push(content);
        waitingBytes += content.deflated.length;
        if (waiting.length >= MOST_IN_PACK || waitingBytes >= MOST_PACK_BYTES) await flush();
        return kept;
      },
      end: async () => {
        await flush();
        this.#named++;
      },
    };
  }

  /** Makes the names of all that was kept durable, as their contents are: once for many. */
  async sync(): Promise<void> {
    const named = this.#named;
    if (named === this.#synced) return;
    await undefinedIfMissing(this.#files.syncFolder(this.#folder)); // there is none as long as nothing was to be kept
    this.#synced = Math.max(this.#synced, named);
  }

  /** Those that are there. */
  async hashes(): Promise<ReadonlySet<ContentHash>> {
    const hashes = new Set<ContentHash>();
    for (const name of await this.#list()) {
      if (isHash(name)) hashes.add(name);
      else if (PACK.test(name)) for (const hash of (await this.#contentsOf(name)).keys()) hashes.add(hash);
    }
    return hashes;
  }

  /** `undefined` if it is not what was kept; rejects if it is not there. */
  async content(hash: ContentHash): Promise<Uint8Array | undefined> {
    const stored =
      (await undefinedIfMissing(this.#files.readBytes(join(this.#folder, hash)))) ??
      (await this.#inPack(hash)) ??
      (await this.#inPack(hash)) ?? // a pack may have been written anew meanwhile
      (await this.#files.readBytes(join(this.#folder, hash)));
    const bytes = await inflate(stored, { maxOutputLength: MOST_KEPT_BYTES }).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }

  /** Bytes on the disk. */
  async size(): Promise<number> {
    let bytes = 0;
    for (const name of await this.#list()) bytes += (await this.#files.stat(join(this.#folder, name))).size;
    return bytes;
  }

  /** Removes old contents but those that are `named`; the `removed` need not be old. */
  async clean(named: ReadonlySet<string>, removed: ReadonlySet<string>, nowMs: number): Promise<void> {
    for (const name of await this.#list()) {
      const [isPack, path] = [PACK.test(name), join(this.#folder, name)];
      const isOurs = isPack || name.startsWith(TEMPORARY_PREFIX) || isHash(name);
      if (!isOurs || named.has(name)) continue;
      const stats = await undefinedIfMissing(this.#files.stat(path));
      const isOld = stats !== undefined && Math.abs(nowMs - stats.mtimeMs) > UNNAMED_MS;
      if (isPack) await this.#cleanPack(name, (hash) => named.has(hash) || !(removed.has(hash) || isOld));
      else if (removed.has(name) || isOld) await unlinkIfThere(this.#files, path);
    }
  }

  async #cleanPack(name: string, isWanted: (hash: ContentHash) => boolean): Promise<void> {
    const contents = await this.#contentsOf(name);
    const wanted = [...contents].filter(([hash]) => isWanted(hash));
    const [wantedBytes, allBytes] = [wanted.map(([, place]) => place), [...contents.values()]].map((places) =>
      places.reduce((sum, { length }) => sum + length, 0),
    );
    const isWorthwhile = contents.size > wanted.length && (wantedBytes ?? 0) <= LEAST_WANTED * (allBytes ?? 0);
    if (!isWorthwhile) return;
    const path = join(this.#folder, name);
    if (wanted.length > 0) {
      const pack = await undefinedIfMissing(this.#files.readBytes(path));
      if (pack === undefined) return;
      await this.#writePack(
        wanted.map(([hash, { start, length }]) => ({ hash, deflated: pack.subarray(start, start + length) })),
      );
      await this.#files.syncFolder(this.#folder);
    }
    await unlinkIfThere(this.#files, path);
  }

  async #has(hash: ContentHash): Promise<boolean> {
    if ((await undefinedIfMissing(this.#files.stat(join(this.#folder, hash)))) !== undefined) return true;
    for (const name of await this.#list()) if (PACK.test(name) && (await this.#contentsOf(name)).has(hash)) return true;
    return false;
  }

  /** Deflated; `undefined` if no pack has it. */
  async #inPack(hash: ContentHash): Promise<Uint8Array | undefined> {
    for (const name of await this.#list()) {
      const place = PACK.test(name) ? (await this.#contentsOf(name)).get(hash) : undefined;
      if (place === undefined) continue;
      const { start, length } = place;
      const part = await undefinedIfMissing(this.#files.readPart(join(this.#folder, name), start, length));
      if (part !== undefined) return part;
    }
    return undefined;
  }

  async #contentsOf(pack: string): Promise<PackContents> {
    const known = this.#packs.get(pack);
    if (known !== undefined) return known;
    const start = await undefinedIfMissing(this.#files.readPart(join(this.#folder, pack), 0, MOST_HEAD_BYTES));
    if (start === undefined) return NO_CONTENTS;
    const contents = readHead(start);
    this.#packs.set(pack, contents);
    return contents;
  }

  async #list(): Promise<readonly string[]> {
    return (await undefinedIfMissing(this.#files.list(this.#folder))) ?? [];
  }

  #write({ hash, deflated }: DeflatedContent): Promise<void> {
    return this.#writeFile(hash, deflated);
  }

  #writePack(contents: readonly DeflatedContent[]): Promise<void> {
    return this.#writeFile(`pack.${randomUUID()}`, packOf(contents));
  }

  async #writeFile(name: string, bytes: Uint8Array): Promise<void> {
    if (!this.#hasFolder) await this.#files.makeFolder(this.#folder);
    this.#hasFolder = true;
    await replaceFile(this.#files, join(this.#folder, name), bytes, { isDurable: "content" });
  }
}

interface ContentBatch {
  keep(bytes: Uint8Array): Promise<KeptFile>;
  /** Must be called before the contents are named. */
  end(): Promise<void>;
}

type PackContents = ReadonlyMap<ContentHash, { readonly start: number; readonly length: number }>;

const NO_CONTENTS: PackContents = new Map();
const COUNT_BYTES = 4;
const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + 4;
const MOST_HEAD_BYTES = COUNT_BYTES + MOST_IN_PACK * ENTRY_BYTES;

function packOf(contents: readonly DeflatedContent[]): Uint8Array {
  const head = Buffer.alloc(COUNT_BYTES + contents.length * ENTRY_BYTES);
  head.writeUInt32LE(contents.length);
  for (const [index, { hash, deflated }] of contents.entries()) {
    const at = COUNT_BYTES + index * ENTRY_BYTES;
    head.write(hash, at, "hex");
    head.writeUInt32LE(deflated.length, at + HASH_BYTES);
  }
  return Buffer.concat([head, ...contents.map((each) => each.deflated)]);
}

/** Nothing if it is damaged. */
function readHead(bytes: Uint8Array): PackContents {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = head.length < COUNT_BYTES ? 0 : head.readUInt32LE();
  let start = COUNT_BYTES + count * ENTRY_BYTES;
  if (head.length < start) return NO_CONTENTS;
  const contents = new Map<ContentHash, { start: number; length: number }>();
  for (let index = 0; index < count; index++) {
    const at = COUNT_BYTES + index * ENTRY_BYTES;
    const length = head.readUInt32LE(at + HASH_BYTES);
    contents.set(head.toString("hex", at, at + HASH_BYTES) as ContentHash, { start, length });
    start += length;
  }
  return contents;
}

/** Fast rather than small. */
async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length <= SMALL_BYTES) return deflateRawSync(bytes, FAST);
  const sample = deflateRawSync(bytes.subarray(0, SAMPLE_BYTES), FAST);
  const level = sample.length < MOST_OF_SAMPLE * SAMPLE_BYTES ? FAST.level : constants.Z_NO_COMPRESSION;
  return deflate(bytes, { level, chunkSize: Math.min(bytes.length, MOST_CHUNK_BYTES) });
}

const FAST = { level: constants.Z_BEST_SPEED };

function hashOf(bytes: Uint8Array): ContentHash {
  return createHash("sha256").update(bytes).digest("hex") as ContentHash;
}

function isHash(name: string): name is ContentHash {
  return HASH.test(name);
}
