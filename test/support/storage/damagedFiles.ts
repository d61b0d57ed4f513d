/** Opens and rescues files with many kinds of damage, with and without a log, as a user would. */

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import {
  DAMAGES,
  placesOfMessages,
  readPair,
  untouchedMessages,
  writePair,
  type FilePair,
  type MessagePlaces,
  type RandomBelow,
} from "./damage.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { LocalStores, type LocalStore } from "./localStore.ts";
import { addMessage, addRow, step, temporaryFolder } from "./storeBuilders.ts";

/** Results over all files. */
export interface DamageFound {
  files: number;
  /** Files that needed a rescue. */
  rescues: number;
  /** Messages without any changed byte, and how many of them could be read (`readable`). */
  untouched: number;
  readable: number;
  /** Damaged files that were changed, or not preserved beside the rescued one. */
  deletions: number;
  /** Messages shown with a wrong text. */
  changedWords: number;
  /** Openings and rescues that failed with another error than damage. */
  crashes: number;
  /** Descriptions of failures. */
  readonly faults: string[];
}

/** Original text of message `id`. */
export type TextFor = (id: number) => string;

export interface ReadConversation {
  /** Messages with their original text. */
  readonly messages: ReadonlySet<number>;
  /** Number of messages with a wrong text. */
  readonly changedWords: number;
  /** Path of the preserved damaged file, after a rescue. */
  readonly keptAs?: string;
}

/** Opens, reads everything, and rescues if anything cannot be read. Throws on violations. */
export function readOrRescue(stores: LocalStores, folder: string, textFor: TextFor): ReadConversation {
  const first = readOnce(stores, folder, textFor);
  if (first !== "damaged") return first;
  const rescued = stores.rescue(folder);
  if (!rescued.ok) throw new Error(`not rescued: ${rescued.error.detail}`);
  const second = readOnce(stores, folder, textFor);
  if (second === "damaged") throw new Error("damaged after the rescue");
  const told = rescued.value.messagesRecovered;
  if (second.messages.size + second.changedWords !== told)
    throw new Error("the rescue tells another number of messages");
  return { ...second, keptAs: rescued.value.preservedAs };
}

function readOnce(stores: LocalStores, folder: string, textFor: TextFor): ReadConversation | "damaged" {
  const opened = stores.open(folder);
  if (!opened.ok) {
    if (opened.error.reason === "damaged") return "damaged";
    throw new Error(`${opened.error.reason}: ${opened.error.detail}`);
  }
  const store = opened.value;
  const { messageCount, recordCount } = store.shape;
  const ids = Array.from({ length: messageCount }, (_, id) => messageId(id));
  const [index, messages] = [store.readIndex(0, recordCount), store.readMessages(ids)];
  store.close();
  if (stores.openFiles !== 0) throw new Error("a file was left open");
  if (!index.ok || !messages.ok) return "damaged";
  const history = new FullHistory();
  for (const record of index.value) history.apply(record);
  const read = new Set<number>();
  let changedWords = 0;
  for (const { entry, message } of messages.value) {
    const text = textOf(message);
    if (text === textFor(entry.id)) read.add(entry.id);
    else if (!text.includes("could not be read")) changedWords++;
  }
  return { messages: read, changedWords };
}

const MESSAGES = 120;
const textFor: TextFor = (id) => `word ${id} `.repeat(1 + ((id * 7_919) % 900));

interface Sound {
  readonly pair: FilePair;
  readonly places: MessagePlaces;
}

/** Damages `files` copies of intact files, deterministically, and checks each. */
export async function damagedFiles(files: number): Promise<DamageFound> {
  const root = temporaryFolder();
  const stores = await LocalStores.load(
    new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
  );
  const cases = new DamagedCases(stores, root.path);
  for (let index = 0; index < files; index++) cases.one(index);
  root.remove();
  return cases.found;
}

class DamagedCases {
  readonly found: DamageFound = {
    files: 0,
    rescues: 0,
    untouched: 0,
    readable: 0,
    deletions: 0,
    changedWords: 0,
    crashes: 0,
    faults: [],
  };
  readonly #stores: LocalStores;
  readonly #root: string;
  readonly #sounds: readonly Sound[];
  #seed = 20_240_607;

  constructor(stores: LocalStores, root: string) {
    this.#stores = stores;
    this.#root = root;
    this.#sounds = [
      this.#sound("closed", MESSAGES, 0),
      this.#sound("killed", 0, MESSAGES),
      this.#sound("both", 80, MESSAGES - 80),
    ];
  }

  one(index: number): void {
    const { found } = this;
    const before = this.#sounds[index % this.#sounds.length];
    const names = Object.keys(DAMAGES);
    const how = names[this.#random(names.length)] ?? "";
    if (before === undefined) return;
    found.files++;
    const inLog = before.pair.log !== undefined && this.#random(2) === 1;
    const damaged = damage(before.pair, { how, inLog, random: (below) => this.#random(below) });
    const folder = join(this.#root, "case");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writePair(join(folder, "conversation.sqlite"), damaged);
    const expected = untouchedMessages(before.places, before.pair, damaged);
    try {
      const read = readOrRescue(this.#stores, folder, textFor);
      found.changedWords += read.changedWords;
      found.untouched += expected.length;
      found.readable += expected.filter((id) => read.messages.has(id)).length;
      if (read.keptAs !== undefined) this.#compareKept(join(folder, read.keptAs), damaged, `case ${index}: ${how}`);
    } catch (error) {
      found.crashes++;
      found.faults.push(`case ${index}: ${how}: ${String(error)}`);
    }
  }

  #compareKept(kept: string, damaged: FilePair, what: string): void {
    this.found.rescues++;
    const isKept = readFileSync(kept).equals(damaged.main);
    const isLogKept = damaged.log === undefined || readFileSync(`${kept}-wal`).equals(damaged.log);
    if (isKept && isLogKept) return;
    this.found.deletions++;
    this.found.faults.push(`${what}: the damaged file was not kept as it was`);
  }

  /** An intact folder: `closed` messages in the file, and `logged` ones after them in the log. */
  #sound(name: string, closed: number, logged: number): Sound {
    const folder = join(this.#root, name);
    mkdirSync(folder);
    const add = (from: number, count: number): LocalStore => {
      const opened = this.#stores.open(folder);
      if (!opened.ok) throw new Error(opened.error.detail);
      for (let id = from; id < from + count; id++) opened.value.commit([addMessage(id, textFor(id))]);
      opened.value.commit([
        addRow(step(1), 0, '{"model":"m","asked":1}', "begin"),
        { kind: "journalDrop", stepId: step(1) },
      ]);
      return opened.value;
    };
    if (closed > 0) add(0, closed).close();
    const open = logged > 0 ? add(closed, logged) : undefined;
    const path = join(folder, "conversation.sqlite");
    const sound = { pair: readPair(path), places: placesOfMessages(path) };
    open?.close();
    if (sound.places.length !== MESSAGES) throw new Error("every message lies somewhere");
    return sound;
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * below);
  }
}

interface Damaging {
  readonly how: string;
  readonly inLog: boolean;
  readonly random: RandomBelow;
}

function damage(pair: FilePair, { how, inLog, random }: Damaging): FilePair {
  const change = (bytes: Buffer): Buffer => DAMAGES[how]?.(Buffer.from(bytes), random) ?? bytes;
  return inLog && pair.log !== undefined ? { ...pair, log: change(pair.log) } : { ...pair, main: change(pair.main) };
}
