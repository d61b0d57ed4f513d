/** One chat page: parses its messages and numbers those posted to it. Has no conversation state of its own. */

import type * as vscode from "vscode";
import { parseToHost } from "../../protocol/parse.ts";
import type { TextOperation } from "../../protocol/composerDocument.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ClosedComposer, ToViewBody, ViewState } from "../../protocol/toView.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChatSurface } from "./chatSurface.ts";
import { ViewChannel } from "./viewChannel.ts";
import { webviewHtml } from "./webviewHtml.ts";

export interface ViewReplies {
  /** Posts to the page that sent the message, and to no other. */
  readonly reply: (body: ToViewBody) => void;
  /** Posts to all pages but that one. */
  readonly postToOthers: (body: ToViewBody) => void;
}

/** Handles the messages of all pages. */
export interface ChatBackend {
  /** The full view state; nothing may change between this call and the next post. */
  snapshot(): ViewState;
  handle(message: ToHost, ways: ViewReplies): void;
  /** A malformed message; `fault` names the place. */
  reject(fault: string): void;
}

/** Handles the messages of one page; `reply` posts to it alone. */
export interface ViewBackend extends Omit<ChatBackend, "handle"> {
  handle(message: ToHost, reply: (body: ToViewBody) => void): void;
}

/** Closed composers retained: a page that missed messages may still show one of them. */
const MAX_CLOSED_COMPOSERS = 5;

export class ChatView {
  readonly surface: ChatSurface;
  readonly #channel: ViewChannel;
  readonly #backend: ViewBackend;
  /** Messages to post once the page is ready, one of each kind. */
  #due: ToViewBody[] = [];
  /** The page has its snapshot; without one it could not apply other messages, so nothing is posted before. */
  #hasSnapshot = false;
  /** The page has sent `ready`. */
  #isReady = false;
  #waitingForPage: (() => void)[] = [];
  /** The conversation of the last snapshot; empty while none is open. */
  #conversationId = "";
  /** Number of the page's last change that the composer of that conversation has applied. */
  #contains = 0;
  /** The latest operations on the text of that composer, as posted to the page. */
  #operations: readonly TextOperation[] = [];
  /** Composers shown before, newest last. */
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

  /** Drops the message while the page has no snapshot. */
  post(body: ToViewBody): void {
    if (this.#hasSnapshot) this.#send(body);
  }

  /** Posts now or when the page is ready. */
  postWhenReady(body: ToViewBody): void {
    if (this.#isReady) this.#channel.send(body);
    else this.#due = [...this.#due.filter(({ kind }) => kind !== body.kind), body];
  }

  /** Sends a full snapshot, as after a change of conversation. */
  refresh(): void {
    const state = this.#backend.snapshot();
    this.surface.setTitle(state.status.title);
    this.#channel.dropPending();
    this.#hasSnapshot = true;
    this.#send({ kind: "snapshot", view: state });
  }

  /** Resolves when the page is ready and has its snapshot. */
  async whenReady(): Promise<void> {
    if (!this.#isReady) await new Promise<void>((resolve) => this.#waitingForPage.push(resolve));
  }

  #send(body: ToViewBody): void {
    switch (body.kind) {
      case "snapshot": {
        const { conversationId, composer } = body.view;
        if (conversationId !== this.#conversationId && this.#conversationId !== "")
          this.#closed = [
            ...this.#closed,
            { conversationId: this.#conversationId, operations: this.#operations },
          ].slice(-MAX_CLOSED_COMPOSERS);
        this.#conversationId = conversationId;
        this.#operations = composer.operations;
        this.#channel.send({ ...body, contains: this.#contains, closed: this.#closed });
        return;
      }
      case "composer":
        if (body.conversationId !== this.#conversationId) return; // a closed conversation may still finish something
        this.#operations = body.changed.operations ?? this.#operations;
        this.#channel.send({ ...body, contains: this.#contains });
        return;
      default:
        this.#channel.send(body);
    }
  }

  /** The editor destroys the page of a hidden view. */
  #gone(): void {
    this.#hasSnapshot = false;
    this.#isReady = false;
  }

  #receive(value: unknown): void {
    const parsed = parseToHost(value);
    if ("fault" in parsed) {
      this.#backend.reject(parsed.fault);
      return;
    }
    const { message } = parsed;
    if (message.kind === "compose") {
      // A change typed in a closed conversation is not applied, and not confirmed to the page either.
      const isNew = message.conversationId === this.#conversationId && message.number > this.#contains;
      if (!isNew) return;
      this.#contains = message.number;
    }
    if (message.kind === "ready") {
      this.#contains = Math.min(this.#contains, message.changes); // a new page counts from 0
      this.refresh();
      this.#isReady = true;
      for (const resolve of this.#waitingForPage.splice(0)) resolve();
      for (const body of this.#due.splice(0)) this.#channel.send(body);
    }
    this.#backend.handle(message, (body) => {
      this.post(body);
    });
  }
}
