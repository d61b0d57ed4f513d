/**
 * Names of the objects in a replica. A name says no word of what the object holds, but its length and its hash: what is
 * shorter is still arriving, what has another hash is damaged, and two of one name are the same.
 *
 *     c/<conversation>/<epoch>-<writer>-<sequence>-<length>-<hash>.segment   records of one writer
 *     c/<conversation>/<length>-<hash>.pack                                  several segments, in place of others' objects
 *     c/<conversation>/<object>-<key>-<length>-<hash>.key                    key of one of those, under a conversation's key
 *     c/<conversation>/<key>-<root>-<length>-<hash>.access                   key of the conversation, under a root key
 *     root/<root>-<length>-<hash>.root                                       root key, under a passphrase or a recovery code
 *     news/<machine>/<number>-<conversation>-<object>-<length>-<hash>.news   an object was put, for whoever has seen all before
 *     gone/<conversation>-<length>-<hash>.gone                               a person deleted the conversation for good
 */

import type { ObjectHash, WriterId } from "../history/segmentInfo.ts";
import { parseConversationId, type ConversationId } from "../ids.ts";

export type KeyId = string;
/** Random, the same at each start of a machine. */
export type MachineId = string;

interface Named {
  readonly name: string;
  /** In bytes, once it is whole. */
  readonly length: number;
  readonly hash: ObjectHash;
}
export interface SegmentName extends Named {
  readonly kind: "segment";
  readonly conversation: ConversationId;
  readonly epoch: number;
  readonly writer: WriterId;
  readonly sequence: number;
}
export interface PackName extends Named {
  readonly kind: "pack";
  readonly conversation: ConversationId;
}
export interface KeyName extends Named {
  readonly kind: "key";
  readonly conversation: ConversationId;
  readonly object: ObjectHash;
  readonly key: KeyId;
}
export interface AccessName extends Named {
  readonly kind: "access";
  readonly conversation: ConversationId;
  readonly key: KeyId;
  readonly root: KeyId;
}
export interface RootName extends Named {
  readonly kind: "root";
  readonly root: KeyId;
}
/** A hint: whoever misses it finds the object in a list of everything. */
export interface NewsName extends Named {
  readonly kind: "news";
  readonly machine: MachineId;
  /** Ascending among those of its machine. */
  readonly number: number;
  readonly conversation: ConversationId;
  readonly object: ObjectHash;
}
export interface GoneName extends Named {
  readonly kind: "gone";
  readonly conversation: ConversationId;
}
export type ObjectName = SegmentName | PackName | KeyName | AccessName | RootName | NewsName | GoneName;

type Unnamed<Name> = Name extends Named ? Omit<Name, "name"> : never;

export function nameOf(object: Unnamed<ObjectName>): string {
  const { length, hash } = object;
  const end = `${String(length)}-${hash}.${object.kind}`;
  switch (object.kind) {
    case "segment":
      return `c/${object.conversation}/${String(object.epoch)}-${object.writer}-${String(object.sequence)}-${end}`;
    case "pack":
      return `c/${object.conversation}/${end}`;
    case "key":
      return `c/${object.conversation}/${object.object}-${object.key}-${end}`;
    case "access":
      return `c/${object.conversation}/${object.key}-${object.root}-${end}`;
    case "root":
      return `root/${object.root}-${end}`;
    case "news":
      return `news/${object.machine}/${String(object.number)}-${digitsOf(object.conversation)}-${object.object}-${end}`;
    case "gone":
      return `gone/${digitsOf(object.conversation)}-${end}`;
  }
}

const HASH = /^[0-9a-f]{32}$/;
const ID = /^[0-9a-f]{16}$/;
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** `undefined` for a name that no Forge of this version gives. */
export function parseName(name: string): ObjectName | undefined {
  const [folder, ...path] = name.split("/");
  const parts = (path.at(-1) ?? "").split(".");
  const [stem = "", kind] = parts;
  const fields = stem.split("-");
  const hash = fields.pop() ?? "";
  const length = numberIn(fields.pop());
  if (parts.length !== 2 || length === undefined || !HASH.test(hash)) return undefined;
  const named = { name, length, hash };
  if (folder === "root" && path.length === 1 && kind === "root") {
    const [root = ""] = fields;
    return fields.length === 1 && ID.test(root) ? { kind, ...named, root } : undefined;
  }
  if (folder === "gone" && path.length === 1 && kind === "gone") {
    const conversation = conversationIn(fields[0]);
    return fields.length === 1 && conversation !== undefined ? { kind, ...named, conversation } : undefined;
  }
  if (folder === "news" && path.length === 2 && kind === "news") return newsIn(named, path[0] ?? "", fields);
  const conversation = parseConversationId(path[0] ?? "");
  if (folder !== "c" || path.length !== 2 || conversation === undefined) return undefined;
  const [first = "", second = "", third] = fields;
  switch (kind) {
    case "segment": {
      const [epoch, sequence] = [numberIn(first), numberIn(third)];
      if (fields.length !== 3 || epoch === undefined || !ID.test(second) || sequence === undefined) return undefined;
      return { kind, ...named, conversation, epoch, writer: second, sequence };
    }
    case "pack":
      return fields.length === 0 ? { kind, ...named, conversation } : undefined;
    case "key":
      if (fields.length !== 2 || !HASH.test(first) || !ID.test(second)) return undefined;
      return { kind, ...named, conversation, object: first, key: second };
    case "access":
      if (fields.length !== 2 || !ID.test(first) || !ID.test(second)) return undefined;
      return { kind, ...named, conversation, key: first, root: second };
    default:
      return undefined;
  }
}

function newsIn(named: Named, machine: string, fields: readonly string[]): NewsName | undefined {
  const [number, conversation, object = ""] = [numberIn(fields[0]), conversationIn(fields[1]), fields[2]];
  const isWhole = fields.length === 3 && ID.test(machine) && HASH.test(object);
  if (!isWhole || number === undefined || conversation === undefined) return undefined;
  return { kind: "news", ...named, machine, number, conversation, object };
}

/** Without the dashes that part the fields of a name. */
function digitsOf(conversation: ConversationId): string {
  return conversation.replaceAll("-", "");
}

function conversationIn(digits = ""): ConversationId | undefined {
  return parseConversationId(digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}

/**
 * Names of objects without a meaning, which are put to learn what a place does. They end like the others, as rights may
 * depend on that.
 */
export function probeName(random: string, ending: "key" | "segment"): string {
  return `${PROBES}${random}.${ending}`;
}

export function isProbeName(name: string): boolean {
  return name.startsWith(PROBES);
}

export const PROBES = "probe/";

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Number(text) : undefined;
}
