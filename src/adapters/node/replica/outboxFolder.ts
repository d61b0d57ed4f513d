/**
 * Outbox of one conversation: a folder with a file for each object that waits, one with the names that are to be deleted,
 * and one with what is known of the replica's objects. Each file is replaced as a whole, so a kill leaves the state before
 * or the one after. Written by the holder of the conversation's lease alone.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { listIn, member, parseJson, stringField } from "../../../core/json.ts";
import type { Outbox } from "../../../core/replica/conversationReplica.ts";
import type { OutboxObject } from "../../../core/replica/sealedObject.ts";
import { isObjectName } from "../../../core/replica/logReplica.ts";
import type { KnownObject } from "../../../core/replica/replicaLedger.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import {
  fileFailure,
  type Files,
  nodeFiles,
  replaceFile,
  TEMPORARY_PREFIX,
  undefinedIfMissing,
  unlinkIfThere,
} from "../files.ts";

const OBJECT_FILE = /^(\d{1,15})\.object$/;
const REMOVALS_FILE = "removals.json";
const KNOWN_FILE = "known.json";

export class OutboxFolder implements Outbox {
  readonly #folder: string;
  readonly #files: Files;
  #objects: readonly { readonly number: number; readonly object: OutboxObject }[] = [];
  #removals: readonly string[] = [];
  #known: readonly KnownObject[] = [];

  private constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Creates the folder. A file that cannot be read holds nothing that its conversation has not. */
  static async open(folder: string, files: Files = nodeFiles): Promise<Result<OutboxFolder, StorageFailed>> {
    const outbox = new OutboxFolder(folder, files);
    try {
      await outbox.#read();
      return ok(outbox);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  get objects(): readonly OutboxObject[] {
    return this.#objects.map(({ object }) => object);
  }

  get removals(): readonly string[] {
    return this.#removals;
  }

  get known(): readonly KnownObject[] {
    return this.#known;
  }

  add(object: OutboxObject): Promise<Result<void, StorageFailed>> {
    const number = (this.#objects.at(-1)?.number ?? -1) + 1;
    return this.#change(async () => {
      await this.#replace(fileOf(number), contentOf(object));
      this.#objects = [...this.#objects, { number, object }];
    });
  }

  drop({ name }: OutboxObject): Promise<Result<void, StorageFailed>> {
    return this.#change(async () => {
      for (const { number, object } of this.#objects)
        if (object.name === name) await unlinkIfThere(this.#files, join(this.#folder, fileOf(number)));
      this.#objects = this.#objects.filter(({ object }) => object.name !== name);
    });
  }

  setRemovals(names: readonly string[]): Promise<Result<void, StorageFailed>> {
    return this.#change(async () => {
      await this.#replace(REMOVALS_FILE, JSON.stringify({ names }));
      this.#removals = names;
    });
  }

  setKnown(known: readonly KnownObject[]): Promise<Result<void, StorageFailed>> {
    return this.#change(async () => {
      await this.#replace(KNOWN_FILE, JSON.stringify({ known }));
      this.#known = known;
    });
  }

  async #read(): Promise<void> {
    await this.#files.makeFolder(this.#folder);
    const objects: { number: number; object: OutboxObject }[] = [];
    const names = await this.#files.list(this.#folder);
    const json = async (name: string): Promise<unknown> => (names.includes(name) ? this.#json(name) : undefined);
    for (const name of names) {
      const [, number] = OBJECT_FILE.exec(name) ?? [];
      if (name.startsWith(TEMPORARY_PREFIX)) await unlinkIfThere(this.#files, join(this.#folder, name));
      if (number === undefined) continue;
      const content = await undefinedIfMissing(this.#files.readBytes(join(this.#folder, name)));
      const object = content === undefined ? undefined : objectIn(content);
      if (object !== undefined) objects.push({ number: Number(number), object });
    }
    this.#objects = objects.sort((one, other) => one.number - other.number);
    this.#removals = listIn(await json(REMOVALS_FILE), "names").filter(isName);
    this.#known = listIn(await json(KNOWN_FILE), "known").filter(isKnown);
  }

  async #json(name: string): Promise<unknown> {
    const text = await undefinedIfMissing(this.#files.readText(join(this.#folder, name)));
    const read = parseJson(text ?? "");
    return read.ok ? read.value : undefined;
  }

  #replace(name: string, content: string | Uint8Array): Promise<void> {
    return replaceFile(this.#files, join(this.#folder, name), content, { isDurable: true });
  }

  async #change(change: () => Promise<void>): Promise<Result<void, StorageFailed>> {
    try {
      await change();
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }
}

function fileOf(number: number): string {
  return `${String(number)}.object`;
}

/** A line of JSON with all but the object's bytes, and these. */
function contentOf({ name, bytes, keyName, keyBytes, known }: OutboxObject): Uint8Array {
  const head = JSON.stringify({ name, keyName, known, key: Buffer.from(keyBytes).toString("base64") });
  return Buffer.concat([Buffer.from(`${head}\n`), bytes]);
}

function objectIn(content: Uint8Array): OutboxObject | undefined {
  const all = Buffer.from(content.buffer, content.byteOffset, content.length);
  const end = all.indexOf("\n");
  const read = parseJson(all.toString("utf8", 0, end < 0 ? all.length : end));
  if (!read.ok) return undefined;
  const known = member(read.value, "known");
  const [name, keyName] = [stringField(read.value, "name"), stringField(read.value, "keyName")];
  if (!isObjectName(name) || !isObjectName(keyName) || !isKnown(known)) return undefined;
  const keyBytes = Buffer.from(stringField(read.value, "key"), "base64");
  // Earlier versions wrote one line, with the bytes in it.
  const bytes = end < 0 ? Buffer.from(stringField(read.value, "object"), "base64") : all.subarray(end + 1);
  return bytes.length === known.length ? { name, bytes, keyName, keyBytes, known } : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && isObjectName(value);
}

function isKnown(value: unknown): value is KnownObject {
  const isTexts = (name: string): boolean => listIn(value, name).every((each) => typeof each === "string");
  return (
    stringField(value, "hash") !== "" &&
    typeof member(value, "length") === "number" &&
    typeof member(value, "isRead") === "boolean" &&
    ["segments", "replaces", "without"].every((name) => Array.isArray(member(value, name)) && isTexts(name))
  );
}
