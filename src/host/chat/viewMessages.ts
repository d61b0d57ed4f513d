/** What each message of the view does. */

import * as vscode from "vscode";
import { parseStepId } from "../../core/ids.ts";
import type { CodeToHost } from "../../protocol/codeView.ts";
import type { FindToHost } from "../../protocol/findView.ts";
import { safeLink } from "../../protocol/parse.ts";
import { runSlashCommand } from "../commands/slashCommands.ts";
import { contextAct } from "../context/contextActs.ts";
import type { AttachToHost } from "../mentions/attaching.ts";
import { revealMessage } from "../session/revealMessage.ts";
import { revealReading } from "../session/revealReading.ts";
import { callDetail } from "../transcript/callDetail.ts";
import { tellFailure } from "../words/tellFailure.ts";
import { type AttachmentToHost, attachmentAct } from "./attachmentActs.ts";
import { compose } from "./compose.ts";
import { countDraft } from "./draftTokens.ts";
import { search } from "./finding.ts";
import { type MessageByKind, type MessageRun, inConversation } from "./messageRun.ts";
import { summaryAct } from "./summaryActs.ts";
import { type MessageActToHost, actOnMessage } from "./viewActs.ts";

/** What is added while a conversation is being opened goes with what is typed meanwhile: into that one. */
const attach: MessageRun<AttachToHost> = async (message, { session, world }) => {
  if (session === undefined) await world.conversations.start(); // waits for what is under way
  const open = session ?? world.conversations.session;
  if (open === undefined) {
    if (message.kind.startsWith("attach")) world.attaching.refuse();
    return;
  }
  await world.attaching.handle(message, open);
  await countDraft(open, world.presenter);
};

const attachment = inConversation<AttachmentToHost>((message, { session, world, reply }) =>
  attachmentAct(message, session, world.commands.world, reply),
);

const code: MessageRun<CodeToHost> = (message, { world, reply }) => world.code.handle(message, reply);

const find = inConversation<Exclude<FindToHost, { kind: "find" }>>(async (message, { session, world, reply }) => {
  tellFailure(await world.find.handle(message, session, reply), world.presenter);
});

const actOn = inConversation<MessageActToHost>(async (message, { session, world }) => {
  world.presenter.dropNote(); // what it tells of a summary may not be so any more
  await actOnMessage(message, session, world);
});

/** Every message. */
export const VIEW_MESSAGES: { readonly [Kind in keyof MessageByKind]: MessageRun<MessageByKind[Kind]> } = {
  ready: inConversation(async (_, { session, world, reply }) => {
    const [revealed] = await Promise.all([revealReading(session, reply), session.composer.queue.endEdits()]);
    tellFailure(revealed, world.presenter);
  }),
  compose,
  stop: inConversation((_, { session }) => {
    session.stop();
  }),
  queueEdit: inConversation(({ queueId, on }, { session }) => session.composer.queue.edit(queueId, on)),
  queueText: inConversation(({ queueId, text }, { session }) => session.composer.queue.change(queueId, text)),
  queueRemove: inConversation(({ queueId }, { session }) => session.composer.queue.remove(queueId)),
  queueSend: inConversation((_, { session }) => session.composer.queue.release()),
  loadOlder: inConversation(async ({ before }, { session, world, reply }) => {
    const page = await session.transcript.older(before);
    if (page.ok) reply({ kind: "rowsOlder", before, ...page.value });
    tellFailure(page, world.presenter);
  }),
  revealMessage: inConversation(async (place, { session, world, reply }) => {
    tellFailure(await revealMessage(session, place, reply), world.presenter);
  }),
  find: search,
  findGo: find,
  openMessage: find,
  recover: inConversation(async ({ stepId, choice }, { session }) => {
    const step = parseStepId(stepId);
    if (step !== undefined) await session.recover(step, choice);
  }),
  approve: inConversation(({ rowId, callId, answer }, { session }) => session.tools.answer(rowId, callId, answer)),
  openCall: inConversation(async ({ rowId, callId, whole }, { session, world, reply }) => {
    const detail = await callDetail(session, { rowId, callId, whole });
    if (detail.ok) reply({ kind: "callDetail", rowId, callId, detail: detail.value });
    tellFailure(detail, world.presenter);
  }),
  openSummary: inConversation(({ summaryId }, { session, reply }) => {
    const detail = session.summaries.detail(summaryId);
    if (detail !== undefined) reply({ kind: "summaryDetail", summaryId, detail });
  }),
  setSummaryState: async ({ summaryId, state }, { session, world }) => {
    world.presenter.dropNote(); // it may say what is taken back here
    await session?.summaries.setState(summaryId, state);
  },
  summary: inConversation((message, { session, world }) => summaryAct(session, message, world.commands.world)),
  context: inConversation(({ ask }, { session, world }) => contextAct(ask, session, world.commands.world)),
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
  keyboard: () => undefined, // concerns no conversation
  findMentions: inConversation((message, { session, world }) => world.attaching.handle(message, session)),
  attach,
  attachUris: attach,
  attachData: attach,
  attachText: attach,
  detach: attach,
  detachPaste: attach,
  attachmentText: attachment,
  openAttachment: attachment,
  slash: ({ command, argument }, { session, world }) => runSlashCommand(command, argument, session, world),
  command: ({ command }, { world }) => world.commands.runFromView(command),
};
