/** The handler of each message kind of the page. */

import type { CodeToHost, FindToHost } from "../../protocol/toHost.ts";
import * as vscode from "vscode";
import { parseStepId } from "../../core/ids.ts";
import { safeLink } from "../../protocol/parse.ts";
import { runSlashCommand } from "../commands/slashCommands.ts";
import type { AttachToHost } from "../mentions/attachmentHandler.ts";
import { revealMessage } from "../view/revealMessage.ts";
import { restoreScroll } from "../view/restoreScroll.ts";
import { callDetail } from "../transcript/callDetail.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import { type AttachmentToHost, handleAttachmentMessage } from "./attachmentActions.ts";
import { applyComposerChange } from "./composerChange.ts";
import { countDraft } from "../view/draftTokens.ts";
import { openLinkedConversation } from "./openLinkedConversation.ts";
import { setLeftOut, sourceStates } from "./recallSources.ts";
import { search } from "./search.ts";
import { type MessageByKind, type MessageHandler, withSession } from "./messageHandler.ts";
import { handleOfferAction } from "./offerActions.ts";
import { handleSummaryAction } from "./summaryActions.ts";
import { type MessageActionToHost, handleMessageAction } from "./messageActions.ts";

/** Attachments added while a conversation is being opened go into that conversation, as the typed text does. */
const attach: MessageHandler<AttachToHost> = async (message, { session, services }) => {
  const { attaching, conversations, presenter } = services;
  if (session === undefined) await conversations.start(); // waits for an opening in progress
  const open = session ?? conversations.session;
  if (open === undefined) {
    if (message.kind.startsWith("attach")) attaching.showNotAdded();
    return;
  }
  await attaching.handle(message, open);
  await countDraft(open, presenter);
};

const attachment = withSession<AttachmentToHost>(async (message, { session, services, reply }) => {
  const { conversations, presenter, window } = services;
  const place = await handleAttachmentMessage(message, session, window.documents, presenter, reply);
  if (place !== undefined) await openLinkedConversation(place, conversations, window.views, presenter);
});

const code: MessageHandler<CodeToHost> = (message, { services, reply }) => services.code.handle(message, reply);

const find = withSession<Exclude<FindToHost, { kind: "find" }>>(async (message, { session, services, reply }) => {
  showFailureIn(await services.find.handle(message, session, reply), services.presenter);
});

const actOn = withSession<MessageActionToHost>(async (message, { session, services }) => {
  services.presenter.dropNote(); // its statement about a summary may be outdated
  await handleMessageAction(message, session, services);
});

export const MESSAGE_HANDLERS: { readonly [Kind in keyof MessageByKind]: MessageHandler<MessageByKind[Kind]> } = {
  ready: withSession(async (_, { session, services, reply }) => {
    const [revealed] = await Promise.all([restoreScroll(session, reply), session.composer.queue.endEdits()]);
    showFailureIn(revealed, services.presenter);
  }),
  compose: (message, { session, services }) =>
    applyComposerChange(message, session, services.attaching, services.presenter),
  stop: withSession((_, { session }) => {
    session.stop();
  }),
  queueEdit: withSession(({ queueId, on }, { session }) => session.composer.queue.edit(queueId, on)),
  queueText: withSession(({ queueId, text }, { session }) => session.composer.queue.change(queueId, text)),
  queueRemove: withSession(({ queueId }, { session }) => session.composer.queue.remove(queueId)),
  queueSend: withSession((_, { session }) => session.composer.queue.release()),
  loadOlder: withSession(async ({ before }, { session, services, reply }) => {
    const page = await session.transcript.older(before);
    if (page.ok) reply({ kind: "rowsOlder", before, ...page.value });
    showFailureIn(page, services.presenter);
  }),
  revealMessage: withSession(async (place, { session, services, reply }) => {
    showFailureIn(await revealMessage(session, place, reply), services.presenter);
  }),
  openConversation: (place, { services: { conversations, window, presenter } }) =>
    openLinkedConversation(place, conversations, window.views, presenter),
  find: (message, { services, reply }) => search(message, services, reply),
  findEverywhere: ({ query }, { services }) => services.commands.run("forge.findEverywhere", query),
  findGo: find,
  openMessage: find,
  recover: withSession(async ({ stepId, choice }, { session }) => {
    const step = parseStepId(stepId);
    if (step !== undefined) await session.recover(step, choice);
  }),
  approve: withSession(({ rowId, callId, answer }, { session }) => session.tools.answer(rowId, callId, answer)),
  openCall: withSession(async ({ rowId, callId, whole }, { session, services, reply }) => {
    const detail = await callDetail(session, { rowId, callId, whole });
    if (detail.ok) reply({ kind: "callDetail", rowId, callId, detail: detail.value });
    showFailureIn(detail, services.presenter);
  }),
  recallSources: async ({ conversationIds }, { services, reply }) => {
    reply({ kind: "recallSources", sources: await sourceStates(conversationIds, services.conversations) });
  },
  leaveOut: async (change, { services: { conversations, presenter, window } }) => {
    const sources = await setLeftOut(change, conversations, presenter, window.folders.dist);
    window.views.post({ kind: "recallSources", sources });
  },
  openSummary: withSession(({ summaryId }, { session, reply }) => {
    const detail = session.summaries.detail(summaryId);
    if (detail !== undefined) reply({ kind: "summaryDetail", summaryId, detail });
  }),
  setSummaryState: async ({ summaryId, state }, { session, services }) => {
    services.presenter.dropNote(); // it may describe the state that is undone here
    await session?.summaries.setState(summaryId, state);
  },
  summary: withSession((message, { session, services: { window, presenter } }) =>
    handleSummaryAction(session, message, window.documents, presenter, window.views),
  ),
  offer: withSession((message, { session, services: { commands, presenter } }) =>
    handleOfferAction(session, message, commands.modelPicker, presenter),
  ),
  context: withSession(({ ask }, { session, services }) => services.contextActions.handle(ask, session)),
  openLink: async ({ href }) => {
    const link = safeLink(href);
    if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  },
  copy: ({ text }) => vscode.env.clipboard.writeText(text),
  code,
  findFiles: code,
  openFile: code,
  messageAction: actOn,
  branch: actOn,
  selected: withSession(({ messages }, { session }) => {
    session.selected = messages;
  }),
  reading: withSession(({ conversationId, place }, { session }) => {
    if (session.opened.id === conversationId) session.transcript.scrollAnchor = place;
  }),
  focus: () => undefined, // handled by `ChatViews`
  findMentions: withSession((message, { session, services }) => services.attaching.handle(message, session)),
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
