/** The sidebar view `forge.chat`: makes the page, checks what it says, numbers what it is told. Holds no state of its own. */

import type * as vscode from "vscode";
import { parseToHost } from "../protocol/parse.ts";
import type { ToHost } from "../protocol/toHost.ts";
import type { ToViewBody, ViewState } from "../protocol/toView.ts";
import type { Clock } from "../core/ports.ts";
import { ViewChannel } from "./viewChannel.ts";
import { webviewHtml } from "./webviewHtml.ts";

/** What stands behind the view. */
export interface ChatBackend {
  /** All that there is to show now; nothing may happen between this and what is posted next. */
  snapshot(): ViewState;
  /** Something the user did in the view. */
  handle(message: ToHost): void;
  /** A message that has no known shape; `fault` names the place. */
  reject(fault: string): void;
}

/** What the view is called before its conversation has a title. */
const NO_TITLE = "Chat";

/** One page of the chat, from its making to its end. */
export class ChatView {
  readonly #view: vscode.WebviewView;
  readonly #channel: ViewChannel;
  readonly #backend: ChatBackend;
  /** The page asked for a snapshot and has it; before that nothing is posted, since nothing would be understood. */
  #isLive = false;
  /** The page has said that it is there. */
  #isThere = false;
  #waitingForPage: (() => void)[] = [];

  constructor(view: vscode.WebviewView, dist: vscode.Uri, backend: ChatBackend, clock: Clock) {
    this.#view = view;
    this.#backend = backend;
    this.#channel = new ViewChannel((message) => void view.webview.postMessage(message), clock);
    view.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    const listening = view.webview.onDidReceiveMessage((value: unknown) => {
      this.#receive(value);
    });
    view.onDidDispose(() => {
      this.#gone();
      listening.dispose();
    });
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#gone();
    });
    view.webview.html = webviewHtml(view.webview, dist);
  }

  /** Tells the page, if it is there. */
  post(body: ToViewBody): void {
    if (this.#isLive) this.#channel.send(body);
  }

  /** Sends the whole state anew, as after a change of conversation. */
  refresh(): void {
    const state = this.#backend.snapshot();
    this.setTitle(state.status.title);
    this.#channel.dropWaiting();
    this.#isLive = true;
    this.#channel.send({ kind: "snapshot", view: state });
  }

  /** Names the view after its conversation. */
  setTitle(title: string): void {
    this.#view.title = title === "" ? NO_TITLE : title;
  }

  /** Marks the view, also where it is hidden, with how many calls wait for the user's word. */
  setWaiting(count: number): void {
    const tooltip = count === 1 ? "A tool waits for your word" : `${count} tools wait for your word`;
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  /** Brings the view to the front and leaves the keyboard focus where it is: a picker would close when it lost it. */
  reveal(): void {
    this.#view.show(true);
  }

  /** Brings the view to the front with the focus in the composer. */
  focus(): void {
    this.#view.show(false);
    this.post({ kind: "focusComposer" });
  }

  /** Resolves when the page is there and shows everything; at once when it does. */
  async whenThere(): Promise<void> {
    if (!this.#isThere) await new Promise<void>((resolve) => this.#waitingForPage.push(resolve));
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
    } else if (parsed.message.kind === "ready") {
      this.refresh();
      this.#isThere = true;
      for (const resolve of this.#waitingForPage.splice(0)) resolve();
      this.#backend.handle(parsed.message);
    } else {
      this.#backend.handle(parsed.message);
    }
  }
}
