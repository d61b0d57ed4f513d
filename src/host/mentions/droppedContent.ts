/** Reads what is dropped on the composer or pasted as a file, as parts of a message. */

import * as vscode from "vscode";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { isolated } from "../../protocol/rightToLeft.ts";
import { makeVisible } from "../tools/hiddenText.ts";
import type { Connection } from "../connections/connections.ts";
import { readableText } from "../notebooks/notebookJson.ts";
import { openNotebook, readOpenNotebook } from "../notebooks/openNotebooks.ts";
import { locate, unsavedDocument } from "../tools/files/workspaceFiles.ts";
import { isInGitFolder, mayHoldSecrets } from "../tools/paths/guardedFiles.ts";
import { sanitizeText, dataText } from "../tools/resultText.ts";
import { placeOfUri } from "../tools/workspaceRoots.ts";
import { imagePart, mediaTypeOf } from "./imageFile.ts";
import { fileContent, mentionContent, type ReadContext } from "./mentionContent.ts";

/** Most bytes of a text that is dropped or pasted as a file. */
const MOST_TEXT_BYTES = 1_000_000;

/** Reads the file at `address`: one outside the workspace only if the user agrees. */
export async function droppedContent(
  address: string,
  {
    connection,
    dist,
    reading,
  }: { readonly connection: Connection; readonly dist: string; readonly reading: ReadContext },
): Promise<Result<readonly AddedPart[], string>> {
  const uri = parsed(address);
  if (uri === undefined) return err(localize("Only files can be added."));
  const place = placeOfUri(uri);
  const stat = await statOf(uri);
  if (stat === undefined) return err(localize("{0} cannot be read.", uri.path));
  const isFolder = (stat.type & vscode.FileType.Directory) !== 0; // also for a link to one
  if (place !== undefined && isFolder) {
    return mentionContent({ kind: "folder", label: place.shown, description: "", path: place.shown }, reading);
  }
  if (isFolder) return err(localize("A folder outside of the workspace cannot be added."));
  if (place === undefined && !(await reading.asks(() => mayReadOutside(uri)))) return err("");
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
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
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

function whyNoImages({ providerName, model, isLanguageModel }: Connection): string | undefined {
  if (!isLanguageModel) return localize("Images need a language model. The offline mode reads none.");
  const isBlind = providerName === "openai" && /^(?:gpt-3\.5|gpt-4-0|o1-mini|o3-mini)/.test(model);
  return isBlind ? localize("{0} does not accept images. Switch to another model to add one.", model) : undefined;
}

async function mayReadOutside(uri: vscode.Uri): Promise<boolean> {
  const add = localize("Add It");
  const detail = `${isolated(makeVisible(uri.path).text)}\n\n${localize("What is in it is sent to the model with your next message.")}`;
  return (
    (await vscode.window.showWarningMessage(
      localize("This file is outside of the workspace. Add it?"),
      { modal: true, detail },
      add,
    )) === add
  );
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

function parsed(address: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(address, true);
    return uri.scheme === "file" || uri.scheme === "vscode-remote" ? uri : undefined;
  } catch {
    return undefined;
  }
}
