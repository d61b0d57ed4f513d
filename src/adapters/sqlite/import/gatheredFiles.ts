/**
 * Conversations that a tool stores in many small files: one of them leads to the others beside it, and all are read as
 * one document. A damaged one becomes a text in the place of an object, so that it costs itself alone.
 */

import { existsSync, readdirSync, readFileSync, type Dirent } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseJson, stringField, tryParseJson } from "../../../core/json.ts";

/** Texts of the document, each read when its turn comes; `undefined` when the file stands for itself. */
export function gatheredTexts(file: string): Iterable<string> | undefined {
  const openHands = openHandsFolder(file);
  if (openHands !== undefined) return openHandsDocument(openHands);
  const opencode = opencodeSession(file);
  return opencode === undefined ? undefined : opencodeDocument(opencode);
}

/** `events/event-00003-<id>.json`, in older versions `events/3.json`; the state is beside the folder. */
const EVENT = /^(?:event-)?(\d+)(?:-[^.]*)?\.json$/;
const STATE = "base_state.json";

/** The folder of the conversation. */
function openHandsFolder(file: string): string | undefined {
  const [name, folder] = [basename(file), dirname(file)];
  if (name === STATE) return folder;
  if (!EVENT.test(name) || basename(folder) !== "events") return undefined;
  const isNamed = name.startsWith("event-") || stringField(tryParseJson(readFileSync(file, "utf8")), "source") !== "";
  return isNamed ? dirname(folder) : undefined;
}

function* openHandsDocument(folder: string): Generator<string> {
  const numberOf = (name: string): number => Number(EVENT.exec(name)?.[1]);
  const names = filesIn(join(folder, "events"), (name) => EVENT.test(name));
  names.sort((one, other) => numberOf(one) - numberOf(other));
  const [state] = filesIn(folder, (name) => name === STATE);
  yield `{"base_state":${state === undefined ? "null" : jsonIn(join(folder, state))},"events":[`;
  for (const [index, name] of names.entries()) yield (index === 0 ? "" : ",\n") + jsonIn(join(folder, "events", name));
  yield "]}";
}

/** A session in the storage of opencode: `session/<project>/ses_….json`, with its messages and their parts. */
interface OpencodeSession {
  readonly storage: string;
  readonly id: string;
}

function opencodeSession(file: string): OpencodeSession | undefined {
  const [, id = ""] = /^((?:ses|msg|prt)_\w+)\.json$/.exec(basename(file)) ?? [];
  const kind = basename(dirname(dirname(file)));
  const storage = dirname(dirname(dirname(file)));
  if (id.startsWith("ses_") && kind === "session") return { storage, id };
  const isInside = (id.startsWith("msg_") && kind === "message") || (id.startsWith("prt_") && kind === "part");
  const session = isInside ? stringField(tryParseJson(readFileSync(file, "utf8")), "sessionID") : "";
  return /^ses_\w+$/.test(session) ? { storage, id: session } : undefined;
}

/** Ids are in the order of time. */
function* opencodeDocument({ storage, id }: OpencodeSession): Generator<string> {
  const places = foldersIn(join(storage, "session")).map((project) => join(storage, "session", project));
  const session = places.find((place) => filesIn(place, (name) => name === `${id}.json`).length > 0);
  const info = session === undefined ? JSON.stringify({ id }) : jsonIn(join(session, `${id}.json`));
  yield `{"info":${info},"messages":[`;
  const messages = filesIn(join(storage, "message", id), (name) => /^msg_\w+\.json$/.test(name)).sort();
  for (const [index, name] of messages.entries()) {
    yield `${index === 0 ? "" : ",\n"}{"info":${jsonIn(join(storage, "message", id, name))},"parts":[`;
    const folder = join(storage, "part", basename(name, ".json"));
    const parts = filesIn(folder, (part) => /^prt_\w+\.json$/.test(part)).sort();
    for (const [place, part] of parts.entries()) yield (place === 0 ? "" : ",\n") + jsonIn(join(folder, part));
    yield "]}";
  }
  yield "]}";
}

/** Names of regular files; none in a folder that does not exist. */
function filesIn(folder: string, isWanted: (name: string) => boolean): string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isFile() && isWanted(entry.name) ? [entry.name] : []));
}

function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function entriesIn(folder: string): readonly Dirent[] {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

/** The file as JSON: itself, or its text where it is damaged. */
function jsonIn(file: string): string {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  return parseJson(text).ok ? text : JSON.stringify(text);
}
