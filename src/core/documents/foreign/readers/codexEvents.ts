/** Events of Codex's rollouts that say what an item says, too. */

import type { LocatedValue } from "../../documentReader.ts";
import { optionalField, optionalItems, optionalText, type ForeignNode } from "../foreignConversation.ts";
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

/**
 * Events that say what an item says, too. Where an item is missing, the event stands for it. The words of both may
 * differ, as events leave out marks: then their numbers tell whether one is missing.
 */
export class Events {
  readonly #told: Told[] = [];
  readonly #last: Partial<Record<Speaker, Told>> = {};
  readonly #said = new Map<string, number>();
  readonly #counts = { user: 0, assistant: 0, thinking: 0 };

  /** An event; false when it says nothing new. Newer versions have two kinds of event for the same words. */
  tell(told: Told): boolean {
    if (told.text.trim() === "") return false;
    const before = this.#last[told.kind];
    const isTwice = before?.text === told.text && told.place - before.place <= 1 && told.atMs - before.atMs <= 5_000;
    if (isTwice) return false;
    this.#told.push(told);
    this.#last[told.kind] = told;
    return true;
  }

  /** An item of the same kind as an event. */
  said(kind: Speaker, text: string): void {
    if (text.trim() === "") return;
    this.#counts[kind]++;
    this.#note(kind, text);
  }

  /** An item in the user's role that the tool wrote: older versions have an event for it, too. */
  inserted(text: string): void {
    this.#note("inserted", text);
  }

  #note(kind: Speaker | "inserted", text: string): void {
    const key = `${kind} ${comparable(text)}`;
    this.#said.set(key, (this.#said.get(key) ?? 0) + 1);
  }

  /** Events without their item, in the order of the file. */
  missing(): readonly Told[] {
    const open = { ...this.#counts };
    const unmatched = this.#told.filter(({ kind, text }) => {
      if (!this.#take(kind, text)) return kind !== "user" || !this.#take("inserted", text);
      open[kind]--;
      return false;
    });
    // An item in other words is the same.
    return unmatched.filter(({ kind }) => open[kind]-- <= 0);
  }

  #take(kind: Speaker | "inserted", text: string): boolean {
    const key = `${kind} ${comparable(text)}`;
    const left = this.#said.get(key) ?? 0;
    if (left > 0) this.#said.set(key, left - 1);
    return left > 0;
  }
}
