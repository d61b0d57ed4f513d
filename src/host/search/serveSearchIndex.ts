/** Connects the server of the index to the port of its thread. */

import type { MessagePort } from "node:worker_threads";
import { nodeFileCalls } from "../../adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../../adapters/sqlite/engine/sqlJsShim.ts";
import { ClosedConversation } from "../../adapters/sqlite/search/closedConversation.ts";
import { snowballStemmer } from "../../adapters/stemmers/snowballStemmer.ts";
import { invariant } from "../../core/result.ts";
import { isToSearchIndex, type SearchIndexStart } from "./searchIndexProtocol.ts";
import { SearchIndexServer } from "./searchIndexServer.ts";

/** Serves until the thread is terminated. */
export async function serveSearchIndex(port: MessagePort | null, start: SearchIndexStart): Promise<void> {
  invariant(port !== null, "the index is served by a thread");
  const shim = await loadSqlJs(start.sqlJsFile, nodeFileCalls);
  ClosedConversation.prepare(shim);
  // SQLite looks for files that are missing: stacks of these errors are a quarter of an opening, and nobody reads them.
  Error.stackTraceLimit = 0;
  const server = new SearchIndexServer(start, shim, snowballStemmer, (answer) => port.postMessage(answer));
  port.on("message", (message: unknown) => {
    invariant(isToSearchIndex(message), "only the host speaks to its threads");
    server.receive(message);
  });
}
