/** Which fields of a request are refused, as FastAPI says it, and many a gateway that is built on it. */

import { listIn, member, textIn } from "./jsonFields.ts";

/** The field that is named first, by its path in the request, and why it and the others are refused. */
export interface InvalidFields {
  readonly parameter: string;
  readonly message: string;
}

/** Reads them out of a body, or what stands in for a message in it; `undefined` where it is another body. */
export function invalidFields(body: unknown): InvalidFields | undefined {
  const details = [body, member(body, "message")].flatMap((holder) => listIn(holder, "detail"));
  const named = details.filter((detail) => textIn(detail, "msg") !== "");
  const fields = named.map((detail) => [pathIn(detail), textIn(detail, "msg")] as const);
  const [first] = fields;
  if (first === undefined) return undefined;
  return {
    parameter: first[0],
    message: fields.map((words) => words.filter((word) => word !== "").join(": ")).join("; "),
  };
}

function pathIn(detail: unknown): string {
  const path = listIn(detail, "loc");
  return path.slice(path[0] === "body" ? 1 : 0).join(".");
}
