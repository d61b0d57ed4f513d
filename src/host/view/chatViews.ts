/**
 * All chat pages of this window: that of the side bar, and of a tab where one is open. All show the same conversation;
 * text typed in one appears in the others after a pause.
 */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { Clock } from "../../core/clock.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { invariant } from "../../core/result.ts";
import { Emitter } from "../background/emitter.ts";
import { plural } from "../../protocol/localize.ts";
import type { ChatSurface } from "./chatSurface.ts";
import { ChatView, type ChatBackend } from "./chatView.ts";

/**
 * Delay before a page is focused again. The editor polls the focus four times a second; a page that is focused before
 * the editor has noticed that it lost focus gets it only halfway: the page is focused, and no element in it.
 */
const REFOCUS_DELAY_MS = 300;
/** Further delay for focus reports of the page that a busy host has not read: they make the refocus unnecessary. */
const FOCUS_REPORT_DELAY_MS = 20;

export interface IconBadge {
  /** `undefined` removes the badge. */
  setBadge(badge: vscode.ViewBadge | undefined): void;
}

/** Pages are in the order of use, the latest first. */
export class ChatViews {
  readonly #dist: vscode.Uri;
  readonly #clock: Clock;
  readonly #icon: IconBadge;
  readonly #posted = new Emitter<ToViewBody>();
  #backend: ChatBackend | undefined;
  #views: readonly ChatView[] = [];
  readonly #waiting: (() => void)[] = [];
  /** The page that has the focus, if any. */
  #focusedView: ChatView | undefined;
  /** The page that is about to receive the focus. */
  #focusRequestedView: ChatView | undefined;
  #badgeTooltip = "";
  /** Questions that wait for the user, in this window and in others. */
  #questions = { here: 0, elsewhere: 0 };

  /** Fires when a message was posted to all pages. */
  readonly onDidPost = this.#posted.event;

  /** `dist` is the folder of the shipped files; `icon` carries the badge while the side bar has no page. */
  constructor(dist: vscode.Uri, clock: Clock, icon: IconBadge) {
    this.#dist = dist;
    this.#clock = clock;
    this.#icon = icon;
  }

  /** Sets the handler of all pages; called once, before the first page is added. */
  connect(backend: ChatBackend): void {
    this.#backend = backend;
  }

  get isVisible(): boolean {
    return this.#views.some(({ surface }) => surface.isVisible());
  }

  /** Creates the page of a new surface, and drops it when the surface is disposed. */
  add(surface: ChatSurface): void {
    const backend = this.#backend;
    invariant(backend !== undefined, "pages are made when all that stands behind them is");
    const view: ChatView = new ChatView(
      surface,
      this.#dist,
      {
        snapshot: () => backend.snapshot(),
        handle: (message, reply) => {
          this.#handle(view, message, reply, backend);
        },
        reject: (fault) => {
          backend.reject(fault);
        },
      },
      this.#clock,
    );
    this.#views = [view, ...this.#views];
    this.#showBadge();
    surface.onVisibility(() => {
      if (!surface.isVisible()) {
        this.#noteFocus(view, false); // a hidden page does not report that it lost focus
        return;
      }
      this.#toFront(view);
      this.setBadge("");
    });
    surface.onDispose(() => {
      this.#noteFocus(view, false);
      this.#views = this.#views.filter((other) => other !== view);
      this.#showBadge();
    });
  }

  readonly post = (body: ToViewBody): void => {
    for (const view of this.#views) view.post(body);
    this.#posted.fire(body);
  };

  /** Sends all pages a full snapshot. */
  readonly refresh = (): void => {
    for (const view of this.#views) view.refresh();
  };

  readonly setTitle = (title: string): void => {
    for (const { surface } of this.#views) surface.setTitle(title);
  };

  /** Badge for what happened while no page was visible, until one is; empty removes it. */
  setBadge(tooltip: string): void {
    if (tooltip === this.#badgeTooltip) return;
    this.#badgeTooltip = tooltip;
    this.#showBadge();
  }

  /** Counts the questions that wait for the user in this window. */
  readonly setWaiting = (here: number): void => {
    this.#setWaiting({ ...this.#questions, here });
  };

  /** Counts those of other windows. */
  readonly setWaitingElsewhere = (elsewhere: number): void => {
    this.#setWaiting({ ...this.#questions, elsewhere });
  };

  #setWaiting(waiting: { readonly here: number; readonly elsewhere: number }): void {
    if (isDeepStrictEqual(waiting, this.#questions)) return;
    this.#questions = waiting;
    this.#showBadge();
  }

  #showBadge(): void {
    const badge = this.#badge();
    for (const { surface } of this.#views) surface.setBadge(badge);
    this.#icon.setBadge(this.#views.every(({ surface }) => surface.isTab) ? badge : undefined);
  }

  #badge(): vscode.ViewBadge | undefined {
    const { here, elsewhere } = this.#questions;
    if (here + elsewhere > 0) {
      const lines = [
        ...(here === 0 ? [] : [plural(here, "A question is waiting for you", "{0} questions are waiting for you")]),
        ...(elsewhere === 0
          ? []
          : [
              plural(
                elsewhere,
                "A question is waiting for you in another window",
                "{0} questions are waiting for you in other windows",
              ),
            ]),
      ];
      return { value: here + elsewhere, tooltip: lines.join("\n") };
    }
    return this.#badgeTooltip === "" ? undefined : { value: 1, tooltip: this.#badgeTooltip };
  }

  /** Resolves when the front page is ready; at once when there is none. */
  async whenReady(): Promise<void> {
    await this.#views[0]?.whenReady();
  }

  /**
   * Reveals a page without moving the focus: a picker closes when it loses focus. Resolves when a conversation is open,
   * or could not be opened.
   */
  async reveal(): Promise<void> {
    if (this.#views.length === 0) {
      const opened = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await vscode.commands.executeCommand("forge.chat.focus", { preserveFocus: true });
      await opened;
    } else if (!this.isVisible) this.#views[0]?.surface.show(false);
  }

  /** Called when a conversation is open, or could not be opened. */
  opened(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  get hasTab(): boolean {
    return this.#views.some(({ surface }) => surface.isTab);
  }

  /** Reveals the tab and focuses its composer. */
  focusTab(): void {
    const tab = this.#views.find(({ surface }) => surface.isTab);
    if (tab !== undefined) this.#focusAndPostTo(tab, { kind: "focusComposer" });
  }

  /** Reveals the front page and focuses its composer. */
  focus(): void {
    this.focusAndPost({ kind: "focusComposer" });
  }

  /** Returns the focus to the front page, where it was: a picker leaves it with the editor. */
  restoreFocus(): void {
    const view = this.#front;
    if (view !== this.#focusedView) this.#focusRequestedView = view; // the page reports when it has it
    view?.surface.show(true);
    const giveAgain = (): void => {
      if (view !== undefined && this.#focusRequestedView === view) view.surface.show(true);
    };
    this.#clock.after(REFOCUS_DELAY_MS, () => this.#clock.after(FOCUS_REPORT_DELAY_MS, giveAgain));
  }

  /** Focuses the composer of the page that has the focus, or is about to receive it; does nothing otherwise. */
  focusIfHere(): void {
    const view = this.#focusedView ?? this.#focusRequestedView;
    if (view !== undefined) this.#focusAndPostTo(view, { kind: "focusComposer" });
  }

  /** Keeps the focus in the page that has it, if any, where the editor moves it without the user's doing. */
  holdFocus(): void {
    this.#focusedView?.surface.show(true);
  }

  /** Reveals and focuses the front page, and posts `body` to it once it is ready. */
  focusAndPost(body: ToViewBody): void {
    const view = this.#front;
    if (view !== undefined) this.#focusAndPostTo(view, body);
  }

  get #front(): ChatView | undefined {
    return this.#views.find(({ surface }) => surface.isVisible()) ?? this.#views[0];
  }

  #focusAndPostTo(view: ChatView, body: ToViewBody): void {
    view.surface.show(true);
    view.postWhenReady(body);
  }

  #handle(view: ChatView, message: ToHost, reply: (body: ToViewBody) => void, backend: ChatBackend): void {
    if (message.kind === "focus") this.#noteFocus(view, message.hasFocus);
    else if (message.kind !== "ready" && message.kind !== "reading") this.#toFront(view); // not user actions
    const postToOthers = (body: ToViewBody): void => {
      for (const other of this.#views) if (other !== view) other.post(body);
    };
    backend.handle(message, { reply, postToOthers });
  }

  #noteFocus(view: ChatView, hasFocus: boolean): void {
    const before = this.#focusedView;
    if (this.#focusRequestedView === view) this.#focusRequestedView = undefined;
    if (hasFocus) this.#focusedView = view;
    else if (before === view) this.#focusedView = undefined;
    if (this.#focusedView === before) return;
    // For the key that toggles between chat and editor: the editor does not count a focused page as a focused view.
    const isInSideBar = this.#focusedView !== undefined && !this.#focusedView.surface.isTab;
    void vscode.commands.executeCommand("setContext", "forge.chatHasKeyboard", isInSideBar);
  }

  #toFront(view: ChatView): void {
    if (this.#views[0] !== view) this.#views = [view, ...this.#views.filter((other) => other !== view)];
  }
}
