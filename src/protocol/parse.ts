/** Validates messages of the webview, which is untrusted. */

import * as v from "valibot";
import { MAX_CODE_LENGTH, MAX_FILE_NAMES, MAX_PATH_LENGTH } from "./codeView.ts";
import { SLASH_COMMANDS } from "./slashCommand.ts";
import type { ToHost } from "./toHost.ts";

/** Longest text in one message, in UTF-16 units; a larger one would fit no model. */
export const MAX_TEXT_LENGTH = 16_000_000;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH));
const shortText = v.pipe(v.string(), v.maxLength(4_000));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const filePath = v.pipe(v.string(), v.maxLength(MAX_PATH_LENGTH));

const contextPart = v.picklist(["system", "tools", "pins", "summaries", "older", "recent", "omitted", "draft", "free"]);

const contextAsk = v.variant("what", [
  v.strictObject({
    what: v.picklist(["open", "close", "request", "tryModel", "tryStrategy", "tryNothing", "useTrial", "menu"]),
  }),
  v.strictObject({ what: v.literal("items"), part: contextPart, count }),
  v.strictObject({ what: v.literal("pin"), messageId: count, pinned: v.boolean() }),
  v.strictObject({ what: v.literal("exclude"), messageId: count, index: count, isExcluded: v.boolean() }),
  v.strictObject({ what: v.literal("text"), part: contextPart, itemId: shortText }),
  v.strictObject({ what: v.literal("summary"), summaryId: count, before: shortText }),
]);

const summaryAsk = v.variant("what", [
  v.strictObject({ what: v.literal("originals"), from: count }),
  v.strictObject({ what: v.literal("edit"), text }),
  v.strictObject({
    what: v.literal("again"),
    model: shortText,
    sizePercent: v.pipe(v.number(), v.minValue(10), v.maxValue(400)),
    focus: shortText,
  }),
  v.strictObject({ what: v.literal("compare"), version: v.nullable(count) }),
  v.strictObject({ what: v.literal("use") }),
]);

const wording = { text: v.nullable(text), revision: count };
const ofSummary = v.object({ summaryId: count });
const messageEdit = v.strictObject({ messageId: count, ...wording });
const summaryEdit = v.strictObject({ summaryId: count, ...wording });

const composerChange = v.variant("kind", [
  v.strictObject({ kind: v.literal("text"), base: count, text }),
  v.strictObject({ kind: v.literal("send"), base: count, sendId: shortText, text }),
  v.strictObject({
    kind: v.literal("edit"),
    edit: v.lazy((given) => (v.is(ofSummary, given) ? summaryEdit : messageEdit)),
  }),
  v.strictObject({ kind: v.literal("sendEdit"), sendId: shortText, messageId: count, text }),
]);

const toHost = v.variant("kind", [
  v.strictObject({ kind: v.literal("ready"), changes: count }),
  v.strictObject({ kind: v.literal("compose"), conversationId: shortText, number: count, change: composerChange }),
  v.strictObject({ kind: v.literal("stop") }),
  v.strictObject({ kind: v.literal("queueEdit"), queueId: shortText, on: v.boolean() }),
  v.strictObject({ kind: v.literal("queueText"), queueId: shortText, text }),
  v.strictObject({ kind: v.literal("queueRemove"), queueId: shortText }),
  v.strictObject({ kind: v.literal("queueSend") }),
  v.strictObject({
    kind: v.literal("revealMessage"),
    messageId: count,
    before: shortText,
    topPx: v.exactOptional(v.pipe(v.number(), v.finite())),
  }),
  v.strictObject({ kind: v.literal("loadOlder"), before: shortText }),
  v.strictObject({ kind: v.literal("find"), findId: shortText, query: shortText }),
  v.strictObject({ kind: v.literal("findGo"), findId: shortText, messageId: count, before: shortText }),
  v.strictObject({ kind: v.literal("openMessage"), messageId: count }),
  v.strictObject({
    kind: v.literal("recover"),
    stepId: shortText,
    choice: v.picklist(["keep", "continue", "askAgain", "resume", "discard"]),
  }),
  v.strictObject({
    kind: v.literal("approve"),
    rowId: shortText,
    callId: shortText,
    answer: v.picklist(["once", "conversation", "always", "deny"]),
  }),
  v.strictObject({ kind: v.literal("openCall"), rowId: shortText, callId: shortText, whole: v.boolean() }),
  v.strictObject({ kind: v.literal("openSummary"), summaryId: count }),
  v.strictObject({
    kind: v.literal("setSummaryState"),
    summaryId: count,
    state: v.picklist(["active", "undone"]),
  }),
  v.strictObject({ kind: v.literal("summary"), summaryId: count, ask: summaryAsk }),
  v.strictObject({ kind: v.literal("context"), ask: contextAsk }),
  v.strictObject({ kind: v.literal("openLink"), href: shortText }),
  v.strictObject({ kind: v.literal("copy"), text }),
  v.strictObject({
    kind: v.literal("code"),
    act: v.picklist(["insert", "newFile", "apply", "run", "diagram"]),
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_CODE_LENGTH)),
    language: v.pipe(v.string(), v.regex(/^[\w+#.-]{0,32}$/)),
    path: filePath,
  }),
  v.strictObject({ kind: v.literal("findFiles"), paths: v.pipe(v.array(filePath), v.maxLength(MAX_FILE_NAMES)) }),
  v.strictObject({ kind: v.literal("openFile"), path: filePath, line: count, column: count }),
  v.strictObject({ kind: v.literal("findMentions"), requestId: count, query: shortText }),
  v.strictObject({ kind: v.literal("attach"), mentionId: shortText }),
  v.strictObject({ kind: v.literal("attachUris"), uris: v.pipe(v.array(shortText), v.maxLength(100)) }),
  v.strictObject({ kind: v.literal("attachData"), name: shortText, mediaType: shortText, dataBase64: text }),
  v.strictObject({ kind: v.literal("attachText"), pasteId: v.pipe(v.string(), v.uuid()), text }),
  v.strictObject({ kind: v.literal("detach"), attachmentId: shortText }),
  v.strictObject({ kind: v.literal("detachPaste"), pasteId: v.pipe(v.string(), v.uuid()) }),
  v.strictObject({ kind: v.literal("attachmentText"), attachmentId: shortText }),
  v.strictObject({ kind: v.literal("openAttachment"), messageId: v.nullable(count), attachmentId: shortText }),
  v.strictObject({ kind: v.literal("slash"), command: v.picklist(SLASH_COMMANDS), argument: shortText }),
  v.strictObject({
    kind: v.literal("messageAction"),
    messageId: count,
    act: v.picklist(["retry", "retryWithModel", "pin", "unpin", "hide", "show", "fork", "summarize", "erase"]),
  }),
  v.strictObject({
    kind: v.literal("selected"),
    messages: v.nullable(v.strictObject({ first: count, last: count })),
  }),
  v.strictObject({
    kind: v.literal("reading"),
    conversationId: shortText,
    place: v.nullable(v.strictObject({ messageId: count, topPx: v.pipe(v.number(), v.finite()) })),
  }),
  v.strictObject({ kind: v.literal("focus"), hasFocus: v.boolean() }),
  v.strictObject({ kind: v.literal("branch"), messageId: count, step: v.picklist([-1, 1]) }),
  v.strictObject({
    kind: v.literal("command"),
    command: v.picklist([
      "addKey",
      "useServer",
      "useEditorModels",
      "useOllama",
      "useLmStudio",
      "useLlamaCpp",
      "useVllm",
      "lookAgain",
      "openServerSettings",
      "switchModel",
      "summarize",
      "showContext",
      "newConversation",
      "openConversation",
      "moveHere",
      "takeOver",
      "rescue",
      "reopen",
      "retry",
      "cancelSummary",
      "useSummary",
      "previewSummary",
      "declineSummary",
      "trySummaryAgain",
      "openSettings",
      "showSummary",
      "closeBanner",
      "exportConversation",
      "importConversation",
      "showLog",
    ]),
  }),
]);

/** The message, or what is wrong with it (a path and an expectation, never the content). */
export function parseToHost(value: unknown): { readonly message: ToHost } | { readonly fault: string } {
  const parsed = v.safeParse(toHost, value);
  if (parsed.success) return { message: parsed.output };
  const issue = parsed.issues[0];
  return { fault: `${v.getDotPath(issue) ?? "message"}: expected ${issue.expected ?? "another value"}` };
}

/** `undefined` unless the address may be opened from a chat: http or https, with no user name before the host. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url.href : undefined;
}
