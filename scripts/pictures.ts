/**
 * `npm run pictures`: takes the README's screenshots (`media/pictures/*.png`) of the packaged Forge in the real
 * workbench. The answers come from a local server with the script in `pictures/talk.ts`; tools, edit, test run and
 * figures are real.
 */

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../test/servers/protocol.ts";
import { startOpenAiServer } from "../test/servers/openaiServer.ts";
import { writeFiles } from "../test/support/filesOnDisk.ts";
import { launchBrowser } from "./vscode/launchBrowser.ts";
import { newContext, openWindow } from "../test/ui/support/browser.ts";
import { answer, composer, offline, openChat, send, usageItem } from "../test/ui/support/chat.ts";
import { question, scriptSteps } from "../test/ui/support/toolCalls.ts";
import { answerInput, entries, pick, quickInput, runCommand } from "../test/ui/support/workbench.ts";
import { projectDirectory } from "./command.ts";
import { packageVsix } from "./packageVsix.ts";
import { around, boxOf, type Clip, take as takeFile, widenSideBar } from "./pictures/camera.ts";
import { projectFiles } from "./pictures/project.ts";
import { checking, fixing, notes, planning, type TalkTurn } from "./pictures/talk.ts";
import { freshRunDirectory, startServer } from "./vscode/editorServer.ts";
import { installEditor } from "./vscode/installEditor.ts";
import { installForge } from "./vscode/installForge.ts";

const model = { id: "qwen3-coder-30b", contextWindow: 16_384, maxOutput: 4_096 };
const others = [
  { id: "phi-4-mini", contextWindow: 4_096, maxOutput: 1_024 },
  { id: "gpt-oss-120b", contextWindow: 131_072, maxOutput: 32_768 },
];
const windowSize = { width: 1120, height: 756 };
const folder = path.join(projectDirectory, "media/pictures");
/** Size limit of a picture, so that the README loads fast. */
const pictureLimitBytes = 150_000;

interface Scene {
  readonly page: Page;
  readonly chat: Frame;
  readonly models: ModelServer;
}

function take(page: Page, name: string, clip?: Clip): Promise<number> {
  return takeFile(page, path.join(folder, `${name}.png`), pictureLimitBytes, clip);
}

async function talk({ page, chat, models }: Scene, turns: readonly TalkTurn[]): Promise<void> {
  for (const { question: asked, steps, allows = [] } of turns) {
    scriptSteps(models, ...steps.map((step) => ({ ...step, framing: { delayMs: 40 } })));
    await send(chat, asked);
    for (const [index, word] of allows.entries()) {
      const button = question(chat).getByRole("button", { name: word, exact: true });
      await button.waitFor();
      if (index === 0) await takeEdit(page);
      await button.click();
    }
    await answer(chat);
  }
}

/** Captures a proposed edit beside its diff. */
async function takeEdit(page: Page): Promise<void> {
  await page.locator(".tab.active", { hasText: "proposed edit" }).waitFor();
  await page.locator(".modified .line-insert").first().waitFor();
  await take(page, "edit");
}

async function change(scene: Scene): Promise<void> {
  await talk(scene, fixing);
  await openFile(scene.page, "carrier.js");
  await runCommand(scene.page, "View: Hide Panel");
  await composer(scene.chat).click();
  await take(scene.page, "chat");
}

async function summarize(scene: Scene): Promise<void> {
  const { page, chat, models } = scene;
  await talk(scene, planning);
  models.script({ match: "<transcript>", answer: { text: notes } });
  await runCommand(page, "Forge: Summarize Context");
  await page.setViewportSize({ ...windowSize, height: 840 });
  const marker = chat.locator(".row.summary");
  await marker.getByRole("button").first().click();
  await marker.getByText("Decisions").waitFor();
  await marker.scrollIntoViewIfNeeded();
  await take(page, "summary", around(await boxOf(marker), 6)); // without the scroll bar
  await marker.getByRole("button").first().click();
  await talk(scene, checking);
  await page.setViewportSize(windowSize);
}

async function chooseModel({ page }: Scene): Promise<void> {
  await runCommand(page, "Forge: Switch Model");
  await entries(page, "gpt-oss-120b").first().waitFor();
  await take(page, "models", around(await boxOf(quickInput(page)), -1));
  await page.keyboard.press("Escape");
}

async function showContext({ page, chat }: Scene): Promise<void> {
  await runCommand(page, "Preferences: Color Theme");
  await quickInput(page).locator("input").first().fill("Light Modern");
  await pick(page, "Light Modern");
  await chat.locator("body.vscode-light").waitFor();
  await usageItem(page).click();
  await chat.getByRole("heading", { name: "Context" }).first().waitFor();
  await take(page, "context", await boxOf(page.locator(".part.sidebar")));
}

/** Opens a file of the workspace beside the chat. */
async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+P");
  await quickInput(page).locator("input").first().fill(name);
  await entries(page, name).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
}

async function main(): Promise<void> {
  await packageVsix();
  mkdirSync(folder, { recursive: true });
  const editor = installEditor("newest");
  const models = await startOpenAiServer({ dialect: "vllm", models: [model, ...others] });
  const served = [model, ...others].map(
    ({ id, contextWindow, maxOutput }) => [id, { contextWindow, maxOutput }] as const,
  );
  const settings = {
    "forge.models": Object.fromEntries(served),
    "workbench.colorTheme": "Dark Modern",
    "editor.minimap.enabled": false,
    "breadcrumbs.enabled": false,
  };
  const runDirectory = freshRunDirectory("pictures");
  const server = await startServer({ editor, runDirectory, extensionsDirectory: installForge(editor), settings });
  const browser = await launchBrowser();
  try {
    const workspace = path.join(runDirectory, "parcels");
    writeFiles(workspace, projectFiles);
    const user = await newContext(browser, { scale: 1.6 });
    const page = await openWindow(user, server, { folder: workspace });
    await page.setViewportSize(windowSize);
    const chat = await openChat(page, offline);
    await widenSideBar(page, 520);
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${models.url}/v1`);
    await chat.getByRole("button", { name: `Model: ${model.id}. Switch model` }).waitFor();
    const scene: Scene = { page, chat, models };
    for (const step of [change, summarize, chooseModel, showContext]) await step(scene);
  } catch (error) {
    const [page] = browser.contexts().flatMap((context) => context.pages());
    await page?.screenshot({ path: path.join(runDirectory, "failed.png") });
    throw error;
  } finally {
    await browser.close();
    await server.stop();
    await models.close();
  }
}

await main();
