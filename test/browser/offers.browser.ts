import type { ViewCommand } from "../../src/protocol/viewCommand.ts";
import assert from "node:assert/strict";
import { contextScenes } from "./support/contextScenes.ts";
import { scenes, showScene } from "./support/scenes.ts";
import { summaryScenes } from "./support/summaryScenes.ts";
import { answer, notice, status, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const FOUND = [
  { label: "Ollama", modelCount: 0, command: "useOllama" },
  { label: "LM Studio", modelCount: 3, command: "useLmStudio" },
] as const;

describe("webview: summaries, failures and connection offers", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const expectCommands = async (
    buttons: readonly (readonly [name: string | RegExp, command: ViewCommand])[],
  ): Promise<void> => {
    for (const [name, command] of buttons) {
      await opened.page.getByRole("button", { name }).click();
      await opened.expectPosted({ kind: "command", command });
    }
  };

  it("opens and loads a summary, undoes and redoes it", async () => {
    const { page } = opened;
    await opened.show(view([summary(2)]));
    const marker = page.locator('[data-summary-id="2"]');
    await marker.getByRole("button", { expanded: false }).click();
    await opened.expectPosted({ kind: "openSummary", summaryId: 2 });
    await opened.say({ kind: "summaryDetail", summaryId: 2, detail: summaryDetail("- **kept** fact") });
    await marker.locator("li strong").waitFor();
    assert.match(
      await marker.innerText(),
      /42 messages summarized[^]*61k → 9k tokens[^]*38 of 38 facts kept[^]*messages 121–162/,
    );
    await marker.getByRole("button", { name: "Undo" }).click();
    await opened.expectPosted({ kind: "setSummaryState", summaryId: 2, state: "undone" });
    await opened.say({ kind: "rowChanged", rowId: "summary-2", row: summary(2, { state: "undone", redoId: 2 }) });
    await marker.getByRole("button", { name: "Redo" }).click();
    await opened.expectPosted({ kind: "setSummaryState", summaryId: 2, state: "active" });
  });

  it("says why a summary was made, and that it is not needed while the originals are sent, which are not dimmed then", async () => {
    const { page } = opened;
    const words = page.locator('[data-message-id="7"] .typed');
    const colour = () => words.evaluate((element) => getComputedStyle(element).color);
    await opened.show(view([user(7, "Where are the tides?", { sent: "summary" }), summary(2), answer(9, "There.")]));
    const marker = page.locator('[data-summary-id="2"]');
    assert.match(await marker.innerText(), /Summary 3 · Threshold, at 82% of 129k$/);
    const dimmed = await colour();
    await opened.say({ kind: "rowsSent", rows: [{ rowId: "message-7", sent: "original" }] });
    await opened.say({ kind: "rowChanged", rowId: "summary-2", row: summary(2, { use: "notNeeded" }) });
    await marker.getByText("not needed now").waitFor();
    assert.notEqual(await colour(), dimmed);
    await marker.getByRole("button", { expanded: false }).click();
    await opened.say({ kind: "summaryDetail", summaryId: 2, detail: summaryDetail("- **kept** fact") });
    await marker.locator("li strong").waitFor();
    const open = await marker.innerText();
    assert.match(open, /There is room for the messages themselves/);
    assert.match(open, /Request: 106k → 54k tokens[^]*gpt-6-luna · \$0\.004 · 2\.8 s/);
  });

  it("shows up to where messages are not sent, and that an excerpt is sent of one", async () => {
    const { page } = opened;
    const unsent = { sent: "notSent" } as const;
    await opened.show(
      view([
        user(1, "One.", unsent),
        answer(2, "Two.", unsent),
        user(3, "Three.", { sent: "excerpt" }),
        answer(4, "Four."),
      ]),
    );
    const notes = (id: number) => page.locator(`[data-message-id="${String(id)}"] > .meta`).allInnerTexts();
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(notes)), [
      [],
      ["Up to here messages are not sent: the strategy sends the newest only."],
      ["Too long: an excerpt is sent, the whole is in the history"],
      [],
    ]);
    assert.deepEqual(await page.getByRole("heading", { level: 2 }).allInnerTexts(), [
      ...["You, not sent", "Answer, not sent", "You, sent as an excerpt", "Answer"],
    ]);
  });

  it("marks a stale summary as not in use, and offers to regenerate it", async () => {
    const { page } = opened;
    await opened.show(view([summary(3, { isStale: true }), user(9, "a")]));
    const marker = page.locator("[data-summary-id='3']");
    await marker.getByText("Summary not in use", { exact: true }).waitFor();
    await marker.getByText("a message in it has changed, so the originals are sent").click();
    await opened.expectPosted({ kind: "openSummary", summaryId: 3 });
    await opened.say({ kind: "summaryDetail", summaryId: 3, detail: summaryDetail("Notes.") });
    await marker.getByText("It is used again when you undo that").waitFor();
    assert.equal(await marker.getByRole("button", { name: "Edit", exact: true }).count(), 0);
    await marker.getByRole("button", { name: "Write it again" }).click();
    await marker.getByRole("button", { name: "Regenerate" }).waitFor();
  });

  it("loads the original messages of a summary on demand, and renders them like the chat", async () => {
    const { page } = opened;
    const scene = summaryScenes["summaryOriginals"];
    assert.ok(scene !== undefined);
    await showScene(opened, "originals", { ...scene, click: ["[data-summary-id='4'] .summary-line"] });
    assert.equal(await page.locator(".original").count(), 0);
    assert.deepEqual(
      (await opened.posted()).filter(({ kind }) => kind === "summary"),
      [],
    );
    await page.locator("[data-tab='originals']").click();
    const originals = page.locator(".original");
    assert.equal(await originals.count(), 4);
    const answered = originals.nth(1);
    assert.equal(await answered.locator("strong, li, code").count(), 3);
    assert.doesNotMatch(await answered.innerText(), /\*\*|`/);
    await answered.getByRole("button", { name: "Read src/net/policy.ts" }).click();
    await opened.expectPosted({ kind: "openCall", rowId: "message-121", callId: "a" });
    const looks = await originals
      .locator(".original-text")
      .evaluateAll((all) =>
        all.map((text) => getComputedStyle(text).fontFamily + getComputedStyle(text).borderTopWidth),
      );
    assert.equal(new Set(looks).size, 3, "the user, the answer and the tool are told apart");
    const long = originals.nth(3).locator(".original-text");
    const folded = (await long.boundingBox())?.height ?? 0;
    await originals.nth(3).getByRole("button", { name: "Show all" }).click();
    assert.ok(((await long.boundingBox())?.height ?? 0) > 2 * folded, `${String(folded)} px folded`);
    await page.getByRole("button", { name: /Show more, 38 left/ }).click();
    await opened.expectPosted({ kind: "summary", summaryId: 4 });
  });

  it("offers Keep, Continue and Ask again for an interrupted answer, and accepts one choice", async () => {
    const { page } = opened;
    const half = answer(2, "half", {
      rowId: "step_2",
      messageId: "step_2",
      state: "interrupted",
      pendingRecovery: "answer",
    });
    await opened.show(view([user(1, "a"), half]));
    assert.match(await page.getByRole("article").last().innerText(), /Everything you saw is kept/);
    await page.getByRole("button", { name: "Ask again" }).click();
    await opened.expectPosted({ kind: "recover", stepId: "step_2", choice: "askAgain" });
    for (const name of ["Keep", "Continue", "Ask again"]) {
      assert.ok(await page.getByRole("button", { name }).isDisabled());
    }
    await opened.say({ kind: "rowChanged", rowId: "step_2", row: { ...half, stateText: "The provider refused." } });
    await page.getByRole("button", { name: "Keep" }).click();
    await opened.expectPosted({ kind: "recover", stepId: "step_2", choice: "keep" });
  });

  it("offers Retry for a stopped answer until another message follows", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a"), answer(2, "b", { state: "cancelled" })]));
    const retry = page.getByRole("button", { name: "Retry" });
    assert.equal(await retry.count(), 1);
    await opened.say({ kind: "rowsAdded", rows: [notice("Something else was done.")] });
    await page.locator(".notice").waitFor();
    assert.equal(await retry.count(), 1);
    await opened.say({ kind: "rowsAdded", rows: [user(3, "c")] });
    await retry.waitFor({ state: "detached" });
    await opened.say({ kind: "rowsAdded", rows: [answer(4, "d"), answer(5, "e")] });
    await opened.settle();
    const places = page.locator("[data-key]");
    assert.deepEqual(
      await places.evaluateAll((rows) =>
        rows.map((row) => `${String(row.getAttribute("data-key"))}: ${String(row.getAttribute("class"))}`),
      ),
      [
        "message-1: null",
        "message-2: null",
        "notice-Something else was done.: null",
        "message-3: null",
        "message-4: is-continued",
        "message-5: goes-on",
      ],
    );
    await opened.say({ kind: "rowsAdded", rows: [answer(6, "f")] });
    await opened.settle();
    assert.equal(await places.nth(4).getAttribute("class"), "is-continued");
    assert.equal(await places.nth(5).getAttribute("class"), "goes-on is-continued");
  });

  it("shows failures, notices and banners with their buttons", async () => {
    const scene = scenes["troubles"];
    assert.ok(scene !== undefined);
    await opened.show(scene.view);
    await expectCommands([
      ["Retry", "retry"],
      ["Move it here", "moveHere"],
      ["Summarize again", "summarize"],
    ]);
  });

  it("says that no language model is connected, and offers ways to connect one", async () => {
    const { page } = opened;
    const offline = status({ connection: { kind: "offline", editorModels: 2, servers: FOUND } });
    await opened.show(view([], { status: offline }));
    await page.getByText("It is not a language model.").waitFor();
    await page.getByText("Found on this machine, with 3 models").waitFor();
    await expectCommands([
      ["Use LM Studio", "useLmStudio"],
      ["Use Ollama", "useOllama"],
      ["Fetch a model for Ollama", "fetchModel"],
      ["Use the editor’s models", "useEditorModels"],
      ["Use a local server", "useServer"],
      ["Add an Anthropic or OpenAI key", "addKey"],
    ]);
    await opened.say({ kind: "rowsAdded", rows: [user(1, "a"), notice("n")] });
    await page.getByText("No language model is connected.").waitFor();
    await opened.say({ kind: "status", status: { connection: { kind: "connected", why: "" } } });
    await page.getByText("No language model is connected.").waitFor({ state: "detached" });
  });

  it("L6 tells how to get a model on this machine where none was found, with the commands to copy", async () => {
    const { page } = opened;
    const offline = (servers: typeof FOUND | readonly []) =>
      status({
        model: { label: "Offline", providerLabel: "" },
        connection: { kind: "offline", editorModels: 0, servers },
      });
    await opened.show(view([], { status: offline([]) }));
    const commands = page.locator(".local-models code");
    assert.equal(await commands.count(), 3);
    for (const command of await commands.allInnerTexts()) {
      await page.getByRole("button", { name: `Copy “${command}”` }).click();
      await opened.expectPosted({ kind: "copy", text: command });
    }
    await opened.say({ kind: "status", status: offline(FOUND) });
    await commands.first().waitFor({ state: "detached" });
  });

  it("L6 shows the path of a model in tooltips only", async () => {
    const { page } = opened;
    const path = "/srv/models/Smol.Q4_1.gguf";
    const shown = { ...answer(1, "Yes."), meta: "Smol Q4_1 · 7 tokens", modelPath: path };
    await opened.show(
      view([shown], { status: status({ model: { label: "Smol Q4_1", providerLabel: "tides", path } }) }),
    );
    const chip = page.getByRole("button", { name: "Model: Smol Q4_1. Switch model", exact: true });
    assert.equal(await chip.getAttribute("title"), `Model: Smol Q4_1. Switch model\n${path}`);
    assert.equal(await page.getByText("Smol Q4_1 · 7 tokens").getAttribute("title"), path);
    assert.doesNotMatch(await page.locator("body").innerText(), /srv/);
  });

  it("names an unreachable server while it is unreachable, and offers to retry, another model, and the setting", async () => {
    const { page } = opened;
    const unreachableServers = [
      "tides:1234 cannot be reached. Nothing answers at this address and port. (ECONNREFUSED)",
    ];
    const named = page.getByText("tides:1234 cannot be reached.");
    await opened.show(view([], { status: status({ unreachableServers }) }));
    await named.waitFor();
    await expectCommands([
      ["Try again", "lookAgain"],
      [/^Switch model$/, "switchModel"],
      ["Open the setting", "openServerSettings"],
    ]);
    await opened.say({ kind: "rowsAdded", rows: [user(1, "a")] });
    await named.waitFor();
    await opened.say({ kind: "status", status: { unreachableServers: [] } });
    await named.waitFor({ state: "detached" });
  });

  it("keeps the regenerate form's text while another summary is being written", async () => {
    const { page } = opened;
    await showScene(opened, "regenerate", summaryScenes["summaryRegenerate"] ?? assert.fail("a form"));
    const focus = page.getByRole("textbox", { name: "What the summary should focus on" });
    const ask = page.locator(".regenerate").getByRole("button", { name: "Regenerate" });
    await focus.fill("the retries");
    await opened.say({
      kind: "status",
      status: { activity: "summarizing", progress: { percent: 45, partsDone: 0, parts: 1 } },
    });
    await page.getByText("Summarizing 45%").waitFor();
    await ask.click();
    await opened.expectPosted({ kind: "summary", summaryId: 4 });
    await opened.settle();
    assert.deepEqual([await focus.inputValue(), await page.locator(".progress").count()], ["the retries", 1]);
    await opened.say({ kind: "status", status: { activity: "idle", progress: null } });
    await page.locator(".progress").waitFor({ state: "detached" });
    await ask.click();
    await focus.waitFor({ state: "detached" });
  });

  it("shows the progress of a background summary in the context view, too", async () => {
    const { page } = opened;
    await showScene(opened, "context", contextScenes["context"] ?? assert.fail("the context view"));
    await opened.say({ kind: "status", status: { progress: { percent: 45, partsDone: 0, parts: 1 } } });
    await page.locator(".context").getByText("Summarizing 45%").waitFor();
    await expectCommands([
      ["Summarize now", "summarize"],
      ["Cancel", "cancelSummary"],
    ]);
    await opened.say({ kind: "status", status: { activity: "summarizing" } });
    await page.getByRole("button", { name: "Summarize now" }).waitFor({ state: "detached" });
    await page.locator(".context").getByText("Summarizing 45%").waitFor();
  });

  it("shows the progress of summarizing, and offers to cancel it", async () => {
    const { page } = opened;
    await opened.show(
      view([user(1, "a")], {
        status: status({ activity: "summarizing", progress: { percent: 45, partsDone: 0, parts: 1 } }),
      }),
    );
    await page.getByText("Summarizing 45%", { exact: true }).waitFor();
    await opened.say({ kind: "status", status: { progress: { percent: 60, partsDone: 2, parts: 5 } } });
    await page.getByText("Summarizing 60%, 2 of 5 parts done", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await opened.expectPosted({ kind: "command", command: "cancelSummary" });
  });
});
