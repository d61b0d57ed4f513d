/**
 * `@forge` in the editor's own chat. A question goes into the conversation of this window, as if it had been typed in
 * Forge's own chat, and the answer is shown in both; `/recall` looks words up in everything that was said.
 */

import type * as vscode from "vscode";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import type { Session } from "../session/session.ts";
import { findMessages, type FoundMessage } from "../tools/recall/findMessages.ts";
import { MirroredAnswer } from "./mirroredAnswer.ts";

/** What was asked. */
export interface EditorChatRequest {
  /** `recall`, or none. */
  readonly command: string | undefined;
  /** The user's words alone. */
  readonly prompt: string;
  /** The words with what was added to them. */
  readonly text: string;
}

/** The part of `vscode.ChatResponseStream` that is used. */
export type EditorChatStream = Pick<vscode.ChatResponseStream, "markdown" | "progress" | "button">;

/** What answering needs from around it. */
export interface EditorChatParts {
  /** The conversation of this window, opened where it is not yet; `undefined` when none can be. */
  readonly session: () => Promise<Session | undefined>;
  /** Tells `listener` what the view is told, until the returned function is called. */
  readonly listen: (listener: (body: ToViewBody) => void) => () => void;
  /** Text with nothing in it that means anything in Markdown. */
  readonly plain: (text: string) => string | vscode.MarkdownString;
  /** A link that shows a message of a conversation in Forge's own chat. */
  readonly messageLink: (conversation: ConversationId, message: MessageId) => string | vscode.MarkdownString;
}

/** Stands for more than fits on a line or two. */
const MOST_EXCERPT_CHARS = 280;

/** Answers, and says what came of it. `token` stops the answer; what was received is kept. */
export async function answerRequest(
  request: EditorChatRequest,
  stream: EditorChatStream,
  token: vscode.CancellationToken,
  parts: EditorChatParts,
): Promise<vscode.ChatResult> {
  const session = await parts.session();
  if (session === undefined) {
    stream.button(OPEN);
    return failed(localize("Forge has no conversation open here. Its own chat says why, and what helps."));
  }
  if (request.command === "recall") return recallInto(stream, request.prompt, session, parts);
  if (request.text === "") {
    showWhere(stream, session);
    return {};
  }
  return ask(request.text, session, { stream, token, parts });
}

const OPEN: vscode.Command = { command: "forge.chat.focus", title: localize("Open in Forge") };

function failed(message: string): vscode.ChatResult {
  return { errorDetails: { message } };
}

interface Asking {
  readonly stream: EditorChatStream;
  readonly token: vscode.CancellationToken;
  readonly parts: EditorChatParts;
}

async function ask(text: string, session: Session, { stream, token, parts }: Asking): Promise<vscode.ChatResult> {
  const mirror = new MirroredAnswer({
    write: (markdown) => {
      stream.markdown(markdown);
    },
    progress: (line) => {
      stream.progress(line);
    },
    asks: (title) => {
      stream.progress(localize("Forge asks in its own chat: {0}", title));
      stream.button(OPEN);
    },
  });
  const isOwnTurn = session.activity === "idle";
  const stopListening = parts.listen((body) => {
    if (isOwnTurn) mirror.take(body);
  });
  const stopping = token.onCancellationRequested(() => {
    if (isOwnTurn) session.stop();
  });
  try {
    const sent = await session.composer.sending.sendFromOutside(text);
    stream.button(OPEN);
    if (!sent.ok) return failed(explain(sent.error, session.connection.provider.label).text);
    if (sent.value === "queued") {
      stream.markdown(
        localize("Forge is busy. Your question waits in the queue of its own chat, and is answered there."),
      );
    } else if (mirror.problem !== undefined && !token.isCancellationRequested) return failed(mirror.problem);
    return {};
  } finally {
    stopListening();
    stopping.dispose();
  }
}

/** Where questions go, for one who has asked nothing. */
function showWhere(stream: EditorChatStream, session: Session): void {
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
  stream.button(OPEN);
}

async function recallInto(
  stream: EditorChatStream,
  words: string,
  session: Session,
  parts: EditorChatParts,
): Promise<vscode.ChatResult> {
  const query = words.trim();
  if (query === "") return failed(localize("Give some words to look for: /recall retry budget."));
  const { manager, store, id } = session.opened;
  const searched = await findMessages({ query }, { history: manager.history, store });
  if (!searched.ok) return failed(searched.error);
  const { found, haveAllWords } = searched.value;
  if (found.length === 0)
    stream.markdown(localize("Nothing of that was said in this window's conversation. Try other words."));
  else if (!haveAllWords) stream.markdown(`${localize("No message has all of the words; these have some.")}\n\n`);
  for (const message of found) {
    stream.markdown(parts.messageLink(id, message.stored.entry.id));
    stream.markdown(` ${speakerOf(message)}: `);
    stream.markdown(parts.plain(onOneLine(message.excerpt)));
    stream.markdown("\n\n");
  }
  stream.button(OPEN);
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
  return line.length > MOST_EXCERPT_CHARS ? `${line.slice(0, MOST_EXCERPT_CHARS)}…` : line;
}
