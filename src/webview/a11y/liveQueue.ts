/** Text of the live region over time: what a screen reader was given stays until it can have been taken. */

/** The page's timer; tests move their own. */
export interface Timer {
  /** Runs `act` once, after `delayMs`; the returned function cancels it. */
  after(delayMs: number, act: () => void): () => void;
}

export const pageTimer: Timer = {
  after: (delayMs, act) => {
    const timer = setTimeout(act, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

const shortestMs = 1_000;
const perCharacterMs = 50;
const longestMs = 6_000;

/** Shows texts one after the other, in order. Those that wait are shown together; nothing is dropped. */
export class LiveQueue {
  readonly #timer: Timer;
  readonly #show: (text: string) => void;
  #waiting: string[] = [];
  #isBusy = false;

  /** `show` gets each text, and "" when there is nothing more, so that nothing stays in the page. */
  constructor(timer: Timer, show: (text: string) => void) {
    this.#timer = timer;
    this.#show = show;
  }

  add(text: string): void {
    if (text === "") return;
    this.#waiting.push(text);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#timer.after(0, this.#next.bind(this)); // texts of the same moment go together
  }

  #next(): void {
    const text = joined(this.#waiting.splice(0));
    this.#isBusy = text !== "";
    this.#show(text);
    if (!this.#isBusy) return;
    const stayMs = Math.min(shortestMs + perCharacterMs * text.length, longestMs);
    this.#timer.after(stayMs, this.#next.bind(this));
  }
}

/** Joins texts; one that is contained in another is said once. */
function joined(texts: readonly string[]): string {
  const says = (whole: string, part: string): boolean => ` ${whole} `.includes(` ${part} `);
  const once = [...new Set(texts)];
  return once.filter((text) => !once.some((other) => other !== text && says(other, text))).join(" ");
}
