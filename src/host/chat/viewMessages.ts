/** The handler of each message kind of the page. */

import * as vscode from "vscode";
import { parseStepId } from "../../core/ids.ts";
import type { CodeToHost } from "../../protocol/codeView.ts";
import type { FindToHost } from "../../protocol/findView.ts";
import { safeLink } from "../../protocol/parse.ts";
import { runSlashCommand } from "../commands/slashCommands.ts";
import type { AttachToHost } from "../mentions/attaching.ts";
import { revealMessage } from "../view/revealMessage.ts";
import { revealReading } from "../view/revealReading.ts";
import { callDetail } from "../transcript/callDetail.ts";
import { tellFailure } from "../words/tellFailure.ts";
import { type AttachmentToHost, attachmentAction } from "./attachmentActions.ts";
import { compose } from "./compose.ts";
import { countDraft } from "../view/draftTokens.ts";
import { search } from "./finding.ts";
import { type MessageByKind, type MessageRun, inConversation } from "./messageRun.ts";
import { summaryAction } from "./summaryActions.ts";
import { type MessageActionToHost, actOnMessage } from "./messageActions.ts";

/** Attachments added while a conversation is being opened go into that conversation, as the typed text does. */
const attach: MessageRun<AttachToHost> = async (message, { session, services }) => {
  const { attaching, conversations, presenter } = services;
  if (session === undefined) await conversations.start(); // waits for an opening in progress
  const open = session ?? conversations.session;
  if (open === undefined) {
    if (message.kind.startsWith("attach")) attaching.refuse();
    return;
  }
  await attaching.handle(message, open);
  await countDraft(open, presenter);
};

const attachment = inConversation<AttachmentToHost>((message, { session, services, reply }) =>
  attachmentAction(message, session, services.window.documents, services.presenter, reply),
);

const code: MessageRun<CodeToHost> = (message, { services, reply }) => services.code.handle(message, reply);

const find = inConversation<Exclude<FindToHost, { kind: "find" }>>(async (message, { session, services, reply }) => {
  tellFailure(await services.find.handle(message, session, reply), services.presenter);
});

const actOn = inConversation<MessageActionToHost>(async (message, { session, services }) => {
  services.presenter.dropNote(); // its statement about a summary may be outdated
  await actOnMessage(message, session, services);
});

export const VIEW_MESSAGES: { readonly [Kind in keyof MessageByKind]: MessageRun<MessageByKind[Kind]> } = {
  ready: inConversation(async (_, { session, services, reply }) => {
    const [revealed] = await Promise.all([revealReading(session, reply), session.composer.queue.endEdits()]);
    tellFailure(revealed, services.presenter);
  }),
  compose: (message, { session, services }) => compose(message, session, services.attaching, services.presenter),
  stop: inConversation((_, { session }) => {
    session.stop();
  }),
  queueEdit: inConversation(({ queueId, on }, { session }) => session.composer.queue.edit(queueId, on)),
  queueText: inConversation(({ queueId, text }, { session }) => session.composer.queue.change(queueId, text)),
  queueRemove: inConversation(({ queueId }, { session }) => session.composer.queue.remove(queueId)),
  queueSend: inConversation((_, { session }) => session.composer.queue.release()),
  loadOlder: inConversation(async ({ before }, { session, services, reply }) => {
    const page = await session.transcript.older(before);
    if (page.ok) reply({ kind: "rowsOlder", before, ...page.value });
    tellFailure(page, services.presenter);
  }),
  revealMessage: inConversation(async (place, { session, services, reply }) => {
    tellFailure(await revealMessage(session, place, reply), services.presenter);
  }),
  find: (message, { services, reply }) => search(message, services, reply),
  findGo: find,
  openMessage: find,
  recover: inConversation(async ({ stepId, choice }, { session }) => {
    const step = parseStepId(stepId);
    if (step !== undefined) await session.recover(step, choice);
  }),
  approve: inConversation(({ rowId, callId, answer }, { session }) => session.tools.answer(rowId, callId, answer)),
  openCall: inConversation(async ({ rowId, callId, whole }, { session, services, reply }) => {
    const detail = await callDetail(session, { rowId, callId, whole });
    if (detail.ok) reply({ kind: "callDetail", rowId, callId, detail: detail.value });
    tellFailure(detail, services.presenter);
  }),
  openSummary: inConversation(({ summaryId }, { session, reply }) => {
    const detail = session.summaries.detail(summaryId);
    if (detail !== undefined) reply({ kind: "summaryDetail", summaryId, detail });
  }),
  setSummaryState: async ({ summaryId, state }, { session, services }) => {
    services.presenter.dropNote(); // it may describe the state that is undone here
    await session?.summaries.setState(summaryId, state);
  },
  summary: inConversation((message, { session, services: { window, presenter } }) =>
    summaryAction(session, message, window.documents, presenter, window.views),
  ),
  context: inConversation(({ ask }, { session, services }) => services.contextActions.handle(ask, session)),
  openLink: async ({ href }) => {
    const link = safeLink(href);
    if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  },
  copy: ({ text }) => vscode.env.clipboard.writeText(text),
  code,
  findFiles: code,
  openFile: code,
  messageAct: actOn,
  branch: actOn,
  selected: inConversation(({ messages }, { session }) => {
    session.selected = messages;
  }),
  reading: inConversation(({ conversationId, place }, { session }) => {
    if (session.opened.id === conversationId) session.transcript.reading = place;
  }),
  keyboard: () => undefined, // handled by `ChatViews`
  findMentions: inConversation((message, { session, services }) => services.attaching.handle(message, session)),
  attach,
  attachUris: attach,
  attachData: attach,
  attachText: attach,
  detach: attach,
  detachPaste: attach,
  attachmentText: attachment,
  openAttachment: attachment,
  slash: ({ command, argument }, { session, services }) =>
    runSlashCommand(command, argument, session, services.commands, services.presenter),
  command: ({ command }, { services }) => services.commands.runFromView(command),
};
