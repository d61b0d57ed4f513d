/** The list's copy of a conversation that was imported and never opened. */

import { writeMeta } from "../../../adapters/node/conversationMeta.ts";
import type { ImportedConversation } from "../../../adapters/sqlite/import/importedFacts.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { Result } from "../../../core/result.ts";

/** A conversation lies in the list where it was last used, not where it was imported. */
export function writeImportedListing(
  folder: string,
  facts: ImportedConversation,
): Promise<Result<void, StorageFailed>> {
  const { title, createdAtMs, lastUsedAtMs, messages, records, model, projects, link } = facts;
  return writeMeta(folder, {
    ...{ version: 1, title, createdAtMs, lastUsedAtMs, messageCount: messages, recordCount: records },
    ...{ provider: "", model, usage: { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 }, undecided: 0 },
    projects,
    ...(link === undefined ? {} : { imported: link }),
  });
}
