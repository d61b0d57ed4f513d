/** Events of Codex's rollouts that say what an item says, too. */

import type { LocatedValue } from "../../documentReader.ts";
import { optionalField, optionalItems, optionalText, type ForeignNode } from "../foreignConversation.ts";
import { fingerprint } from "../../../history/summaries/sourceHash.ts";
import { comparable } from "./claudeCode.ts";

export type Speaker = "user" | "assistant" | "thinking";

/** Words of an item that newer versions report whole. */
export function wordsOfItem(item: LocatedValue): readonly { readonly kind: Speaker; readonly said: string }[] {
  const texts = (name: string): readonly string[] =>
    optionalItems(optionalField(item, name)).map(
      (each) => optionalText(each) || optionalText(optionalField(each, "text")),
    );
  switch (optionalField(item, "type").value) {
    case "UserMessage":
      return [{ kind: "user", said: texts("content").join("\n") }];
    case "AgentMessage":
      return [{ kind: "assistant", said: texts("content").join("\n") }];
    case "Reasoning":
      return [...texts("summary_text"), ...texts("raw_content")].map((said) => ({ kind: "thinking", said }));
    default:
      return [];
  }
}

export interface Told {
  readonly kind: Speaker;
  readonly text: string;
  readonly atMs: number;
  /** Number of messages before it. */
  readonly place: number;
  readonly model: string;
  readonly node: ForeignNode;
}

/** An event that was told; most have an item with the same words, and lose theirs when it is there. */
interface KnownEvent extends Told {
  text: string;
  readonly key: string;
}

/**
 * Events that say what an item says, too. Where an item is missing, the event stands for it. The words of both may
 * differ, as events leave out marks: then their numbers tell whether one is missing.
 */
export class Events {
  readonly #told: KnownEvent[] = [];
  readonly #last: Partial<Record<Speaker, Told>> = {};
  /** Events without an item up to now, by their words, oldest first. */
  readonly #alone = new Map<string, KnownEvent[]>();
  /** Number of items without an event up to now, by their words. */
  readonly #items = new Map<string, number>();
  /** Texts in the user's role that the tool wrote. */
  readonly #inserted = new Map<string, number>();
  readonly #counts = { user: 0, assistant: 0, thinking: 0 };

  /** An event; false when it says nothing new. Newer versions have two kinds of event for the same words. */
  tell(told: Told): boolean {
    if (told.text.trim() === "") return false;
    const before = this.#last[told.kind];
    const isTwice = before?.text === told.text && told.place - before.place <= 1 && told.atMs - before.atMs <= 5_000;
    if (isTwice) return false;
    const event = { ...told, key: keyOf(told.kind, told.text) };
    if (take(this.#items, event.key)) event.text = "";
    else add(this.#alone, event);
    this.#told.push(event);
    this.#last[told.kind] = told;
    return true;
  }

  /** An item of the same kind as an event. */
  said(kind: Speaker, text: string): void {
    if (text.trim() === "") return;
    this.#counts[kind]++;
    const key = keyOf(kind, text);
    const alone = this.#alone.get(key);
    const event = alone?.shift();
    if (event === undefined) note(this.#items, key);
    else event.text = "";
    if (alone?.length === 0) this.#alone.delete(key);
  }

  /** An item in the user's role that the tool wrote: older versions have an event for it, too. */
  inserted(text: string): void {
    note(this.#inserted, keyOf("user", text));
  }

  /** Events without their item, in the order of the file. */
  missing(): readonly Told[] {
    const open = { ...this.#counts };
    const unmatched = this.#told.filter(({ kind, key, text }) => {
      if (text !== "") return kind !== "user" || !take(this.#inserted, key);
      open[kind]--;
      return false;
    });
    // An item in other words is the same.
    return unmatched.filter(({ kind }) => open[kind]-- <= 0);
  }
}

function add(to: Map<string, KnownEvent[]>, event: KnownEvent): void {
  const known = to.get(event.key);
  if (known === undefined) to.set(event.key, [event]);
  else known.push(event);
}

function note(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 1) counts.set(key, left - 1);
  else counts.delete(key);
  return left > 0;
}

/** Of a text that is no name, only its fingerprint is held. */
function keyOf(kind: Speaker, text: string): string {
  const words = comparable(text);
  return `${kind} ${words.length > LONGEST_KEY ? fingerprint(words) : words}`;
}

const LONGEST_KEY = 40;
