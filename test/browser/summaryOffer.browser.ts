import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { OfferAction } from "../../src/protocol/toHost.ts";
import type { OfferView } from "../../src/protocol/summaryView.ts";
import type { NoticeRow } from "../../src/protocol/toView.ts";
import { notice, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

const written: OfferView = {
  offerId: 3,
  revision: 0,
  isBusy: false,
  summaries: [{ index: 0, label: "In place of messages 1–42", text: "The notes.", isEdited: false }],
};

function offerRow(changes: Partial<OfferView> = {}): NoticeRow {
  return notice("A summary of messages 1–42 is ready: 8k → 5k tokens.", {
    rowId: "notice-offer",
    actions: [{ label: "Use it", command: "useSummary" }],
    offer: { ...written, ...changes },
  });
}

const edited = (text: string, revision = 0): Partial<OfferView> => ({
  revision,
  summaries: written.summaries.map((each) => ({ ...each, text, isEdited: true })),
});

describe("webview: an offered summary", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(0, "Hi"), offerRow()]));
  });
  const field = (): Locator => opened.page.getByRole("textbox", { name: "In place of messages 1–42" });
  const press = (name: string): Promise<void> => opened.page.getByRole("button", { name, exact: true }).click();
  const tell = (changes: Partial<OfferView>): Promise<void> =>
    opened.say({ kind: "rowChanged", rowId: "notice-offer", row: offerRow(changes) });

  const expectAsked = async (ask: OfferAction): Promise<void> => {
    await opened.expectPosted({ kind: "offer", offerId: 3 });
    const asked = (await opened.posted()).flatMap((message) => (message.kind === "offer" ? [message.ask] : []));
    assert.deepEqual(asked.at(-1), ask);
  };

  it("can be changed: each change is posted, and the host's answer does not disturb what is typed", async () => {
    await field().waitFor({ state: "detached" });
    await press("Change it first");
    assert.equal(await field().inputValue(), "The notes.");
    await field().fill("My notes");
    await expectAsked({ what: "edit", index: 0, text: "My notes" });
    await field().press("!");
    await tell(edited("My notes"));
    assert.equal(await field().inputValue(), "My notes!");
    await press("Use it");
    await opened.expectPosted({ kind: "command", command: "useSummary" });
  });

  it("shows the new text when it was written anew, and closes while it is", async () => {
    await press("Change it first");
    await press("Write it shorter");
    await expectAsked({ what: "shorter" });
    await tell({ isBusy: true });
    await field().waitFor({ state: "detached" });
    await tell({ revision: 1, summaries: written.summaries.map((each) => ({ ...each, text: "Shorter." })) });
    await field().waitFor();
    assert.equal(await field().inputValue(), "Shorter.");
    await press("Another model…");
    await expectAsked({ what: "otherModel" });
  });

  it("is written first where it is only planned, and then opened; cancelled, it can be written again", async () => {
    const [planned, busy] = [{ summaries: [] }, { summaries: [], isBusy: true }];
    await tell(planned);
    await press("Change it first");
    await expectAsked({ what: "write" });
    await tell(busy);
    await opened.page.getByRole("button", { name: "Change it first" }).waitFor({ state: "detached" });
    assert.equal(await field().count(), 0);
    await tell(planned);
    await press("Change it first");
    assert.equal((await opened.posted()).filter(({ kind }) => kind === "offer").length, 2);
    await tell(busy);
    await tell({ revision: 1 });
    assert.equal(await field().inputValue(), "The notes.");
  });

  it("is left as it is, or the changes are discarded", async () => {
    await press("Change it first");
    await press("Leave it as it is");
    await field().waitFor({ state: "detached" });
    await press("Change it first");
    await tell(edited("Mine."));
    await press("Discard my changes");
    await expectAsked({ what: "revert" });
    await tell({ revision: 1 });
    await opened.page.getByRole("button", { name: "Leave it as it is" }).waitFor();
    assert.equal(await field().inputValue(), "The notes.");
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
  });

  it("shows what was changed before the view was destroyed", async () => {
    await opened.show(view([user(0, "Hi")], { conversationId: "conversation-2" }));
    await opened.show(view([user(0, "Hi"), offerRow(edited("Mine."))]));
    assert.equal(await field().inputValue(), "Mine.");
  });
});
