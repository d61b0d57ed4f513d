/** The first lines of the log: versions, platform, storage and what it holds. Pure. */

import type { Log } from "./log.ts";

export interface StartFacts {
  readonly forge: string;
  /** "code-server 1.139.1" */
  readonly editor: string;
  /** "desktop, local" */
  readonly host: string;
  /** "v24.9.0" */
  readonly node: string;
  /** "linux x64" */
  readonly system: string;
  readonly folderCount: number;
  readonly isTrusted: boolean;
  /** Folder of the extension's data. */
  readonly storage: string;
  /** The number, or why it is unknown. */
  readonly conversations: string;
  readonly trash: string;
  /** Origins with an API key; the keys themselves are never logged. */
  readonly keyOrigins: readonly string[];
}

export function logStart(log: Pick<Log, "info">, facts: StartFacts): void {
  const hosts = facts.keyOrigins.map((origin) => new URL(origin).host);
  log.info(`Forge ${facts.forge} in ${facts.editor} (${facts.host}), Node ${facts.node} on ${facts.system}`);
  log.info(`Folders open: ${facts.folderCount}, ${facts.isTrusted ? "trusted" : "not trusted"}`);
  log.info(`Data in ${facts.storage}: conversations ${facts.conversations}, in the trash ${facts.trash}`);
  log.info(`Keys kept for: ${hosts.length === 0 ? "nobody" : hosts.join(", ")}`);
}
