import assert from "node:assert/strict";
import { ContextItems } from "../../../src/host/context/contextItems.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import type { ContextItem } from "../../../src/protocol/contextView.ts";
import { recallHistory } from "../../../src/host/tools/recallHistory.ts";
import { NO_OTHERS } from "../../support/search/otherConversations.ts";
import { settled } from "../../support/clocks.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

const file = { kind: "attachment", label: "src/tides.ts", text: "const zanzibar = 417;\n".repeat(200) } as const;

async function asked() {
  const provider = scriptedProvider(saying("one"), saying("two"));
  const opened = await openSession(provider);
  await opened.session.composer.attachments.add(file);
  await opened.session.send("1", "What is in it?");
  const change = (leftOut: boolean, { messageId = 0, part = 0 } = {}) =>
    opened.session.actions.setExcluded(messageId, part, leftOut);
  return { ...opened, provider, change };
}

async function itemsOf({ session, store }: OpenedSession): Promise<readonly ContextItem[]> {
  const { manager } = session.opened;
  const countTokens = session.tools.countsOf.bind(session.tools);
  return new ContextItems().itemsOf("recent", manager.usage().segments, { manager, store, countTokens });
}

function chips({ rows }: OpenedSession): readonly string[] {
  return rows().flatMap((row) =>
    row.kind === "message"
      ? row.attachments.map(({ label, isExcluded }) => `${label}${isExcluded ? " left out" : ""}`)
      : [],
  );
}

describe("excluding an attachment", () => {
  it("marks it in the chat and the context list, and sends a placeholder line instead", async () => {
    const opened = await asked();
    const { session, provider, change } = opened;
    const used = (): number => session.opened.manager.usage().usedTokens;
    const before = used();
    const [item] = await itemsOf(opened);
    const tokens = item?.attachments[0]?.tokens ?? 0;
    assert.ok(tokens > 1_000 && tokens < (item?.tokens ?? 0));
    await change(true);
    assert.deepEqual(chips(opened), ["src/tides.ts left out"]);
    assert.deepEqual((await itemsOf(opened))[0]?.attachments, [
      { index: 0, label: "src/tides.ts", tokens, isExcluded: true },
    ]);
    assert.ok(used() < before - tokens + 60, "counted at once");
    await session.send("2", "And now?");
    const sent = JSON.stringify(provider.requests[1]);
    assert.ok(sent.includes("The user has taken the attachment"));
    assert.ok(!sent.includes("zanzibar"));
  });

  it("persists when the conversation is reopened, and is undone byte for byte", async () => {
    const first = await asked();
    const before = JSON.stringify(first.disk.records);
    await first.change(true);
    assert.ok(JSON.stringify(first.disk.records).startsWith(before.slice(0, -1)), "nothing that was stored changes");
    const again = await openSession(scriptedProvider(saying("two")), first.disk);
    assert.deepEqual(chips(again), ["src/tides.ts left out"]);
    await again.session.actions.setExcluded(0, 0, false);
    assert.deepEqual(chips(again), ["src/tides.ts"]);
    const prepared = again.session.opened.manager.prepare();
    assert.ok(prepared.kind === "ready");
    const sent = await prepared.context.apiMessages();
    assert.ok(sent.ok);
    assert.deepEqual(sent.value[0]?.parts[0], file);
  });

  it("hides it from the recall tool until it is included again", async () => {
    const { session, store, change } = await asked();
    await session.send("2", "Other things.");
    const { manager } = session.opened;
    const tool = recallHistory(
      {
        id: session.opened.id,
        history: manager.history,
        store,
        sentAs: (id) => manager.sentAs(id),
        isRecalled: (id) => manager.isRecalled(id),
      },
      NO_OTHERS,
    );
    const recalled = async (input: string): Promise<string> =>
      (await tool.run(input, new AbortController().signal)).text;
    assert.match(await recalled('{"query":"zanzibar"}'), /zanzibar/);
    await change(true);
    for (const input of ['{"query":"zanzibar"}', '{"query":"zanzibar what"}', '{"message":1}']) {
      assert.doesNotMatch(await recalled(input), /const zanzibar/, input);
    }
    await change(false);
    assert.match(await recalled('{"message":1}'), /const zanzibar/);
  });

  it("still applies after the question is edited", async () => {
    const { session, provider, change } = await asked();
    await change(true);
    await session.actions.edit(0, "Better?", () => undefined);
    assert.deepEqual(provider.requests[1]?.[0]?.parts, [{ kind: "text", text: "Better?" }]);
  });

  it("does nothing for a missing attachment or while an answer is streaming", async () => {
    const { session, change, disk, banners } = await asked();
    const stored = disk.records.length;
    await change(true, { part: 1 });
    await change(true, { messageId: 9 });
    await change(false);
    assert.equal(disk.records.length, stored);
    const shown: (Banner | null)[] = banners.splice(0);
    assert.equal(shown.filter((banner) => banner?.tone === "error").length, 1);
    const sending = session.send("2", "More?");
    while (session.activity === "idle") await settled();
    await change(true);
    assert.ok(banners.some((banner) => banner?.text.includes("when this answer has ended") === true));
    await sending;
    assert.equal(disk.records.filter(({ kind }) => kind === "leftOut").length, 0);
  });
});
