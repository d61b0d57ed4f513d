/** What a model was asked last. */

import type { ModelServer } from "../../servers/protocol.ts";

/**
 * Body of the newest request for an answer; `undefined` where there was none. What Forge asks of a server beside, such as for
 * its models, comes at any moment and does not count.
 */
export function lastQuestion({ requests }: ModelServer): unknown {
  return requests.findLast(
    ({ method, path }) => method === "POST" && /\/(?:completions|messages|chat)(?:\?|$)/.test(path),
  )?.body;
}
