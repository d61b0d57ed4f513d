/** One page of the chat, in the side bar or in a tab: checks what it says, numbers what it is told. Holds no state of its own. */

import type * as vscode from "vscode";
import { parseToHost } from "../../protocol/parse.ts";
import type { TextOperation } from "../../protocol/composerDocument.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ClosedComposer, ToViewBody, ViewState } from "../../protocol/toView.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChatSurface } from "./chatSurface.ts";
import { ViewChannel } from "./viewChannel.ts";
import { webviewHtml } from "./webviewHtml.ts";

/** Whom the host tells what follows from a message. */
export interface WaysToViews {
  /** Reaches the view that said it, and no other. */
  readonly reply: (body: ToViewBody) => void;
  /** Reaches all views but the one that said it. */
  readonly tellOthers: (body: ToViewBody) => void;
}

/** What stands behind the views. */
export interface ChatBackend {
  /** All that there is to show now; nothing may happen between this and what is posted next. */
  snapshot(): ViewState;
  /** Something the user did in a view. */
  handle(message: ToHost, ways: WaysToViews): void;
  /** A message that has no known shape; `fault` names the place. */
  reject(fault: string): void;
}

/** What stands behind one view: `reply` reaches it alone. */
export interface ViewBackend extends Omit<ChatBackend, "handle"> {
  handle(message: ToHost, reply: (body: ToViewBody) => void): void;
}

/** A page that has lost some of what it was told shows one of these still. */
const KEPT_CLOSED = 5;

/** One page, from its making to its end. */
export class ChatView {
  /** Where it stands. */
  readonly surface: ChatSurface;
  readonly #channel: ViewChannel;
  readonly #backend: ViewBackend;
  /** What the page is to do once it is there. */
  #due: ToViewBody[] = [];
  /** The page asked for a snapshot and has it; before that nothing is posted, since nothing would be understood. */
  #isLive = false;
  /** The page has said that it is there. */
  #isThere = false;
  #waitingForPage: (() => void)[] = [];
  /** Which one the page was told to show; empty while none is open. */
  #conversationId = "";
  /** The number of the page's last change that the composer of that conversation has. */
  #contains = 0;
  /** What was done to the text of that conversation last, as the page was told. */
  #operations: readonly TextOperation[] = [];
  /** Those that it was shown before, the last at the end. */
  #closed: readonly ClosedComposer[] = [];

  constructor(surface: ChatSurface, dist: vscode.Uri, backend: ViewBackend, clock: Clock) {
    const { webview } = surface;
    this.surface = surface;
    this.#backend = backend;
    this.#channel = new ViewChannel((message) => void webview.postMessage(message), clock);
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    const listening = webview.onDidReceiveMessage((value: unknown) => {
      this.#receive(value);
    });
    surface.onDispose(() => {
      this.#gone();
      listening.dispose();
    });
    surface.onVisibility(() => {
      if (!surface.isVisible()) this.#gone();
    });
    webview.html = webviewHtml(webview, dist);
  }

  /** Tells the page, if it is there. */
  post(body: ToViewBody): void {
    if (this.#isLive) this.#send(body);
  }

  /** Tells the page, once it is there. */
  postDue(body: ToViewBody): void {
    if (this.#isThere) this.#channel.send(body);
    else this.#due = [...this.#due.filter(({ kind }) => kind !== body.kind), body];
  }

  /** Sends the whole state anew, as after a change of conversation. */
  refresh(): void {
    const state = this.#backend.snapshot();
    this.surface.setTitle(state.status.title);
    this.#channel.dropWaiting();
    this.#isLive = true;
    this.#send({ kind: "snapshot", view: state });
  }

  /** Resolves when the page is there and shows everything; at once when it does. */
  async whenThere(): Promise<void> {
    if (!this.#isThere) await new Promise<void>((resolve) => this.#waitingForPage.push(resolve));
  }

  #send(body: ToViewBody): void {
    switch (body.kind) {
      case "snapshot": {
        const { conversationId, composer } = body.view;
        if (conversationId !== this.#conversationId && this.#conversationId !== "")
          this.#closed = [
            ...this.#closed,
            { conversationId: this.#conversationId, operations: this.#operations },
          ].slice(-KEPT_CLOSED);
        this.#conversationId = conversationId;
        this.#operations = composer.operations;
        this.#channel.send({ ...body, contains: this.#contains, closed: this.#closed });
        return;
      }
      case "composer":
        if (body.conversationId !== this.#conversationId) return; // what is closed may end something
        this.#operations = body.changed.operations ?? this.#operations;
        this.#channel.send({ ...body, contains: this.#contains });
        return;
      default:
        this.#channel.send(body);
    }
  }

  /** The editor destroys the page of a view that is not seen. */
  #gone(): void {
    this.#isLive = false;
    this.#isThere = false;
  }

  #receive(value: unknown): void {
    const parsed = parseToHost(value);
    if ("fault" in parsed) {
      this.#backend.reject(parsed.fault);
      return;
    }
    const { message } = parsed;
    if (message.kind === "compose") {
      // What was typed in a conversation that is closed is in none: the page has to know.
      const isNew = message.conversationId === this.#conversationId && message.number > this.#contains;
      if (!isNew) return;
      this.#contains = message.number;
    }
    if (message.kind === "ready") {
      this.#contains = Math.min(this.#contains, message.changes); // a new page counts from 0
      this.refresh();
      this.#isThere = true;
      for (const resolve of this.#waitingForPage.splice(0)) resolve();
      for (const body of this.#due.splice(0)) this.#channel.send(body);
    }
    this.#backend.handle(message, (body) => {
      this.post(body);
    });
  }
}
