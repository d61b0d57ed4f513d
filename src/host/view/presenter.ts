/**
 * Composes what the pages and the status bar show of the open conversation. Holds only what is nobody else's state
 * (banner, progress, draft tokens); all else is read on demand or after a change.
 */

import { isDeepStrictEqual } from "node:util";
import { emptyDocument } from "../../protocol/composerDocument.ts";
import type { ContextView } from "../../protocol/contextView.ts";
import type { ReadOutView } from "../../protocol/readOutView.ts";
import type { Banner, FontView, ToViewBody, ViewState, ViewStatus } from "../../protocol/toView.ts";
import type { SummaryProgressView } from "../../protocol/summaryView.ts";
import type { UsageView } from "../../protocol/usageView.ts";
import { localize } from "../../protocol/localize.ts";
import { readOnlyBanner } from "../words/explain.ts";
import type { Connection } from "../connections/connections.ts";
import { Emitter } from "../background/emitter.ts";
import type { Session } from "../session/session.ts";
import type { SessionView } from "../session/sessionView.ts";
import { connectionView, modelView, statusBarUsage, usageView, type ConnectionOptions } from "./sessionStatus.ts";
import type { StatusBar, StatusBarContent } from "../editor/statusBar.ts";

export interface PresenterPages {
  post(body: ToViewBody): void;
  /** Sends every page a full snapshot. */
  refresh(): void;
  setTitle(title: string): void;
  /** Number of questions that wait for the user in this window. */
  setWaiting(count: number): void;
}

/** Data of the window; read at each snapshot. */
export interface PresenterSources {
  readonly font: FontView;
  readonly readOut: ReadOutView;
  /** Alternatives while no language model is connected. */
  readonly connectionOptions: ConnectionOptions;
  /** Texts about servers that are unreachable while this connection is used. */
  unreachable(connection: Connection): readonly string[];
}

export class Presenter implements SessionView {
  readonly #shown = new Emitter<Session>();
  readonly #updated = new Emitter<Session>();
  /** Fires when another conversation is shown. */
  readonly onDidShow = this.#shown.event;
  /** Fires when something of the shown conversation may have changed. */
  readonly onDidUpdate = this.#updated.event;
  readonly #pages: PresenterPages;
  readonly #statusBar: Pick<StatusBar, "show">;
  readonly #contextPage: { readonly shown: ContextView | null; scheduleRefresh(): void; close(): void };
  readonly #sources: PresenterSources;
  #session: Session | undefined;
  #banner: Banner | null = null;
  #isBannerTrue: () => boolean = () => true;
  /** Why nothing can be sent, with the actions that help. */
  #blocker: Banner | null = null;
  #progress: SummaryProgressView | null = null;
  #isSummaryAwaited = false;
  #draftTokens: number | null = 0;
  #lastStatus: ViewStatus | undefined;

  /** `contextPresenter` is notified of changes, and closed with its conversation. */
  constructor(
    pages: PresenterPages,
    statusBar: Pick<StatusBar, "show">,
    contextPage: { readonly shown: ContextView | null; scheduleRefresh(): void; close(): void },
    sources: PresenterSources,
  ) {
    this.#pages = pages;
    this.#statusBar = statusBar;
    this.#contextPage = contextPage;
    this.#sources = sources;
  }

  post(body: ToViewBody): void {
    this.#pages.post(body);
  }

  refresh(): void {
    this.#pages.refresh();
  }

  afterChange(): void {
    this.update();
  }

  /**
   * Shows another conversation; `undefined` while one is being opened. Sent as one snapshot: figures of one
   * conversation beside the rows and the draft of another would be seen, and could be acted on.
   */
  show(session: Session | undefined): void {
    this.#contextPage.close();
    this.#session = session;
    this.#banner = null;
    this.#blocker = null;
    this.#progress = null;
    this.#draftTokens = null;
    this.#lastStatus = this.#status();
    this.#pages.refresh();
    this.#updateIndicator();
    if (session !== undefined) this.#shown.fire(session);
  }

  /** Nothing can be sent until the user has acted on `banner`. */
  block(banner: Banner): void {
    this.#blocker = banner;
    this.showBanner(null);
  }

  /** Null removes the banner; the reason why nothing can be sent stays. `isTrue`: as long as it is to be shown. */
  showBanner(banner: Banner | null, isTrue: () => boolean = () => true): void {
    this.#banner = banner;
    this.#isBannerTrue = isTrue;
    this.update();
  }

  /** Called when the user dismisses the banner; one that asks for an action stays. */
  closeBanner(): void {
    const banner = this.#banner;
    const canBeClosed = banner?.actions.every(({ command }) => command !== "closeBanner") === false;
    const isRead = banner !== null && (banner.tone === "info" || banner.actions.length === 0 || canBeClosed);
    if (isRead) this.showBanner(null);
  }

  /** Removes a banner that only informs, when the user moves on. */
  dropNote(): void {
    if (this.#banner?.tone === "info") this.closeBanner();
  }

  /** Null while they are counted. */
  get draftTokens(): number | null {
    const session = this.#session;
    const { composer } = session ?? {};
    return composer?.text === "" && composer.attachments.parts.length === 0 ? 0 : this.#draftTokens;
  }

  showProgress(progress: SummaryProgressView | null, isAwaited: boolean): void {
    this.#progress = progress;
    this.#isSummaryAwaited = isAwaited;
    this.update();
  }

  /** Ignored when `session` is no longer shown. */
  showDraftTokens(tokens: number, session: Session): void {
    if (session !== this.#session) return;
    this.#draftTokens = tokens;
    this.update();
  }

  update(): void {
    if (!this.#isBannerTrue()) this.#banner = null; // for good, even if it came true again
    const status = this.#status();
    if (!isDeepStrictEqual(status, this.#lastStatus)) {
      if (status.title !== this.#lastStatus?.title) this.#pages.setTitle(status.title);
      this.#lastStatus = status;
      this.#pages.post({ kind: "status", status });
    }
    this.#updateIndicator();
  }

  #updateIndicator(): void {
    this.#contextPage.scheduleRefresh();
    const session = this.#session;
    if (session === undefined) {
      this.#pages.setWaiting(0);
      // While a conversation opens, the figures of the previous one do no harm; when it could not be opened, they would
      // mislead.
      if (this.#blocker !== null) this.#statusBar.show(NO_CONVERSATION);
      return;
    }
    this.#updated.fire(session);
    const { waiting } = session;
    this.#pages.setWaiting(waiting);
    const { retryAtMs } = session;
    const wait = retryAtMs === undefined ? {} : { retryAtMs };
    const shown = { ...statusBarUsage(session.opened.manager, session.connection), waiting, ...wait };
    const progress = this.#progress;
    const note = session.summaries.automatic.saved;
    const saved = note === undefined ? shown : { ...shown, note };
    this.#statusBar.show(progress === null ? saved : { ...shown, progress });
  }

  snapshot(): ViewState {
    const session = this.#session;
    const page = session?.transcript.page ?? { rows: [], hasOlder: false };
    return {
      conversationId: session?.opened.id ?? "",
      rows: [...page.rows],
      hasOlder: page.hasOlder,
      composer: session?.composer.document ?? emptyDocument,
      status: this.#status(),
      context: this.#contextPage.shown,
      font: this.#sources.font,
      readOut: this.#sources.readOut,
    };
  }

  #status(): ViewStatus {
    const session = this.#session;
    const readOnly = session?.readOnlyReason;
    const surroundings = {
      banner: mergeBanners(this.#banner, this.#blocker) ?? (readOnly === undefined ? null : readOnlyBanner(readOnly)),
      progress: this.#progress,
      draftTokens: this.draftTokens,
    };
    if (session === undefined) {
      return {
        title: "",
        model: { label: "", providerLabel: "" },
        usage: NO_USAGE,
        connection: { kind: "connected", why: "" },
        unreachableServers: [],
        activity: this.#blocker !== null ? "blocked" : "loading",
        ...surroundings,
      };
    }
    return {
      title: session.title,
      model: modelView(session.connection),
      usage: usageView(session.opened.manager.usage()),
      connection: connectionView(session.connection, this.#sources.connectionOptions),
      unreachableServers: this.#sources.unreachable(session.connection),
      activity: this.#blocker !== null ? "blocked" : session.isReadOnly ? "readOnly" : this.#activityOf(session),
      ...surroundings,
    };
  }

  /** Not `summarizing`: a background summary, which the user does not wait for, and the undo of a summary. */
  #activityOf({ activity }: Session): ViewStatus["activity"] {
    if (this.#progress !== null && this.#isSummaryAwaited) return "summarizing";
    if (activity === "applying") return "idle";
    return activity === "summarizing" ? "loading" : activity;
  }
}

/** Puts the banner before the blocker, whose actions must stay visible. */
function mergeBanners(banner: Banner | null, blocker: Banner | null): Banner | null {
  if (banner === null || blocker === null) return banner ?? blocker;
  const other = blocker.actions.filter(({ command }) => banner.actions.every((action) => action.command !== command));
  return { tone: blocker.tone, text: `${banner.text} ${blocker.text}`, actions: [...banner.actions, ...other] };
}

const NO_CONVERSATION: StatusBarContent = {
  text: undefined,
  severity: 0,
  details: [localize("No conversation is open in this window.")],
};

const NO_USAGE: UsageView = {
  usedTokens: 0,
  budgetTokens: 0,
  text: "",
  severity: 0,
  measured: false,
  segments: [],
};
