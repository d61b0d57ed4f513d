/** What the view says, done. The one place where a bug in something the user did in the view ends. */

import * as vscode from "vscode";
import { parseStepId } from "../../core/ids.ts";
import { assertNever } from "../../core/result.ts";
import { safeLink } from "../../protocol/parse.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody, ViewState } from "../../protocol/toView.ts";
import { callDetail } from "../transcript/callDetail.ts";
import type { ChatBackend } from "../view/chatView.ts";
import { CodeHandler, type CodeWorld } from "../code/codeHandler.ts";
import { contextAct } from "../context/contextActs.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { explain } from "../words/explain.ts";
import { FindInConversation } from "../find/findInConversation.ts";
import type { ForkWorld } from "../conversations/forkConversation.ts";
import type { Attaching } from "../mentions/attaching.ts";
import { runSlashCommand } from "../commands/slashCommands.ts";
import { actOnMessage } from "./viewActs.ts";
import type { Log } from "../editor/log.ts";
import type { Presenter } from "../session/presenter.ts";
import { openInEditor, revealMessage, type RevealPlace } from "../session/revealMessage.ts";
import type { Session } from "../session/session.ts";
import { summaryAct } from "./summaryActs.ts";
import type { UserCommands } from "../commands/userCommands.ts";

/** What the handler works with. */
export interface ChatHandlerOptions extends ForkWorld, CodeWorld {
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  readonly commands: UserCommands;
  readonly log: Log;
  readonly attaching: Attaching;
  readonly emit: (body: ToViewBody) => void;
  /** Gives the keyboard back to the page. */
  readonly giveBackFocus: () => void;
  readonly bug: (error: unknown) => void;
}

/** Stands behind the view. */
export class ChatHandler implements ChatBackend {
  readonly #options: ChatHandlerOptions;
  readonly #find = new FindInConversation(openInEditor);
  readonly #code: CodeHandler;

  constructor(options: ChatHandlerOptions) {
    this.#options = options;
    this.#code = new CodeHandler(options);
  }

  snapshot(): ViewState {
    return this.#options.presenter.snapshot();
  }

  handle(message: ToHost, reply: (body: ToViewBody) => void): void {
    this.#handle(message, this.#options.conversations.session, reply).catch(this.#options.bug);
  }

  reject(fault: string): void {
    this.#options.log.error(`message of the view refused: ${fault}`);
  }

  /** Brings a message into sight, in the pages that are there. */
  reveal(session: Session, messageId: number): void {
    const { emit } = this.#options;
    emit({ kind: "snapshot", view: this.snapshot() }); // then each page begins with the row asked from
    const before = session.transcript.page.rows[0]?.rowId;
    if (before !== undefined) this.#reveal(session, { messageId, before }, emit).catch(this.#options.bug);
  }

  async #reveal(session: Session, place: RevealPlace, reply: (body: ToViewBody) => void): Promise<void> {
    const revealed = await revealMessage(session, place, reply);
    if (!revealed.ok) this.#options.presenter.showBanner(explain(revealed.error, ""));
  }

  async #handle(message: ToHost, session: Session | undefined, reply: (body: ToViewBody) => void): Promise<void> {
    switch (message.kind) {
      case "ready":
        await session?.queue.endEdits();
        return;
      case "send":
        if (session === undefined) this.#options.emit({ kind: "sendRefused", sendId: message.sendId });
        else await session.send(message.sendId, message.text);
        return;
      case "stop":
        session?.stop();
        return;
      case "queueEdit":
        await session?.queue.edit(message.queueId, message.on);
        return;
      case "queueText":
        await session?.queue.change(message.queueId, message.text);
        return;
      case "queueRemove":
        await session?.queue.remove(message.queueId);
        return;
      case "queueSend":
        await session?.queue.release();
        return;
      case "draft":
        if (session !== undefined) await this.#keepDraft(session, message.text);
        return;
      case "revealMessage":
        if (session !== undefined) await this.#reveal(session, message, reply);
        return;
      case "find":
      case "findGo":
      case "openMessage":
        if (session !== undefined) {
          const found = await this.#find.handle(message, session, reply);
          if (!found.ok) this.#options.presenter.showBanner(explain(found.error, ""));
        }
        return;
      case "loadOlder":
        if (session !== undefined) await this.#loadOlder(session, message.before, reply);
        return;
      case "recover": {
        const step = parseStepId(message.stepId);
        if (step !== undefined) await session?.recover(step, message.choice);
        return;
      }
      case "approve":
        await session?.tools.answer(message.rowId, message.callId, message.answer);
        return;
      case "openCall":
        if (session !== undefined) await this.#openCall(session, message, reply);
        return;
      case "openSummary": {
        const detail = session?.summaries.detail(message.summaryId);
        if (detail !== undefined) reply({ kind: "summaryDetail", summaryId: message.summaryId, detail });
        return;
      }
      case "setSummaryState":
        this.#options.presenter.dropNote(); // it may say what is taken back here
        await session?.summaries.setState(message.summaryId, message.state);
        return;
      case "summary":
        if (session !== undefined) await summaryAct(session, message, this.#options.commands.world);
        return;
      case "context":
        if (session === undefined) return;
        await contextAct(message.ask, session, this.#options.commands.world);
        if (message.ask.what === "tryModel" || message.ask.what === "tryStrategy") this.#options.giveBackFocus();
        return;
      case "openLink": {
        const link = safeLink(message.href);
        if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link, true));
        return;
      }
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        return;
      case "code":
      case "findFiles":
      case "openFile":
        await this.#code.handle(message, reply);
        return;
      case "editMessage":
      case "messageAct":
      case "branch":
        if (session !== undefined) await actOnMessage(message, session, this.#options);
        return;
      case "selected":
        if (session !== undefined) session.selected = message.messages;
        return;
      case "findMentions":
      case "attach":
      case "attachUris":
      case "attachData":
      case "detach":
        if (session === undefined) return;
        await this.#options.attaching.handle(message, session);
        if (message.kind !== "findMentions") await this.#countDraft(session);
        return;
      case "slash":
        await runSlashCommand(message.command, message.argument, session, this.#options);
        if (message.command === "model") this.#options.giveBackFocus();
        return;
      case "command":
        await this.#options.commands.runFromView(message.command);
        if (message.command === "switchModel") this.#options.giveBackFocus();
        return;
      default:
        assertNever(message);
    }
  }

  async #keepDraft(session: Session, text: string): Promise<void> {
    await session.setDraft(text);
    await this.#countDraft(session);
  }

  /** What is about to be sent, with all that was added to it. */
  async #countDraft(session: Session): Promise<void> {
    const { draft, attachments } = session;
    const { parts } = attachments;
    const isEmpty = draft === "" && parts.length === 0;
    const tokens = await session.tokensOf({ role: "user", parts: [...parts, { kind: "text", text: draft }] });
    const isSame = session.draft === draft && session.attachments.parts.length === parts.length;
    if (isSame) this.#options.presenter.showDraftTokens(isEmpty ? 0 : tokens);
  }

  async #openCall(
    session: Session,
    { rowId, callId, whole }: Extract<ToHost, { kind: "openCall" }>,
    reply: (body: ToViewBody) => void,
  ): Promise<void> {
    const detail = await callDetail(session, { rowId, callId, whole });
    if (detail.ok) reply({ kind: "callDetail", rowId, callId, detail: detail.value });
    else this.#options.presenter.showBanner(explain(detail.error, ""));
  }

  async #loadOlder(session: Session, before: string, reply: (body: ToViewBody) => void): Promise<void> {
    const page = await session.transcript.older(before);
    if (page.ok) reply({ kind: "rowsOlder", before, ...page.value });
    else this.#options.presenter.showBanner(explain(page.error, ""));
  }
}
