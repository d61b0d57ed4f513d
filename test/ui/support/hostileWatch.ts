/** What hostile content achieved: code that ran, requests that left, and how long the page could not answer. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Frame, Page } from "playwright-core";

/** A place that content points to and that nothing may ever ask. */
export interface Listener {
  /** "http://127.0.0.1:41234" */
  readonly origin: string;
  /** What was asked for, by paths; a connection without a request counts as "connection". */
  readonly arrived: readonly string[];
  close(): Promise<void>;
}

/** Starts a listener on a free port. */
export async function startListener(): Promise<Listener> {
  const arrived: string[] = [];
  const server: Server = createServer((request, response) => {
    arrived.push(request.url ?? "");
    response.writeHead(204).end();
  });
  server.on("connection", () => arrived.push("connection"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

declare global {
  interface Window {
    /** Names of what ran; in every frame. */
    forgeTrapped?: string[];
    /** What content calls that runs. */
    trap?: (name: unknown) => void;
    /** When the page could not answer for long, and how long, in milliseconds. */
    forgeLongTasks?: PerformanceEntry[];
  }
}

/** What `drawPlain` takes on a quiet machine with two cores, in milliseconds. */
const PLAIN_MS = 60;

/** Watches a window for what must not happen. */
export class HostileWatch {
  readonly #page: Page;
  readonly #dialogs: string[] = [];
  readonly #requests: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
    page.on("dialog", (dialog) => {
      this.#dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      this.#requests.push(request.url());
    });
  }

  /** Prepares every frame of the pages that `user` opens from now on; before the window is opened. */
  static async prepare(user: BrowserContext): Promise<void> {
    await user.addInitScript(() => {
      window.forgeTrapped = [];
      window.trap = (name) => window.forgeTrapped?.push(String(name));
    });
  }

  /** Watches `page`, in which the chat is open. */
  static async begin(page: Page, chat: Frame): Promise<HostileWatch> {
    const watch = new HostileWatch(page);
    await chat.evaluate(() => {
      const tasks: PerformanceEntry[] = [];
      window.forgeLongTasks = tasks;
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
    });
    return watch;
  }

  /** What ran, in any frame: names of traps, and words of dialogs. */
  async ran(): Promise<readonly string[]> {
    const trapped = await Promise.all(
      this.#page
        .frames()
        .map((frame) => frame.evaluate(() => window.forgeTrapped ?? ["a frame that was not prepared"]).catch(() => [])),
    );
    return [...trapped.flat(), ...this.#dialogs];
  }

  /** Addresses that the window asked for and that are not the workbench's own, since it is watched. */
  requests(isOwn: (address: string) => boolean): readonly string[] {
    return this.#requests.filter((address) => !isOwn(address));
  }

  /**
   * Does `act`, and returns the longest time for which the page could not answer meanwhile because it worked, in
   * milliseconds. A machine that does other things takes time away in the middle of a task: that is not counted.
   */
  async longestTask(chat: Frame, act: () => Promise<void>): Promise<number> {
    const browser = this.#page.context().browser();
    await chat.evaluate(() => window.forgeLongTasks?.splice(0));
    await browser?.startTracing(this.#page, { categories: ["toplevel"] });
    try {
      await act();
    } finally {
      // What was drawn last has been noted when the next frame is over.
      await chat.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
    }
    const worked = longestWork(await browser?.stopTracing());
    return Math.min(worked, await chat.evaluate(longestSeen));
  }

  /**
   * How many times as long the page needs for plain work as on the machine on which `PLAIN_MS` was measured: on a slow
   * machine, or beside others, everything takes longer. At least 1; the median of five.
   */
  async slowness(chat: Frame): Promise<number> {
    const plainMs: number[] = [];
    for (let round = 0; round < 5; round++) {
      plainMs.push(await this.longestTask(chat, () => chat.evaluate(drawPlain)));
    }
    const [, , median = 0] = plainMs.toSorted((one, other) => one - other);
    return Math.max(1, median / PLAIN_MS);
  }
}

/** Runs in the page, in a task of its own: draws plain paragraphs and takes them away. */
async function drawPlain(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  const box = document.createElement("div");
  box.style.cssText = "position: absolute; visibility: hidden; inline-size: 300px";
  for (let index = 0; index < 4_000; index++) {
    const paragraph = document.createElement("p");
    paragraph.append("Some words, and ", Object.assign(document.createElement("code"), { textContent: "some code" }));
    box.append(paragraph);
  }
  document.body.append(box);
  box.getBoundingClientRect();
  box.remove();
}

/** Runs in the page. What other frames of the window do in the same thread has another name. */
function longestSeen(): number {
  const own = (window.forgeLongTasks ?? []).filter(({ name }) => !/ancestor|descendant|unreachable/.test(name));
  return Math.max(0, ...own.map(({ duration }) => Math.round(duration)));
}

/** The most time of a processor that one task of a page took, in milliseconds. */
function longestWork(trace: Buffer | undefined): number {
  if (trace === undefined) throw new Error("the browser was not traced");
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const isPage = (name: string | undefined): boolean => name === "CrRendererMain";
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && isPage(args?.name))
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ ph, tdur, pid, tid }) => ph === "X" && tdur !== undefined && pages.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error("the trace has no task of a page");
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000);
}

/** As far as it is looked at; `tdur` is in microseconds of the processor. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}
