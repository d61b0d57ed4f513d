/** Binds Forge to the editor's own chat: the participant, the tool for other extensions, and links to messages. */

import * as vscode from "vscode";
import { parseConversationId } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import type { ChatHandler } from "../chat/chatHandler.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Session } from "../session/session.ts";
import { cellOf, fileUriOf } from "../notebooks/openNotebooks.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { pathOrName } from "../tools/workspaceRoots.ts";
import { answerRequest, type ChatMarkdown } from "./answerRequest.ts";
import { questionText, type ChatReference } from "./questionText.ts";
import { messageLink } from "./messageLink.ts";
import { NOT_SHARED, readSharing, recallForExtensions, sharingQuestion } from "./recallForExtensions.ts";

export class EditorChat {
  readonly #conversations: Conversations;
  readonly #handler: Pick<ChatHandler, "reveal">;
  readonly #views: ChatViews;
  readonly #bugs: BugReporter;

  /** `handler` is that of Forge's own chat. */
  constructor(conversations: Conversations, handler: Pick<ChatHandler, "reveal">, views: ChatViews, bugs: BugReporter) {
    this.#conversations = conversations;
    this.#handler = handler;
    this.#views = views;
    this.#bugs = bugs;
  }

  async answer(
    request: vscode.ChatRequest,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const { command, prompt, references } = request;
    try {
      const added = await Promise.all(references.map(({ value }) => readReference(value)));
      const text = questionText(prompt, added.flat());
      const asked = { command, prompt, text };
      const session = await this.#session();
      return await answerRequest(asked, stream, token, session, this.#views.onDidPost, MARKDOWN);
    } catch (error) {
      this.#bugs.report(error);
      return {
        errorDetails: {
          message: localize(
            "An internal error occurred in Forge. Everything shown so far is kept; its log has details.",
          ),
        },
      };
    }
  }

  /**
   * Confirmation before another extension may read; none when the setting answers it, or when nothing would be read.
   */
  prepareRecall(input: unknown): vscode.PreparedToolInvocation {
    const invocationMessage = localize("Looking things up in your Forge conversation");
    if (sharing() !== "ask") return { invocationMessage };
    const question = sharingQuestion(input, this.#conversations.session?.title ?? "");
    if (question === undefined) return { invocationMessage };
    const { title, message } = question;
    return { invocationMessage, confirmationMessages: { title, message: escapeMarkdown(message) } };
  }

  /** Throws, with a text for the model, when the user does not share the conversation. */
  async recall(input: unknown): Promise<vscode.LanguageModelToolResult> {
    if (sharing() === "never") throw new Error(NOT_SHARED);
    const session = await this.#session();
    if (session === undefined) throw new Error("Forge has no conversation open in this window.");
    const { manager, store } = session.opened;
    const text = await recallForExtensions(input, { history: manager.history, store }, session.title);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  /** Handler of a message link; arguments that name no conversation or message are ignored. */
  async showMessage(conversation: unknown, message: unknown): Promise<void> {
    const id = typeof conversation === "string" ? parseConversationId(conversation) : undefined;
    if (id === undefined || typeof message !== "number" || !Number.isSafeInteger(message) || message < 0) return;
    const conversations = this.#conversations;
    await this.#views.reveal();
    await this.#views.whenReady();
    if (conversations.session?.opened.id !== id) await conversations.openExisting(id);
    const { session } = conversations;
    if (session?.opened.id === id) this.#handler.reveal(session, message);
  }

  async #session(): Promise<Session | undefined> {
    await this.#conversations.start();
    return this.#conversations.session;
  }
}

const MARKDOWN: ChatMarkdown = { plain: (text) => escapeMarkdown(onOneLine(text, Infinity)), messageLink };

function sharing(): ReturnType<typeof readSharing> {
  return readSharing(vscode.workspace.getConfiguration("forge").get("recall.otherExtensions"));
}

/** Escapes Markdown. `appendText` would make every space a non-breaking one. */
function escapeMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(text.replaceAll(/[\\`*_{}[\]()#+\-.!~<>&|:@]/g, "\\$&"));
}

/** Attachments that can be expressed as text. A selection is sent with its text, a file by its name only. */
async function readReference(value: unknown): Promise<readonly ChatReference[]> {
  if (typeof value === "string") return [{ kind: "text", text: value }];
  if (value instanceof vscode.Uri) return [{ kind: "file", path: pathOrName(fileUriOf(value)) }];
  if (!(value instanceof vscode.Location)) return [];
  const { uri, range } = value;
  const document = await vscode.workspace.openTextDocument(uri);
  const cell = cellOf(uri);
  const path = pathOrName(cell?.notebook.uri ?? uri) + (cell === undefined ? "" : `, cell ${cell.number}`);
  const lines = { firstLine: range.start.line + 1, lastLine: range.end.line + 1 };
  return [{ kind: "selection", path, ...lines, text: document.getText(range) }];
}
