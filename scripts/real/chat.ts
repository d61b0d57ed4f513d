/** Leg `chat`: the packaged Forge in the real workbench with a real model, by the doors that a person uses. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Frame, Locator } from "playwright-core";
import {
  answer,
  composer,
  messages,
  modelButton,
  newConversation,
  partOfAnswer,
  press,
  send,
  textOf,
  usageItem,
} from "../../test/ui/support/chat.ts";
import { callLine } from "../../test/ui/support/toolCalls.ts";
import { answerInput, closePicker, entries, pick, runCommand } from "../../test/ui/support/workbench.ts";
import { writeFiles } from "../../test/support/filesOnDisk.ts";
import { freePort } from "../vscode/editorServer.ts";
import { until } from "../vscode/until.ts";
import type { Checks } from "./checks.ts";
import { openForge, type ForgeWindow } from "./forgeWindow.ts";
import type { Leg } from "./leg.ts";
import { isBusy, type LlamaOptions, type LlamaServer, startLlama, TOOLS_TEMPLATE } from "./llamaServer.ts";
import { noPackages } from "./packages.ts";
import { type ServedRequest, servedRequests } from "./servedRequests.ts";
import { SlotWatch } from "./slotWatch.ts";

const KEY = "house-key-5b1f0c2d9e";
const NAME = "SmolLM2-135M-Instruct Q4_1";
/** Longest time until the server stops writing for a reader that has gone, in milliseconds. */
const RELEASE_MS = 3_000;
const SUMMARY_MS = 300_000;
const LONG_ANSWER = "Tell me a long story about a ship, a storm and a harbour, with every detail.";

export const chat: Leg = {
  name: "chat",
  missing: noPackages,
  async run(checks) {
    const port = await freePort();
    let server = await startLlama({ port });
    const restart = async (options: LlamaOptions = {}): Promise<void> => {
      await server.stop();
      server = await startLlama({ ...options, port });
    };
    const window = await openForge(port).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    const scene: Scene = {
      checks,
      window,
      restart,
      get server() {
        return server;
      },
    };
    try {
      await connect(scene);
      for (const step of STEPS) {
        await begin(scene, step).catch(async (error: unknown) => {
          await checks.check(`${step.name}: begins`, () => {
            throw error;
          });
        });
      }
    } finally {
      await window.close();
      await server.stop();
    }
  },
};

interface Scene {
  readonly checks: Checks;
  readonly window: ForgeWindow;
  /** Replaced by `restart`. */
  readonly server: LlamaServer;
  /** Ends the server, and starts it on the same port with other options. */
  readonly restart: (options?: LlamaOptions) => Promise<void>;
}

const STEPS: readonly ((scene: Scene) => Promise<void>)[] = [
  talk,
  stop,
  cutAtLimit,
  killServer,
  killEditor,
  picture,
  tooLong,
  summaries,
  smallerWindow,
  key,
  tools,
  router,
];

/** Runs a step in an empty conversation. */
async function begin(scene: Scene, step: (scene: Scene) => Promise<void>): Promise<void> {
  const { window } = scene;
  for (let menus = 0; menus < 2; menus++) await window.page.keyboard.press("Escape");
  if (window.chat.isDetached()) await window.reopen();
  await composer(window.chat).fill("");
  await newConversation(window.page, window.chat);
  await step(scene);
}

/** A check that leaves a picture, whether it passes or not. */
function pictured(scene: Scene, title: string, name: string, work: () => Promise<string>): Promise<boolean> {
  const { checks, window } = scene;
  return checks.check(title, async () => {
    try {
      return await work();
    } finally {
      await checks.picture(window.page, name).catch(() => undefined);
    }
  });
}

/** Connects by the offer of the empty chat, or else by the server's address. */
async function connect(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  const isOffered = await pictured(scene, "the server is found and offered", "found", async () => {
    const offer = chat.getByRole("button", { name: /llama\.cpp/ }).first();
    await offer.waitFor({ timeout: 20_000 });
    return (await offer.innerText()).replaceAll("\n", ", ");
  });
  if (isOffered)
    await chat
      .getByRole("button", { name: /llama\.cpp/ })
      .first()
      .click();
  else await useAddress(scene, `${scene.server.url}/v1`);
  await modelButton(chat, /SmolLM2|tmp|\//).waitFor();
  await pictured(scene, "the model is shown by its name, not by the path of its file", "connected", async () => {
    const shown = await modelButton(chat).innerText();
    assert.equal(shown.trim(), NAME);
    return shown;
  });
  await page.bringToFront();
}

async function useAddress({ window: { page } }: Scene, address: string): Promise<void> {
  await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
  await answerInput(page, address);
}

async function talk(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  await pictured(
    scene,
    "a question is answered, and the first count is within 10 % of the bill",
    "answer",
    async () => {
      await send(chat, "Say hello in one short sentence.");
      const first = await usageItem(page).innerText();
      const text = await answer(chat);
      assert.ok(text !== "", "the answer is empty");
      const billed = servedRequests(readFileSync(scene.server.logFile, "utf8")).at(-1)?.promptTokens ?? 0;
      const after = await until(async () => {
        const shown = await usageItem(page).innerText();
        return shown === first ? undefined : shown;
      });
      const counted = tokensIn(first);
      const note = `counted ${String(counted)}, billed ${String(billed)}; after the answer: ${String(after)}`;
      assert.ok(Math.abs(counted - billed) <= billed * 0.1, note);
      return note;
    },
  );
}

/** The first figure of the meter, in tokens: "1.1k / 6.2k (18%)". */
function tokensIn(shown: string): number {
  const [, figure = "", unit = ""] = /([\d.,]+)(k?)/.exec(shown) ?? [];
  return Number(figure.replace(",", "")) * (unit === "k" ? 1_000 : 1);
}

async function stop(scene: Scene): Promise<void> {
  const { chat } = scene.window;
  await scene.restart({ isEndless: true });
  await pictured(scene, "Stop ends the answer and frees the server; what was shown is kept", "stopped", async () => {
    await send(chat, LONG_ANSWER);
    const shown = await partOfAnswer(chat, 60);
    await press(chat, "Stop");
    const start = performance.now();
    const kept = await answer(chat, "cancelled");
    assert.ok(kept.startsWith(shown.slice(0, 40)), kept);
    const isFree = await until(async () => ((await isBusy(scene.server)) ? undefined : true), RELEASE_MS);
    assert.ok(isFree, "the server still writes");
    return `idle ${(performance.now() - start).toFixed(0)} ms after Stop`;
  });
}

/** The reason why an answer ended, as the page has it. */
function stopReason({ window: { chat } }: Scene, reason: string): Locator {
  return messages(chat, "assistant").last().locator(`xpath=self::*[@data-stop-reason="${reason}"]`);
}

async function cutAtLimit(scene: Scene): Promise<void> {
  const { window } = scene;
  await window.set({ "forge.maxOutputTokens": 60 });
  await pictured(scene, "an answer that is cut at its limit says so, and Continue goes on in it", "cut", async () => {
    const { chat } = window;
    await send(chat, LONG_ANSWER);
    const before = await answer(chat);
    assert.ok(before.length < 600, `${String(before.length)} characters of at most 60 tokens`);
    await stopReason(scene, "maxTokens").waitFor({ timeout: 10_000 });
    await press(chat, "Continue");
    const after = await until(async () => {
      const text = await textOf(messages(chat, "assistant").last());
      return text === before ? undefined : text;
    });
    await answer(chat);
    assert.ok(after !== undefined, "Continue did nothing");
    const whole = await messages(chat, "assistant").allInnerTexts();
    return whole.join(" | ").replaceAll(/\s+/g, " ");
  });
  await window.set({});
  await scene.restart();
}

async function killServer(scene: Scene): Promise<void> {
  const { chat } = scene.window;
  await scene.restart({ isEndless: true });
  await pictured(scene, "the server killed in mid-answer: what was shown is kept", "server-killed", async () => {
    await send(chat, LONG_ANSWER);
    const shown = await partOfAnswer(chat, 60);
    await scene.server.kill();
    const ended = messages(chat, "assistant")
      .last()
      .and(chat.locator('[data-state="interrupted"], [data-state="failed"]'));
    await ended.waitFor();
    const kept = await textOf(ended);
    assert.ok(kept.startsWith(shown.slice(0, 40)), kept);
    return `${String(kept.length)} characters kept; ${(await ended.innerText()).replace(kept, "").replaceAll("\n", " ").trim()}`;
  });
  await scene.restart();
  await pictured(scene, "Continue goes on when the server is back", "server-back", () => goOn(scene));
}

async function goOn({ window: { chat } }: Scene): Promise<string> {
  const before = await messages(chat, "assistant").count();
  await press(chat, "Continue");
  await until(async () => ((await messages(chat, "assistant", "streaming").count()) > 0 ? true : undefined), 60_000);
  const text = await someAnswer(chat);
  return `${String(before)} answers before, ${String(await messages(chat, "assistant").count())} now: ${text.slice(0, 80)}`;
}

async function killEditor(scene: Scene): Promise<void> {
  const { window } = scene;
  await scene.restart({ isEndless: true });
  await pictured(
    scene,
    "the extension host killed in mid-answer: what was shown is kept",
    "editor-killed",
    async () => {
      await send(window.chat, LONG_ANSWER);
      const shown = await partOfAnswer(window.chat, 60);
      await window.crash();
      const kept = await answer(window.chat, "interrupted");
      assert.ok(kept.startsWith(shown.slice(0, 40)), kept);
      return `${String(kept.length)} characters kept`;
    },
  );
  await scene.restart();
  await pictured(scene, "Continue goes on after the crash", "editor-back", () => goOn(scene));
}

/** A picture of 8 × 8 pixels, in base 64. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR4nGP8z4APMOGVHbHSAEEsAQ8FmC4qAAAAAElFTkSuQmCC";

async function picture(scene: Scene): Promise<void> {
  const { chat } = scene.window;
  await pictured(scene, "a picture is refused in words: the model sees none", "picture", async () => {
    await composer(chat).focus();
    await chat.evaluate(pastingPng);
    const words = chat.getByText(
      /does not (?:accept|see|take) (?:images|pictures)|sees no (?:images|pictures)|cannot see (?:images|pictures)/i,
    );
    await words.first().waitFor({ timeout: 15_000 });
    return words.first().innerText();
  });
  for (const chip of await chat.getByRole("button", { name: /^Remove / }).all()) await chip.click();
}

/** Expression for the page: pastes the picture into the focused field. */
const pastingPng = `(() => {
  const files = new DataTransfer();
  const bytes = Uint8Array.from(atob("${PNG}"), (sign) => sign.charCodeAt(0));
  files.items.add(new File([bytes], "chart.png", { type: "image/png" }));
  const paste = { clipboardData: files, bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", paste));
})()`;

const SENTENCE = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";

async function tooLong(scene: Scene): Promise<void> {
  const { chat } = scene.window;
  await pictured(scene, "a message longer than the window is not lost, and the chat goes on", "too-long", async () => {
    await composer(chat).fill(`${SENTENCE.repeat(500)}What is the rule?`);
    await press(chat, "Send");
    const words = await until(async () => {
      const kept = (await composer(chat).inputValue()).length > 10_000;
      const asked = await messages(chat, "user").count();
      const answered = await messages(chat, "assistant", "complete").count();
      const shown = await chat
        .getByText(/does not fit|too long|excerpt/i)
        .first()
        .isVisible();
      if (answered > 0) return "answered";
      return shown && (kept || asked > 0)
        ? chat
            .getByText(/does not fit|too long|excerpt/i)
            .first()
            .innerText()
        : undefined;
    }, 120_000);
    assert.ok(words !== undefined, "nothing was said, and nothing was answered");
    await composer(chat).fill("Say yes.");
    await press(chat, "Send");
    await someAnswer(chat);
    return words;
  });
}

/** True when the newest message is an answer with words in it. */
async function hasAnswer(chat: Frame): Promise<true | undefined> {
  const newest = messages(chat).last().and(messages(chat, "assistant"));
  const words = newest.locator(".markdown:not(:has(> .muted))").filter({ hasText: /\w/ });
  return (await words.count()) > 0 ? true : undefined;
}

/** Waits for the first words of an answer and for its end, and stops a long one: the model may tell a story. */
async function someAnswer(chat: Frame): Promise<string> {
  const isAnswered = await until(() => hasAnswer(chat), SUMMARY_MS);
  assert.ok(isAnswered, "there was no answer");
  await endAnswer(chat);
  return textOf(messages(chat).last());
}

async function endAnswer(chat: Frame): Promise<void> {
  const stopButton = chat.getByRole("button", { name: "Stop", exact: true }).last(); // a repetition offers it, too
  const hasEnded = await until(async () => ((await stopButton.isVisible()) ? undefined : true), 10_000);
  if (hasEnded === undefined) await stopButton.click({ timeout: 5_000 }).catch(() => undefined); // it may just have ended
  await stopButton.waitFor({ state: "hidden" });
}

/** Longest time from Enter until the server works on a message, in milliseconds: of 19 of 20. */
const BEGIN_MS = 1_000;
const TRIES = 20;
/** Longest wait for a summary that is due: it begins some seconds after the user has typed. */
const IDLE_MS = 15_000;

interface SentTurn extends ServedRequest {
  /** From Enter until the server works on the message, in milliseconds. */
  readonly beganMs: number;
  /** From Enter until the first words of the answer. */
  readonly answeredMs: number;
}

/** Sends a message, and stops its answer at its first words. */
async function timedTurn({ window: { chat }, server }: Scene, text: string): Promise<SentTurn> {
  const watch = new SlotWatch(server);
  try {
    await composer(chat).fill(text);
    const start = performance.now();
    await composer(chat).press("Enter");
    await messages(chat)
      .last()
      .and(messages(chat, "user"))
      .or(messages(chat, "assistant", "streaming"))
      .last()
      .waitFor();
    assert.ok(await until(() => hasAnswer(chat), SUMMARY_MS), "there was no answer");
    const [answeredMs, beganAtMs = Number.NaN] = [performance.now() - start, watch.newestAtMs];
    const served = servedRequests(readFileSync(server.logFile, "utf8")).at(-1);
    assert.ok(served, "the server works on a request");
    await chat
      .getByRole("button", { name: "Stop", exact: true })
      .last()
      .click({ timeout: 1_000 })
      .catch(() => undefined); // it may just have ended
    await endAnswer(chat);
    return { ...served, beganMs: beganAtMs - start, answeredMs };
  } finally {
    watch.end();
  }
}

function longMessage(number: number): string {
  return `${SENTENCE.repeat(25)}The berth of ship ${String(number)} is B${String(number * 7)}. Say: noted.`;
}

async function summaries(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  const marker = chat.locator(".row.summary");
  const turns: SentTurn[] = [];
  await pictured(scene, "summaries are written by themselves when the real window fills", "summary", async () => {
    while (turns.length < 14 && (await marker.count()) === 0)
      turns.push(await timedTurn(scene, longMessage(turns.length + 1)));
    await marker.first().waitFor({ timeout: SUMMARY_MS });
    return `${String(turns.length)} messages; ${await usageItem(page).innerText()}`;
  });
  await scene.checks.check(
    "after a summary only what is behind the cut is read anew, and then only the new",
    async () => {
      const after = turns.at(-1);
      const next = await timedTurn(scene, "Say yes.");
      assert.ok(after);
      const [rereadTokens, newTokens] = [after, next].map(
        ({ promptTokens, cachedTokens }) => promptTokens - cachedTokens,
      );
      const note = `rereadTokens ${String(rereadTokens)} of ${String(after.promptTokens)}; for the next message ${String(newTokens)} of ${String(next.promptTokens)}`;
      assert.ok(newTokens !== undefined && newTokens < 200, note);
      return note;
    },
  );
  scene.checks.table({
    title: "messages of about 600 tokens until the window is summarized",
    columns: ["message", "worked on after, ms", "first word after, s", "tokens read anew", "of"],
    rows: turns.map(({ beganMs, answeredMs, promptTokens, cachedTokens }, index) => [
      index + 1,
      beganMs.toFixed(0),
      (answeredMs / 1_000).toFixed(1),
      promptTokens - cachedTokens,
      promptTokens,
    ]),
  });
  await oneSlot(scene, turns.length);
}

/** Sends messages while the only slot of the server works on a summary, each at another moment of it. */
async function oneSlot(scene: Scene, longMessages: number): Promise<void> {
  const tries: SentTurn[] = [];
  await pictured(
    scene,
    "one slot, a summary running: the server works on the message within a second",
    "slot",
    async () => {
      for (let sent = longMessages; tries.length < TRIES && sent < longMessages + 20;) {
        const isWriting = await until(async () => ((await isBusy(scene.server)) ? true : undefined), IDLE_MS);
        if (isWriting === undefined) {
          await timedTurn(scene, longMessage(++sent)); // until a summary is due
          continue;
        }
        await new Promise((resolve) => setTimeout(resolve, (tries.length % 5) * 400));
        tries.push(await timedTurn(scene, "Say yes."));
      }
      const beganMs = tries.map((turn) => turn.beganMs).toSorted((a, b) => a - b);
      const [p50 = Number.NaN, p95 = Number.NaN] = [0.5, 0.95].map((share) => beganMs[Math.ceil(share * TRIES) - 1]);
      const note = `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${String(tries.length)}`;
      assert.ok(tries.length === TRIES && p95 <= BEGIN_MS, `${note}: ${beganMs.map((ms) => ms.toFixed(0)).join(", ")}`);
      return note;
    },
  );
}

async function smallerWindow(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  await pictured(
    scene,
    "the server comes back with half the window, and the conversation goes on",
    "smaller-window",
    async () => {
      for (let message = 0; message < 2; message++) await timedTurn(scene, `${SENTENCE.repeat(60)}Say only: noted.`);
      await scene.restart({ contextWindow: 4_096 });
      await send(chat, "Say yes.");
      await someAnswer(chat);
      const usage = await usageItem(page).innerText();
      assert.match(usage, /\/ [1-3](?:\.\d)?k/, "the meter knows the smaller window");
      return usage;
    },
  );
  await scene.restart();
}

async function key(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  await pictured(scene, "a server that wants a key says so, and answers with it", "key", async () => {
    await scene.restart({ apiKey: KEY });
    await send(chat, "Say yes.");
    const said = await messages(chat)
      .last()
      .and(messages(chat, "assistant", "failed"))
      .or(chat.locator(".row.notice").last())
      .filter({ hasText: /key/i })
      .last()
      .innerText();
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Your server");
    await answerInput(page, KEY);
    await send(chat, "Say yes again.");
    await someAnswer(chat);
    return said;
  });
  await runCommand(page, "Forge: Remove API Key").catch(() => undefined);
  await page.keyboard.press("Escape");
  await scene.restart();
}

async function tools(scene: Scene): Promise<void> {
  const { chat, page, server } = scene.window;
  writeFiles(server.workspace, { "notes.md": "The port is 8471.\n" });
  await pictured(
    scene,
    "a model with tools reads a file and answers from it, and the first count is within 10 % of the bill",
    "tools",
    async () => {
      await scene.restart({ templateFile: TOOLS_TEMPLATE, alias: "SmolLM2-135M-tools" });
      await newConversation(page, chat);
      await runCommand(page, "Forge: Switch Model");
      await pick(page, "SmolLM2-135M-tools");
      await modelButton(chat, "SmolLM2-135M-tools").waitFor();
      await send(chat, "Read notes.md");
      const counted = tokensIn(await usageItem(page).innerText());
      await callLine(chat, /notes\.md/).waitFor();
      const text = await answer(chat);
      assert.match(text, /8471/);
      const billed = servedRequests(readFileSync(scene.server.logFile, "utf8"))[0]?.promptTokens ?? 0;
      const note = `counted ${String(counted)} with its tools, billed ${String(billed)}; ${text}`;
      assert.ok(Math.abs(counted - billed) <= billed * 0.1, note);
      return note;
    },
  );
}

/** A server of two models with different windows. */
async function router(scene: Scene): Promise<void> {
  const { chat, page } = scene.window;
  await pictured(scene, "router mode: its models are listed with their windows", "router", async () => {
    await scene.restart({ isRouter: true });
    await newConversation(page, chat);
    await runCommand(page, "Forge: Switch Model");
    await entries(page, "small-one").first().waitFor();
    const rows = await entries(page, /small-/).allInnerTexts();
    const listed = rows.map((row) => row.replaceAll(/\s+/g, " "));
    await closePicker(page);
    assert.ok(
      listed.some((row) => /small-one.*8(?:\.2)?k/.test(row)) &&
        listed.some((row) => /small-two.*4(?:\.1)?k/.test(row)),
      listed.join("; "),
    );
    return listed.join("; ");
  });
  await pictured(scene, "a smaller window and back by the model picker: each answers", "switched", async () => {
    const used: string[] = [];
    for (const name of ["small-one", "small-two", "small-one"]) {
      await runCommand(page, "Forge: Switch Model");
      await pick(page, name);
      await modelButton(chat, name).waitFor();
      await send(chat, `Say yes, ${name}.`);
      await someAnswer(chat);
      used.push(`${name}: ${await usageItem(page).innerText()}`);
    }
    return used.join("; ");
  });
}
