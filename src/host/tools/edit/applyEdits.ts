/** Text replacements as a model writes them. */

import { changesBetween, type TextChange } from "../../../adapters/diff/textChanges.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { endOfLine, LEAD_LINES, MOST_LEAD, secretsOfLines, TRAIL } from "../redactedRange.ts";
import { counted, REDACTION_MARK } from "../resultText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import { firstDifference, FoldedText } from "./lookAlikes.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** More places than these are only counted. */
const MOST_PLACES = 100;

/**
 * The changes of `text` by the edits in order, each applied to the result of the one before. `text`, the edits and the
 * changes use `\n` as line ends. The old text of an edit must occur exactly once, so that the place is unambiguous;
 * characters that look alike count as equal where it does not occur as it is written. What the model is not shown is
 * never compared: it could be guessed letter by letter.
 */
export function changesOf(text: string, edits: readonly TextEdit[]): Result<readonly TextChange[], ToolFailure> {
  const edited = new EditedText(text);
  for (const [index, edit] of edits.entries()) {
    const oldText = withPlainLineEnds(edit.oldText);
    const newText = withPlainLineEnds(edit.newText);
    const named = edits.length === 1 ? "The old text" : `The old text of edit ${index}`;
    if (oldText === "") return failure("INVALID_INPUT", `${named} is empty.`);
    const current = edited.text;
    const changes = exactChanges(current, oldText, newText) ?? alikeChanges(current, oldText, newText);
    if (!changes.ok) return failure(changes.error.code, `${named} ${changes.error.text}`);
    for (const change of changes.value.toReversed()) edited.replace(change);
  }
  return ok(edited.changes);
}

export function withPlainLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Whether a change would write redaction marks in place of other text. */
export function writesRedactions(before: string, after: string): boolean {
  return placesOf(after, REDACTION_MARK).length > placesOf(before, REDACTION_MARK).length;
}

type Changes = Result<readonly TextChange[], ToolFailure>;

/** `undefined` where the text does not occur. */
function exactChanges(current: string, oldText: string, newText: string): Changes | undefined {
  const places = visiblePlaces(current, placesOf(current, oldText), oldText.length);
  const [at] = places;
  if (at === undefined) return undefined;
  if (places.length > 1) return severalTimes(`is in the file ${places.length} times`);
  return ok(changesBetween(oldText, newText).map((change) => moved(change, (offset) => offset + at)));
}

function alikeChanges(current: string, oldText: string, newText: string): Changes {
  const [file, wanted] = [new FoldedText(current), new FoldedText(oldText)];
  const places = wanted.text.trim() === "" ? [] : placesOf(file.text, wanted.text);
  const whole = places.flatMap((at) => {
    const [start, end] = [file.startOf(at), file.endOf(at + wanted.text.length)];
    return start === undefined || end === undefined ? [] : [{ at, start, end }];
  });
  const seen = whole.filter(({ start, end }) => isVisible(current, start, end));
  const [place] = seen;
  if (place === undefined) return notFound(current, oldText);
  if (seen.length > 1) {
    const difference = firstDifference(current.slice(place.start, place.end), oldText);
    const [inFile = "", inEdit = ""] = difference ?? [];
    return severalTimes(
      `is in the file ${seen.length} times with other characters that look alike ` +
        `(line ${lineOf(current, place.start)} has ${inFile} where the old text has ${inEdit})`,
    );
  }
  const changes = changesBetween(oldText, newText).map((change) => {
    let { start, end, text } = change;
    const inFile = (offset: number, side: "startOf" | "endOf"): number | undefined => {
      const folded = wanted.foldedOf(offset);
      return folded === undefined ? undefined : file[side](place.at + folded);
    };
    while (start > 0 && inFile(start, "startOf") === undefined) text = `${oldText[--start] ?? ""}${text}`;
    while (end < oldText.length && inFile(end, "endOf") === undefined) text += oldText[end++] ?? "";
    return { start: inFile(start, "startOf") ?? place.start, end: inFile(end, "endOf") ?? place.end, text };
  });
  return ok(changes.map(({ start, end, text }) => ({ start, end: Math.max(start, end), text })));
}

/** The text as edited so far, as pieces of the original and new ones. */
class EditedText {
  readonly #original: string;
  #pieces: readonly (TextChange & { readonly isNew: boolean })[];

  constructor(original: string) {
    this.#original = original;
    this.#pieces = [{ start: 0, end: original.length, text: original, isNew: false }];
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join("");
  }

  /** `change` is of the text as edited so far. */
  replace({ start, end, text }: TextChange): void {
    const pieces: (TextChange & { readonly isNew: boolean })[] = [];
    const fresh = { start: 0, end: 0, text, isNew: true };
    let at = 0;
    let isPlaced = false;
    for (const piece of this.#pieces) {
      const pieceEnd = at + piece.text.length;
      if (at < start) pieces.push(partOf(piece, 0, Math.min(start, pieceEnd) - at));
      if (!isPlaced && pieceEnd >= start) {
        pieces.push(fresh);
        isPlaced = true;
      }
      if (pieceEnd > end) pieces.push(partOf(piece, Math.max(end, at) - at, piece.text.length));
      at = pieceEnd;
    }
    this.#pieces = pieces;
  }

  get changes(): readonly TextChange[] {
    const changes: TextChange[] = [];
    let at = 0;
    let text = "";
    const note = (start: number): void => {
      if (start > at || text !== "") changes.push({ start: at, end: start, text });
      text = "";
    };
    for (const piece of this.#pieces) {
      if (piece.isNew) {
        text += piece.text;
        continue;
      }
      if (piece.start === piece.end) continue;
      note(piece.start);
      at = piece.end;
    }
    note(this.#original.length);
    return changes;
  }
}

function partOf<Piece extends TextChange & { readonly isNew: boolean }>(piece: Piece, from: number, to: number): Piece {
  const offsets = piece.isNew ? {} : { start: piece.start + from, end: piece.start + to };
  return { ...piece, ...offsets, text: piece.text.slice(from, to) };
}

function moved({ start, end, text }: TextChange, by: (offset: number) => number): TextChange {
  return { start: by(start), end: by(end), text };
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

function visiblePlaces(text: string, places: readonly number[], length: number): readonly number[] {
  if (places.length > MOST_PLACES) return places;
  return places.filter((at) => isVisible(text, at, at + length));
}

/** True if a model that reads the file is shown all of `[start, end)`. */
function isVisible(text: string, start: number, end: number): boolean {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const lead = Math.max(leadStart(text, first), first - MOST_LEAD);
  const around = text.slice(lead, endOfLine(text, end) + TRAIL);
  return !secretsOfLines(around).some((secret) => lead + secret.start < end && start < lead + secret.end);
}

function leadStart(text: string, from: number): number {
  let at = from;
  for (let line = 0; line < LEAD_LINES && at > 0; line++) at = text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length) - commonStart(one, other);
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length++;
  return length;
}

function lineOf(text: string, at: number): number {
  return placesOf(text.slice(0, at), "\n").length + 1;
}

function severalTimes(where: string): Result<never, ToolFailure> {
  return err({
    code: "INVALID_INPUT",
    text: `${where}: give more of the lines around it, so that it fits one place.`,
  });
}

function notFound(current: string, oldText: string): Result<never, ToolFailure> {
  return failure("NOT_FOUND", `is not in the file. ${hintFor(current, oldText)}`);
}

/** What may have gone wrong; never quotes text that the model has not seen. */
function hintFor(text: string, oldText: string): string {
  if (oldText.includes(REDACTION_MARK)) return "It holds a mark that stands for a secret: edit around that.";
  if (/\[U\+[0-9A-F]{4,6}\]/.test(oldText)) return "It holds the code of an invisible character: edit around that.";
  const first = oldText
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
  const alike = first === undefined ? [] : linesLike(text, first);
  if (alike.length > 0) {
    const places = alike.slice(0, 3).join(", ");
    return `${counted(alike.length, "line")} like its first one (line ${places}): blanks or later lines differ.`;
  }
  return oneCharacterAway(text, oldText) ?? "Read the file again, and copy the text without the line numbers.";
}

/** Numbers of the lines that a model has seen and that are like `wanted` but for blanks at their ends. */
function linesLike(text: string, wanted: string): readonly number[] {
  let at = 0;
  let checked = 0;
  return text.split("\n").flatMap((line, index) => {
    const start = at;
    at += line.length + 1;
    if (line.trim() !== wanted) return [];
    return checked++ >= MOST_PLACES || isVisible(text, start, start + line.length) ? [index + 1] : [];
  });
}

/** Shorter lines are like too many others. */
const LEAST_COMPARED = 8;
const MOST_LINES_COMPARED = 20;

/** Names the character where a line of the old text and one of the file differ in one only. */
function oneCharacterAway(text: string, oldText: string): string | undefined {
  const lines = text.split("\n");
  for (const wanted of oldText.split("\n", MOST_LINES_COMPARED).map((line) => line.trim())) {
    if (wanted.length < LEAST_COMPARED) continue;
    let at = 0;
    for (const [index, whole] of lines.entries()) {
      const line = whole.trim();
      const same = commonStart(line, wanted) + commonEnd(line, wanted);
      const isOneAway = line !== wanted && same > 0 && same >= Math.max(line.length, wanted.length) - 2;
      if (isOneAway && isVisible(text, at, at + whole.length)) {
        const [inFile, inEdit] = firstDifference(line, wanted) ?? [];
        return `Line ${index + 1} of the file has ${inFile ?? ""} where it has ${inEdit ?? ""}: copy the line as it is.`;
      }
      at += whole.length + 1;
    }
  }
  return undefined;
}
