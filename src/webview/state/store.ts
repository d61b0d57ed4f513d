/**
 * Joins what the host says, what the reader does, and what is drawn. Everything that the view shows is in one signal;
 * everything that leaves the view goes through `post`.
 */
import { initialState } from "./initialState.ts";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView, ViewCommand } from "../../protocol/toView.ts";
import { SentenceAnnouncer } from "../a11y/announcer.ts";
import { Channel, type HostHandle, type Schedule } from "../link/channel.ts";
import { type Find, isOfFind } from "../find/find.ts";
import { findIn } from "../find/findIn.ts";
import type { ComposerDocument, EditPlace, EditView } from "../../protocol/composerDocument.ts";
import { ComposerSync } from "../composer/composerSync.ts";
import { sendBlock } from "../composer/sendBlock.ts";
import { KnownFiles } from "../answer/knownFiles.ts";
import { SLASH_COMMANDS } from "../../protocol/slashCommand.ts";
import { writtenCommand } from "../composer/composerTokens.ts";
import { spokenFor } from "../a11y/announcements.ts";
import { goToRow, leaveContext } from "./navigation.ts";
import { type AppState, reduce } from "./state.ts";
import { StayingReader } from "../transcript/stayingReader.ts";
import { act, type ViewAct } from "./viewActions.ts";
import { words } from "../words/words.ts";

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
  readonly composer: ReadonlySignal<ComposerDocument> = computed(() => this.state.value.composer.document);
  readonly queue: ReadonlySignal<ComposerDocument["queue"]> = computed(() => this.composer.value.queue);
  readonly attachments: ReadonlySignal<ComposerDocument["attachments"]> = computed(
    () => this.composer.value.attachments,
  );
  /** Messages and summaries that are being reworded. */
  readonly edits: ReadonlySignal<readonly EditView[]> = computed(() => this.composer.value.edits);
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
  readonly #sync: ComposerSync;
  readonly #announcer = new SentenceAnnouncer();
  #hintLasts = false;

  constructor(host: HostHandle, schedule: Schedule) {
    this.staying = new StayingReader(this, this.#receive.bind(this));
    this.#channel = new Channel(host, schedule, { receive: this.staying.receive, askAnew: this.ready.bind(this) });
    this.#sync = new ComposerSync(host, this.state);
    const { leftFiles } = this.#sync;
    if (leftFiles.length > 0) this.refuse(leftFiles.map(words.unreadableToAdd).join(" "), true);
  }

  /** Asks for everything that is shown. */
  ready(): void {
    this.post({ kind: "ready", changes: this.state.peek().composer.posted });
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
    this.hint.value = null;
    this.#sync.typed(text);
  }

  /** Tells the host what was typed, where it does not know it yet. */
  postDraft(): void {
    this.#sync.post();
  }

  /** Sends the composer's text, or says why not. An empty message is never sent. */
  send(): void {
    const { text } = this.composer.peek();
    if (text.trim() === "") {
      if (this.attachments.peek().length > 0) this.refuse(words.onlyAttachments, true);
      return;
    }
    const command = writtenCommand(text, SLASH_COMMANDS);
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
    leaveContext(this); // what was asked, and its answer, are in the conversation
    this.#sync.send();
  }

  /** What is sent meanwhile is told to the host when `reading` is over: it belongs to the message. */
  sendAfter(reading: Promise<void>): void {
    this.#sync.reads.add(reading);
  }

  /** Files of these names are being read, to be added. */
  noteReading(names: readonly string[]): void {
    this.#sync.noteReading(names);
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

  /** A message or a summary is to say `text` instead; null: it stays as it is. */
  edit(place: EditPlace, text: string | null): void {
    this.#sync.edit(place, text);
  }

  /** Sends a message once more in other words, as another way on. */
  editMessage(messageId: number, text: string): void {
    this.#sync.sendEdit(messageId, text);
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
    const old = this.state.peek();
    let state = old;
    for (const message of messages) {
      const before = state;
      state = reduce(before, message);
      for (const said of spokenFor({ before, after: state, message }, this.#announcer)) this.say(said);
    }
    this.state.value = state;
    let { conversationId } = old;
    for (const message of messages) {
      if (isOfFind(message)) this.find.receive(message);
      else if (message.kind === "snapshot") {
        if (conversationId !== message.view.conversationId) this.find.leave();
        ({ conversationId } = message.view);
      } else if (message.kind === "attachmentText") this.returnedText.value = message;
      else if (message.kind === "files") this.files.receive(message.paths);
    }
    if (state.composer !== old.composer)
      this.#sync.heard(
        old,
        messages.some(({ kind }) => kind === "snapshot"),
      );
    if (state.status.activity === "idle" && !this.#hintLasts) this.hint.value = null;
  }
}
