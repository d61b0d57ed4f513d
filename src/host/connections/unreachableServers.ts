/** Servers in the settings that cannot be used now, with the reason. Remembered until they answer. */

import type { ForgeError } from "../../core/errors.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import type { Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { Emitter } from "../background/emitter.ts";
import { failureReason } from "../words/explain.ts";
import type { ProviderName } from "./providerCatalog.ts";

/** Providers with an address in the settings. */
export type ServerName = Extract<ProviderName, "openaiCompatible" | "ollama">;

export function isServerName(name: ProviderName): name is ServerName {
  return name === "openaiCompatible" || name === "ollama";
}

export class UnreachableServers {
  readonly #reasons = new Map<ServerName, string>();
  readonly #changed = new Emitter<void>();

  /** Fires when the set of servers, or a reason, changes. */
  readonly onDidChange = this.#changed.event;

  /** Reasons for the user, by server. */
  get reasons(): ReadonlyMap<ServerName, string> {
    return this.#reasons;
  }

  /** Records the result of a model list request to `host`. */
  recordModelList(name: ServerName, host: string, listed: Result<readonly OfferedModel[], ForgeError>): void {
    if (!listed.ok) this.#set(name, failureReason(listed.error, host));
    else if (listed.value.length === 0) this.#set(name, withoutModel(name, host));
    else this.forget(name);
  }

  /** Call when the server has answered. */
  forget(name: ServerName): void {
    if (this.#reasons.delete(name)) this.#changed.fire();
  }

  /** Fires no event; the next requests do. */
  clear(): void {
    this.#reasons.clear();
  }

  #set(name: ServerName, reasons: string): void {
    if (this.#reasons.get(name) === reasons) return;
    this.#reasons.set(name, reasons);
    this.#changed.fire();
  }
}

/** The server answers, but has no chat model. */
export function withoutModel(name: ServerName, label: string): string {
  return name === "ollama"
    ? localize("{0} answers, but has no model to chat with. Get one with “ollama pull”, then try again.", label)
    : localize("{0} answers, but has no model to chat with. Load one there, then try again.", label);
}
