/**
 * Joins what the host says, what the reader does, and what is drawn. Everything that the view shows is in one signal;
 * everything that leaves the view goes through `post`.
 */
import { initialState } from "./initialState.ts";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ToHost } from "../protocol/toHost.ts";
import type { ToView, ViewCommand } from "../protocol/toView.ts";
import { SentenceAnnouncer } from "./announcer.ts";
import { Channel, type HostHandle, type Schedule } from "./channel.ts";
import { type Find, isOfFind } from "./find.ts";
import { findIn } from "./findIn.ts";
import { KeptDraft, saysDraft } from "./keptDraft.ts";
import { KeptEdits } from "./keptEdits.ts";
import { editKey } from "./messageEdits.ts";
import { KnownFiles } from "./knownFiles.ts";
import { SLASH_COMMANDS } from "../protocol/slashCommand.ts";
import { writtenCommand } from "./composerTokens.ts";
import { spokenFor } from "./spokenFor.ts";
import { goToRow, leaveContext } from "./otherPages.ts";
import { ReadFirst } from "./readFirst.ts";
import { sendBlock } from "./sendBlock.ts";
import { emptyComposer, hostHeard, typed } from "./composerState.ts";
import { type AppState, reduce } from "./state.ts";
import { StayingReader } from "./stayingReader.ts";
import { act, type ViewAct } from "./viewActs.ts";
import { words } from "./words.ts";

/** The state of the view and all that can be done with it. */
export class Store {
  readonly state: Signal<AppState> = signal(initialState);
  /** The sentence for the live region; a new object each time, so that the same words are spoken again. */
  readonly spoken: Signal<{ readonly text: string }> = signal({ text: "" });
  /** Why the last attempt to send was refused by the view itself; null when there was none since. */
  readonly hint: Signal<string | null> = signal(null);
  /** The message that the pointer or the keyboard focus is on, by its row. */
  readonly activeRow: Signal<string | null> = signal(null);
  /** The one in whose bar the keyboard focus is: the bar stays there while the pointer is on another message. */
  readonly heldRow: Signal<string | null> = signal(null);
  readonly status: ReadonlySignal<AppState["status"]> = computed(() => this.state.value.status);
  readonly composer: ReadonlySignal<AppState["composer"]> = computed(() => this.state.value.composer);
  readonly queue: ReadonlySignal<AppState["queue"]> = computed(() => this.state.value.queue);
  readonly attachments: ReadonlySignal<AppState["attachments"]> = computed(() => this.state.value.attachments);
  readonly mentions: ReadonlySignal<AppState["mentions"]> = computed(() => this.state.value.mentions);
  /** What was added and shall be text of the message, as the host said it last. */
  readonly returnedText: Signal<{ readonly attachmentId: string; readonly text: string } | null> = signal(null);
  /** The newest search for something to add; an answer to another one is old. */
  mentionRequest = 0;
  readonly focusRequests: ReadonlySignal<number> = computed(() => this.state.value.focusRequests);
  readonly font: ReadonlySignal<AppState["font"]> = computed(() => this.state.value.font);
  readonly blocked: ReadonlySignal<string | null> = computed(() => sendBlock(this.state.value));
  /** The search in the conversation. */
  readonly find: Find = findIn(this);
  /** Long blocks of code that are unfolded, by their text. */
  readonly unfoldedCode = new Set<string>();
  /** Which names of files in what is shown are files of the workspace. */
  readonly files = new KnownFiles((message) => {
    this.post(message);
  });

  /** Nothing of the conversation can be changed here: what would change it is not offered. */
  readonly readOnly: ReadonlySignal<boolean> = computed(() => this.state.value.status.activity === "readOnly");

  /** Keeps the reader where they are when all is shown anew. */
  readonly staying: StayingReader;
  readonly #channel: Channel;
  readonly #draft: KeptDraft;
  readonly #edits: KeptEdits;
  readonly #announcer = new SentenceAnnouncer();
  #hintLasts = false;
  readonly #reading = new ReadFirst();

  constructor(host: HostHandle, schedule: Schedule) {
    this.staying = new StayingReader(this, this.#receive.bind(this));
    this.#channel = new Channel(host, schedule, { receive: this.staying.receive, askAnew: this.ready.bind(this) });
    this.#draft = new KeptDraft({ host, state: this.state, act: this.act.bind(this), post: this.post.bind(this) });
    this.#edits = new KeptEdits(this.state, this.post.bind(this));
    const { leftEdits, leftFiles, earlyText } = this.#draft;
    this.state.value = { ...initialState, messageEdits: leftEdits, composer: typed(emptyComposer, earlyText) };
    if (leftFiles.length > 0) this.refuse(leftFiles.map(words.unreadableToAdd).join(" "), true);
  }

  /** Asks for everything that is shown. */
  ready(): void {
    this.post({ kind: "ready", said: this.composer.peek().said });
  }

  /** Takes what was posted to the window. */
  accept(data: unknown): void {
    this.#channel.accept(data);
  }

  post(message: ToHost): void {
    this.#channel.post(message);
  }

  command(command: ViewCommand): void {
    this.post({ kind: "command", command });
  }

  act(what: ViewAct): void {
    this.state.value = act(this.state.peek(), what);
  }

  say(text: string): void {
    if (text !== "") this.spoken.value = { text };
  }

  typed(text: string): void {
    this.act({ kind: "typed", text });
    this.hint.value = null;
    this.#draft.note(text);
  }

  /** Tells the host the draft, and what messages are to say instead, where it does not know it yet. */
  postDraft(): void {
    this.#draft.tell();
    this.#edits.tell();
  }

  /** Sends the composer's text, or says why not. An empty message is never sent. */
  send(): void {
    const { composer } = this.state.peek();
    if (composer.text.trim() === "") {
      if (this.attachments.peek().length > 0) this.refuse(words.onlyAttachments, true);
      return;
    }
    const command = writtenCommand(composer.text, SLASH_COMMANDS);
    const name = SLASH_COMMANDS.find((known) => known === command?.name);
    if (command !== null && name !== undefined) {
      this.typed("");
      this.post({ kind: "slash", command: name, argument: command.argument.slice(0, 4_000) });
      return;
    }
    const reason = this.blocked.peek();
    if (reason !== null) {
      this.refuse(reason);
      return;
    }
    // What waits may outlive this page: until it is sent it is a draft.
    if (this.#reading.isBusy) this.#draft.tell();
    else this.#draft.hold();
    const sendId = crypto.randomUUID();
    leaveContext(this); // what was asked, and its answer, are in the conversation
    this.act({ kind: "sendStarted", sendId });
    const { conversationId } = this.state.peek();
    this.#draft.isBehindSend = true;
    this.#reading.whenRead(() => {
      const { pending, said } = this.composer.peek();
      this.#draft.isBehindSend = false;
      if (pending?.sendId === sendId) this.post({ kind: "send", conversationId, said, sendId, text: pending.text });
      this.#draft.tell();
    });
  }

  /** What is sent meanwhile is told to the host when `reading` is over: it belongs to the message. */
  sendBehind(reading: Promise<void>): void {
    this.#reading.add(reading);
  }

  /** Files of these names are being read, to be added. */
  noteReading(names: readonly string[]): void {
    this.#draft.noteReading(names);
  }

  /** Says why something was not done; `lasts` where that stays true when the host has gone on: until the next key press. */
  refuse(reason: string, lasts = false): void {
    this.hint.value = reason;
    this.#hintLasts = lasts;
    this.say(reason);
  }

  /** Asks the host what can be added whose name is like `query`. */
  findMentions(query: string): void {
    this.mentionRequest += 1;
    this.post({ kind: "findMentions", requestId: this.mentionRequest, query });
  }

  /** A message is to say `text` instead, or a summary by its `summaryName`; null: it stays as it is. */
  edit(name: string, text: string | null): void {
    const key = editKey(this.state.peek().conversationId, name);
    this.act({ kind: "editedMessage", key, text, nowMs: Date.now() });
    this.#draft.noteEdits();
    this.#edits.note(key);
  }

  /** Sends a message once more in other words, as another way on. */
  editMessage(messageId: number, text: string): void {
    const sendId = crypto.randomUUID();
    this.act({ kind: "editSent", messageId, sendId });
    this.post({ kind: "editMessage", sendId, messageId, text });
  }

  /** Puts a text into the clipboard, by way of the host, and says so. */
  copy(text: string): void {
    this.post({ kind: "copy", text });
    this.say(words.copied);
  }

  /** Goes to a message of this conversation: at once where its row is at hand, else when the host has sent it. */
  reveal(messageId: number): void {
    const before = goToRow(this, (row) => row.rowId === `message-${String(messageId)}`);
    if (before !== undefined) this.post({ kind: "revealMessage", messageId, before });
  }

  /** Stops the answer that is being written, or the summary that is being made, if there is one. */
  stop(): boolean {
    const { activity } = this.state.peek().status;
    if (activity !== "streaming" && activity !== "summarizing") return false;
    this.post({ kind: "stop" });
    return true;
  }

  #receive(messages: readonly ToView[]): void {
    let state = this.state.peek();
    for (const message of messages) {
      const before = saysDraft(message) ? { ...state, composer: hostHeard(state.composer, message.heard) } : state;
      state = reduce(before, message);
      if (message.kind === "snapshot") state = this.#draft.withLeft(before, state);
      for (const said of spokenFor({ before, after: state, message }, this.#announcer)) this.say(said);
    }
    const settled = this.state.peek().composer.pending !== null && state.composer.pending === null;
    const wasOpened = this.state.peek().conversationId === "" && state.conversationId !== "";
    let { conversationId } = this.state.peek();
    const isEdited = this.state.peek().messageEdits !== state.messageEdits;
    const isPut = state.composer.text !== this.state.peek().composer.text; // by the host, over what is remembered here
    this.state.value = state;
    if (isEdited) this.#draft.noteEdits();
    for (const message of messages) {
      if (isOfFind(message)) this.find.receive(message);
      else if (message.kind === "messageEdit") this.#edits.receive(message);
      else if (message.kind === "snapshot") {
        this.#edits.receive(message);
        if (conversationId !== message.view.conversationId) this.find.leave();
        ({ conversationId } = message.view);
      } else if (message.kind === "attachmentText") this.returnedText.value = message;
      else if (message.kind === "files") this.files.receive(message.paths);
    }
    const { text, postedText } = state.composer;
    // What is in the composer after a message was settled, or when the view came back, is a draft like any other.
    const isRest = settled || wasOpened || isPut || (text !== postedText && messages.some(saysDraft));
    if (isRest && text === postedText) this.#draft.forget();
    else if (isRest) this.#draft.note(text);
    if (messages.some(({ kind }) => kind === "snapshot")) this.#draft.repeatSend();
    if (state.status.activity === "idle" && !this.#hintLasts) this.hint.value = null;
  }
}
