/** Bytes that a replica has for conversations that were published turn by turn, as people talk, after all packing. */

import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { textOf } from "../../../src/core/message.ts";
import { ConversationKeyring } from "../../../src/core/replica/conversationKeyring.ts";
import { NEVER_CANCELLED } from "../../../test/support/replica/replicaFaults.ts";
import { Machine } from "../../../test/support/replica/machine.ts";
import { MemoryReplica, RecordingPlace } from "../../../test/support/replica/memoryReplica.ts";
import { CONVERSATION, ReplicatedMachine } from "../../../test/support/replica/replicatedMachine.ts";
import { evenTalk } from "../evenTalk.ts";

const MESSAGES = 1_000;
const ROOT = { id: "fedcba9876543210", key: objectCipher.newKey() };
/** One byte for each of the newest objects of a machine, whatever conversations they are of. */
const MOST_NEWS = 100;

interface Sizes {
  readonly messages: number;
  /** UTF-8, of all that messages have: texts, calls, results. */
  readonly textBytes: number;
  readonly objects: number;
  readonly bytes: number;
  /** Also of what was deleted. */
  readonly putBytes: number;
}

export async function sizesOf(
  conversations: Iterable<readonly ConversationRecord[]>,
): Promise<Readonly<Record<string, number>>> {
  const sum = { messages: 0, textBytes: 0, objects: 0, bytes: 0, putBytes: 0 };
  for (const records of conversations) {
    const sizes = await sizesOfOne(records);
    for (const name of ["messages", "textBytes", "objects", "bytes", "putBytes"] as const) sum[name] += sizes[name];
  }
  return {
    textMegabytes: rounded(sum.textBytes / 1e6),
    bytesPerTextByte: rounded(sum.bytes / sum.textBytes),
    objectsPer1000Messages: rounded((1_000 * sum.objects) / sum.messages),
    putBytesPerTextByte: rounded(sum.putBytes / sum.textBytes),
  };
}

async function sizesOfOne(records: readonly ConversationRecord[]): Promise<Sizes> {
  const place = new RecordingPlace();
  const access = new MemoryReplica(place);
  const services = { place: access, cipher: objectCipher, cancel: NEVER_CANCELLED };
  const keys = await ConversationKeyring.open(services, ROOT, CONVERSATION, []);
  if (!keys.ok) throw new Error(JSON.stringify(keys.error));
  const writer = new ReplicatedMachine("a", access, keys.value);
  let [messages, textBytes] = [0, 0];
  for (const record of records) {
    if (record.kind === "message") {
      if (record.message.role === "user") await replicate(writer);
      messages++;
      textBytes += textBytesIn(record.message.parts);
    }
    writer.machine.commit(record);
  }
  await replicate(writer);
  const news = Math.min(MOST_NEWS, place.ever.size);
  return {
    messages,
    textBytes,
    objects: place.objects.size,
    bytes: bytesIn(place.objects) + news,
    putBytes: bytesIn(place.ever) + place.ever.size,
  };
}

async function replicate(writer: ReplicatedMachine): Promise<void> {
  const report = await writer.replicate();
  if (report?.ok !== true) throw new Error(JSON.stringify(report));
}

function textBytesIn(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, field]) => sum + (name === "kind" ? 0 : textBytesIn(field)), 0);
}

function bytesIn(objects: ReadonlyMap<string, Uint8Array>): number {
  return [...objects.values()].reduce((sum, each) => sum + each.length, 0);
}

export function generatedTalk(messages = MESSAGES, seed = 1): readonly ConversationRecord[] {
  const machine = new Machine("a");
  const talk = evenTalk({ questionTokens: 60, answerTokens: 300 }, seed);
  while (machine.copy.history.length < messages)
    for (const message of talk.next().value.messages) machine.say(message.role, textOf(message));
  return machine.records;
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}
