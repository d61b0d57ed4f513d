/**
 * Adds a volume for conversations to the text of a `devcontainer.json`, whose comments, order and style stay.
 *
 * The volume has a folder of its own: one mounted into the server's folders has parents that belong to root, and the
 * server is not installed for another user. It belongs to root itself where the image lacks its folder, so a command gives
 * it to the container's user. That command never fails, as no other would run after it.
 */

import type { DocumentText } from "../../../core/documents/documentText.ts";
import { outlineOf, type ValueRange } from "../../../core/documents/jsonOutline.ts";
import { member, parseJson } from "../../../core/json.ts";
import { VOLUME_FOLDER } from "./historyPlace.ts";

/** One volume for each container, which rebuilds keep: a project's code must not read what was said in another. */
const VOLUME = `source=forge-conversations-\${devcontainerId},target=${VOLUME_FOLDER},type=volume`;
const OWN = `test -w ${VOLUME_FOLDER} || sudo -n chown -R $(id -u) ${VOLUME_FOLDER} || true`;
/** Run once in each new container; the first that the file does not have is taken. */
const HOOKS = ["onCreateCommand", "postCreateCommand", "updateContentCommand", "postStartCommand"] as const;

/** As for a file that has neither member. */
export const MOUNT_LINES = `"mounts": ["${VOLUME}"],\n"${HOOKS[0]}": "${OWN}"`;

export interface Insertion {
  /** In UTF-16 units of the text before. */
  readonly offset: number;
  readonly text: string;
}

/** `insert`: by growing offset. `unreadable`: no such file can be read by the rules of JSON with comments. */
export type MountPlan =
  { readonly kind: "insert"; readonly insertions: readonly Insertion[] } | { readonly kind: "there" | "unreadable" };

const UNREADABLE: MountPlan = { kind: "unreadable" };

export function planMount(text: string): MountPlan {
  const plain = withoutComments(text);
  const json = withoutTrailingCommas(plain);
  const outline = outlineOf(inMemory(json));
  if (!outline.ok || outline.value.members === undefined || !parseJson(json).ok) return UNREADABLE;
  const { value, members } = outline.value;
  const mounts = members.get("mounts");
  const listed = mounts && parseJson(json.slice(mounts.start, mounts.end));
  const items = listed?.ok === true ? listed.value : [];
  if (!Array.isArray(items)) return UNREADABLE;
  if (items.some(isAtFolder)) return { kind: "there" };
  const hook = HOOKS.find((name) => !members.has(name));
  const added = [
    ...(mounts === undefined ? [`"mounts": ["${VOLUME}"]`] : []),
    ...(hook === undefined ? [] : [`"${hook}": "${OWN}"`]),
  ];
  const source = { text, plain };
  const insertions = [
    ...(mounts === undefined ? [] : [firstItem(source, mounts, items.length > 0)]),
    ...(added.length === 0 ? [] : lastMembers(source, value, [...members.values()], added)),
  ];
  return { kind: "insert", insertions: insertions.sort((one, other) => one.offset - other.offset) };
}

/** `plain` has blanks in place of comments. */
interface Source {
  readonly text: string;
  readonly plain: string;
}

function firstItem({ text, plain }: Source, { start }: ValueRange, hasOthers: boolean): Insertion {
  const item = `"${VOLUME}"`;
  const at = start + 1;
  const end = endOfLine(plain, at);
  if (!hasOthers || end === undefined) return { offset: at, text: hasOthers ? `${item}, ` : item };
  const [, indent = ""] = /\n([^\S\n]*)\S/.exec(plain.slice(end)) ?? [];
  return { offset: end, text: `${lineBreakOf(text)}${indent}${item},` };
}

/** The comma goes behind the value that was the last, the rest behind the comment beside it. */
function lastMembers(
  { text, plain }: Source,
  object: ValueRange,
  values: readonly ValueRange[],
  added: readonly string[],
): Insertion[] {
  const last = values.reduce<ValueRange | undefined>(
    (latest, range) => (latest === undefined || range.end > latest.end ? range : latest),
    undefined,
  );
  const lineBreak = lineBreakOf(text);
  const isInOneLine = !plain.slice(object.start, last?.end ?? object.end).includes("\n");
  if (last === undefined) {
    const lines = added.map((member) => `${lineBreak}  ${member}`).join(",");
    return [{ offset: object.start + 1, text: isInOneLine ? `${lines}${lineBreak}` : lines }];
  }
  const [comma] = /^\s*,/.exec(plain.slice(last.end, object.end)) ?? [];
  const at = last.end + (comma?.length ?? 0);
  const end = endOfLine(plain, at);
  const lineStart = plain.lastIndexOf("\n", last.start - 1) + 1;
  const [indent = ""] = /^[^\S\n]*/.exec(plain.slice(lineStart)) ?? [];
  const members = added.map((member) => (isInOneLine ? ` ${member}` : `${lineBreak}${indent}${member}`)).join(",");
  const ending = comma === undefined ? "" : ",";
  const offset = isInOneLine ? at : (end ?? at);
  if (comma !== undefined) return [{ offset, text: members + ending }];
  if (offset === at) return [{ offset, text: `,${members}` }];
  return [
    { offset: at, text: "," },
    { offset, text: members },
  ];
}

/** `undefined` if something other than a comment follows in the line. */
function endOfLine(plain: string, start: number): number | undefined {
  const [blanks] = /^[^\S\r\n]*(?=\r?\n)/.exec(plain.slice(start)) ?? [];
  return blanks === undefined ? undefined : start + blanks.length;
}

function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

const STRING = /"(?:[^"\\\r\n]|\\.)*"/.source;
const COMMENTS = new RegExp(`${STRING}|//[^\\r\\n]*|/\\*[^]*?\\*/`, "g");
const COMMAS = new RegExp(`${STRING}|,(?=\\s*[}\\]])`, "g");

/** As long as before; line breaks in comments become blanks, too. */
function withoutComments(text: string): string {
  return text.replace(COMMENTS, (found) => (found.startsWith("/") ? " ".repeat(found.length) : found));
}

function withoutTrailingCommas(plain: string): string {
  return plain.replace(COMMAS, (found) => (found === "," ? " " : found));
}

function isAtFolder(mount: unknown): boolean {
  const options = typeof mount === "string" ? mount.split(",").map((option) => option.trim()) : [];
  const names = ["target", "destination", "dst"];
  return names.some((name) => options.includes(`${name}=${VOLUME_FOLDER}`) || member(mount, name) === VOLUME_FOLDER);
}

/** Characters outside ASCII, which only strings have, become one byte each: places are counted in UTF-16 units. */
function inMemory(json: string): DocumentText {
  const bytes = Buffer.from(json.replace(/[^\0-\x7f]/g, "?"), "latin1");
  return {
    length: bytes.length,
    read: (into, start) => bytes.copy(into, 0, start),
    text: (start, end) => bytes.toString("latin1", start, end),
  };
}
