/** All that Forge has stored is erased, on real files; the editor's question, memory and secrets are made. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ok, type Result } from "../../../../src/core/result.ts";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import type { askToEraseEverything as Erase } from "../../../../src/host/conversations/remove/eraseCommands.ts";
import { changeKeptPlaces } from "../../../../src/host/conversations/import/keptPlaces.ts";
import { Secrets } from "../../../../src/host/editor/secrets.ts";
import { beginAnew, give, optionsOf, withQuestions } from "../../../support/editor/fakeQuestions.ts";
import type { OpenedWindow } from "../../../support/session/openConversations.ts";
import { ask, TestWindows } from "../../../support/session/testWindows.ts";

const QUESTION = "Erase everything that was said in Forge?";
const DONE = "All data of Forge is erased. Its settings are left, among your settings.";
const tool = { tool: "Aider", folder: "/projects", pattern: "**/.aider.chat.history.md" };

describe("erasing all data", function () {
  this.timeout(60_000);
  const windows = new TestWindows();
  let askToEraseEverything: typeof Erase;
  before(async () => {
    ({ askToEraseEverything } = await withQuestions(
      () => import("../../../../src/host/conversations/remove/eraseCommands.ts"),
    ));
  });

  let memory: Map<string, unknown>;
  let stored: Map<string, string>;
  let isDisconnected: boolean;
  beforeEach(() => {
    beginAnew();
    memory = new Map<string, unknown>([
      ["approvals", ["npm test"]],
      ["model", "house-model"],
    ]);
    stored = new Map([
      ["forge.key https://api.example", "house-key"],
      ["forge.unencrypted http://shed", "allowed"],
    ]);
    isDisconnected = false;
  });

  /** Begins in a window with a conversation, one in the trash of its storage, and folders of another tool that are kept. */
  async function begin(): Promise<OpenedWindow & { readonly storage: string }> {
    const opened = await windows.start();
    await ask(opened, "Where is the marigold?");
    const storage = path.dirname(opened.conversations.places.conversations);
    await changeKeptPlaces({ storage }, [tool], [], 0);
    writeFileSync(path.join(storage, "importing", "known"), "1f0c\n");
    mkdirSync(path.join(storage, "importing", "keeping"), { recursive: true });
    return { ...opened, storage };
  }

  function erase({ conversations, storage }: OpenedWindow & { readonly storage: string }): Promise<void> {
    const forget = (): Promise<Result<void, StorageFailed>> => Promise.resolve(ok(undefined));
    const secrets = new Secrets({
      keys: () => Promise.resolve([...stored.keys()]),
      get: (name) => Promise.resolve(stored.get(name)),
      store: (name, value) => Promise.resolve(void stored.set(name, value)),
      delete: (name) => Promise.resolve(void stored.delete(name)),
    });
    return askToEraseEverything(
      conversations,
      { secrets, spending: { forget }, counting: { forget } } as unknown as Parameters<typeof Erase>[1],
      storage,
      {
        isSetUp: false,
        forget: () => {
          isDisconnected = true;
          return forget();
        },
      },
      {
        keys: () => [...memory.keys()],
        update: (key) => Promise.resolve(void memory.delete(key)),
      },
    );
  }

  const left = (storage: string): object => ({
    memory: memory.size,
    secrets: stored.size,
    imports: readdirSync(path.join(storage, "importing")),
    holdsText: textsIn(storage).some((text) => text.includes("marigold")),
    isDisconnected,
  });
  const untouched = {
    memory: 2,
    secrets: 2,
    imports: ["keeping", "kept.json", "known"],
    holdsText: true,
    isDisconnected: false,
  };

  it("names number, size and place, and does nothing when it is cancelled", async () => {
    const opened = await begin();
    const done = erase(opened);
    const { detail } = (await optionsOf(QUESTION)) as { readonly detail: string };
    const size = / has (\d+ kB)\./.exec(detail)?.[1] ?? "";
    assert.equal(
      detail.replace(size, "SIZE"),
      "1 conversation with all its files, and the spending records, are deleted from this disk. " +
        `Forge's folder ${opened.storage} has SIZE. This cannot be undone. Settings stay as they are. ` +
        "What other tools write is no longer kept. “Erase All Data of Forge” also deletes 1 API key in the secret storage, " +
        "your approvals of tools, and what Forge remembers of models and servers.",
    );
    assert.ok(Math.abs(Number.parseInt(size, 10) * 1_000 - bytesIn(opened.storage)) < 50_000, size);
    await give(QUESTION);
    await done;
    assert.deepEqual(left(opened.storage), untouched);
  });

  for (const { answer, expected } of [
    {
      answer: "Erase Conversations",
      expected: { ...untouched, imports: ["keeping"], holdsText: false, isDisconnected: true },
    },
    {
      answer: "Erase All Data of Forge",
      expected: { memory: 0, secrets: 0, imports: ["keeping"], holdsText: false, isDisconnected: true },
    },
  ]) {
    it(`by “${answer}” leaves what it does not name`, async () => {
      const opened = await begin();
      const done = erase(opened);
      await give(QUESTION, answer);
      await done;
      if (answer.includes("All Data")) await give(DONE);
      assert.deepEqual(left(opened.storage), expected);
    });
  }

  it("leaves a conversation that another window has open, and says so", async () => {
    const [opened, other] = [await begin(), await windows.start()];
    const id = await ask(other, "Is the marigold elsewhere?");
    const done = erase(opened);
    await give(QUESTION, "Erase All Data of Forge");
    await done;
    await give("1 conversation could not be erased: it is open in another window. Close it there first.");
    assert.ok(existsSync(path.join(opened.storage, "conversations", id)));
    await ask(other, "Does it go on?");
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

function textsIn(folder: string): readonly string[] {
  return filesIn(folder).map((file) => readFileSync(file, "latin1"));
}

function bytesIn(folder: string): number {
  return filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0);
}
