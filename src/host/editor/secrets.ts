/**
 * API keys. A key belongs to one origin (scheme, host and port) and is never sent to another: after a change of the
 * base URL, the key has to be entered anew. Keys are stored in the editor's secret storage and nowhere else.
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

  /** Deletes the key of the origin of `baseUrl`. */
  async forget(baseUrl: string): Promise<void> {
    await this.#store.delete(secretName(baseUrl));
  }

  /** Deletes all keys, including those of origins that no setting names any more. */
  async forgetAll(): Promise<void> {
    for (const name of await this.#names()) await this.#store.delete(name);
  }

  async #names(): Promise<readonly string[]> {
    return (await this.#store.keys()).filter((name) => name.startsWith(PREFIX));
  }
}

const PREFIX = "forge.key ";

export function secretName(baseUrl: string): string {
  return `${PREFIX}${new URL(baseUrl).origin}`;
}
