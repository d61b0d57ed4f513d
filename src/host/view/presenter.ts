/**
 * What the view and the indicator show of the open conversation. It keeps the few things that are nobody else's state (the
 * banner, the progress, the tokens of the draft) and puts the rest together when it is asked for or has changed.
 */

import { isDeepStrictEqual } from "node:util";
import { emptyDocument } from "../../protocol/composerDocument.ts";
import type { ContextView } from "../../protocol/contextView.ts";
import type { Banner, FontView, ToViewBody, ViewState, ViewStatus } from "../../protocol/toView.ts";
import type { UsageView } from "../../protocol/usageView.ts";
import { localize } from "../../protocol/localize.ts";
import { writtenByNewer } from "../words/explain.ts";
import type { Connection } from "../connections/connections.ts";
import { Emitter } from "../background/emitter.ts";
import type { Session } from "../session/session.ts";
import type { SessionView } from "../session/sessionView.ts";
import { connectionView, modelView, usageShown, usageView, type WaysOut } from "./sessionStatus.ts";
import type { StatusBar, UsageShown } from "../editor/statusBar.ts";

/** The pages that show it. */
export interface PresenterPages {
  post(body: ToViewBody): void;
  /** Has every page take everything anew. */
  refresh(): void;
  setTitle(title: string): void;
  /** So many calls wait for the user's word. */
  setWaiting(count: number): void;
}

/** What is shown beside the conversation; read at each snapshot. */
export interface PresenterSources {
  /** The font that the user has set for chats. */
  readonly font: FontView;
  /** What could be used while no language model is. */
  readonly waysOut: WaysOut;
  /** What is to be said of servers that cannot be used while this connection is. */
  unreachable(connection: Connection): readonly string[];
}

/** Puts together what is shown. */
export class Presenter implements SessionView {
  readonly #shown = new Emitter<Session>();
  readonly #updated = new Emitter<Session>();
  /** Fires when another conversation is shown. */
  readonly onDidShow = this.#shown.event;
  /** Fires when something of the shown conversation may have changed. */
  readonly onDidUpdate = this.#updated.event;
  readonly #pages: PresenterPages;
  readonly #statusBar: Pick<StatusBar, "show">;
  readonly #contextPage: { readonly shown: ContextView | null; changed(): void; close(): void };
  readonly #sources: PresenterSources;
  #session: Session | undefined;
  #banner: Banner | null = null;
  /** Why nothing can be sent, and what helps. */
  #blocker: Banner | null = null;
  #progressPercent: number | null = null;
  #isSummaryAwaited = false;
  #saved: string | null = null;
  #draftTokens: number | null = 0;
  #lastStatus: ViewStatus | undefined;

  /** `contextPage` is told when something changed that may be on it, and closed with its conversation. */
  constructor(
    pages: PresenterPages,
    statusBar: Pick<StatusBar, "show">,
    contextPage: { readonly shown: ContextView | null; changed(): void; close(): void },
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

  /** After each change of the conversation that is shown: the meter, the context view, and who hears of `onDidUpdate`. */
  afterChange(): void {
    this.update();
  }

  /**
   * Shows another conversation, or with `undefined` none, which is what is seen while one is being opened. The view gets it
   * whole: figures of one conversation beside the rows and the draft of another would be seen, and could be acted on.
   */
  show(session: Session | undefined): void {
    this.#contextPage.close();
    this.#session = session;
    this.#banner = null;
    this.#blocker = null;
    this.#progressPercent = null;
    this.#saved = null;
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

  /** Shows what concerns the conversation as a whole; null takes it away. The reason why nothing can be sent stays. */
  showBanner(banner: Banner | null): void {
    this.#banner = banner;
    this.update();
  }

  /** The user has read what is said; a problem that they have to do something about stays until that is done. */
  closeBanner(): void {
    const banner = this.#banner;
    const canBeClosed = banner?.actions.every(({ command }) => command !== "closeBanner") === false;
    const isRead = banner !== null && (banner.tone === "info" || banner.actions.length === 0 || canBeClosed);
    if (isRead) this.showBanner(null);
  }

  /** The user goes on to something else: what was only a note on the last thing is over. */
  dropNote(): void {
    if (this.#banner?.tone === "info") this.closeBanner();
  }

  /** Tokens of what is being typed; null while they are counted. */
  get draftTokens(): number | null {
    const session = this.#session;
    const { composer } = session ?? {};
    return composer?.text === "" && composer.attachments.parts.length === 0 ? 0 : this.#draftTokens;
  }

  /** 0–100 while summarizing, null when nothing is; whether the user waits for it. */
  showProgress(percent: number | null, isAwaited: boolean): void {
    this.#progressPercent = percent;
    this.#isSummaryAwaited = isAwaited;
    if (percent !== null) this.#saved = null;
    this.update();
  }

  /** What a summary has saved, in the indicator; null takes it away. */
  showSaved(text: string | null): void {
    this.#saved = text;
    this.#updateIndicator();
  }

  /** Tokens of what is being typed in `session`, as long as that is shown. */
  showDraftTokens(tokens: number, session: Session): void {
    if (session !== this.#session) return;
    this.#draftTokens = tokens;
    this.update();
  }

  /** Tells the view and the indicator what has changed. */
  update(): void {
    const status = this.#status();
    if (!isDeepStrictEqual(status, this.#lastStatus)) {
      if (status.title !== this.#lastStatus?.title) this.#pages.setTitle(status.title);
      this.#lastStatus = status;
      this.#pages.post({ kind: "status", status });
    }
    this.#updateIndicator();
  }

  #updateIndicator(): void {
    this.#contextPage.changed();
    const session = this.#session;
    if (session === undefined) {
      this.#pages.setWaiting(0);
      // While one is being opened, the figures of the one before do no harm; where none could be, they would mislead.
      if (this.#blocker !== null) this.#statusBar.show(NO_CONVERSATION);
      return;
    }
    this.#updated.fire(session);
    const { waiting } = session.tools;
    this.#pages.setWaiting(waiting);
    const shown = { ...usageShown(session.opened.manager, session.connection), waiting };
    const progress = this.#progressPercent;
    const saved = this.#saved === null ? shown : { ...shown, note: this.#saved };
    this.#statusBar.show(progress === null ? saved : { ...shown, progressPercent: progress });
  }

  /** Everything, for a view that has nothing. */
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
    };
  }

  #status(): ViewStatus {
    const session = this.#session;
    const surroundings = {
      banner: bothOf(this.#banner, this.#blocker) ?? (session?.isReadOnly === true ? writtenByNewer() : null),
      progressPercent: this.#progressPercent,
      draftTokens: this.draftTokens,
    };
    if (session === undefined) {
      return {
        title: "",
        model: { label: "", providerLabel: "" },
        usage: NO_USAGE,
        connection: { kind: "connected", why: "" },
        unanswered: [],
        activity: this.#blocker !== null ? "blocked" : "loading",
        ...surroundings,
      };
    }
    return {
      title: session.title,
      model: modelView(session.connection),
      usage: usageView(session.opened.manager.usage()),
      connection: connectionView(session.connection, this.#sources.waysOut),
      unanswered: this.#sources.unreachable(session.connection),
      activity: this.#blocker !== null ? "blocked" : session.isReadOnly ? "readOnly" : this.#activityOf(session),
      ...surroundings,
    };
  }

  /** One that is made in the background is nothing that the user has to wait for; the taking back of one is no summarizing. */
  #activityOf({ activity }: Session): ViewStatus["activity"] {
    if (this.#progressPercent !== null && this.#isSummaryAwaited) return "summarizing";
    if (activity === "applying") return "idle";
    return activity === "summarizing" ? "loading" : activity;
  }
}

/** What was said last in front of why nothing can be sent: the way out of that must not go with a note. */
function bothOf(banner: Banner | null, blocker: Banner | null): Banner | null {
  if (banner === null || blocker === null) return banner ?? blocker;
  const other = blocker.actions.filter(({ command }) => banner.actions.every((action) => action.command !== command));
  return { tone: blocker.tone, text: `${banner.text} ${blocker.text}`, actions: [...banner.actions, ...other] };
}

const NO_CONVERSATION: UsageShown = {
  text: undefined,
  severity: 0,
  details: [localize("No conversation is open in this window.")],
};

/** Usage of a conversation that is not open yet. */
const NO_USAGE: UsageView = {
  usedTokens: 0,
  budgetTokens: 0,
  text: "",
  severity: 0,
  measured: false,
  segments: [],
};
