/** Reads documents from strings, by the code that reads them from files. */

import { recountedRecord } from "../../src/core/context/recountedRecords.ts";
import type { DamagedLine } from "../../src/core/documents/foreign/damagedLines.ts";
import {
  loadConversation as recordsOf,
  type Recount,
  type RecordStream,
} from "../../src/core/documents/loadConversation.ts";
import type { DocumentText } from "../../src/core/documents/documentText.ts";
import { ForeignFile } from "../../src/core/documents/foreign/foreignFile.ts";
import * as foreign from "../../src/core/documents/foreign/foreignRecords.ts";
import { MessageHolder, type TextStore } from "../../src/core/documents/foreign/heldMessages.ts";
import { outlineOf } from "../../src/core/documents/jsonOutline.ts";
import type { ValidationError } from "../../src/core/errors.ts";
import type { ConversationRecord } from "../../src/core/history/records.ts";
import type { Message, TokenCounts } from "../../src/core/message.ts";
import { ok, type Result } from "../../src/core/result.ts";

export class MemoryText implements DocumentText {
  readonly length: number;
  /** By `read`. */
  readBytes = 0;
  /** By `text`. */
  readCharacters = 0;
  readonly #bytes: Buffer;
  readonly #window: number;

  /** `window`: the most bytes that are at hand at once. */
  constructor(content: string | Uint8Array, window = 997) {
    this.#bytes = Buffer.from(content);
    this.length = this.#bytes.length;
    this.#window = window;
  }

  read(bytes: Uint8Array, start: number): number {
    const length = this.#bytes.copy(bytes, 0, start, start + Math.min(this.#window, bytes.length));
    this.readBytes += length;
    return length;
  }

  text(start: number, end: number): string {
    this.readCharacters += end - start;
    return this.#bytes.toString("utf8", start, end);
  }
}

export class MemoryTexts implements TextStore {
  readCharacters = 0;
  readonly #texts: string[] = [];

  add(text: string): number {
    return this.#texts.push(text) - 1;
  }

  get(place: number): string {
    const text = this.#texts[place] ?? "";
    this.readCharacters += text.length;
    return text;
  }
}

type Records = Result<readonly ConversationRecord[], ValidationError>;

export function collected(stream: RecordStream): Records {
  const records: ConversationRecord[] = [];
  for (;;) {
    const step = stream.next();
    if (step.done !== true) records.push(step.value);
    else return step.value.ok ? ok(records) : step.value;
  }
}

export function loadConversation(json: string): Records {
  return collected(recordsOf(new MemoryText(json)));
}

export interface ReadForeign {
  readonly conversation: foreign.NamedConversation;
  readonly holder: MessageHolder;
  readonly damaged: readonly DamagedLine[];
  /** In the order of the file. */
  readonly messages: readonly Message[];
}

/** Conversations of a document, each read before the next. */
export function* readAllForeign(content: string): Generator<Result<ReadForeign, ValidationError>> {
  const text = new MemoryText(content);
  const outline = outlineOf(text);
  const holder = new MessageHolder(new MemoryTexts());
  for (const read of foreign.readForeign(new ForeignFile(text, outline.ok ? outline.value : undefined), holder) ?? []) {
    yield read.ok ? ok(asRead(read.value, holder)) : read;
  }
}

/** The one conversation of a document; `undefined` when the format is not known. */
export function readForeign(content: string): Result<ReadForeign, ValidationError> | undefined {
  const [only, ...more] = readAllForeign(content);
  if (more.length > 0) throw new Error(`${more.length + 1} conversations`);
  return only;
}

function asRead(conversation: foreign.NamedConversation, holder: MessageHolder): ReadForeign {
  const messages = conversation.messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => holder.part(part)),
  }));
  return { conversation, holder, damaged: conversation.damaged?.kept ?? [], messages };
}

export function foreignRecords(
  { conversation, holder }: ReadForeign,
  countTokens: (message: Message) => TokenCounts,
  nowMs: number,
): readonly ConversationRecord[] {
  const recount: Recount = (record, history) => recountedRecord(record, history, { countTokens });
  return [...foreign.foreignRecords(conversation, { holder, recount, nowMs })];
}
