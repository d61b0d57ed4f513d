/** What hostile content achieved: code that ran, and requests that left. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";

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
  }
}

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

  /** Watches `page`. */
  static begin(page: Page): HostileWatch {
    return new HostileWatch(page);
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
}
