/**
 * Names of the objects in a replica. A name says no word of what the object holds, but its length and its hash: what is
 * shorter is still arriving, what has another hash is damaged, and two of one name are the same.
 *
 *     c/<conversation>/<epoch>-<writer>-<sequence>-<length>-<hash>.segment   records of one writer
 *     c/<conversation>/<length>-<hash>.pack                                  several segments, in place of others' objects
 *     c/<conversation>/<object>-<key>-<length>-<hash>.key                    key of one of those, under a conversation's key
 *     c/<conversation>/<key>-<root>-<length>-<hash>.access                   key of the conversation, under a root key
 *     root/<root>-<length>-<hash>.root                                       root key, under a passphrase or a recovery code
 */

import type { ObjectHash, WriterId } from "../history/segmentInfo.ts";
import { parseConversationId, type ConversationId } from "../ids.ts";

export type KeyId = string;

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
export type ObjectName = SegmentName | PackName | KeyName | AccessName | RootName;

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

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Number(text) : undefined;
}
