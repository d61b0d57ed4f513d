/** Names of other tools. */

import { localize } from "../../protocol/localize.ts";

/** As it is named in a list, of a tool as imports name it; a format with its article is named in `explainFiles`. */
export function toolName(tool: string): string {
  return tool === "the editor’s chat" ? localize("The editor’s chat") : tool;
}
