/** Outputs of a cell as bounded text. Pictures and what programs draw are only named. */

import { beginningOf, endingOf } from "../../core/cutText.ts";
import { stringField, tryParseJson } from "../../core/json.ts";
import type { CellOutput } from "./notebookText.ts";

/** One form of an output, as notebooks hold it. */
export interface OutputForm {
  readonly mime: string;
  readonly sizeBytes: number;
  /** The first `most` UTF-16 units, or a little more. */
  readonly text: (most: number) => string;
}

/** UTF-16 units shown of one output, and of all outputs of a cell. */
const MOST_OUTPUT = 4_000;
const MOST_OF_CELL = 16_000;
const MOST_OUTPUTS = 20;
/** UTF-16 units read of an output, whose end is shown as well; an error is JSON, and is read as a whole. */
const MOST_READ = 200_000;
const MOST_ERROR = 1_000_000;
/** UTF-16 units read of all outputs of a notebook; those after them are only named. */
const MOST_OF_NOTEBOOK = 1_000_000;

/** The remaining room for the outputs of one notebook. */
export interface OutputBudget {
  left: number;
}

export function outputBudget(): OutputBudget {
  return { left: MOST_OF_NOTEBOOK };
}

export const ERROR_MIME = "application/vnd.code.notebook.error";
export const STREAM_MIME = "application/vnd.code.notebook.";

/** Forms that are shown as text, the best first. */
const SHOWN = [
  ERROR_MIME,
  `${STREAM_MIME}stdout`,
  `${STREAM_MIME}stderr`,
  "text/plain",
  "text/markdown",
  "text/latex",
  "text/html",
  "application/json",
];

/** Colours and cursor movements of terminals. */
const ESCAPES = /\u001b\[[\d;?]{0,40}[A-Za-z]/g;
const EMBEDDED = /data:[\w.+/-]{0,100};base64,([A-Za-z0-9+/=]{64,})/g;

/** `outputs` in their order; each is one result in several forms. */
export function describeOutputs(
  outputs: readonly (readonly OutputForm[])[],
  budget: OutputBudget,
): readonly CellOutput[] {
  let left = MOST_OF_CELL;
  const shown = outputs.slice(0, MOST_OUTPUTS).map((forms): CellOutput => {
    const best = SHOWN.map((mime) => forms.find((form) => form.mime === mime)).find((form) => form !== undefined);
    if (best === undefined || budget.left <= 0)
      return { name: `${forms.map(named).join(", ") || "nothing"}, not shown`, lines: [] };
    const text = shownText(best, Math.min(left, MOST_OUTPUT), budget);
    left -= text.length;
    const others = forms.filter((form) => form !== best).map(named);
    const also = others.length === 0 ? "" : ` (not shown: ${others.join(", ")})`;
    return { name: nameOf(best.mime) + also, lines: text.split("\n") };
  });
  const more = outputs.length - shown.length;
  return more <= 0 ? shown : [...shown, { name: `${more} more, not shown`, lines: [] }];
}

function named({ mime, sizeBytes }: OutputForm): string {
  return `${oneLine(nameOf(mime))}, ${sizeBytes.toLocaleString("en-US")} bytes`;
}

function nameOf(mime: string): string {
  return mime === ERROR_MIME ? "error" : mime.startsWith(STREAM_MIME) ? mime.slice(STREAM_MIME.length) : mime;
}

function shownText(form: OutputForm, most: number, budget: OutputBudget): string {
  const read = form.text(form.mime === ERROR_MIME ? MOST_ERROR : MOST_READ);
  budget.left -= read.length;
  const raw = form.mime === ERROR_MIME ? errorText(read) : read;
  const clean = raw
    .replace(ESCAPES, "")
    .replace(EMBEDDED, (_, data: string) => `[${data.length.toLocaleString("en-US")} characters of data, not shown]`)
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1)) // a progress bar is drawn over itself
    .join("\n")
    .replace(/\n$/, "");
  if (clean.length <= most) return clean;
  const head = beginningOf(clean, Math.ceil(most / 2));
  const tail = endingOf(clean, Math.floor(most / 2));
  const skipped = clean.length - head.length - tail.length;
  return `${head}\n[${skipped.toLocaleString("en-US")} characters left out]\n${tail}`;
}

function errorText(json: string): string {
  const error = tryParseJson(json);
  const stack = stringField(error, "stack");
  const title = [stringField(error, "name"), stringField(error, "message")].filter((part) => part !== "").join(": ");
  return stack === "" ? title : stack.includes(stringField(error, "message")) ? stack : `${title}\n${stack}`;
}

function oneLine(mime: string): string {
  return beginningOf(mime.replace(/\s+/g, " "), 100);
}
