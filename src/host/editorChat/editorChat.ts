/** Forge in the editor's own chat, bound to the editor: the participant, the tool for other extensions, and their links. */

import * as vscode from "vscode";
import { parseConversationId } from "../../core/ids.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import type { ChatHandler } from "../chat/chatHandler.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Session } from "../session/session.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { answerRequest, type EditorChatParts } from "./answerRequest.ts";
import { askedText, type Added } from "./askedText.ts";
import { messageLink } from "./messageLink.ts";
import { NOT_SHARED, readSharing, recallForOthers, sharingQuestion } from "./recallForOthers.ts";

/** What it needs from around it. */
export interface EditorChatWorld {
  readonly conversations: Conversations;
  /** Stands behind the page of Forge's own chat. */
  readonly handler: Pick<ChatHandler, "reveal">;
  /** Resolves when that page is there. */
  readonly pageIsThere: () => Promise<void>;
  /** Brings Forge's own chat to the front; resolves when a conversation is open in it, or cannot be. */
  readonly reveal: () => Promise<void>;
  /** Takes note of something that threw and should not have. */
  readonly bug: (error: unknown) => void;
}

/** What stands behind the participant, the tool and the links. */
export class EditorChat {
  readonly #world: EditorChatWorld;
  readonly #listeners = new Set<(body: ToViewBody) => void>();

  constructor(world: EditorChatWorld) {
    this.#world = world;
  }

  /** What the view is told is heard here, too. */
  tell(body: ToViewBody): void {
    for (const listener of this.#listeners) listener(body);
  }

  /** Answers a request to the participant. */
  async answer(
    request: vscode.ChatRequest,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const { command, prompt, references } = request;
    try {
      const added = await Promise.all(references.map(({ value }) => addedOf(value)));
      const text = askedText(prompt, added.flat());
      return await answerRequest({ command, prompt, text }, stream, token, this.#parts());
    } catch (error) {
      this.#world.bug(error);
      return {
        errorDetails: {
          message: localize("Forge made a mistake. Everything shown so far is kept; its log says more."),
        },
      };
    }
  }

  /** What the user is asked before another extension may read; nothing where they have said so, or nothing is read. */
  prepareRecall(input: unknown): vscode.PreparedToolInvocation {
    const invocationMessage = localize("Looking things up in your Forge conversation");
    if (sharing() !== "ask") return { invocationMessage };
    const question = sharingQuestion(input, this.#world.conversations.session?.title ?? "");
    if (question === undefined) return { invocationMessage };
    const { title, message } = question;
    return { invocationMessage, confirmationMessages: { title, message: plain(message) } };
  }

  /** Answers a call of the tool; throws, in words for the model, where the user does not share. */
  async recall(input: unknown): Promise<vscode.LanguageModelToolResult> {
    if (sharing() === "never") throw new Error(NOT_SHARED);
    const session = await this.#session();
    if (session === undefined) throw new Error("Forge has no conversation open in this window.");
    const { manager, store } = session.opened;
    const text = await recallForOthers(input, { history: manager.history, store }, session.title);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  /** Follows a link of the editor's chat; one that names nothing is left. */
  async showMessage(conversation: unknown, message: unknown): Promise<void> {
    const id = typeof conversation === "string" ? parseConversationId(conversation) : undefined;
    if (id === undefined || typeof message !== "number" || !Number.isSafeInteger(message) || message < 0) return;
    const { conversations, reveal, handler, pageIsThere } = this.#world;
    await reveal();
    await pageIsThere();
    if (conversations.session?.opened.id !== id) await conversations.openExisting(id);
    const { session } = conversations;
    if (session?.opened.id === id) handler.reveal(session, message);
  }

  async #session(): Promise<Session | undefined> {
    const { conversations } = this.#world;
    await conversations.start();
    return conversations.session;
  }

  #parts(): EditorChatParts {
    return {
      session: () => this.#session(),
      listen: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      plain: (text) => plain(onOneLine(text, Infinity)),
      messageLink,
    };
  }
}

function sharing(): ReturnType<typeof readSharing> {
  return readSharing(vscode.workspace.getConfiguration("forge").get("recall.otherExtensions"));
}

/** Text that stays text. The editor's own way would make every space one at which no line may break. */
function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(text.replaceAll(/[\\`*_{}[\]()#+\-.!~<>&|:@]/g, "\\$&"));
}

/** What the user attached, as far as it can be told in words. The text of a selection is theirs to send; a file is named. */
async function addedOf(value: unknown): Promise<readonly Added[]> {
  if (typeof value === "string") return [{ kind: "text", text: value }];
  if (value instanceof vscode.Uri) return [{ kind: "file", path: vscode.workspace.asRelativePath(value) }];
  if (!(value instanceof vscode.Location)) return [];
  const { uri, range } = value;
  const document = await vscode.workspace.openTextDocument(uri);
  const path = vscode.workspace.asRelativePath(uri);
  const lines = { firstLine: range.start.line + 1, lastLine: range.end.line + 1 };
  return [{ kind: "selection", path, ...lines, text: document.getText(range) }];
}
