/** Entry point of a thread that makes one key of a passphrase: that takes a while, and much memory. */

import { parentPort, workerData } from "node:worker_threads";
import { passphraseKey } from "../../../adapters/argon2/passphraseKey.ts";
import type { SecretOrder } from "../slowKey.ts";

const { secret, salt, cost } = workerData as SecretOrder; // only this program's own host starts the thread
void passphraseKey(secret, salt, cost).then((key) => parentPort?.postMessage(key));
