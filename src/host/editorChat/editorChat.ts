/** Forge in the editor's own chat, bound to the editor: the participant, the tool for other extensions, and their links. */

import * as vscode from "vscode";
import { parseConversationId } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import type { ChatHandler } from "../chat/chatHandler.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { BugReporter } from "../editor/bugReporter.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Session } from "../session/session.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { answerRequest, type ChatMarkdown } from "./answerRequest.ts";
import { askedText, type Added } from "./askedText.ts";
import { messageLink } from "./messageLink.ts";
import { NOT_SHARED, readSharing, recallForOthers, sharingQuestion } from "./recallForOthers.ts";

/** What stands behind the participant, the tool and the links. */
export class EditorChat {
  readonly #conversations: Conversations;
  readonly #handler: Pick<ChatHandler, "reveal">;
  readonly #views: ChatViews;
  readonly #bugs: BugReporter;

  /** `handler` stands behind the page of Forge's own chat. */
  constructor(conversations: Conversations, handler: Pick<ChatHandler, "reveal">, views: ChatViews, bugs: BugReporter) {
    this.#conversations = conversations;
    this.#handler = handler;
    this.#views = views;
    this.#bugs = bugs;
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
      const asked = { command, prompt, text };
      const session = await this.#session();
      return await answerRequest(asked, stream, token, session, this.#views.onDidPost, MARKDOWN);
    } catch (error) {
      this.#bugs.report(error);
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
    const question = sharingQuestion(input, this.#conversations.session?.title ?? "");
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
    const conversations = this.#conversations;
    await this.#views.reveal();
    await this.#views.whenThere();
    if (conversations.session?.opened.id !== id) await conversations.openExisting(id);
    const { session } = conversations;
    if (session?.opened.id === id) this.#handler.reveal(session, message);
  }

  async #session(): Promise<Session | undefined> {
    await this.#conversations.start();
    return this.#conversations.session;
  }
}

const MARKDOWN: ChatMarkdown = { plain: (text) => plain(onOneLine(text, Infinity)), messageLink };

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
