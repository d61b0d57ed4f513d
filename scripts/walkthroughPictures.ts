/**
 * `npm run pictures` runs this, too: takes the pictures of the walkthrough (`media/walkthrough/STEP-THEME.png`), each in
 * the four kinds of theme, of the packaged Forge in the real workbench. The answers come from a local server.
 */

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { startOpenAiServer } from "../test/servers/openaiServer.ts";
import type { ModelServer } from "../test/servers/protocol.ts";
import { writeFiles } from "../test/support/filesOnDisk.ts";
import { writeToolFile } from "../test/support/toolFiles.ts";
import { newContext, openWindow } from "../test/ui/support/browser.ts";
import { answer, newConversation, offline, openChat, partOfAnswer, send } from "../test/ui/support/chat.ts";
import { killExtensionHost } from "../test/ui/support/processes.ts";
import { scriptSteps } from "../test/ui/support/toolCalls.ts";
import {
  acceptFocused,
  answerInput,
  chooseTheme,
  closePicker,
  entries,
  filterPicker,
  nameFile,
  nextExtensionHost,
  pick,
  quickInput,
  runCommand,
} from "../test/ui/support/workbench.ts";
import { projectDirectory } from "./command.ts";
import { packageVsix } from "./packageVsix.ts";
import { around, boxOf, type Clip, take, widenSideBar } from "./pictures/camera.ts";
import { projectFiles } from "./pictures/project.ts";
import { fixing, planning } from "./pictures/talk.ts";
import { type EditorServer, freshRunDirectory, startServer } from "./vscode/editorServer.ts";
import { installEditor } from "./vscode/installEditor.ts";
import { installForge } from "./vscode/installForge.ts";
import { launchBrowser } from "./vscode/launchBrowser.ts";

const model = { id: "qwen3-coder-30b", contextWindow: 16_384, maxOutput: 4_096 };
const folder = path.join(projectDirectory, "media/walkthrough");
/** They are in the package: 24 of them take no more than 400 kB. */
const pictureLimitBytes = 40_000;
const totalLimitBytes = 400_000;
/** Enough for the workbench, whose colors are few. */
const COLOURS = 48;
const windowSize = { width: 900, height: 700 };
/** Shows a conversation to its end, so that no button to get there covers it. */
const tallWindow = { width: 900, height: 1_500 };
/** Images of a step, as the manifest names them. */
const THEMES = [
  ["dark", "Dark Modern"],
  ["light", "Light Modern"],
  ["hc", "Dark High Contrast"],
  ["hcLight", "Light High Contrast"],
] as const;

interface Scene {
  readonly page: Page;
  readonly chat: Frame;
  readonly models: ModelServer;
  readonly workspace: string;
}

let total = 0;

/** Takes the step's pictures; `show` opens what closes when the theme is chosen, and is closed by Escape. */
async function inEachTheme(
  { page }: Scene,
  step: string,
  area: () => Promise<Clip>,
  show?: () => Promise<void>,
): Promise<void> {
  for (const [name, theme] of THEMES) {
    await chooseTheme(page, theme);
    await show?.();
    total += await take(page, path.join(folder, `${step}-${name}.png`), pictureLimitBytes, await area(), COLOURS);
    if (show !== undefined) await closePicker(page);
  }
}

async function top({ page }: Scene, heightPixels: number): Promise<Clip> {
  return { ...(await boxOf(page.locator(".part.sidebar"))), height: heightPixels };
}

async function connect(scene: Scene): Promise<void> {
  await inEachTheme(scene, "connect", () => top(scene, 352));
}

async function ask(scene: Scene): Promise<void> {
  const { chat, models } = scene;
  scriptSteps(models, { text: why });
  await send(chat, fixing[0]?.question ?? "");
  await answer(chat);
  await inEachTheme(scene, "ask", () => top(scene, 356));
}

async function summarize(scene: Scene): Promise<void> {
  const { page, chat, models } = scene;
  for (const { question: asked, steps } of planning) {
    scriptSteps(models, { text: steps.at(-1)?.text ?? "" });
    await send(chat, asked);
    await answer(chat);
  }
  models.script({ match: "<transcript>", answer: { text: decisions } });
  await page.setViewportSize(tallWindow);
  await runCommand(page, "Forge: Summarize Context");
  const marker = chat.locator(".row.summary");
  await marker.getByRole("button").first().click();
  await marker.getByText("Decisions").waitFor();
  await inEachTheme(scene, "summarize", async () => around(await boxOf(marker), 6));
  await page.setViewportSize(windowSize);
}

async function restore(scene: Scene): Promise<void> {
  const { page, chat, models, workspace } = scene;
  await newConversation(page, chat);
  const edit = (file: string, old_text: string, new_text: string): [string, object] => [
    "edit_file",
    { path: file, edits: [{ old_text, new_text }] },
  ];
  scriptSteps(
    models,
    { text: "I do.", calls: [edit("src/carrier.js", "/v2", "/v3")] },
    { text: "And the tests.", calls: [edit("test/carrier.test.js", "grams: 730", "grams: 503")] },
    { text: "And the orders.", calls: [edit("src/orders.js", '"failed"', '"paid"')] },
    { text: "All three use version 3." },
  );
  await send(chat, "Move to version 3 of the carrier's API.");
  for (let asked = 0; asked < 3; asked++) {
    await page.locator(".tab.active", { hasText: "proposed edit" }).waitFor();
    await runCommand(page, "Forge: Accept Edit");
    await page.locator(".tab", { hasText: "proposed edit" }).waitFor({ state: "detached" });
  }
  await answer(chat);
  const orders = projectFiles["src/orders.js"] ?? "";
  writeFiles(workspace, { "src/orders.js": orders.replace('"failed"', '"waiting"') }); // at the same place as the tool
  await runCommand(page, "View: Close All Editors");
  const open = async (): Promise<void> => {
    await runCommand(page, "Forge: Restore Files…");
    await pick(page, "Move to version 3");
    await entries(page, "you changed it at the same place").waitFor();
  };
  await inEachTheme(scene, "restore", async () => around(await boxOf(quickInput(page)), -1), open);
}

async function bring(scene: Scene): Promise<void> {
  const { page, workspace } = scene;
  const tools = path.join(path.dirname(workspace), "tools");
  writeToolFile(path.join(tools, "claude", "s1.jsonl"), "claudeCode", "s1", "When is high water?", "At noon.");
  writeToolFile(path.join(tools, "codex", "rollout-1.jsonl"), "codex", "c1", "Which harbour is deep?", "The old one.");
  writeToolFile(path.join(tools, "gemini", "chat.json"), "geminiCli", "g1", "Why is it salty?", "Rivers.");
  writeToolFile(path.join(tools, "claude", "s2.jsonl"), "claudeCode", "s2", "And low water?", "At six.");
  writeToolFile(path.join(tools, "claude", "s3.jsonl"), "claudeCode", "s3", "Draw the tides as a table.", "| hour |");
  writeToolFile(path.join(tools, "codex", "rollout-2.jsonl"), "codex", "c2", "Where do ferries land?", "In the north.");
  const keep = entries(page, /Keep what appears here/).first();
  const open = async (): Promise<void> => {
    await runCommand(page, "Forge: Import Conversations…");
    await filterPicker(page, /^Import conversations of Forge/, "folder");
    await acceptFocused(page, "Choose a folder…");
    await nameFile(page, "Import Conversations", tools);
    await keep.waitFor();
  };
  // Below the line that has the path of this machine.
  const area = async (): Promise<Clip> => {
    const { x, y, width, height } = around(await boxOf(quickInput(page)), -1);
    const kept = await boxOf(keep);
    const from = kept.y + kept.height;
    return { x, y: from, width, height: y + height - from };
  };
  await inEachTheme(scene, "bring", area, open);
}

/** The last one: the page of the chat is another afterwards. */
async function recover(scene: Scene, server: EditorServer): Promise<void> {
  const { page, chat, models } = scene;
  await newConversation(page, chat);
  models.reset();
  models.script({ answer: { text: why }, framing: { delayMs: 150 } });
  await send(chat, fixing[0]?.question ?? "");
  await partOfAnswer(chat, 170);
  await nextExtensionHost(page, server, await killExtensionHost(server));
  const next = await openChat(page);
  await next.getByRole("button", { name: "Ask again", exact: true }).waitFor();
  await inEachTheme(scene, "recover", () => top(scene, 340));
}

async function main(): Promise<void> {
  await packageVsix();
  mkdirSync(folder, { recursive: true });
  const editor = installEditor("newest");
  const models = await startOpenAiServer({ dialect: "vllm", models: [model] });
  const { id, contextWindow, maxOutput } = model;
  const settings = {
    "forge.models": { [id]: { contextWindow, maxOutput } },
    "workbench.colorTheme": "Dark Modern",
    "files.simpleDialog.enable": true,
  };
  const runDirectory = freshRunDirectory("walkthrough");
  const server = await startServer({ editor, runDirectory, extensionsDirectory: installForge(editor), settings });
  const browser = await launchBrowser();
  try {
    const workspace = path.join(runDirectory, "parcels");
    writeFiles(workspace, projectFiles);
    const page = await openWindow(await newContext(browser, { scale: 1.25 }), server, { folder: workspace });
    await page.setViewportSize(windowSize);
    const chat = await openChat(page, offline);
    await widenSideBar(page, 440);
    const scene: Scene = { page, chat, models, workspace };
    await connect(scene);
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${models.url}/v1`);
    await chat.getByRole("button", { name: `Model: ${id}. Switch model` }).waitFor();
    const only = process.argv[2];
    for (const step of [ask, summarize, restore, bring])
      if (only === undefined || step.name === only) await step(scene);
    await recover(scene, server);
    console.log(`${Math.round(total / 1000)} kB in all`);
    if (total > totalLimitBytes) throw new Error(`${total} bytes, and ${totalLimitBytes} are allowed`);
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

const decisions = [
  "## Decisions",
  "- Orders stay `paid` after 429, 502, 503, 504; the next run tries again.",
  "- Orders that wait longer than `LABEL_KEY_HOURS` = 20 go to a person.",
  "## The user's words",
  "- Keep the order of the log lines, support greps for them.",
].join("\n");
const why = [
  "Two things together:",
  "",
  "1. `buyLabel` in `src/carrier.js` gives up at the first 503, which the carrier sends while it deploys.",
  "2. `shipPaidOrders` then sets the order to `failed`, and only `paid` orders are looked at again.",
  "",
  "```js",
  "if (ok) return response.json();",
  "if (!RETRIED.has(status)) throw refusal(status);",
  "await wait(250 * 2 ** attempt);",
  "```",
].join("\n");

await main();
