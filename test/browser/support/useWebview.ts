import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../scripts/vscode/launchBrowser.ts";
import { type PageOptions, WebviewPage } from "./webviewPage.ts";
import { startWebviewServer, type WebviewServer } from "./webviewServer.ts";

/** Usable inside the suite's tests and hooks only. */
export interface WebviewSuite {
  readonly server: WebviewServer;
  /** Closes the test's page and opens another. */
  open(options?: PageOptions): Promise<WebviewPage>;
}

/**
 * Opens a page for every test of the surrounding `describe`, passes it to `opened` and closes it. Fails a test whose page
 * had an error, violated its policy or requested an unknown address.
 */
export function useWebview(opened: (page: WebviewPage) => unknown): WebviewSuite {
  let browser: Browser | undefined;
  let server: WebviewServer | undefined;
  let page: WebviewPage | undefined;
  const suite: WebviewSuite = {
    get server() {
      assert.ok(server);
      return server;
    },
    open: async (options) => {
      assert.ok(browser);
      if (page !== undefined) assert.deepEqual(page.problems, []);
      await page?.close();
      page = await WebviewPage.open(browser, suite.server, options);
      return page;
    },
  };
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startWebviewServer()]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await opened(await suite.open());
  });
  afterEach(async () => {
    assert.deepEqual([page?.problems, server?.unexpected], [[], []]);
    await page?.close();
    page = undefined;
  });
  return suite;
}
