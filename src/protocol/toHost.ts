/** Webview -> host. The webview is untrusted: `parse.ts` validates every message by these schemas. */

import * as v from "valibot";
import { MAX_CODE_LENGTH, MAX_FILE_NAMES, MAX_PATH_LENGTH } from "./codeView.ts";
import { SLASH_COMMANDS } from "./slashCommand.ts";
import { VIEW_COMMANDS } from "./viewCommand.ts";

/** Longest text in one message, in UTF-16 units; a larger one would fit no model. */
export const MAX_TEXT_LENGTH = 16_000_000;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH));
const shortText = v.pipe(v.string(), v.maxLength(4_000));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const pixels = v.pipe(v.number(), v.finite());
const filePath = v.pipe(v.string(), v.maxLength(MAX_PATH_LENGTH));
const uuid = v.pipe(v.string(), v.uuid());

const editTexts = { text: v.nullable(text), revision: count };
const ofSummary = v.object({ summaryId: count });
const messageEdit = v.strictObject({ messageId: count, ...editTexts });
const summaryEdit = v.strictObject({ summaryId: count, ...editTexts });

/** A null text discards the edit. */
export type EditChange = v.InferOutput<typeof messageEdit> | v.InferOutput<typeof summaryEdit>;

/** `base` is the revision on which the text was typed. */
const composerChange = v.variant("kind", [
  v.strictObject({ kind: v.literal("text"), base: count, text }),
  v.strictObject({ kind: v.literal("send"), base: count, sendId: shortText, text }),
  v.strictObject({
    kind: v.literal("edit"),
    edit: v.lazy((given): v.GenericSchema<EditChange> => (v.is(ofSummary, given) ? summaryEdit : messageEdit)),
  }),
  /** Sends the message again with another text, as another branch; what came after it is hidden, not deleted. */
  v.strictObject({ kind: v.literal("sendEdit"), sendId: shortText, messageId: count, text }),
]);

/** A change by a webview. */
export type ComposerChange = v.InferOutput<typeof composerChange>;

const contextPart = v.picklist([
  "system",
  "tools",
  "pins",
  "summaries",
  "older",
  "recalled",
  "recent",
  "omitted",
  "draft",
  "free",
]);

const contextAction = v.variant("what", [
  v.strictObject({
    /**
     * `request` opens it in the editor, exactly as it would be sent. `tryModel` and `tryStrategy` preview another one,
     * `tryNothing` ends that, `useTrial` switches to it. `menu` opens the conversation's other settings.
     */
    what: v.picklist(["open", "close", "request", "tryModel", "tryStrategy", "tryNothing", "useTrial", "menu"]),
  }),
  /** Expands a part to its newest `count` items; 0 collapses it. */
  v.strictObject({ what: v.literal("items"), part: contextPart, count }),
  v.strictObject({ what: v.literal("pin"), messageId: count, pinned: v.boolean() }),
  /** Excludes an attachment from requests, or includes it again; `index` is among the parts of the message. */
  v.strictObject({ what: v.literal("exclude"), messageId: count, index: count, isExcluded: v.boolean() }),
  /** Opens the text of an item in the editor. */
  v.strictObject({ what: v.literal("text"), part: contextPart, itemId: shortText }),
  /** Reveals a summary in the chat; `before` is the oldest row that the webview has. */
  v.strictObject({ what: v.literal("summary"), summaryId: count, before: shortText }),
]);

/** From the context view. */
export type ContextAction = v.InferOutput<typeof contextAction>;

const summaryAction = v.variant("what", [
  /** Requests originals after the first `from`. */
  v.strictObject({ what: v.literal("originals"), from: count }),
  /** Uses this text from now on. */
  v.strictObject({ what: v.literal("edit"), text }),
  /** Rewrites it: with `model`, or the usual one if empty; at `sizePercent` of the usual length; with `focus`. */
  v.strictObject({
    what: v.literal("again"),
    model: shortText,
    sizePercent: v.pipe(v.number(), v.minValue(10), v.maxValue(400)),
    focus: shortText,
  }),
  /** Opens the editor's diff with another version, or with the originals when null. */
  v.strictObject({ what: v.literal("compare"), version: v.nullable(count) }),
  /** `use`: this version from now on; `request`: opens the request for it in the editor. */
  v.strictObject({ what: v.picklist(["use", "request"]) }),
]);

/** About one summary. */
export type SummaryAction = v.InferOutput<typeof summaryAction>;

const offerAction = v.variant("what", [
  /** The reader's text; used when the offer is accepted. */
  v.strictObject({ what: v.literal("edit"), index: count, text }),
  /**
   * `write` has written what is only planned; `shorter` and `otherModel` have it written anew, the latter by a model that
   * a picker asks for; `revert` discards the reader's texts.
   */
  v.strictObject({ what: v.picklist(["write", "shorter", "otherModel", "revert"]) }),
]);

/** About the summary that is offered. */
export type OfferAction = v.InferOutput<typeof offerAction>;

/** The first three are for an answer that was cut off, the others for one whose tool calls were. */
const recoveryChoice = v.picklist(["keep", "continue", "askAgain", "resume", "discard"]);
export type RecoveryChoice = v.InferOutput<typeof recoveryChoice>;

const approvalAnswer = v.picklist(["once", "conversation", "always", "deny", "never"]);
export type ApprovalAnswer = v.InferOutput<typeof approvalAnswer>;

/**
 * `retry` answers the question of this answer again, `retryWithModel` with another model; `pin` has the message always
 * sent verbatim; `fork` begins a conversation with a copy up to here; `summarize` covers what is above or below it;
 * `erase` deletes it for good; `restoreFiles` takes back what tools did to files since. The last three ask first.
 */
const messageAction = v.picklist([
  "retry",
  "retryWithModel",
  "pin",
  "unpin",
  "hide",
  "show",
  "fork",
  "summarize",
  "erase",
  "restoreFiles",
]);
export type MessageAction = v.InferOutput<typeof messageAction>;

/**
 * Inserts the code at the cursor, opens it as a new file, applies it to the file that it belongs to (shown as a diff
 * first), runs it, or shows the diagram that it describes.
 */
const codeAction = v.picklist(["insert", "newFile", "apply", "run", "diagram"]);
export type CodeAction = v.InferOutput<typeof codeAction>;

/** Of code blocks and of names of files. Answers are untrusted: the host checks paths and shows what it will run. */
const codeToHost = [
  /**
   * An action on a code block. `text` is what the reader sees in it, `language` the word after the fence, `path` the
   * file that the block names; both may be empty.
   */
  v.strictObject({
    kind: v.literal("code"),
    act: codeAction,
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_CODE_LENGTH)),
    language: v.pipe(v.string(), v.regex(/^[\w+#.-]{0,32}$/)),
    path: filePath,
  }),
  /** Requests which of these names are in the workspace. */
  v.strictObject({
    kind: v.literal("findFiles"),
    paths: v.pipe(v.array(filePath), v.maxLength(MAX_FILE_NAMES), v.readonly()),
  }),
  /** The name of a file was clicked; `line` and `column` are one-based, 0 when not given. */
  v.strictObject({ kind: v.literal("openFile"), path: filePath, line: count, column: count }),
] as const;

/** Of the search in a conversation. `findId` is the webview's, and answers repeat it. */
const findToHost = [
  v.strictObject({ kind: v.literal("find"), findId: shortText, query: shortText }),
  /** Requests the rows from a hit to `before`, the oldest row that the webview has. */
  v.strictObject({ kind: v.literal("findGo"), findId: shortText, messageId: count, before: shortText }),
  /** Opens the text of a message that no row shows. */
  v.strictObject({ kind: v.literal("openMessage"), messageId: count }),
] as const;

/** Any message. */
export const toHostSchema = v.variant("kind", [
  /** Requests a snapshot: the webview was loaded, or missed a message. `changes`: number of its last `compose`. */
  v.strictObject({ kind: v.literal("ready"), changes: count }),
  /**
   * A change of the composer, posted at once; when the text is long, after each pause. `number` grows with each; the
   * host reports up to which one its document contains them.
   */
  v.strictObject({ kind: v.literal("compose"), conversationId: shortText, number: count, change: composerChange }),
  v.strictObject({ kind: v.literal("stop") }),
  /** The user starts or ends editing a queued message: meanwhile, none is sent. */
  v.strictObject({ kind: v.literal("queueEdit"), queueId: shortText, on: v.boolean() }),
  /** New text of a queued message. */
  v.strictObject({ kind: v.literal("queueText"), queueId: shortText, text }),
  v.strictObject({ kind: v.literal("queueRemove"), queueId: shortText }),
  /** Sends the queued messages, one after another. */
  v.strictObject({ kind: v.literal("queueSend") }),
  /** Requests rows above this one. */
  v.strictObject({ kind: v.literal("loadOlder"), before: shortText }),
  /**
   * A reference to a message was clicked, or, with `topPx`, the reading position is to be restored at that offset from
   * the top of the viewport, in CSS pixels. `before` is the oldest row that the webview has.
   */
  v.strictObject({
    kind: v.literal("revealMessage"),
    messageId: count,
    before: shortText,
    topPx: v.exactOptional(pixels),
  }),
  /** Searches all conversations, in a picker. */
  v.strictObject({ kind: v.literal("findEverywhere"), query: shortText }),
  /** A link to another conversation was clicked; null: to the conversation as a whole. The host checks that it exists. */
  v.strictObject({ kind: v.literal("openConversation"), conversationId: uuid, messageId: v.nullable(count) }),
  v.strictObject({ kind: v.literal("recover"), stepId: shortText, choice: recoveryChoice }),
  /** Answers a call that asks for approval; `rowId` is the answer that holds it. */
  v.strictObject({ kind: v.literal("approve"), rowId: shortText, callId: shortText, answer: approvalAnswer }),
  /** Requests the input and result of a call; `whole`: as much as can be shown. */
  v.strictObject({ kind: v.literal("openCall"), rowId: shortText, callId: shortText, whole: v.boolean() }),
  /** Requests the states of the conversations that a call quotes. */
  v.strictObject({
    kind: v.literal("recallSources"),
    conversationIds: v.pipe(v.array(shortText), v.maxLength(1_000), v.readonly()),
  }),
  /** Models do not recall the conversation from others any more, or do so again. */
  v.strictObject({ kind: v.literal("leaveOut"), conversationId: uuid, isLeftOut: v.boolean() }),
  v.strictObject({ kind: v.literal("openSummary"), summaryId: count }),
  /** Undoes or restores a summary. */
  v.strictObject({ kind: v.literal("setSummaryState"), summaryId: count, state: v.picklist(["active", "undone"]) }),
  v.strictObject({ kind: v.literal("summary"), summaryId: count, ask: summaryAction }),
  v.strictObject({ kind: v.literal("offer"), offerId: count, ask: offerAction }),
  v.strictObject({ kind: v.literal("context"), ask: contextAction }),
  /** An http or https address that the user clicked; the host checks it again. */
  v.strictObject({ kind: v.literal("openLink"), href: shortText }),
  v.strictObject({ kind: v.literal("copy"), text }),
  /** Requests attachable items with names like `query`; cancels an earlier search that is still pending. */
  v.strictObject({ kind: v.literal("findMentions"), requestId: count, query: shortText }),
  /** Adds an item of `mentions`. */
  v.strictObject({ kind: v.literal("attach"), mentionId: shortText }),
  /** Adds files that were dropped or pasted as URIs. */
  v.strictObject({
    kind: v.literal("attachUris"),
    uris: v.pipe(v.array(shortText), v.maxLength(100), v.readonly()),
  }),
  /** Adds an image or a text that was dropped or pasted with its content. */
  v.strictObject({ kind: v.literal("attachData"), name: shortText, mediaType: shortText, dataBase64: text }),
  /** Adds a long pasted text verbatim; `pasteId` is a fresh UUID, by which `detachPaste` removes it. */
  v.strictObject({ kind: v.literal("attachText"), pasteId: uuid, text }),
  v.strictObject({ kind: v.literal("detach"), attachmentId: shortText }),
  /** Undoes a paste. */
  v.strictObject({ kind: v.literal("detachPaste"), pasteId: uuid }),
  /** Requests the text of an attachment, to put it into the composer. */
  v.strictObject({ kind: v.literal("attachmentText"), attachmentId: shortText }),
  /** Opens an attachment in the editor; `messageId` null: one of the composer. */
  v.strictObject({ kind: v.literal("openAttachment"), messageId: v.nullable(count), attachmentId: shortText }),
  /** `argument` is the text after the command. */
  v.strictObject({ kind: v.literal("slash"), command: v.picklist(SLASH_COMMANDS), argument: shortText }),
  v.strictObject({ kind: v.literal("messageAction"), messageId: count, act: messageAction }),
  /** The messages that the selection touches; null: none. */
  v.strictObject({
    kind: v.literal("selected"),
    messages: v.nullable(v.strictObject({ first: count, last: count })),
  }),
  /** The reading position, posted when it changes; null: at the newest message. */
  v.strictObject({
    kind: v.literal("reading"),
    conversationId: shortText,
    place: v.nullable(v.strictObject({ messageId: count, topPx: pixels })),
  }),
  /** The focus entered or left the webview. */
  v.strictObject({ kind: v.literal("focus"), hasFocus: v.boolean() }),
  /** Shows the previous or next branch at this message. */
  v.strictObject({ kind: v.literal("branch"), messageId: count, step: v.picklist([-1, 1]) }),
  v.strictObject({ kind: v.literal("command"), command: v.picklist(VIEW_COMMANDS) }),
  ...codeToHost,
  ...findToHost,
]);

export type ToHost = v.InferOutput<typeof toHostSchema>;

export type CodeToHost = v.InferOutput<(typeof codeToHost)[number]>;
export type FindToHost = v.InferOutput<(typeof findToHost)[number]>;
