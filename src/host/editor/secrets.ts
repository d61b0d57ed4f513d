/**
 * Keys of providers. A key belongs to one origin (scheme, host and port) and is never sent to another: when a base URL
 * changes, the key for the new origin has to be entered anew. Keys lie in the editor's secret storage and nowhere else.
 */

/** The part of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  keys(): Thenable<string[]>;
  get(name: string): Thenable<string | undefined>;
  store(name: string, value: string): Thenable<void>;
  delete(name: string): Thenable<void>;
}

/** Reads, keeps and forgets keys by the address they were entered for. */
export class Secrets {
  readonly #store: SecretStore;

  constructor(store: SecretStore) {
    this.#store = store;
  }

  /** The key entered for the origin of `baseUrl`, if there is one. */
  async keyFor(baseUrl: string): Promise<string | undefined> {
    const key = await this.#store.get(secretName(baseUrl));
    return key === "" ? undefined : key;
  }

  /** How many keys are kept. */
  async count(): Promise<number> {
    return (await this.#names()).length;
  }

  /** The origins for which a key is kept, those too that no setting names any more. */
  async origins(): Promise<readonly string[]> {
    return (await this.#names()).map((name) => name.slice(PREFIX.length));
  }

  /** Keeps `key` for the origin of `baseUrl`. */
  async keep(baseUrl: string, key: string): Promise<void> {
    await this.#store.store(secretName(baseUrl), key);
  }

  /** Forgets the key of the origin of `baseUrl`. */
  async forget(baseUrl: string): Promise<void> {
    await this.#store.delete(secretName(baseUrl));
  }

  /** Forgets every key, also of addresses that are in no setting any more. */
  async forgetAll(): Promise<void> {
    for (const name of await this.#names()) await this.#store.delete(name);
  }

  async #names(): Promise<readonly string[]> {
    return (await this.#store.keys()).filter((name) => name.startsWith(PREFIX));
  }
}

const PREFIX = "forge.key ";

/** Where the key of an address is kept. */
export function secretName(baseUrl: string): string {
  return `${PREFIX}${new URL(baseUrl).origin}`;
}
