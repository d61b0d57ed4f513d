/** The packaged Forge in the real workbench, for a run with a real model. */

import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { newContext, openWindow } from "../../test/ui/support/browser.ts";
import { offline, openChat } from "../../test/ui/support/chat.ts";
import { extensionHostPids } from "../../test/ui/support/processes.ts";
import { nextExtensionHost } from "../../test/ui/support/workbench.ts";
import { packageVsix } from "../packageVsix.ts";
import { type EditorServer, freshRunDirectory, startServer } from "../vscode/editorServer.ts";
import { installEditor } from "../vscode/installEditor.ts";
import { installForge } from "../vscode/installForge.ts";
import { launchBrowser } from "../vscode/launchBrowser.ts";
import { writeServerSettings } from "../vscode/serverSettings.ts";

/** A slow machine reads a full window in less. */
const PATIENCE_MS = 120_000;
const steadySettings = { "workbench.activityBar.iconClickBehavior": "focus" };

export interface ForgeWindow {
  readonly page: Page;
  /** Replaced by `crash`, `reopen` and `set`. */
  readonly chat: Frame;
  readonly server: EditorServer;
  /** Kills the extension host and waits for the chat of the next one. */
  readonly crash: () => Promise<void>;
  /** Shows the chat in the side bar again, after another view. */
  readonly reopen: () => Promise<void>;
  /** Replaces Forge's settings, and reloads the window, which then reads them. */
  readonly set: (settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a window of a new user, without a model. `llamaPort`: where Forge looks for llama.cpp. */
export async function openForge(llamaPort: number): Promise<ForgeWindow> {
  await packageVsix();
  const editor = installEditor("newest");
  const server = await startServer({
    editor,
    runDirectory: freshRunDirectory("real"),
    extensionsDirectory: installForge(editor),
    settings: steadySettings,
    env: { FORGE_LOCAL_PORTS: `llamaCpp:${llamaPort}` },
  });
  const browser = await launchBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    await server.stop();
  };
  try {
    const user = await newContext(browser);
    user.setDefaultTimeout(PATIENCE_MS);
    const page = await openWindow(user, server);
    let chat = await openChat(page, offline);
    return {
      page,
      server,
      close,
      get chat() {
        return chat;
      },
      crash: async () => {
        const [killed = 0] = extensionHostPids(server);
        process.kill(killed, "SIGKILL");
        await nextExtensionHost(page, server, killed);
        chat = await openChat(page);
      },
      reopen: async () => {
        await page.locator('.activitybar [aria-label^="Forge"]').first().click();
        chat = await openChat(page);
      },
      set: async (settings) => {
        writeServerSettings(path.join(server.runDirectory, "data"), { ...steadySettings, ...settings });
        await page.reload();
        chat = await openChat(page);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
