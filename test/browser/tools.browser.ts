import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ApprovalView, CallSourceState } from "../../src/protocol/toolCallView.ts";
import { answer, call, composer, status, streaming, user, view } from "./support/viewBuilders.ts";
import { toolScenes } from "./support/toolScenes.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: tool calls and queued messages", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  const posted = async <K extends ToHost["kind"]>(kind: K): Promise<Extract<ToHost, { kind: K }>[]> =>
    (await opened.posted()).filter((message): message is Extract<ToHost, { kind: K }> => message.kind === kind);
  const scene = (name: string) => {
    const found = toolScenes[name];
    assert.ok(found);
    return found.view;
  };

  it("shows a call in one line, and its input and result when it is opened", async () => {
    const { page } = opened;
    const row = answer(2, "I look.", { calls: [call("a", { title: "Read a.ts", time: "8 ms" })] });
    await opened.show(view([user(1, "a"), row]));
    const line = page.getByRole("button", { name: "Read a.ts 8 ms" });
    await line.click();
    await opened.expectPosted({ kind: "openCall", rowId: "message-2", callId: "a", whole: false });
    const text = "first <b>line</b>\u202e\nsecond";
    const detail = { input: '{"path":"a.ts"}', result: text, isCut: true };
    await opened.say({ kind: "callDetail", rowId: "message-2", callId: "a", detail });
    await page.getByRole("group", { name: "Result" }).getByText("first <b>line</b>").waitFor();
    await page.getByText("U+202E").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await opened.expectPosted({ kind: "openCall", rowId: "message-2", callId: "a", whole: true });
    await line.click();
    assert.equal(await page.getByRole("group", { name: "Result" }).count(), 0);
  });

  it("scrolls the details of a call into view when it is opened at the end of the page", async () => {
    const { page } = opened;
    const rows = Array.from({ length: 12 }, (_, index) => user(index, `words ${String(index)}\n`.repeat(4)));
    await opened.show(view([...rows, answer(20, "I look.", { calls: [call("a", { title: "Read a.ts" })] })]));
    await page.getByRole("button", { name: "Read a.ts" }).click();
    const detail = { input: '{"path":"a.ts"}', result: "line\n".repeat(12), isCut: false };
    await opened.say({ kind: "callDetail", rowId: "message-20", callId: "a", detail });
    await opened.settle();
    const [end, log] = await Promise.all(
      [page.getByRole("group", { name: "Result" }), page.getByRole("log")].map((box) => box.boundingBox()),
    );
    assert.ok(end && log && end.y + end.height <= log.y + log.height, JSON.stringify([end, log]));
  });

  it("keeps a call open while its answer becomes a message", async () => {
    const { page } = opened;
    await opened.show(
      view([user(1, "a"), streaming("step_1", "I look.", { calls: [call("a", { state: "running" })] })]),
    );
    await page.getByRole("button", { name: "Read a file running" }).click();
    await opened.say({
      kind: "callDetail",
      rowId: "step_1",
      callId: "a",
      detail: { input: "{}", result: "", isCut: false },
    });
    await page.getByText("There is no result.").waitFor();
    await opened.say({ kind: "call", rowId: "step_1", call: call("a", { time: "2 ms" }) });
    await opened.say({
      kind: "rowChanged",
      rowId: "step_1",
      row: answer(2, "I look.", { calls: [call("a", { time: "2 ms" })] }),
    });
    await opened.settle();
    assert.equal(await page.getByRole("button", { name: "Read a file 2 ms", expanded: true }).count(), 1);
  });

  it("asks for permission with the whole change, accepts one answer, and announces the question", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
    const [asking] = scene("askingToEdit").rows.flatMap((row) =>
      row.kind === "message" ? row.calls.filter(({ state }) => state === "asking") : [],
    );
    assert.ok(asking);
    await opened.say({ kind: "call", rowId: "step_1", call: asking });
    const question = page.getByRole("group", { name: /^May this run\? Edit src/ });
    await question.locator(".diff-line.added").getByText("attempts: 2").waitFor();
    await page.locator("[data-live]").getByText("Your approval is needed: Edit src").waitFor();
    const names = await question.getByRole("button").allInnerTexts();
    assert.deepEqual(names, ["Allow once", "Deny", "Allow in this conversation", "Always allow"]);
    await question.getByRole("button", { name: "Deny" }).focus();
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "approve", rowId: "step_1", callId: "e", answer: "deny" });
    for (const button of await question.getByRole("button").all()) assert.ok(await button.isDisabled());
    await opened.say({ kind: "call", rowId: "step_1", call: { ...asking, state: "denied", question: null } });
    await question.waitFor({ state: "detached" });
    assert.equal((await posted("approve")).length, 1);
  });

  describe("S7 a question", () => {
    const asks = async (detail: string, more: Partial<ApprovalView> = {}): Promise<Locator> => {
      const question: ApprovalView = { folder: "", detail, look: "code", scopes: ["once", "always"], ...more };
      const row = streaming("step_1", "", { calls: [call("a", { title: "Run it", state: "asking", question })] });
      await opened.show(view([user(1, "a"), row]));
      return opened.page.getByRole("group", { name: /^May this run/ });
    };
    const buttons = (question: Locator): Promise<readonly (readonly [string, boolean])[]> =>
      question
        .getByRole("button")
        .evaluateAll((all) =>
          all.map(
            (button) => [(button as HTMLElement).innerText, button.getAttribute("aria-disabled") === "true"] as const,
          ),
        );
    const CLOSED = [
      ["Allow once", true],
      ["Deny", false],
      ["Always allow", true],
    ];
    const OPEN = CLOSED.map(([name]) => [name, false]);
    const long = ["git status", ...Array.from({ length: 28 }, (_, line) => `# ${String(line)}`), "curl x | sh"].join(
      "\n",
    );

    for (const [name, blanks, shown] of [
      ["line ends", "\n".repeat(60), "git status\n59 empty lines\ncurl x | sh"],
      ["line ends with blanks between", " \r\n".repeat(60), "git status\n59 empty lines\ncurl x | sh"],
      ["no-break spaces", "\u00a0".repeat(2_000), "git status2000 blankscurl x | sh"],
      ["ideographic spaces", "\u3000".repeat(200), "git status200 blankscurl x | sh"],
      ["empty braille", "\u2800".repeat(200), "git status200 blankscurl x | sh"],
      ["tabs", "\t".repeat(90), "git status90 blankscurl x | sh"],
    ] as const)
      it(`S7 shows a run of ${name} as its count, with the rest in sight`, async () => {
        const question = await asks(`git status${blanks}curl x | sh`);
        assert.equal(await question.locator("pre").innerText(), shown);
        assert.deepEqual(await buttons(question), OPEN);
      });

    it("S7 can only be denied before its end was in sight", async () => {
      const question = await asks(long);
      assert.deepEqual(await buttons(question), CLOSED);
      await question.getByText("Scroll to the end of it to allow it.").waitFor();
      await question.getByRole("button", { name: "Allow once" }).dispatchEvent("click");
      assert.deepEqual(await posted("approve"), []);
      await question.locator("pre").evaluate((box) => {
        box.scrollTop = box.scrollHeight;
      });
      await question.getByText("Scroll to the end of it to allow it.").waitFor({ state: "detached" });
      assert.deepEqual(await buttons(question), OPEN);
      await question.getByRole("button", { name: "Allow once" }).click();
      await opened.expectPosted({ kind: "approve", answer: "once" });
    });
    it("S7 can be read to its end and allowed by keyboard alone", async () => {
      const question = await asks(long);
      const allow = question.getByRole("button", { name: "Allow once" });
      assert.equal(
        await allow.evaluate(
          (button) => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.innerText,
        ),
        "Scroll to the end of it to allow it.",
      );
      await allow.focus();
      await opened.page.keyboard.press("Enter");
      assert.deepEqual(await posted("approve"), []);
      assert.equal(await opened.page.evaluate(() => document.activeElement?.tagName), "PRE", "which scrolls by keys");
      await opened.page.keyboard.press("End");
      await question.getByText("Scroll to the end of it to allow it.").waitFor({ state: "detached" });
      await allow.focus();
      await opened.page.keyboard.press("Enter");
      await opened.expectPosted({ kind: "approve", answer: "once" });
    });
    it("S7 wraps a line without blanks, so that nothing of it is aside", async () => {
      const question = await asks(`echo ${"x".repeat(1_900)};rm`);
      assert.ok(await question.locator("pre").evaluate((box) => box.scrollWidth <= box.clientWidth));
    });
    it("S7 asks again about another text in the same place", async () => {
      await asks("ls");
      const question = await asks(long);
      assert.deepEqual(await buttons(question), CLOSED);
    });

    it("E:folder names the folder where several are open, before the buttons, seen and read out", async () => {
      await opened.show(view([user(1, "a"), streaming("step_1")], { status: status({ activity: "streaming" }) }));
      const question: ApprovalView = { folder: "billing", detail: "rm -rf dist", look: "code", scopes: ["once"] };
      const asking = call("a", { title: "Run rm -rf dist in billing", state: "asking", question });
      await opened.say({ kind: "call", rowId: "step_1", call: asking });
      const group = opened.page.getByRole("group", { name: "May this run in billing? Run rm -rf dist in billing" });
      assert.equal(
        (await group.innerText()).replaceAll(/\s+/g, " "),
        "In the folder billing rm -rf dist Allow once Deny",
      );
      const said = "Your approval is needed, in the folder billing: Run rm -rf dist in billing";
      await opened.page.locator("[data-live]").getByText(said).waitFor();
    });
  });

  it("shows the problems that an edit added, and opens each at its place, by keyboard too", async () => {
    const { page } = opened;
    await opened.show(scene("editProblems"));
    const few = page.getByRole("list", { name: "3 new problems" });
    const message = "Cannot find name ‘backofMs’. Did you mean ‘backoffMs’? (ts)";
    assert.deepEqual((await few.getByRole("button").allInnerTexts())[0], `${message} src/net/policy.ts:13:3`);
    await few.getByRole("button", { name: `Error at src/net/policy.ts:13:3: ${message}` }).focus();
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "openFile", path: "src/net/policy.ts", line: 13, column: 3 });
    await few.getByRole("button", { name: "Warning at src/net/policy.ts:2:10" }).click();
    await opened.expectPosted({ kind: "openFile", path: "src/net/policy.ts", line: 2, column: 10 });
  });

  it("shows the first of many added problems, and the others when asked, also of a row that is drawn again", async () => {
    const { page } = opened;
    const many = page.getByRole("list", { name: "14 new problems" });
    const rest = page.getByText("2 more are not listed");
    const counts = async (): Promise<readonly number[]> => [
      await many.getByRole("listitem").count(),
      await rest.count(),
    ];
    await opened.show(scene("editProblems"));
    await many.waitFor();
    assert.deepEqual(await counts(), [5, 0]);
    await page.getByRole("button", { name: "Show 7 more", expanded: false }).click();
    await rest.waitFor();
    assert.deepEqual(await counts(), [12, 1]);
    await opened.show(scene("editProblems"));
    await rest.waitFor();
    await page.getByRole("button", { name: "Show fewer", expanded: true }).click();
    await rest.waitFor({ state: "detached" });
    assert.deepEqual(await counts(), [5, 0]);
  });

  it("shows a pending question in a new snapshot, with the allowed scopes only", async () => {
    const row = streaming("step_1", "", {
      calls: [call("a", { state: "asking", question: { folder: "", detail: "", look: "code", scopes: ["once"] } })],
    });
    await opened.show(view([user(1, "a"), row]));
    const buttons = opened.page.getByRole("group", { name: /^May this run/ }).getByRole("button");
    assert.deepEqual(await buttons.allInnerTexts(), ["Allow once", "Deny"]);
    await buttons.first().click();
    await opened.expectPosted({ kind: "approve", answer: "once" });
  });

  it("E:waiting shows the question that waits, in sight and focused, wherever the reader is", async () => {
    const { page } = opened;
    const question: ApprovalView = { folder: "", detail: "rm -rf dist", look: "code", scopes: ["once"] };
    const asking = streaming("step_1", "words\n\n".repeat(60), { calls: [call("a", { state: "asking", question })] });
    await opened.show(view([...Array.from({ length: 60 }, (_, id) => user(id, "words\n".repeat(5))), asking]));
    await page.getByRole("log").evaluate((log) => {
      log.scrollTop = 0;
    });
    await opened.settle();
    await opened.say({ kind: "focusQuestion" });
    await opened.settle();
    const group = page.getByRole("group", { name: /^May this run/ });
    const box = await group.boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
    assert.ok(await group.evaluate((element) => element.contains(document.activeElement)));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "approve", answer: "once" });
  });

  it("E:waiting goes to the composer where nothing waits", async () => {
    await opened.show(view([user(1, "a")]));
    await opened.page.getByRole("log").focus();
    await opened.say({ kind: "focusQuestion" });
    await opened.settle();
    assert.ok(await opened.composer.evaluate((field) => field === document.activeElement));
  });

  it("offers Resume and Hide after interrupted tool calls", async () => {
    const { page } = opened;
    await opened.show(scene("toolsInterrupted"));
    await page.getByText("cut off, may have run").waitFor();
    await page.getByText("not run", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await opened.expectPosted({ kind: "recover", stepId: "step_2", choice: "resume" });
    assert.ok(await page.getByRole("button", { name: "Hide", exact: true }).isDisabled());
  });

  it("scrolls to a message that an answer or a tool result links to", async () => {
    const { page } = opened;
    const rows = Array.from({ length: 50 }, (_, index) =>
      user(100 + index, `words ${String(100 + index)}\n`.repeat(5)),
    );
    const row = answer(200, "You decided on that in [message 104](#message-104), and [elsewhere](#other).", {
      calls: [call("a", { title: "Search history: retry" })],
    });
    await opened.show(view([...rows, row], { hasOlder: true }));
    assert.equal(await page.locator('[data-message-id="103"]').count(), 0, "it is not mounted");
    await page.getByRole("button", { name: "message 104" }).click();
    await opened.settle();
    assert.ok(await page.locator('[data-message-id="103"]').evaluate((found) => found === document.activeElement));
    const top = await page.locator('[data-message-id="103"]').boundingBox();
    assert.ok(top !== null && top.y >= 0 && top.y < 200, JSON.stringify(top));

    await page.getByRole("button", { name: "Newest" }).click();
    await page.getByRole("button", { name: "Search history: retry" }).click();
    const result = "1 message found.\n\n[message 8](#message-8), you:\nretry";
    await opened.say({
      kind: "callDetail",
      rowId: "message-200",
      callId: "a",
      detail: { input: "{}", result, isCut: false },
    });
    await page.getByRole("button", { name: "message 8" }).click();
    await opened.expectPosted({ kind: "revealMessage", messageId: 7, before: "message-100" });
    const older = Array.from({ length: 100 }, (_, index) => user(index, `old ${String(index)}`));
    await opened.say(
      { kind: "rowsOlder", before: "message-100", rows: older, hasOlder: false },
      { kind: "reveal", rowId: "message-7" },
    );
    await opened.settle();
    assert.ok(await page.locator('[data-message-id="7"]').evaluate((found) => found === document.activeElement));
  });

  it("asks the host for the conversation that an answer or a tool result links to", async () => {
    const { page } = opened;
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    const row = answer(200, `Decided in [Retries](#conversation-${id}), see [there](#conversation-${id}-message-12).`, {
      calls: [call("a", { title: "Search history: retry" })],
    });
    await opened.show(view([row]));
    await page.getByRole("button", { name: "Retries" }).click();
    await opened.expectPosted({ kind: "openConversation", conversationId: id, messageId: null });
    await page.getByRole("button", { name: "there" }).press("Enter");
    await opened.expectPosted({ kind: "openConversation", conversationId: id, messageId: 11 });
    await page.getByRole("button", { name: "Search history: retry" }).click();
    const result = `[message 8](#conversation-${id}-message-8), [message 9](#conversation-${id}-message-8)`;
    await opened.say({
      kind: "callDetail",
      rowId: "message-200",
      callId: "a",
      detail: { input: "{}", result, isCut: false },
    });
    assert.equal(await page.getByRole("button", { name: "message 9" }).count(), 0, "names another message");
    await page.getByRole("button", { name: "message 8" }).click();
    await opened.expectPosted({ kind: "openConversation", conversationId: id, messageId: 7 });
  });

  it("shows the conversations that a call quotes, each of which opens there and can be left out by keyboard", async () => {
    const { page } = opened;
    await opened.show(scene("recallSources"));
    const sources = page.getByRole("list", { name: "From other conversations" });
    const [asked] = await posted("recallSources");
    const [retries = "", uploads = ""] = asked?.conversationIds ?? [];
    await sources.getByText("12 Nov 2026 · 3 passages").waitFor();
    assert.equal(await sources.getByRole("button", { name: /from now on|again/ }).count(), 0, "not known yet");
    const say = (conversationId: string, state: CallSourceState) =>
      opened.say({ kind: "recallSources", sources: [{ conversationId, state }] });
    await say(retries, "found");
    await say(uploads, "gone");
    await sources.getByRole("button", { name: /^Retries of/ }).focus();
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "openConversation", conversationId: retries, messageId: 11 });
    await page.keyboard.press("Tab");
    const toggle = sources.getByRole("button", { name: /^Leave out from now on: Retries of/ });
    assert.ok(await toggle.evaluate((button) => button === document.activeElement));
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "leaveOut", conversationId: retries, isLeftOut: true });
    await say(retries, "leftOut");
    await sources.getByText("12 Nov 2026 · 3 passages · left out").waitFor();
    await page.getByText(/^“Retries of.*” is left out from now on\.$/).waitFor({ state: "attached" });
    const undo = sources.getByRole("button", { name: /^Let it be found again: Retries of/ });
    assert.ok(await undo.evaluate((button) => button === document.activeElement), "the focus stays");
    await page.keyboard.press("Enter");
    await opened.expectPosted({ kind: "leaveOut", conversationId: retries, isLeftOut: false });
    assert.equal(await sources.getByRole("button", { name: /: Uploads$/ }).count(), 0, "what is gone has no button");
  });

  it("refuses for good in a conversation what needs a permission of its own", async () => {
    const { page } = opened;
    await opened.show(scene("recallAsking"));
    const question = page.getByRole("group", { name: /^May this run\?/ });
    assert.deepEqual(await question.getByRole("button").allInnerTexts(), [
      "Allow once",
      "Deny",
      "Allow in this conversation",
      "Always allow",
      "Never in this conversation",
    ]);
    await question.getByRole("button", { name: "Never in this conversation" }).click();
    await opened.expectPosted({ kind: "approve", rowId: "step_2", callId: "r", answer: "never" });
  });

  it("shows queued messages, which can be edited and removed", async () => {
    const { page } = opened;
    await opened.show(scene("queue"));
    const queue = page.getByRole("group", { name: "Queued messages" });
    await queue.getByRole("button", { name: "Edit queued message" }).first().click();
    await opened.expectPosted({ kind: "queueEdit", queueId: "step_7", on: true });
    const editor = queue.getByRole("textbox", { name: "Edit queued message" });
    assert.equal(await editor.inputValue(), "also add a test for 429");
    await editor.fill("also add a test for 408");
    await opened.expectPosted({ kind: "queueText", queueId: "step_7", text: "also add a test for 408" });
    await editor.press("Escape");
    await opened.expectPosted({ kind: "queueEdit", queueId: "step_7", on: false });
    assert.deepEqual(await posted("stop"), [], "Escape ended the edit, and not the answer");
    await queue.getByRole("button", { name: "Remove queued message" }).last().click();
    await opened.expectPosted({ kind: "queueRemove", queueId: "step_8" });
    await opened.say(composer({ queue: { items: [], isHeld: false } }));
    await queue.waitFor({ state: "detached" });
    assert.equal(await opened.composer.inputValue(), "typed meanwhile");
  });

  it("stays at the end of an answer when editing a queued message makes the composer taller", async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 260, height: 700 });
    const long = streaming("step_1", "words and words ".repeat(300));
    const text = "And after that this one, which is a sentence of somewhat more words than fit";
    const queue = { items: [{ queueId: "step_7", text }], isHeld: false };
    const shown = scene("queue");
    const rows = [user(1, "And uploads?"), long];
    await opened.show({ ...shown, rows, composer: { ...shown.composer, queue } });
    await page.getByRole("button", { name: "Edit queued message" }).first().click();
    await page.getByRole("textbox", { name: "Edit queued message" }).waitFor();
    await opened.settle();
    await opened.settle();
    assert.equal(await page.getByRole("button", { name: "New below" }).count(), 0);
    assert.ok(await page.getByRole("log").evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop < 1));
  });

  it("moves an edit into the composer when its queued message was sent in the meantime", async () => {
    const { page } = opened;
    await opened.show(scene("queue"));
    await page.getByRole("button", { name: "Edit queued message" }).first().click();
    await page.getByRole("textbox", { name: "Edit queued message" }).fill("also add a test for 408");
    await opened.say(composer({ queue: { items: [], isHeld: false } }));
    await opened.settle();
    assert.equal(await opened.composer.inputValue(), "typed meanwhile\nalso add a test for 408");
  });

  it("offers to send a queue that is held", async () => {
    await opened.show(scene("queueHeld"));
    await opened.page.getByText("1 message waits for you").waitFor();
    await opened.page.getByRole("button", { name: "Send now" }).click();
    await opened.expectPosted({ kind: "queueSend" });
  });
});
