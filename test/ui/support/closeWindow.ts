import type { Page } from "playwright-core";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { extensionHostPids } from "./processes.ts";

/** Closes the window as its user does, and waits until its extension host has ended. */
export async function closeWindow(page: Page, server: EditorServer): Promise<void> {
  const before = extensionHostPids(server).length;
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
  const ended = await until(() => (extensionHostPids(server).length < before ? true : undefined));
  if (ended === undefined) throw new Error("the extension host outlived its window");
}
