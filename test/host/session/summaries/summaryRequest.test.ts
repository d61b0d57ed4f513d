/** The request for a summary, as shown, beside the one that is sent. */

import assert from "node:assert/strict";
import { textOf } from "../../../../src/core/message.ts";
import type { Provider } from "../../../../src/core/stream/provider.ts";
import { summaryId } from "../../../../src/core/ids.ts";
import type { Banner } from "../../../../src/protocol/toView.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";
import { whenTrue } from "../../../support/whenTrue.ts";
import { openSummarized, type HeldModel, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

interface Token {
  readonly onCancellationRequested: (listener: () => void) => void;
}

/** Progress shown so far: its title, and its Cancel. */
const progress: { readonly title: string; readonly cancel: () => void }[] = [];

function withProgress({ title }: { readonly title: string }, work: (report: object, token: Token) => unknown): unknown {
  let listener = (): void => undefined;
  progress.push({ title, cancel: () => listener() });
  return work({}, { onCancellationRequested: (added) => (listener = added) });
}

const { handleSummaryAction } = await withEditorModule(
  "summaryRequest",
  { window: { withProgress }, ProgressLocation: { Notification: 15 } },
  () => import("../../../../src/host/chat/summaryActions.ts"),
);

/** Texts of the requests that reach the model for a summary: instructions, then messages. */
function requestsOf(model: HeldModel): string[][] {
  const requests: string[][] = [];
  const stream = model.stream.bind(model);
  const kept = async function* (...args: Parameters<Provider["stream"]>): ReturnType<HeldModel["stream"]> {
    const [prepared, { purpose }] = args;
    const messages = await prepared.apiMessages();
    if (purpose === "summary" && messages.ok) requests.push([prepared.systemPrompt, ...messages.value.map(textOf)]);
    yield* stream(...args);
  };
  Object.assign(model, { stream: kept });
  return requests;
}

/** Asks for the request; returns the documents and the banners that are shown for it. */
async function askedFor({ session }: SummarizedSession): Promise<{ shown: readonly string[]; banners: Banner[] }> {
  const shown: string[] = [];
  const banners: Banner[] = [];
  const documents = {
    compare: () => assert.fail("nothing is compared"),
    show: ({ text }: { readonly text: string }) => Promise.resolve(void shown.push(text)),
  };
  const place = { showBanner: (banner: Banner) => void banners.push(banner), dropNote: () => undefined };
  const ask = { what: "request" } as const;
  await handleSummaryAction(session, { summaryId: 0, ask }, documents, place, { post: () => undefined });
  return { shown, banners };
}

async function shownRequest(opened: SummarizedSession): Promise<string> {
  const { shown, banners } = await askedFor(opened);
  assert.deepEqual([shown.length, banners], [1, []]);
  return shown[0] ?? "";
}

async function summarized(): Promise<SummarizedSession> {
  const opened = await openSummarized();
  await opened.fill(80);
  await opened.rest();
  assert.equal(opened.activeSummaries(), 1);
  return opened;
}

describe("request of a summary", () => {
  it("is shown as it is sent when the summary is written again, and showing it sends and stores nothing", async () => {
    const opened = await summarized();
    const { session, model } = opened;
    const requests = requestsOf(model);
    const { revision } = session.opened.manager;
    const shown = await shownRequest(opened);
    assert.deepEqual([requests, session.opened.manager.revision, opened.activeSummaries()], [[], revision, 1]);
    const again = await session.summaries.summarizeNow({ regenerate: { id: summaryId(0) } });
    assert.ok(again.ok && again.value !== undefined);
    const [[instructions = "", ...messages] = []] = requests;
    assert.ok(messages.length > 0);
    const sent = [
      `# Instructions`,
      instructions,
      ...messages.flatMap((text, index) => [`# Message ${index + 1}`, text]),
    ];
    assert.equal(shown.slice(shown.indexOf("# Instructions")), sent.join("\n\n"));
  });

  it("shows progress where reading takes long, and its Cancel shows nothing", async () => {
    const opened = await summarized();
    const { store } = opened.session.opened;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const readMessages = store.readMessages.bind(store);
    Object.assign(store, {
      readMessages: (ids: Parameters<typeof readMessages>[0]) => held.then(() => readMessages(ids)),
    });
    const asked = askedFor(opened);
    await whenTrue(() => progress.length > 0);
    assert.deepEqual(
      progress.map(({ title }) => title),
      ["Reading the request for this summary"],
    );
    progress[0]?.cancel();
    goOn();
    assert.deepEqual(await asked, { shown: [], banners: [] });
  });

  it("says that Forge wrote a summary itself", async () => {
    const opened = await openSummarized();
    opened.model.notes = "";
    await opened.fill(80);
    await opened.rest();
    const shown = await shownRequest(opened);
    assert.match(shown, /^Forge wrote this summary itself, from the messages, without a model\.\n\nThis is how /);
  });
});
