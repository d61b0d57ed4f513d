/** Facts of an imported conversation for the list, with where it came from: gathered while its records are stored. */

import { importLinkOf, IMPORT_LINK_SETTING, type ImportLink } from "../../../core/history/importLink.ts";
import type { Project } from "../../../core/history/project.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";

export interface ImportedConversation {
  readonly messages: number;
  readonly records: number;
  /** Empty when there is none. */
  readonly title: string;
  /** Empty when no answer names one. */
  readonly model: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly projects: readonly Project[];
  /** Absent for Forge's own documents. */
  readonly link?: ImportLink;
}

/** Passes the records on; returns the facts at their end. */
export function* withFacts(
  records: Iterable<ConversationRecord>,
  onEnd: (facts: ImportedConversation) => void,
): Iterable<ConversationRecord> {
  let [messages, count, title, model, createdAtMs, lastUsedAtMs] = [0, 0, "", "", 0, 0];
  let link: ImportLink | undefined;
  const projects: Project[] = [];
  for (const record of records) {
    count++;
    if (record.kind === "message") {
      messages++;
      const atMs = record.entry.createdAtMs;
      if (messages === 1) createdAtMs = atMs;
      lastUsedAtMs = Math.max(lastUsedAtMs, atMs);
      model = record.entry.model ?? model;
    } else if (record.kind === "title") ({ title } = record);
    else if (record.kind === "project") projects.push(record.project);
    else if (record.kind === "setting" && record.name === IMPORT_LINK_SETTING)
      link = importLinkOf({ setting: () => record.value });
    yield record;
  }
  const facts = { messages, records: count, title, model, createdAtMs, lastUsedAtMs, projects };
  onEnd(link === undefined ? facts : { ...facts, link });
}
