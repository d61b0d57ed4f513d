/** What was on the screen is there again: after kills in the middle of an answer, a reload, and the end of the server. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../servers/modelServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import { answer, composer, messages, openChat, partOfAnswer, press, send, textOf } from "./support/chat.ts";
import { killExtensionHost } from "./support/processes.ts";
import { useSession } from "./support/session.ts";
import { dialog, nextExtensionHost, screenshot } from "./support/workbench.ts";

const kills = 5;
const sentences = Array.from({ length: 400 }, (_, index) => `Sentence ${index + 1} of a long answer.`).join(" ");

describe("recovery", () => {
  let models: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    models = await startOpenAiServer({ dialect: "vllm" });
  });
  after(() => models.close());
  const session = useSession({
    name: "recovery",
    settings: () => ({ "forge.openaiCompatible.baseUrl": `${models.url}/v1` }),
  });
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page);
    models.script({ match: "Tell me", answer: { text: sentences }, framing: { delayMs: 20 } });
  });

  /** The interrupted answer must begin with all that was seen, and hold nothing that was not said. */
  async function expectKept(seen: string): Promise<void> {
    await answer(chat, "interrupted");
    const kept = await textOf(messages(chat, "assistant", "interrupted").last());
    assert.ok(kept.startsWith(seen), `seen: ${seen}\nkept: ${kept}`);
    assert.ok(sentences.startsWith(kept), kept);
  }

  it(`loses nothing that was shown when the extension host is killed in mid-answer, ${kills} times`, async function () {
    this.timeout(180_000);
    for (let round = 1; round <= kills; round++) {
      await send(chat, `Tell me everything, round ${round}`);
      const seen = await partOfAnswer(chat, 100 + round * 40);
      const killed = await killExtensionHost(session.server);
      const last = await textOf(messages(chat, "assistant").last()).catch(() => seen);
      await nextExtensionHost(page, session.server, killed);
      chat = await openChat(page);
      await expectKept(last.length > seen.length ? last : seen);
      assert.equal(await messages(chat, "user").count(), round);
      if (round === 1) await screenshot(page, "recovery-interrupted");
      await press(chat, "Keep");
      await chat.getByRole("button", { name: "Keep", exact: true }).waitFor({ state: "detached" });
    }
    assert.equal(await messages(chat, "assistant", "interrupted").count(), kills);
  });

  it("goes on with an interrupted answer, and asks again, when told to", async () => {
    for (const choice of ["Continue", "Ask again"]) {
      await send(chat, `Tell me more, then ${choice}`);
      await partOfAnswer(chat, 80);
      const killed = await killExtensionHost(session.server);
      await nextExtensionHost(page, session.server, killed);
      chat = await openChat(page);
      await answer(chat, "interrupted");
      models.script({ answer: { text: `Done with ${choice}.` }, times: 1 });
      await press(chat, choice);
      assert.match(await answer(chat), new RegExp(`Done with ${choice}`));
    }
    await screenshot(page, "recovery-continued");
  });

  it("offers the answer that a reload of the window interrupted", async () => {
    await send(chat, "Tell me before I go");
    const seen = await partOfAnswer(chat, 80);
    await page.reload();
    chat = await openChat(page);
    await expectKept(seen);
    await press(chat, "Keep");
    await chat.getByRole("button", { name: "Keep", exact: true }).waitFor({ state: "detached" });
  });

  it("has the conversation and the draft back after a reload of the window", async () => {
    await composer(chat).fill("half a thou");
    await composer(chat).blur();
    const before = await messages(chat).count();
    await page.reload();
    chat = await openChat(page);
    await messages(chat).last().waitFor();
    assert.equal(await messages(chat).count(), before);
    assert.equal(await composer(chat).inputValue(), "half a thou");
  });

  it("has everything back after the whole server was killed in mid-answer", async function () {
    this.timeout(120_000);
    await send(chat, "Tell me the rest");
    const seen = await partOfAnswer(chat, 80);
    await session.server.kill();
    await session.restartServer();
    await dialog(page)
      .getByRole("button", { name: /Reload/ })
      .click();
    chat = await openChat(page);
    await expectKept(seen);
    await screenshot(page, "recovery-server-killed");
  });
});
