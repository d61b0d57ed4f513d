/**
 * The editor in a browser without a host, as vscode.dev and github.dev are. Forge needs one, for its files and worker
 * threads, and is no extension for the web: the editor says so itself, and shows nothing of it that would not work.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { installEditor } from "../../scripts/vscode/installEditor.ts";
import { installForge } from "../../scripts/vscode/installForge.ts";
import { until } from "../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./support/browser.ts";
import { picture } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";
import { dialog, entries, quickInput } from "./support/workbench.ts";

/** Path at which the page finds Forge's files. */
const SERVED = "/forge-as-installed";

describe("the web editor without a host", function () {
  this.timeout(180_000);
  const session = useSession({ name: "web-editor" });

  /** The same workbench without the address of its server, so that extensions can run in the browser alone. */
  async function openWithoutHost(user: BrowserContext): Promise<Page> {
    const page = await user.newPage();
    const installed = installForge(installEditor("newest"));
    const folder = path.join(
      installed,
      readdirSync(installed).find((name) => name.startsWith("forge-chat.forge-")) ?? "",
    );
    await page.route(`**${SERVED}/**`, async (route) => {
      const file = path.join(folder, new URL(route.request().url()).pathname.slice(SERVED.length));
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
        await route.fulfill({ body: readFileSync(file) });
      else await route.fulfill({ status: 404 });
    });
    await page.route("**/workbench/workbench.js", async (route) => {
      const response = await route.fetch();
      const code = await response.text();
      const parts = code.split("remoteAuthority:location.host");
      assert.equal(parts.length, 2);
      await route.fulfill({ response, body: parts.join("remoteAuthority:void 0") });
    });
    await page.goto(`http://localhost:${session.server.port}/?ew=true`);
    await page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: windowTimeoutMs });
    return page;
  }

  it("refuses Forge in words, and shows nothing of it", async () => {
    const page = await openWithoutHost(session.user);
    const type = (text: string): Promise<void> => quickInput(page).locator("input").first().fill(text);
    const install = entries(page, "Install Extension from Location").first();
    /** Opens the palette with that command, which the workbench knows a while after it is painted. */
    const openPalette = async (): Promise<void> => {
      const isThere = await until(async () => {
        await page.keyboard.press("Escape");
        await page.keyboard.press("F1");
        await type(">Developer: Install Extension");
        return install.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => undefined,
        );
      }, windowTimeoutMs);
      assert.ok(isThere, "the palette does not list it");
    };
    await openPalette();
    await install.click();
    await quickInput(page).getByText("Install Extension from Location", { exact: true }).first().waitFor();
    await quickInput(page).locator("input").first().fill(`http://localhost:${session.server.port}${SERVED}`);
    await quickInput(page).getByRole("button", { name: "Install" }).click();
    await dialog(page).getByText("because this extension is not a web extension.").waitFor();
    await picture(page, "web-editor-refused");
    await dialog(page).getByRole("button", { name: "OK" }).click();
    await dialog(page).waitFor({ state: "hidden" });
    assert.equal(await page.locator('.activitybar [aria-label^="Forge"]').count(), 0);
    await openPalette();
    await type(">Forge: New Conversation");
    await install.waitFor({ state: "detached" });
    assert.equal(await entries(page, "Forge:").count(), 0);
  });
});
