/**
 * Mounted rows and scrolling. Follows the newest line only while the reader is there: a wheel tick upwards, a drag, a
 * key or a selection stops it at once. Otherwise the reader's line is preserved.
 */
import { Component, createRef } from "preact";
import type { AppState } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { words } from "../words/words.ts";
import { goToNeighbour } from "./messageKeys.ts";
import { ActiveMessage } from "./activeMessage.ts";
import { distanceToEnd, scrollToRow, captureAnchor, ScrollReporter } from "./scrollAnchor.ts";
import { type SelectedMessages, selectedMessages, selectToNeighbour } from "./selectedMessages.ts";
import { Icon } from "../controls/icon.tsx";
import { Rows } from "./rows.tsx";
import { SummaryProgress } from "../summary/summaryProgress.tsx";

interface TranscriptProps {
  readonly store: Store;
  readonly state: AppState;
}

/** Distance from the end that counts as being there, in CSS pixels. */
const tailTolerancePx = 8;
/** Distance from the edge of the mounted rows at which more are mounted, in CSS pixels. */
const mountDistancePx = 700;

export class Transcript extends Component<TranscriptProps> {
  readonly #log = createRef<HTMLDivElement>();
  readonly #content = createRef<HTMLDivElement>();
  #observer: ResizeObserver | undefined;
  readonly #ended = new AbortController();
  #lastTop = 0;
  /** Height of the log when it was scrolled to its end. */
  #heightAtEnd = 0;
  #isScrollingUp = true;
  #revealed: AppState["revealedRow"] = null;
  #selected: SelectedMessages | null = null;
  readonly #scrollReporter = new ScrollReporter(this.props.store);
  readonly #activeMessage = new ActiveMessage(this.props.store);

  get #store(): Store {
    return this.props.store;
  }

  /** The latest one; props may be older. */
  get #state(): AppState {
    return this.#store.state.peek();
  }

  override componentDidMount(): void {
    // Called after layout and before paint: reading sizes costs nothing then.
    this.#observer = new ResizeObserver(() => {
      if (this.#state.window.following) this.#scrollToEnd();
    });
    for (const box of [this.#log.current, this.#content.current]) if (box !== null) this.#observer.observe(box);
    const { signal } = this.#ended;
    document.addEventListener("selectionchange", this.#onSelection, { signal });
    document.addEventListener("pointerup", this.#activeMessage.onPointerUp, { signal });
    document.addEventListener("focusin", this.#activeMessage.onPointerOrFocus, { signal });
    this.componentDidUpdate(this.props, undefined, null);
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
    this.#ended.abort();
    this.#select(null);
    this.#scrollReporter.dispose();
  }

  override getSnapshotBeforeUpdate(): (() => void) | null {
    const log = this.#log.current;
    return log === null || this.props.state.window.following ? null : captureAnchor(log);
  }

  override componentDidUpdate(before: TranscriptProps, _state: unknown, restoreAnchor: (() => void) | null): void {
    const log = this.#log.current;
    if (log === null) return;
    this.#scrollReporter.moved(log);
    const { revealedRow } = this.props.state;
    if (revealedRow !== null && revealedRow !== this.#revealed) {
      this.#revealed = revealedRow;
      scrollToRow(log, revealedRow);
      this.#lastTop = log.scrollTop;
      this.#followIfAllVisible(log);
      return;
    }
    if (!this.props.state.window.following) {
      restoreAnchor?.();
      this.#lastTop = log.scrollTop;
      this.#mountMore(log);
    } else if (!before.state.window.following) {
      this.#scrollToEnd();
    }
  }

  override render({ state }: TranscriptProps) {
    const { rows, window, loadingOlder, status } = state;
    const below = window.end < rows.length || !window.following;
    return (
      <div class="transcript">
        <div
          ref={this.#log}
          class="log"
          role="log"
          aria-live="off"
          aria-label={words.conversation}
          tabIndex={0}
          onScroll={this.#onScroll}
          onWheel={this.#onWheel}
          onKeyDown={this.#onKeyDown}
          onPointerOver={this.#activeMessage.onPointerOrFocus}
          onPointerLeave={this.#activeMessage.onPointerLeave}
        >
          <div ref={this.#content} class="log-content">
            {loadingOlder && window.start === 0 ? <p class="older muted">{words.older}</p> : null}
            <MoreRows label={words.earlierRows} hasMore={window.start > 0 || state.hasOlder} load={this.#showEarlier} />
            <Rows state={state} />
            {status.activity === "summarizing" || status.progress !== null ? (
              <SummaryProgress progress={status.progress} />
            ) : null}
            <MoreRows label={words.laterRows} hasMore={window.end < rows.length} load={this.#showLater} />
          </div>
        </div>
        {below && rows.length > 0 ? (
          <NewestButton isStreaming={status.activity === "streaming"} go={this.#goToNewest} />
        ) : null}
      </div>
    );
  }

  readonly #goToNewest = (): void => {
    this.#store.dispatch({ kind: "wentToTail" });
  };

  #scrollToEnd(): void {
    const log = this.#log.current;
    if (log === null) return;
    const { scrollHeight, clientHeight } = log; // read before scrolling: a later read would force a layout
    log.scrollTop = scrollHeight;
    this.#heightAtEnd = clientHeight;
    this.#lastTop = Math.max(0, scrollHeight - clientHeight);
    if (clientHeight > 0 && scrollHeight <= clientHeight) this.#mountOlder();
  }

  readonly #onScroll = (): void => {
    const log = this.#log.current;
    if (log === null) return;
    const top = log.scrollTop;
    if (Math.abs(top - this.#lastTop) < 1) return;
    this.#isScrollingUp = top < this.#lastTop;
    this.#lastTop = top;
    this.#scrollReporter.moved(log);
    const { window, rows } = this.#state;
    if (window.following && log.clientHeight !== this.#heightAtEnd) {
      this.#scrollToEnd(); // not the reader: an element below the log changed its height, and the browser moved the text
      return;
    }
    const atTail = window.end === rows.length && distanceToEnd(log) <= tailTolerancePx;
    if (window.following && this.#isScrollingUp && !atTail) this.#store.dispatch({ kind: "stoppedFollowing" });
    if (!window.following && !this.#isScrollingUp && atTail) this.#store.dispatch({ kind: "reachedTail" });
    this.#mountMore(log);
  };

  readonly #onWheel = (event: WheelEvent): void => {
    const log = this.#log.current;
    const scrolls = log !== null && log.scrollTop > 0;
    if (event.deltaY < 0 && scrolls) this.#stopFollowing();
  };

  readonly #onSelection = (): void => {
    const selection = document.getSelection();
    const log = this.#log.current;
    if (log === null || selection === null) return;
    this.#select(selectedMessages(log));
    if (!selection.isCollapsed && log.contains(selection.anchorNode)) this.#stopFollowing();
  };

  /** Reports the selected messages to the host: a command may be about them. */
  #select(selected: SelectedMessages | null): void {
    if (selected?.first === this.#selected?.first && selected?.last === this.#selected?.last) return;
    this.#selected = selected;
    this.#store.post({ kind: "selected", messages: selected });
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const log = this.#log.current;
    if (log !== null && (goToNeighbour(log, event) || selectToNeighbour(log, event))) event.preventDefault();
  };

  #stopFollowing(): void {
    if (this.#state.window.following) this.#store.dispatch({ kind: "stoppedFollowing" });
  }

  /** Mounts more rows in the scroll direction, and requests older ones from the host at the oldest. */
  #mountMore(log: HTMLElement): void {
    if (this.#followIfAllVisible(log)) return;
    const state = this.#state;
    if (this.#isScrollingUp && log.scrollTop < mountDistancePx) this.#mountOlder();
    else if (!this.#isScrollingUp && state.window.end < state.rows.length && distanceToEnd(log) < mountDistancePx)
      this.#store.dispatch({ kind: "wentDown" });
  }

  /** If all of it is visible, the reader is at the newest row. */
  #followIfAllVisible(log: HTMLElement): boolean {
    const { window, rows } = this.#state;
    if (window.following || window.end < rows.length || log.scrollHeight > log.clientHeight) return false;
    this.#store.dispatch({ kind: "reachedTail" });
    return true;
  }

  readonly #showEarlier = (): void => {
    this.#stopFollowing();
    this.#isScrollingUp = true; // else the end, which is visible, would be mounted again
    this.#log.current?.scrollTo({ top: 0 });
    this.#mountOlder();
  };

  readonly #showLater = (): void => {
    this.#isScrollingUp = false;
    this.#store.dispatch({ kind: "wentDown" });
  };

  #mountOlder(): void {
    const state = this.#state;
    const oldest = state.rows[0];
    if (state.window.start > 0) {
      this.#store.dispatch({ kind: "wentUp" });
    } else if (oldest !== undefined && state.hasOlder && !state.loadingOlder) {
      this.#store.dispatch({ kind: "askedOlder" });
      this.#store.post({ kind: "loadOlder", before: oldest.rowId });
    }
  }
}

interface MoreRowsProps {
  readonly label: string;
  readonly hasMore: boolean;
  readonly load: () => void;
}

/**
 * Button for rows that are not mounted. A screen reader goes through the page without scrolling, so nothing else would
 * load them; everybody else has the scroll bar.
 */
function MoreRows({ label, hasMore, load }: MoreRowsProps) {
  if (!hasMore || !hasScreenReader()) return null;
  return (
    <button type="button" class="text-button more-rows" onClick={load}>
      {label}
    </button>
  );
}

/** The editor marks the page's body. */
function hasScreenReader(): boolean {
  return document.body.classList.contains("vscode-using-screen-reader");
}

interface NewestButtonProps {
  /** An answer is streaming there. */
  readonly isStreaming: boolean;
  readonly go: () => void;
}

function NewestButton({ isStreaming, go }: NewestButtonProps) {
  return (
    <button type="button" class="newest" onClick={go}>
      <Icon name="arrowDown" />
      {isStreaming ? words.newBelow : words.toNewest}
    </button>
  );
}
