/** Rows of `record` and `message` whose checksums are valid: what they hold is what was written. */

import { member, tryParseJson } from "../../../core/json.ts";
import { checksum, recordChecksum } from "../rowCodec.ts";
import type { Cell } from "../pages/pageCells.ts";

export interface SalvagedMessage {
  readonly id: number;
  readonly entry: string;
  readonly body: string;
}

export interface SalvagedRecord {
  readonly number: number;
  readonly body: string;
  /** Id of the message that it records, if any. */
  readonly message: number | undefined;
}

export function recordIn({ rowId, values }: Cell): SalvagedRecord | undefined {
  const [, kind, body, sum] = values;
  if (rowId === undefined || values.length !== 4 || typeof kind !== "string" || typeof body !== "string")
    return undefined;
  if (recordChecksum(rowId, body) !== sum) return undefined;
  return { number: rowId, body, message: kind === "message" ? idIn(member(tryParseJson(body), "entry")) : undefined };
}

export function messageIn({ values }: Cell): SalvagedMessage | undefined {
  const [, , entry, body, sum] = values;
  if (typeof entry !== "string" || typeof body !== "string") return undefined;
  if (checksum(entry, body) !== sum) return undefined;
  const id = idIn(tryParseJson(entry));
  return id === undefined ? undefined : { id, entry, body };
}

function idIn(entry: unknown): number | undefined {
  const id = member(entry, "id");
  return typeof id === "number" ? id : undefined;
}
