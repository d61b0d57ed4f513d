/** What could not be read of an imported file: kept with the conversation, and told after the imported messages. */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { SettingRecord } from "../../history/records.ts";
import type { MessageId } from "../../ids.ts";
import { listIn, member, tryParseJson } from "../../json.ts";
import type { DamagedLine, DamagedLines } from "./damagedLines.ts";

/** Setting that holds the {@link ImportReport} as JSON. */
export const IMPORT_REPORT_SETTING = "importReport";

export interface ImportReport {
  /** The last imported message of the live branch. */
  readonly message: number;
  /** Number of all damaged lines. */
  readonly count: number;
  /** The first ones, each with its beginning. */
  readonly damaged: readonly DamagedLine[];
}

export function importReportSetting(damaged: DamagedLines, message: MessageId): Omit<SettingRecord, "atMs"> {
  const report: ImportReport = { message, count: damaged.count, damaged: damaged.kept };
  return { kind: "setting", name: IMPORT_REPORT_SETTING, value: JSON.stringify(report) };
}

/** `undefined` when nothing was damaged, or the setting cannot be read. */
export function importReportOf(history: FullHistory): ImportReport | undefined {
  const value = tryParseJson(history.setting(IMPORT_REPORT_SETTING) ?? "");
  const [message, count] = [member(value, "message"), member(value, "count")];
  if (typeof message !== "number" || typeof count !== "number") return undefined;
  const damaged = listIn(value, "damaged").flatMap((each): readonly DamagedLine[] => {
    const [line, text] = [member(each, "line"), member(each, "text")];
    return typeof line === "number" && typeof text === "string" ? [{ line, text }] : [];
  });
  return { message, count, damaged };
}
