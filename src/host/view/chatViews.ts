/**
 * All pages of the chat in this window: the side bar's, and a tab's where one is open. All show the same conversation, and
 * what is typed in one stands in the others after a pause.
 */

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
 * The editor looks four times a second whether a page has the keyboard. What is given to a page before the editor has seen
 * that it was away is half given: the page has it, and nothing in it. So long until it is given once more.
 */
const GIVE_AGAIN_MS = 300;
/** Where the host was busy until then, it has yet to hear what the page said: where the keyboard is, it must not be given. */
const HEAR_FIRST_MS = 20;

/** The pages, the one that was used last in front. */
export class ChatViews {
  readonly #dist: vscode.Uri;
  readonly #clock: Clock;
  readonly #posted = new Emitter<ToViewBody>();
  #backend: ChatBackend | undefined;
  #views: readonly ChatView[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Where the keyboard is, if it is in any of them. */
  #withKeyboard: ChatView | undefined;
  /** Where it is on its way to. */
  #givenTo: ChatView | undefined;
  #happened = "";
  #asking = 0;

  /** Fires when all pages were told something. */
  readonly onDidPost = this.#posted.event;

  /** `dist` is the folder of the shipped files. */
  constructor(dist: vscode.Uri, clock: Clock) {
    this.#dist = dist;
    this.#clock = clock;
  }

  /** Puts `backend` behind all pages; to be called once, before the first page is made. */
  connect(backend: ChatBackend): void {
    this.#backend = backend;
  }

  /** Whether any page is in sight. */
  get isVisible(): boolean {
    return this.#views.some(({ surface }) => surface.isVisible());
  }

  /** Makes the page of a new place; it is forgotten when the place goes. */
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
    surface.setBadge(this.#badge());
    surface.onVisibility(() => {
      if (!surface.isVisible()) {
        this.#noteKeyboard(view, false); // a page that is taken away does not say so
        return;
      }
      this.#toFront(view);
      this.setBadge("");
    });
    surface.onDispose(() => {
      this.#noteKeyboard(view, false);
      this.#views = this.#views.filter((other) => other !== view);
    });
  }

  /** Tells all pages that are there. */
  readonly post = (body: ToViewBody): void => {
    for (const view of this.#views) view.post(body);
    this.#posted.fire(body);
  };

  /** Sends all pages the whole state anew. */
  readonly refresh = (): void => {
    for (const view of this.#views) view.refresh();
  };

  /** Names them after their conversation. */
  readonly setTitle = (title: string): void => {
    for (const { surface } of this.#views) surface.setTitle(title);
  };

  /** Says on the icon what happened out of sight, until a page is in sight; empty takes it away. */
  setBadge(tooltip: string): void {
    if (tooltip === this.#happened) return;
    this.#happened = tooltip;
    this.#showBadge();
  }

  /** Says on the icon how many calls wait for the user's word, as long as they do. */
  readonly setWaiting = (count: number): void => {
    if (count === this.#asking) return;
    this.#asking = count;
    this.#showBadge();
  };

  #showBadge(): void {
    for (const { surface } of this.#views) surface.setBadge(this.#badge());
  }

  #badge(): vscode.ViewBadge | undefined {
    const value = this.#asking;
    if (value > 0)
      return { value, tooltip: plural(value, "A tool waits for your word", "{0} tools wait for your word") };
    return this.#happened === "" ? undefined : { value: 1, tooltip: this.#happened };
  }

  /** Resolves when the page in front is there and shows everything; at once when there is none. */
  async whenThere(): Promise<void> {
    await this.#views[0]?.whenThere();
  }

  /**
   * Brings a page into sight and leaves the keyboard where it is: a picker would close when it lost it. Resolves when a
   * conversation is open, or cannot be.
   */
  async reveal(): Promise<void> {
    if (this.#views.length === 0) {
      const opened = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await vscode.commands.executeCommand("forge.chat.focus", { preserveFocus: true });
      await opened;
    } else if (!this.isVisible) this.#views[0]?.surface.show(false);
  }

  /** To be called when a conversation is open, or cannot be. */
  opened(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Whether a page stands in a tab. */
  get hasTab(): boolean {
    return this.#views.some(({ surface }) => surface.isTab);
  }

  /** Brings the tab into sight, with the keyboard in its composer. */
  focusTab(): void {
    const tab = this.#views.find(({ surface }) => surface.isTab);
    if (tab !== undefined) this.#actIn(tab, { kind: "focusComposer" });
  }

  /** Brings the page in front into sight, with the keyboard in the composer. */
  focus(): void {
    this.act({ kind: "focusComposer" });
  }

  /** Gives the keyboard back to the page in front, where it was: a picker leaves it with the editor. */
  giveBackFocus(): void {
    const view = this.#front;
    if (view !== this.#withKeyboard) this.#givenTo = view; // the page says when it is there
    view?.surface.show(true);
    const giveAgain = (): void => {
      if (view !== undefined && this.#givenTo === view) view.surface.show(true);
    };
    this.#clock.after(GIVE_AGAIN_MS, () => this.#clock.after(HEAR_FIRST_MS, giveAgain));
  }

  /** Puts the keyboard into the composer of the page that has it, or is about to; does nothing where it is elsewhere. */
  focusIfHere(): void {
    const view = this.#withKeyboard ?? this.#givenTo;
    if (view !== undefined) this.#actIn(view, { kind: "focusComposer" });
  }

  /** Keeps the keyboard in the page that has it, where the editor takes it away without the user's doing; else does nothing. */
  holdFocus(): void {
    this.#withKeyboard?.surface.show(true);
  }

  /** Has the page in front, brought into sight with the keyboard, do something: at once, or when it is there. */
  act(body: ToViewBody): void {
    const view = this.#front;
    if (view !== undefined) this.#actIn(view, body);
  }

  get #front(): ChatView | undefined {
    return this.#views.find(({ surface }) => surface.isVisible()) ?? this.#views[0];
  }

  #actIn(view: ChatView, body: ToViewBody): void {
    view.surface.show(true);
    view.postDue(body);
  }

  #handle(view: ChatView, message: ToHost, reply: (body: ToViewBody) => void, backend: ChatBackend): void {
    if (message.kind === "keyboard") this.#noteKeyboard(view, message.isHere);
    else if (message.kind !== "ready" && message.kind !== "reading") this.#toFront(view); // those come by themselves
    const tellOthers = (body: ToViewBody): void => {
      for (const other of this.#views) if (other !== view) other.post(body);
    };
    backend.handle(message, { reply, tellOthers });
  }

  #noteKeyboard(view: ChatView, isHere: boolean): void {
    const before = this.#withKeyboard;
    if (this.#givenTo === view) this.#givenTo = undefined;
    if (isHere) this.#withKeyboard = view;
    else if (before === view) this.#withKeyboard = undefined;
    if (this.#withKeyboard === before) return;
    // For the key that goes to the chat and back: to the editor, a page is no part of the view that it stands in.
    const isInSideBar = this.#withKeyboard !== undefined && !this.#withKeyboard.surface.isTab;
    void vscode.commands.executeCommand("setContext", "forge.chatHasKeyboard", isInSideBar);
  }

  #toFront(view: ChatView): void {
    if (this.#views[0] !== view) this.#views = [view, ...this.#views.filter((other) => other !== view)];
  }
}
