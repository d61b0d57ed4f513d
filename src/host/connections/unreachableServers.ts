/** Servers that the user has set up and that cannot be used now: which one it is, and why. Known until it answers. */

import type { ForgeError } from "../../core/errors.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { Emitter } from "../background/emitter.ts";
import { failureReason } from "../words/explain.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** A provider that is a server of the user's own, with an address in the settings. */
export type ServerName = Extract<ProviderName, "openaiCompatible" | "ollama">;

/** Whether a provider is one. */
export function isServerName(name: ProviderName): name is ServerName {
  return name === "openaiCompatible" || name === "ollama";
}

/** What was found out about them. */
export class UnreachableServers {
  readonly #words = new Map<ServerName, string>();
  readonly #changed = new Emitter<void>();

  /** Fires when it is another one than before, or none. */
  readonly onDidChange = this.#changed.event;

  /** Servers that cannot be used, with the words for it. */
  get words(): ReadonlyMap<ServerName, string> {
    return this.#words;
  }

  /** A server at `host` was asked for its models. */
  note(name: ServerName, host: string, listed: Result<readonly OfferedModel[], ForgeError>): void {
    if (!listed.ok) this.#set(name, failureReason(listed.error, host));
    else if (listed.value.length === 0) this.#set(name, withoutModel(name, host));
    else this.forget(name);
  }

  /** A server has answered. */
  forget(name: ServerName): void {
    if (this.#words.delete(name)) this.#changed.fire();
  }

  /** Nothing is known any more; whoever asks again says so. */
  clear(): void {
    this.#words.clear();
  }

  #set(name: ServerName, words: string): void {
    if (this.#words.get(name) === words) return;
    this.#words.set(name, words);
    this.#changed.fire();
  }
}

/** It is there, but holds nothing that could answer. */
export function withoutModel(name: ServerName, label: string): string {
  return name === "ollama"
    ? localize("{0} answers, but has no model to chat with. Get one with “ollama pull”, then try again.", label)
    : localize("{0} answers, but has no model to chat with. Load one there, then try again.", label);
}
