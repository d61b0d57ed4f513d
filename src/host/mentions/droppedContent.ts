/** Reads what is dropped on the composer or pasted as a file, as parts of a message. */

import { modelName } from "../../core/models/modelName.ts";
import * as vscode from "vscode";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { isolated } from "../../protocol/rightToLeft.ts";
import { makeVisible } from "../tools/hiddenText.ts";
import type { Connection } from "../connections/connections.ts";
import { readableText } from "../notebooks/notebookJson.ts";
import { openNotebook, readOpenNotebook } from "../notebooks/openNotebooks.ts";
import { locate, spelledPlace, unsavedDocument } from "../tools/files/workspaceFiles.ts";
import { isInGitFolder, mayHoldSecrets } from "../tools/paths/guardedFiles.ts";
import { isTakenName } from "../tools/paths/requestedPath.ts";
import { sanitizeText, dataText } from "../tools/resultText.ts";
import { lastNameOf, type Place, placeOfUri, workspaceRoots } from "../tools/workspaceRoots.ts";
import { imagePart, mediaTypeOf } from "./imageFile.ts";
import { fileContent, mentionContent, type ReadContext } from "./mentionContent.ts";
import { showWarning } from "../editor/boxes/messages.ts";

/** Most bytes of a text that is dropped or pasted as a file. */
const MOST_TEXT_BYTES = 1_000_000;

interface DropContext {
  readonly connection: Connection;
  readonly dist: string;
  readonly reading: ReadContext;
}

interface DroppedItem {
  readonly uri: vscode.Uri;
  /** Undefined outside the workspace. */
  readonly place: Place | undefined;
  /** Undefined for what cannot be read. */
  readonly stat: vscode.FileStat | undefined;
}

/**
 * Reads what is at `addresses`: first what is in the workspace, then the files outside, about which the user is asked
 * once.
 */
export async function* droppedContents(
  addresses: readonly string[],
  context: DropContext,
): AsyncGenerator<Result<readonly AddedPart[], string>> {
  const items = await Promise.all(addresses.map((address) => examined(address, context.dist)));
  const inside = items.filter((item) => item?.place !== undefined);
  const others = items.filter((item) => item?.place === undefined);
  const outside = others.flatMap((item) => (item?.stat === undefined || isFolder(item.stat) ? [] : [item.uri]));
  let answer: Promise<boolean> | undefined;
  const agrees = (): Promise<boolean> => (answer ??= context.reading.asks(() => mayReadOutside(outside)));
  for (const item of [...inside, ...others]) {
    yield item === undefined ? err(localize("Only files can be added.")) : await contentOf(item, context, agrees);
  }
}

async function examined(address: string, dist: string): Promise<DroppedItem | undefined> {
  const uri = parsed(address);
  if (uri === undefined) return undefined;
  const written = placeOfUri(uri);
  const place = written === undefined ? undefined : await spelledPlace(dist, written);
  const item = { uri: place?.uri ?? uri, place };
  return { ...item, stat: await statOf(item.uri) };
}

function isFolder({ type }: vscode.FileStat): boolean {
  return (type & vscode.FileType.Directory) !== 0; // also for a link to one
}

async function contentOf(
  { uri, place, stat }: DroppedItem,
  { connection, dist, reading }: DropContext,
  agrees: () => Promise<boolean>,
): Promise<Result<readonly AddedPart[], string>> {
  if (stat === undefined) return err(localize("{0} cannot be read.", uri.path));
  if (place !== undefined && !isTakenName(place.relative)) {
    return err(
      localize(
        "{0} cannot be added: its name contains a line break, a backslash or invisible characters. Rename it, then add it.",
        place.shown,
      ),
    );
  }
  if (place !== undefined && isFolder(stat)) {
    return mentionContent({ kind: "folder", label: place.shown, description: "", path: place.shown }, reading);
  }
  if (isFolder(stat)) return err(localize("A folder outside of the workspace cannot be added."));
  if (place === undefined && !(await agrees())) return err("");
  if (stat.size > 20_000_000) return err(localize("{0} is larger than 20 MB. Add a part of it instead.", uri.path));
  const isImage = /\.(?:png|jpe?g|gif|webp)$/i.test(uri.path);
  if (place !== undefined && !isImage) {
    const read = await fileContent(place.shown, reading);
    return read.ok ? ok([read.value]) : read;
  }
  if (place !== undefined) {
    const located = await locate(dist, place, reading.cancel);
    if (!located.ok) return err(located.error.text);
    const { relative } = located.value; // its real path: a link may lead anywhere
    if (isInGitFolder(relative) || mayHoldSecrets(relative)) return err(localize("{0} cannot be read.", uri.path));
  }
  const notebook = openNotebook(uri);
  const unsaved = notebook === undefined ? unsavedDocument(uri)?.getText() : readOpenNotebook(notebook).text; // only of one outside: tools read unsaved text of the workspace themselves
  const bytes = unsaved === undefined ? await bytesOf(uri) : Buffer.from(unsaved);
  if (bytes === undefined) return err(localize("{0} cannot be read.", uri.path));
  const name = lastNameOf(uri);
  if (isImage && mediaTypeOf(bytes) === undefined)
    return err(localize("{0} is neither text nor an image that models accept.", name));
  return pastedContent(name, bytes, connection);
}

/** Dropped or pasted content: an image, or a text named `name`. */
export function pastedContent(
  name: string,
  bytes: Uint8Array,
  connection: Connection,
): Result<readonly AddedPart[], string> {
  if (mediaTypeOf(bytes) !== undefined) {
    const why = whyNoImages(connection);
    if (why !== undefined) return err(why);
    const image = imagePart(bytes);
    return image.ok ? ok([image.value]) : image;
  }
  if (bytes.length > MOST_TEXT_BYTES) return err(localize("{0} is larger than 1 MB. Add a part of it instead.", name));
  if (bytes.includes(0)) return err(localize("{0} is neither text nor an image that models accept.", name));
  const clean = sanitizeText(readableText(name, new TextDecoder().decode(bytes)));
  const text = dataText({ heading: name, body: clean.text, changes: clean });
  return ok([{ kind: "attachment", label: name, text }]);
}

function whyNoImages({ providerName, model, isLanguageModel, seesImages }: Connection): string | undefined {
  if (!isLanguageModel) return localize("Images need a language model. The offline mode reads none.");
  const isBlind =
    seesImages === false || (providerName === "openai" && /^(?:gpt-3\.5|gpt-4-0|o1-mini|o3-mini)/.test(model));
  return isBlind
    ? localize("{0} does not accept images. Switch to another model to add one.", modelName(model))
    : undefined;
}

/** Paths that a question lists; the others are counted. */
const MOST_LISTED = 10;

async function mayReadOutside(uris: readonly vscode.Uri[]): Promise<boolean> {
  const add = plural(uris.length, "Add It", "Add Them");
  const question = plural(
    uris.length,
    "This file is outside of the workspace. Add it?",
    "{0} files are outside of the workspace. Add them?",
  );
  const more = uris.length - MOST_LISTED;
  const names = [
    ...uris.slice(0, MOST_LISTED).map((uri) => isolated(makeVisible(uri.path).text)),
    ...(more > 0 ? [localize("{0} more", more)] : []),
  ].join("\n");
  const detail = `${names}\n\n${localize("What is in it is sent to the model with your next message.")}`;
  return (await showWarning(question, { modal: true, detail }, add)) === add;
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined; // missing or unreadable: the notice is the same
  }
}

async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined; // removed meanwhile, or unreadable
  }
}

/** Undefined for what names no file: text, commands, network addresses. */
function parsed(address: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(address, true);
    if (uri.scheme === "vscode-remote") return ofThisMachine(uri);
    const isFile = uri.scheme === "file" || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
    return isFile ? uri : undefined;
  } catch {
    return undefined;
  }
}

/**
 * In a remote window the page has addresses of the remote machine, "vscode-remote://ssh-remote+host/home/a.ts", while
 * here, on that machine, its files and folders have their own.
 */
function ofThisMachine(uri: vscode.Uri): vscode.Uri {
  const isHere = workspaceRoots().every((folder) => folder.uri.scheme !== uri.scheme);
  const isSameRemote = uri.authority.split("+")[0]?.toLowerCase() === vscode.env.remoteName?.toLowerCase();
  return isHere && isSameRemote ? vscode.Uri.file(uri.path) : uri;
}
