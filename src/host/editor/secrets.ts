/**
 * API keys. A key belongs to one origin (scheme, host and port) and is never sent to another: after a change of the
 * base URL, the key has to be entered anew. Keys are stored in the editor's secret storage and nowhere else, and so is
 * the user's consent to send one to another machine without encryption.
 */

/** The part of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  keys(): Thenable<string[]>;
  get(name: string): Thenable<string | undefined>;
  store(name: string, value: string): Thenable<void>;
  delete(name: string): Thenable<void>;
}

export class Secrets {
  readonly #store: SecretStore;

  constructor(store: SecretStore) {
    this.#store = store;
  }

  /** The key of the origin of `baseUrl`. */
  async keyFor(baseUrl: string): Promise<string | undefined> {
    const key = await this.#store.get(secretName(baseUrl));
    return key === "" ? undefined : key;
  }

  async count(): Promise<number> {
    return (await this.#names()).length;
  }

  /** Origins with a key, including those that no setting names any more. */
  async origins(): Promise<readonly string[]> {
    return (await this.#names()).map((name) => name.slice(PREFIX.length));
  }

  /** Saves `key` for the origin of `baseUrl`. */
  async save(baseUrl: string, key: string): Promise<void> {
    await this.#store.store(secretName(baseUrl), key);
  }

  /** True if a key may be sent to the origin of `baseUrl`: encrypted, on this machine, or with the user's consent. */
  async maySendTo(baseUrl: string): Promise<boolean> {
    return !isExposed(baseUrl) || (await this.#store.get(consentName(baseUrl))) === CONSENT;
  }

  /** Remembers the user's consent for the origin of `baseUrl`. */
  async allowUnencrypted(baseUrl: string): Promise<void> {
    await this.#store.store(consentName(baseUrl), CONSENT);
  }

  /** Deletes the key of the origin of `baseUrl`, and the consent. */
  async forget(baseUrl: string): Promise<void> {
    await this.#store.delete(secretName(baseUrl));
    await this.#store.delete(consentName(baseUrl));
  }

  /** Deletes all keys, including those of origins that no setting names any more, and consents. */
  async forgetAll(): Promise<void> {
    for (const prefix of [PREFIX, CONSENT_PREFIX]) {
      for (const name of await this.#names(prefix)) await this.#store.delete(name);
    }
  }

  async #names(prefix = PREFIX): Promise<readonly string[]> {
    return (await this.#store.keys()).filter((name) => name.startsWith(prefix));
  }
}

const PREFIX = "forge.key ";
const CONSENT_PREFIX = "forge.unencrypted ";
const CONSENT = "allowed";

function consentName(baseUrl: string): string {
  return `${CONSENT_PREFIX}${new URL(baseUrl).origin}`;
}

/** True if requests to the address leave this machine without encryption. */
function isExposed(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== "https:" && !LOOPBACK.test(hostname);
}

/** Host names as `URL` normalizes them. */
const LOOPBACK = /^(?:(?:[^.]+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

export function secretName(baseUrl: string): string {
  return `${PREFIX}${new URL(baseUrl).origin}`;
}
