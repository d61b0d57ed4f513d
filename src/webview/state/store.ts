/** Connects host, reader and view. All that is shown is in one signal; all that leaves the view goes through `post`. */
import { beginningOf } from "../../core/cutText.ts";
import type { ViewCommand } from "../../protocol/viewCommand.ts";
import { initialState } from "./initialState.ts";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { withoutBlankEnd } from "../../protocol/copiedText.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView } from "../../protocol/toView.ts";
import { pageTimer } from "../a11y/liveQueue.ts";
import { ReadOut } from "../a11y/readOut.ts";
import { Channel, type HostHandle, type RenderSchedule } from "../link/channel.ts";
import { type Find, isFindMessage } from "../find/find.ts";
import { createFind } from "../find/createFind.ts";
import type { ComposerDocument, EditTarget, EditView } from "../../protocol/composerDocument.ts";
import { ComposerSync } from "../composer/composerSync.ts";
import { sendBlockReason } from "../composer/sendBlockReason.ts";
import { KnownFiles } from "../answer/knownFiles.ts";
import { SLASH_COMMANDS } from "../../protocol/slashCommand.ts";
import { writtenCommand } from "../composer/composerTokens.ts";
import { goToRow, closeContext } from "./navigation.ts";
import { type AppState, reduce } from "./state.ts";
import { ScrollRestorer } from "../transcript/scrollRestorer.ts";
import { applyAction, type ViewAction } from "./viewActions.ts";
import { words } from "../words/words.ts";

export class Store {
  readonly state: Signal<AppState> = signal(initialState);
  /** Text of the live region; numbered, so that the same words are announced again. */
  readonly liveText: Signal<{ readonly text: string; readonly number: number }> = signal({ text: "", number: 0 });
  /** Why the view itself refused the last action; null once that is outdated. */
  readonly hint: Signal<string | null> = signal(null);
  /** Row of the message that the pointer or the focus reached last. */
  readonly activeRowId: Signal<string | null> = signal(null);
  /** Row whose toolbar has the focus: it stays while the pointer is on another message. */
  readonly focusedRowId: Signal<string | null> = signal(null);
  readonly status: ReadonlySignal<AppState["status"]> = computed(() => this.state.value.status);
  readonly composer: ReadonlySignal<ComposerDocument> = computed(() => this.state.value.composer.document);
  readonly queue: ReadonlySignal<ComposerDocument["queue"]> = computed(() => this.composer.value.queue);
  readonly attachments: ReadonlySignal<ComposerDocument["attachments"]> = computed(
    () => this.composer.value.attachments,
  );
  /** Unsent edits of messages and summaries. */
  readonly edits: ReadonlySignal<readonly EditView[]> = computed(() => this.composer.value.edits);
  readonly mentions: ReadonlySignal<AppState["mentions"]> = computed(() => this.state.value.mentions);
  /** Attachment to move into the message as text, as last received. */
  readonly attachmentText: Signal<{ readonly attachmentId: string; readonly text: string } | null> = signal(null);
  /** Number of the latest search; results of an earlier one are outdated. */
  mentionRequestId = 0;
  readonly focusRequests: ReadonlySignal<number> = computed(() => this.state.value.focusRequests);
  readonly font: ReadonlySignal<AppState["font"]> = computed(() => this.state.value.font);
  readonly blockReason: ReadonlySignal<string | null> = computed(() => sendBlockReason(this.state.value));
  readonly find: Find = createFind(this);
  /** By their text. */
  readonly unfoldedCode = new Set<string>();
  readonly files = new KnownFiles((message) => {
    this.post(message);
  });

  /** Nothing of the conversation can be changed: such actions are not offered. */
  readonly isReadOnly: ReadonlySignal<boolean> = computed(() => this.state.value.status.activity === "readOnly");

  /** Preserves the reader's place across snapshots. */
  readonly scrollRestorer: ScrollRestorer;
  readonly #channel: Channel;
  readonly #sync: ComposerSync;
  readonly #readOut = new ReadOut(pageTimer, (text) => {
    this.liveText.value = { text, number: this.liveText.peek().number + 1 };
  });
  #hintLasts = false;

  constructor(host: HostHandle, schedule: RenderSchedule) {
    this.scrollRestorer = new ScrollRestorer(this, this.#receive.bind(this));
    this.#channel = new Channel(host, schedule, {
      receive: this.scrollRestorer.receive,
      requestSnapshot: this.requestSnapshot.bind(this),
    });
    this.#sync = new ComposerSync(host, this.state);
    const { interruptedReads } = this.#sync;
    if (interruptedReads.length > 0) this.showRefusal(interruptedReads.map(words.unreadableToAdd).join(" "), true);
  }

  /** Requests a snapshot. */
  requestSnapshot(): void {
    this.post({ kind: "ready", changes: this.state.peek().composer.posted });
  }

  accept(data: unknown): void {
    this.#channel.accept(data);
  }

  post(message: ToHost): void {
    this.#channel.post(message);
  }

  command(command: ViewCommand): void {
    this.post({ kind: "command", command });
  }

  dispatch(action: ViewAction): void {
    this.state.value = applyAction(this.state.peek(), action);
  }

  announce(text: string): void {
    this.#readOut.say(text);
  }

  typed(text: string): void {
    this.hint.value = null;
    this.#sync.typed(text);
  }

  /** Posts what the host does not have yet. */
  postDraft(): void {
    this.#sync.post();
  }

  /** Sends the composer's text, or says why not. An empty message is never sent. */
  send(): void {
    const { text } = this.composer.peek();
    if (text.trim() === "") {
      if (this.attachments.peek().length > 0) this.showRefusal(words.onlyAttachments, true);
      return;
    }
    const command = writtenCommand(text, SLASH_COMMANDS);
    const name = SLASH_COMMANDS.find((known) => known === command?.name);
    if (command !== null && name !== undefined) {
      this.typed("");
      this.post({ kind: "slash", command: name, argument: beginningOf(command.argument, 4_000) });
      return;
    }
    const reason = this.blockReason.peek();
    if (reason !== null) {
      this.showRefusal(reason);
      return;
    }
    closeContext(this); // the question and its answer are in the conversation
    this.#sync.send();
  }

  /** Messages sent meanwhile are posted when `reading` settles: it belongs to them. */
  addPendingRead(reading: Promise<void>): void {
    this.#sync.reads.add(reading);
  }

  saveReadingFiles(names: readonly string[]): void {
    this.#sync.saveReadingFiles(names);
  }

  /** Says why something was not done: until the next key press if it `lasts`, else until the host is idle. */
  showRefusal(reason: string, lasts = false): void {
    this.hint.value = reason;
    this.#hintLasts = lasts;
    this.announce(reason);
  }

  /** Requests what can be attached and has a name like `query`. */
  findMentions(query: string): void {
    this.mentionRequestId += 1;
    this.post({ kind: "findMentions", requestId: this.mentionRequestId, query });
  }

  /** Edits a message or a summary; null discards the edit. */
  edit(place: EditTarget, text: string | null): void {
    this.#sync.edit(place, text);
  }

  /** Sends a message again with new wording, as another branch. */
  sendEdit(messageId: number, text: string): void {
    this.#sync.sendEdit(messageId, text);
  }

  /** Copies text without blank lines at its end, by way of the host, and announces it. */
  copy(text: string): void {
    this.post({ kind: "copy", text: withoutBlankEnd(text) });
    this.announce(words.copied);
  }

  /** Goes to a message: at once if its row is loaded, else when it is received. */
  reveal(messageId: number): void {
    const before = goToRow(this, (row) => row.rowId === `message-${String(messageId)}`);
    if (before !== undefined) this.post({ kind: "revealMessage", messageId, before });
  }

  /** Stops the streaming answer or the running summary; returns whether there was one. */
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
      this.#readOut.hostChanged({ before, after: state, message });
    }
    this.state.value = state;
    let { conversationId } = old;
    for (const message of messages) {
      if (isFindMessage(message)) this.find.receive(message);
      else if (message.kind === "snapshot") {
        if (conversationId !== message.view.conversationId) this.find.conversationChanged();
        ({ conversationId } = message.view);
      } else if (message.kind === "attachmentText") this.attachmentText.value = message;
      else if (message.kind === "files") this.files.addExisting(message.paths);
    }
    if (state.composer !== old.composer)
      this.#sync.afterHostMessages(
        old,
        messages.some(({ kind }) => kind === "snapshot"),
      );
    if (state.status.activity === "idle" && !this.#hintLasts) this.hint.value = null;
  }
}
