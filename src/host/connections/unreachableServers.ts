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

/** The setting is no address. Does not repeat it: it may hold a password. */
export function invalidAddress(name: ProviderName): string {
  return localize(
    "The setting {0} is not an address that Forge can use, so nothing is sent. Enter one that begins with https:// or http://, without user name, password, “?” and “#”, such as https://gateway.example/v1.",
    `forge.${name}.baseUrl`,
  );
}

/** A key is stored for an address without encryption on another machine, and the user has not agreed. */
export function unencryptedAddress(address: string): string {
  return localize(
    "Nothing is sent to {0}: its address begins with http://, so the key and the conversation could be read on the way. Use https:// if the server has it, or choose “{1}” to send them all the same.",
    URL.canParse(address) ? new URL(address).host : address,
    localize("Try again"),
  );
}

/** The server answers, but has no chat model. */
export function withoutModel(name: ServerName, label: string): string {
  return name === "ollama"
    ? localize("{0} answers, but has no model to chat with. Get one with “ollama pull”, then try again.", label)
    : localize("{0} answers, but has no model to chat with. Load one there, then try again.", label);
}
