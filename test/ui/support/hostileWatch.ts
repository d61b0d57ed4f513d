/** Detects effects of hostile content: code that ran, and requests that left. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";

/** A server that hostile content links to, and that must never be requested. */
export interface Listener {
  /** "http://127.0.0.1:41234" */
  readonly origin: string;
  /** Requested paths; "connection" for a connection without a request. */
  readonly arrived: readonly string[];
  close(): Promise<void>;
}

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
    /** Names of traps that ran, in every frame. */
    forgeTrapped?: string[];
    /** The function that hostile content calls when it runs. */
    trap?: (name: unknown) => void;
  }
}

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

  /** Installs the trap in every frame that `user` opens from now on. Call it before the window is opened. */
  static async prepare(user: BrowserContext): Promise<void> {
    await user.addInitScript(() => {
      window.forgeTrapped = [];
      window.trap = (name) => window.forgeTrapped?.push(String(name));
    });
  }

  static begin(page: Page): HostileWatch {
    return new HostileWatch(page);
  }

  /** Names of traps that ran in any frame, and texts of dialogs. */
  async ran(): Promise<readonly string[]> {
    const trapped = await Promise.all(
      this.#page
        .frames()
        .map((frame) => frame.evaluate(() => window.forgeTrapped ?? ["a frame that was not prepared"]).catch(() => [])),
    );
    return [...trapped.flat(), ...this.#dialogs];
  }

  /** Addresses requested by the window that are not the workbench's own. */
  requests(isOwn: (address: string) => boolean): readonly string[] {
    return this.#requests.filter((address) => !isOwn(address));
  }
}
