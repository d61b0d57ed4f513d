/** Enter at a name behind "@", pressed before the host has said what is called like that. */
import assert from "node:assert/strict";
import { status, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: a quick Enter behind @", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(0, "a")]));
    await opened.composer.focus();
  });

  const found = [{ mentionId: "a", kind: "file", label: "upload.ts", description: "src" }] as const;
  /** The newest search of the page. */
  const asked = async (): Promise<number> =>
    (await opened.posted()).flatMap((message) => (message.kind === "findMentions" ? [message.requestId] : [])).at(-1) ??
    -1;
  const answer = async (mentions: readonly (typeof found)[number][]): Promise<void> => {
    await opened.say({ kind: "mentions", requestId: await asked(), mentions });
    await opened.settle();
  };
  /** What left the page, and what stands in it. */
  const outcome = async (): Promise<readonly string[]> => [
    ...(await opened.posted()).flatMap((message) =>
      message.kind === "attach"
        ? [`adds ${message.mentionId}`]
        : message.kind === "compose" && message.change.kind === "send"
          ? ["sends"]
          : [],
    ),
    await opened.composer.inputValue(),
  ];
  const compose = (kind: "compositionstart" | "compositionend"): Promise<void> =>
    opened.composer.evaluate((field, type) => {
      field.dispatchEvent(new CompositionEvent(type, { bubbles: true }));
    }, kind);
  const pastTheHold = (): Promise<void> => opened.page.waitForTimeout(400);

  for (const [title, during, mentions, expected] of [
    ["chooses what is found", () => undefined, found, ["adds a", "@upload.ts "]],
    ["sends where nothing is found", () => undefined, [], ["sends", "@uplo"]],
    [
      "chooses once, however often it is pressed",
      () => opened.page.keyboard.press("Enter"),
      found,
      ["adds a", "@upload.ts "],
    ],
    ["chooses for what is typed on", () => opened.page.keyboard.type("a"), found, ["adds a", "@upload.ts "]],
    ["does nothing after Escape", () => opened.page.keyboard.press("Escape"), found, ["@uplo"]],
    ["sends what is left for another field", () => opened.composer.blur(), found, ["sends", "@uplo"]],
  ] as const)
    it(title, async () => {
      await opened.page.keyboard.type("@uplo");
      await opened.page.keyboard.press("Enter");
      assert.deepEqual(await outcome(), ["@uplo"]);
      await during();
      await answer(mentions);
      await pastTheHold();
      assert.deepEqual(await outcome(), expected);
    });

  it("sends where no answer comes", async () => {
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await pastTheHold();
    assert.deepEqual(await outcome(), ["sends", "@uplo"]);
  });

  it("waits for the end of a composition that begins meanwhile", async () => {
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await compose("compositionstart");
    await answer(found);
    await pastTheHold();
    assert.deepEqual(await outcome(), ["@uplo"]);
    await compose("compositionend");
    await opened.settle();
    assert.deepEqual(await outcome(), ["adds a", "@upload.ts "]);
  });

  it("sends nothing of a conversation that is opened meanwhile", async () => {
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await opened.show(view([user(0, "b")], { conversationId: "conversation-2", draft: "another draft" }));
    await pastTheHold();
    assert.deepEqual(await outcome(), ["another draft"]);
  });

  it("says why nothing can be sent while no conversation is open", async () => {
    await opened.show(view([], { conversationId: "", status: status({ activity: "loading" }) }));
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await pastTheHold();
    await opened.page.getByText("The conversation is being opened. Your text is kept.").first().waitFor();
    assert.deepEqual(await outcome(), ["@uplo"]);
  });

  it("sends at once where no name is being looked for", async () => {
    await opened.page.keyboard.type("hello");
    await opened.page.keyboard.press("Enter");
    assert.deepEqual(await outcome(), ["sends", "hello"]);
  });
});
