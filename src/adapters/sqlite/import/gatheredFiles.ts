/**
 * Conversations that a tool stores in many small files: one of them leads to the others beside it, and all are read as
 * one document. A damaged one becomes a text in the place of an object, so that it costs itself alone.
 */

import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseJson, stringField, tryParseJson } from "../../../core/json.ts";

/** Part of the document: a file, or what is between files. */
type Piece = { readonly file: string } | string;

/** Texts of the document, each read when its turn comes; `undefined` when the file stands for itself. */
export function gatheredTexts(file: string): Iterable<string> | undefined {
  const pieces = piecesOf(file);
  return pieces === undefined ? undefined : textsOf(pieces);
}

/** All bytes of its files, and the newest change; `undefined` when the file stands for itself. */
export function gatheredState(file: string): { readonly bytes: number; readonly modifiedMs: number } | undefined {
  const pieces = piecesOf(file);
  if (pieces === undefined) return undefined;
  let [bytes, modifiedMs] = [0, 0];
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const stats = statSync(piece.file, { throwIfNoEntry: false });
    bytes += stats?.size ?? 0;
    modifiedMs = Math.max(modifiedMs, stats?.mtimeMs ?? 0);
  }
  return { bytes, modifiedMs };
}

/** True for a file that a list need not have, since another one of its conversation is there. By name alone. */
export function isGatheredByAnother(file: string): boolean {
  const name = basename(file);
  if (/^(?:msg|prt)_\w+\.json$/.test(name) || name === STATE) return true;
  return basename(dirname(file)) === "events" && EVENT.test(name) && !/^(?:event-)?0+(?:-|\.)/.test(name);
}

function piecesOf(file: string): Iterable<Piece> | undefined {
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

function* textsOf(pieces: Iterable<Piece>): Generator<string> {
  for (const piece of pieces) yield typeof piece === "string" ? piece : jsonIn(piece.file);
}

function* openHandsDocument(folder: string): Generator<Piece> {
  const numberOf = (name: string): number => Number(EVENT.exec(name)?.[1]);
  const names = filesIn(join(folder, "events"), (name) => EVENT.test(name));
  names.sort((one, other) => numberOf(one) - numberOf(other));
  const [state] = filesIn(folder, (name) => name === STATE);
  yield '{"base_state":';
  yield state === undefined ? "null" : { file: join(folder, state) };
  yield ',"events":[';
  yield* listed(names.map((name) => join(folder, "events", name)));
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
function* opencodeDocument({ storage, id }: OpencodeSession): Generator<Piece> {
  const places = foldersIn(join(storage, "session")).map((project) => join(storage, "session", project));
  const session = places.find((place) => filesIn(place, (name) => name === `${id}.json`).length > 0);
  yield '{"info":';
  yield session === undefined ? JSON.stringify({ id }) : { file: join(session, `${id}.json`) };
  yield ',"messages":[';
  const messages = filesIn(join(storage, "message", id), (name) => /^msg_\w+\.json$/.test(name)).sort();
  for (const [index, name] of messages.entries()) {
    yield `${index === 0 ? "" : ",\n"}{"info":`;
    yield { file: join(storage, "message", id, name) };
    yield ',"parts":[';
    const folder = join(storage, "part", basename(name, ".json"));
    const parts = filesIn(folder, (part) => /^prt_\w+\.json$/.test(part)).sort();
    yield* listed(parts.map((part) => join(folder, part)));
    yield "]}";
  }
  yield "]}";
}

function* listed(files: readonly string[]): Generator<Piece> {
  for (const [index, file] of files.entries()) {
    if (index > 0) yield ",\n";
    yield { file };
  }
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
