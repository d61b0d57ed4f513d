/** Enter after a name behind "@", pressed before the host has posted the matches. */
import assert from "node:assert/strict";
import { status, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: Enter pressed before the mention list", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(0, "a")]));
    await opened.composer.focus();
  });

  const found = [{ mentionId: "a", kind: "file", label: "upload.ts", description: "src" }] as const;
  /** Request id of the newest mention search. */
  const asked = async (): Promise<number> =>
    (await opened.posted()).flatMap((message) => (message.kind === "findMentions" ? [message.requestId] : [])).at(-1) ??
    -1;
  const answer = async (mentions: readonly (typeof found)[number][]): Promise<void> => {
    await opened.say({ kind: "mentions", requestId: await asked(), mentions });
    await opened.settle();
  };
  /** Attachments and messages posted to the host, and last the composer's text. */
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
    ["chooses the match", () => undefined, found, ["adds a", "@upload.ts "]],
    ["sends when nothing matches", () => undefined, [], ["sends", "@uplo"]],
    [
      "chooses once when Enter is pressed twice",
      () => opened.page.keyboard.press("Enter"),
      found,
      ["adds a", "@upload.ts "],
    ],
    ["chooses for the name as typed on", () => opened.page.keyboard.type("a"), found, ["adds a", "@upload.ts "]],
    ["is cancelled by Escape", () => opened.page.keyboard.press("Escape"), found, ["@uplo"]],
    ["sends when the focus moves to another field", () => opened.composer.blur(), found, ["sends", "@uplo"]],
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

  it("updates while the names of the files are being read, and chooses from what came", async () => {
    await opened.page.keyboard.type("@uplo");
    const reading = { kind: "mentions", requestId: await asked(), isReading: true } as const;
    await opened.say({ ...reading, mentions: [] });
    await opened.page.getByText("Reading the names of the files…").waitFor();
    await opened.page.keyboard.press("Enter");
    assert.deepEqual(await outcome(), ["@uplo"]);
    await answer(found);
    await pastTheHold();
    assert.deepEqual(await outcome(), ["adds a", "@upload.ts "]);
  });

  it("sends when the host does not answer", async () => {
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await pastTheHold();
    assert.deepEqual(await outcome(), ["sends", "@uplo"]);
  });

  it("waits for the end of an input method composition that begins in the meantime", async () => {
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

  it("sends nothing when another conversation is opened in the meantime", async () => {
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await opened.show(view([user(0, "b")], { conversationId: "conversation-2", draft: "another draft" }));
    await pastTheHold();
    assert.deepEqual(await outcome(), ["another draft"]);
  });

  it("explains why nothing can be sent while no conversation is open", async () => {
    await opened.show(view([], { conversationId: "", status: status({ activity: "loading" }) }));
    await opened.page.keyboard.type("@uplo");
    await opened.page.keyboard.press("Enter");
    await pastTheHold();
    await opened.page.getByText("The conversation is being opened. Your text is kept.").first().waitFor();
    assert.deepEqual(await outcome(), ["@uplo"]);
  });

  it("sends at once when no mention is being typed", async () => {
    await opened.page.keyboard.type("hello");
    await opened.page.keyboard.press("Enter");
    assert.deepEqual(await outcome(), ["sends", "hello"]);
  });
});
