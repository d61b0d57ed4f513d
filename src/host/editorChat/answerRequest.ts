/**
 * `@forge` in the editor's own chat. A question is sent to this window's conversation as if typed in Forge's chat, and
 * the answer is shown in both; `/recall` searches the whole history.
 */

import { shorten } from "../../core/cutText.ts";
import type * as vscode from "vscode";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Event } from "../background/emitter.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import type { Session } from "../session/session.ts";
import { findMessages, type FoundMessage } from "../tools/recall/findMessages.ts";
import { AnswerMirror, OPEN_FORGE, type EditorChatStream } from "./answerMirror.ts";

export interface EditorChatRequest {
  /** `recall`, or none. */
  readonly command: string | undefined;
  /** The user's words, without references. */
  readonly prompt: string;
  /** The words with the attached references. */
  readonly text: string;
}

export interface ChatMarkdown {
  /** Escapes everything with a meaning in Markdown. */
  plain(text: string): string | vscode.MarkdownString;
  /** A link that shows a message in Forge's chat. */
  messageLink(conversation: ConversationId, message: MessageId): string | vscode.MarkdownString;
}

const MOST_EXCERPT_CHARS = 280;

/**
 * Answers in `session`. `onDidPost` fires for messages to Forge's chat pages, which the answer is mirrored from.
 * `token` stops the answer; what was received until then is saved.
 */
export async function answerRequest(
  request: EditorChatRequest,
  stream: EditorChatStream,
  token: vscode.CancellationToken,
  session: Session | undefined,
  onDidPost: Event<ToViewBody>,
  markdown: ChatMarkdown,
): Promise<vscode.ChatResult> {
  if (session === undefined) {
    stream.button(OPEN_FORGE);
    return failed(localize("Forge has no conversation open here. Its own chat says why, and what helps."));
  }
  if (request.command === "recall") return recallInto(stream, request.prompt, session, markdown);
  if (request.text === "") {
    showConversationInfo(stream, session);
    return {};
  }
  return ask(request.text, session, stream, token, onDidPost);
}

function failed(message: string): vscode.ChatResult {
  return { errorDetails: { message } };
}

async function ask(
  text: string,
  session: Session,
  stream: EditorChatStream,
  token: vscode.CancellationToken,
  onDidPost: Event<ToViewBody>,
): Promise<vscode.ChatResult> {
  const mirror = new AnswerMirror(stream);
  const isOwnTurn = session.activity === "idle";
  const listening = onDidPost((body) => {
    if (isOwnTurn) mirror.consume(body);
  });
  const stopping = token.onCancellationRequested(() => {
    if (isOwnTurn) session.stop();
  });
  try {
    const sent = await session.sending.sendExternal(text);
    stream.button(OPEN_FORGE);
    if (!sent.ok) return failed(explain(sent.error, session.connection.provider.label).text);
    if (sent.value === "queued") {
      stream.markdown(
        localize("Forge is busy. Your question waits in the queue of its own chat, and is answered there."),
      );
    } else if (mirror.problem !== undefined && !token.isCancellationRequested) return failed(mirror.problem);
    return {};
  } finally {
    listening.dispose();
    stopping.dispose();
  }
}

/** For an empty question: says which conversation is used. */
function showConversationInfo(stream: EditorChatStream, session: Session): void {
  const { history } = session.opened.manager;
  const what = session.isEmpty
    ? localize("This window's conversation is still empty.")
    : plural(
        history.length,
        "This window's conversation has 1 message.",
        "This window's conversation has {0} messages.",
      );
  const how = localize(
    "Ask something to go on with it; `/recall` with some words finds what was said in it, however long ago.",
  );
  stream.markdown(`${what} ${how}`);
  stream.button(OPEN_FORGE);
}

async function recallInto(
  stream: EditorChatStream,
  words: string,
  session: Session,
  markdown: ChatMarkdown,
): Promise<vscode.ChatResult> {
  const query = words.trim();
  if (query === "") return failed(localize("Give some words to look for: /recall retry budget."));
  const { manager, store, id } = session.opened;
  const searched = await findMessages({ query }, { history: manager.history, store });
  if (!searched.ok) return failed(searched.error);
  const { haveAllWords } = searched.value;
  const found = searched.value.found.filter(({ isBeside }) => !isBeside); // what is beside it is a click away
  if (found.length === 0) stream.markdown(localize("Nothing in this window's conversation matches. Try other words."));
  else if (!haveAllWords) stream.markdown(`${localize("None of these has all of the words.")}\n\n`);
  for (const message of found) {
    stream.markdown(markdown.messageLink(id, message.stored.entry.id));
    stream.markdown(` ${speakerOf(message)}: `);
    stream.markdown(markdown.plain(onOneLine(message.excerpt)));
    stream.markdown("\n\n");
  }
  stream.button(OPEN_FORGE);
  return {};
}

function speakerOf({ stored }: FoundMessage): string {
  const { role, batch, createdAtMs } = stored.entry;
  const speaker =
    role === "assistant"
      ? localize("the assistant")
      : role === "user" && batch === undefined
        ? localize("you")
        : localize("a tool");
  const date = new Date(createdAtMs);
  return Number.isNaN(date.getTime())
    ? speaker
    : `${speaker}, ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return shorten(line, MOST_EXCERPT_CHARS);
}
