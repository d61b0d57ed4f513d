import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import type { exportConversation } from "../../../../src/host/conversations/transfer/transferCommands.ts";
import { exportToFile } from "../../../../src/host/conversations/transfer/exportToFile.ts";
import type { Session } from "../../../../src/host/session/session.ts";
import { beginAnew, give, happened, optionsOf, take, withQuestions } from "../../../support/editor/fakeQuestions.ts";
import { openSession } from "../../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

const FORM = "Forge: Export Conversation";
const FILE = "Export Conversation";
const EVERYTHING = ["Complete, can be imported again", ["json"]] as const;
const MARKDOWN = ["Markdown, to be read", ["md"]] as const;
const ANTHROPIC = ["Messages in the form of Anthropic's API", ["json"]] as const;
const OPENAI = ["Messages in the form of OpenAI's API", ["json"]] as const;

describe("exportConversation", () => {
  let exporting: typeof exportConversation;
  let session: Session;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    ({ exportConversation: exporting } = await withQuestions(
      () => import("../../../../src/host/conversations/transfer/transferCommands.ts"),
    ));
    folder = temporaryFolder();
    ({ session } = await openSession(scriptedProvider(saying("At noon."))));
    await session.send("1", "When is high water?");
    await session.shutDown();
  });
  after(() => {
    folder.remove();
  });
  beforeEach(beginAnew);

  const presenter = { showBanner: () => happened.push("banner") };
  const keyboard = { afterPrompt: () => void happened.push("keyboard"), focusComposer: () => undefined };

  for (const [form, filters, proposed, typed, begins] of [
    [EVERYTHING, [EVERYTHING, MARKDOWN], "when-is-high-water.forge.json", "talk.forge.json", /^\{"version":1,/],
    [MARKDOWN, [MARKDOWN, EVERYTHING], "when-is-high-water.md", "talk.md", /^# When is high water/],
    [EVERYTHING, [EVERYTHING, MARKDOWN], "when-is-high-water.forge.json", "other.md", /^# When is high water/],
    [MARKDOWN, [MARKDOWN, EVERYTHING], "when-is-high-water.md", "other.json", /^\{"version":1,/],
    [EVERYTHING, [EVERYTHING, MARKDOWN], "when-is-high-water.forge.json", "no ending", /^\{"version":1,/],
    [MARKDOWN, [MARKDOWN, EVERYTHING], "when-is-high-water.md", "of 3.2", /^# When is high water/],
    [ANTHROPIC, [ANTHROPIC, MARKDOWN], "when-is-high-water.anthropic.json", "talk.json", /^\{"model":.*"max_tokens":/],
    [ANTHROPIC, [ANTHROPIC, MARKDOWN], "when-is-high-water.anthropic.json", "no ending", /^\{"model":.*"max_tokens":/],
    [OPENAI, [OPENAI, MARKDOWN], "when-is-high-water.openai.json", "chat.json", /^\{"model":"[^"]+","messages":\[/],
    [OPENAI, [OPENAI, MARKDOWN], "when-is-high-water.openai.json", "chat.md", /^# When is high water/],
  ] as const) {
    it(`"${form[0]}" proposes its extension; ${typed} is written in the format of its own extension if that is known`, async () => {
      const done = exporting(session, presenter, keyboard);
      await take(FORM, form[0]);
      const { filters: given, defaultUri } = (await optionsOf(FILE)) as {
        readonly filters: object;
        readonly defaultUri: unknown;
      };
      assert.deepEqual([Object.entries(given), defaultUri], [filters, { fsPath: `/shop/${proposed}` }]);
      const file = path.join(folder.path, typed);
      await give(FILE, { fsPath: file });
      await done;
      assert.match(readFileSync(file, "utf8"), begins);
    });
  }

  it("S13 shows raw escape sequences of a conversation in its Markdown, and keeps them in the complete form", async () => {
    const raw = "\u001b]8;;http://x\u0007here\u009b8m\u202e!";
    const opened = await openSession(scriptedProvider(saying(raw)));
    await opened.session.send("1", "q");
    const text = async (name: string): Promise<string> => {
      const target = path.join(folder.path, name);
      await exportToFile(target, opened.session.opened, { cancel: new AbortController().signal });
      return readFileSync(target, "utf8");
    };
    assert.match(await text("raw.md"), /\n\[U\+001B\]\]8;;http:\/\/x\[U\+0007\]here\[U\+009B\]8m\[U\+202E\]!\n/);
    assert.ok((await text("raw.forge.json")).includes(JSON.stringify(raw)));
    await opened.session.shutDown();
  });

  it("requests no file when the format question is dismissed", async () => {
    const done = exporting(session, presenter, keyboard);
    await give(FORM);
    await done;
    assert.deepEqual(happened, [`asked ${FORM}`, `closed ${FORM}`, "keyboard"]);
  });
});
