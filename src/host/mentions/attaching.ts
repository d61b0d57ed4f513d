/** What the user adds to the message that is being typed: found by name, dropped, pasted, taken away again. */

import * as vscode from "vscode";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { pastedLabel } from "../../core/journal/pastedText.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import type { Connection } from "../connections/connections.ts";
import { explain } from "../words/explain.ts";
import type { Presenter } from "../session/presenter.ts";
import type { Session } from "../session/session.ts";
import { attachmentIdOf, type NotAdded } from "../session/sessionAttachments.ts";
import { locate } from "../tools/files/workspaceFiles.ts";
import { isInGitFolder, mayHoldSecrets } from "../tools/paths/guardedFiles.ts";
import { cleanText, dataText } from "../tools/resultText.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import { placeOfUri } from "../tools/workspaceRoots.ts";
import { BeingAdded } from "./beingAdded.ts";
import { MentionFinder, type Mention } from "./findMentions.ts";
import { imagePart, mediaTypeOf } from "./imageFile.ts";
import { fileContent, mentionContent } from "./mentionContent.ts";

/** What attaching works with. */
export interface AttachingOptions {
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Makes the tools that read for it; new ones, so that nothing counts as seen by the model. */
  readonly window: Pick<WindowTools, "ofConversation">;
  readonly emit: (body: ToViewBody) => void;
  /** Says to the user what could not be added. */
  readonly presenter: Pick<Presenter, "showBanner">;
}

/** Texts that are dropped or pasted as files may be so long, in bytes. */
const MOST_TEXT_BYTES = 1_000_000;
/** Things that are taken from one drop: as many as a message holds. The page says how many more there were. */
const MOST_DROPPED = 50;

/** What the view says of what is added to the message. */
export type AttachToHost = Extract<
  ToHost,
  { kind: "findMentions" | "attach" | "attachUris" | "attachData" | "attachText" | "detach" | "detachPaste" }
>;

/** The attachments of the open conversation. */
export class Attaching {
  readonly #options: AttachingOptions;
  readonly #finder: MentionFinder;
  readonly #found = new Map<string, Mention>();
  #searching = new AbortController();
  readonly #beingAdded = new BeingAdded();
  /** Texts that were pasted and are not on the disk yet. */
  #pasting: Promise<unknown> = Promise.resolve();

  constructor(options: AttachingOptions) {
    this.#options = options;
    this.#finder = new MentionFinder(options.dist);
  }

  /** Does what the view asks for; resolves when it is done. */
  async handle(message: AttachToHost, session: Session): Promise<void> {
    switch (message.kind) {
      case "findMentions":
        await this.#find(message.requestId, message.query);
        return;
      case "attach": {
        const mention = this.#found.get(message.mentionId);
        if (mention === undefined) return;
        await this.#beingAdded.add(async () => this.#add(session, await this.#contentOf(mention)));
        return;
      }
      case "attachUris":
        await this.#beingAdded.add(async (asks) => {
          for (const uri of message.uris.slice(0, MOST_DROPPED))
            await this.#add(session, await this.#dropped(uri, session, asks));
        });
        return;
      case "attachData": {
        const bytes = Buffer.from(message.dataBase64, "base64");
        const read = this.#pasted(message.name, bytes, session.connection);
        await this.#beingAdded.add(() => this.#add(session, read));
        return;
      }
      case "attachText": {
        const { pasteId, text } = message;
        const part: AddedPart = { kind: "attachment", label: pastedLabel(text), text };
        const adding = session.attachments.add(part, pasteId);
        this.#pasting = Promise.allSettled([this.#pasting, adding]);
        const added = await adding;
        if (!added.ok) this.#notAdded(added.error);
        return;
      }
      case "detachPaste":
        await this.#pasting;
        await session.attachments.remove(attachmentIdOf(message.pasteId));
        return;
      case "detach":
        await session.attachments.remove(message.attachmentId);
        return;
    }
  }

  /** Resolves when all that the user added so far is added, was refused, or takes too long; a file from elsewhere is not waited for. */
  async added(): Promise<void> {
    await Promise.all([this.#pasting, this.#beingAdded.settled()]);
  }

  async #find(requestId: number, query: string): Promise<void> {
    this.#searching.abort();
    const search = new AbortController();
    this.#searching = search;
    const mentions = await this.#finder.find(query, search.signal);
    if (search.signal.aborted) return;
    this.#found.clear();
    const views = mentions.map((mention, index) => {
      const mentionId = `${String(requestId)}-${String(index)}`;
      this.#found.set(mentionId, mention);
      return { mentionId, kind: mention.kind, label: mention.label, description: mention.description };
    });
    this.#options.emit({ kind: "mentions", requestId, mentions: views });
  }

  #contentOf(mention: Mention): Promise<Result<readonly AddedPart[], string>> {
    return mentionContent(mention, this.#tools(), new AbortController().signal);
  }

  async #add(session: Session, read: Result<readonly AddedPart[], string>): Promise<void> {
    if (!read.ok) {
      if (read.error !== "") this.#refuse(read.error);
      return;
    }
    for (const part of read.value) {
      const added = await session.attachments.add(part);
      if (!added.ok) this.#notAdded(added.error);
    }
  }

  #notAdded(why: NotAdded): void {
    if (why === "tooMany") this.#refuse(localize("50 things are added already: that is the most."));
    else if (why === "tooLarge") this.#refuse(localize("Together that is more than 25 MB. Take something away first."));
    else if (why !== "closed") this.#options.presenter.showBanner(explain(why, ""));
  }

  #refuse(text: string): void {
    this.#options.presenter.showBanner({ tone: "warning", text, actions: [] });
  }

  #tools(): readonly Tool[] {
    return this.#options.window.ofConversation();
  }

  /** A file of the workspace at once; one from elsewhere when the user says so. */
  async #dropped(address: string, session: Session, asks: () => void): Promise<Result<readonly AddedPart[], string>> {
    const uri = parsed(address);
    if (uri === undefined) return err(localize("Only files can be added."));
    const place = placeOfUri(uri);
    const stat = await statOf(uri);
    if (stat === undefined) return err(localize("{0} cannot be read.", uri.path));
    if (place !== undefined && stat.type === vscode.FileType.Directory) {
      return this.#contentOf({ kind: "folder", label: place.shown, description: "", path: place.shown });
    }
    if (stat.type === vscode.FileType.Directory)
      return err(localize("A folder outside of the workspace cannot be added."));
    if (place === undefined) {
      asks();
      if (!(await mayReadOutside(uri))) return err("");
    }
    if (stat.size > 20_000_000) return err(localize("{0} is larger than 20 MB. Add a part of it instead.", uri.path));
    const isImage = /\.(?:png|jpe?g|gif|webp)$/i.test(uri.path);
    if (place !== undefined && !isImage) {
      const read = await fileContent(place.shown, this.#tools(), new AbortController().signal);
      return read.ok ? ok([read.value]) : read;
    }
    if (place !== undefined) {
      const located = await locate(this.#options.dist, place, new AbortController().signal);
      if (!located.ok) return err(located.error.text);
      const { relative } = located.value; // where it really lies: a link may lead to anything
      if (isInGitFolder(relative) || mayHoldSecrets(relative)) return err(localize("{0} cannot be read.", uri.path));
    }
    const bytes = await bytesOf(uri);
    if (bytes === undefined) return err(localize("{0} cannot be read.", uri.path));
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    if (isImage && mediaTypeOf(bytes) === undefined)
      return err(localize("{0} is not a text, and no image that a model takes.", name));
    return this.#pasted(name, bytes, session.connection);
  }

  #pasted(name: string, bytes: Uint8Array, connection: Connection): Result<readonly AddedPart[], string> {
    if (mediaTypeOf(bytes) !== undefined) {
      const why = whyNoImages(connection);
      if (why !== undefined) return err(why);
      const image = imagePart(bytes);
      return image.ok ? ok([image.value]) : image;
    }
    if (bytes.length > MOST_TEXT_BYTES)
      return err(localize("{0} is larger than 1 MB. Add a part of it instead.", name));
    if (bytes.includes(0)) return err(localize("{0} is not a text, and no image that a model takes.", name));
    const clean = cleanText(new TextDecoder().decode(bytes));
    const text = dataText({ heading: name, body: clean.text, changes: clean });
    return ok([{ kind: "attachment", label: name, text }]);
  }
}

/** Why the model that answers gets no images; `undefined` when it does. */
function whyNoImages({ providerName, model, isLanguageModel }: Connection): string | undefined {
  if (!isLanguageModel) return localize("Images need a language model. The offline mode reads none.");
  const isBlind = providerName === "openai" && /^(?:gpt-3\.5|gpt-4-0|o1-mini|o3-mini)/.test(model);
  return isBlind ? localize("{0} takes no images. Switch the model to add one.", model) : undefined;
}

async function mayReadOutside(uri: vscode.Uri): Promise<boolean> {
  const add = localize("Add It");
  const detail = `${uri.path}\n\n${localize("What is in it is sent to the model with your next message.")}`;
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
    return undefined; // gone, or not to be read: both are said in the same words
  }
}

async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined; // gone since, or not to be read
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
