import type { ModelServer } from "../../servers/protocol.ts";

/** Body of the newest request for an answer, if any. Other requests, such as for the models, may arrive at any time. */
export function lastQuestion({ requests }: ModelServer): unknown {
  return requests.findLast(
    ({ method, path }) => method === "POST" && /\/(?:completions|messages|chat)(?:\?|$)/.test(path),
  )?.body;
}
