/** The first lines of the log: which Forge this is, where it runs, where its data lies and what was found there. Pure. */

import type { Log } from "./log.ts";

/** What they tell. */
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
  /** The extension's own folder. */
  readonly storage: string;
  /** Figures, or why there are none. */
  readonly conversations: string;
  readonly trash: string;
  /** Origins for which a key is kept; the keys themselves are told to nobody. */
  readonly keyOrigins: readonly string[];
}

/** Writes them: one fact or two a line, in English. */
export function noteStart(log: Pick<Log, "info">, facts: StartFacts): void {
  const hosts = facts.keyOrigins.map((origin) => new URL(origin).host);
  log.info(`Forge ${facts.forge} in ${facts.editor} (${facts.host}), Node ${facts.node} on ${facts.system}`);
  log.info(`Folders open: ${facts.folderCount}, ${facts.isTrusted ? "trusted" : "not trusted"}`);
  log.info(`Data in ${facts.storage}: conversations ${facts.conversations}, in the trash ${facts.trash}`);
  log.info(`Keys kept for: ${hosts.length === 0 ? "nobody" : hosts.join(", ")}`);
}
