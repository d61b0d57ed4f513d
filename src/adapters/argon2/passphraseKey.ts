/** A key made of a passphrase, in a way that takes whoever tries many passphrases long. */

import { argon2id } from "hash-wasm";
import type { SecretCost } from "../../core/replica/replicaRoot.ts";

const KEY_BYTES = 32;

/**
 * Takes a third of a second and the memory of `cost`; not on a thread that must answer. Passphrases are compared as readers
 * see them: composed characters, without blanks around them. `salt` has at least 8 bytes.
 */
export function passphraseKey(passphrase: string, salt: Uint8Array, cost: SecretCost): Promise<Uint8Array> {
  const { memoryKib: memorySize, iterations, parallelism } = cost;
  const password = passphrase.normalize("NFKC").trim();
  return argon2id({ password, salt, memorySize, iterations, parallelism, hashLength: KEY_BYTES, outputType: "binary" });
}
