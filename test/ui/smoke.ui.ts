/** The packaged extension in the real workbench with no key, no network and no settings. */

import assert from "node:assert/strict";
import { answer, composer, messages, offline, openChat, send, usageItem } from "./support/chat.ts";
import { picture } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";

describe("Forge as installed", () => {
  const session = useSession({ name: "smoke" });

  it("answers a message offline, says so, and shows its usage", async () => {
    const page = await session.openWindow();
    const chat = await openChat(page, offline);
    await send(chat, "Where were we?");
    await answer(chat);
    assert.deepEqual(
      { user: await messages(chat, "user").count(), assistant: await messages(chat, "assistant").count() },
      { user: 1, assistant: 1 },
    );
    assert.equal(await composer(chat).inputValue(), "");
    assert.match((await usageItem(page).innerText()).trim(), /^[\d.]+k? \/ [\d.]+[kM] \(\d+%\)$/);
    await picture(page, "smoke");
  });
});
