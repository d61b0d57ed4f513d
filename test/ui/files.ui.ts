import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { answer, composer, messages, press, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { closePicker, nameFile, pick, quickInput, runCommand } from "./support/workbench.ts";

const EXPORT = "Export Conversation";
const EVERYTHING = "Complete, can be imported again";
const IMPORT = "Import Conversations";
/** Not writable by any user, not even root. */
const CLOSED_FOLDER = "/sys";

describe("export and import", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("files", { "forge.provider": "openaiCompatible" });
  before(async () => {
    ({ page, chat } = await session.openChat());
    await session.talk(chat, "The tide is out");
  });

  const at = (name: string): string => path.join(session.server.workspace, name);
  const importFile = async (name: string): Promise<void> => {
    await runCommand(page, `Forge: ${IMPORT}…`);
    await pick(page, "Choose a file…");
    await nameFile(page, IMPORT, at(name));
  };
  const banner = (text: string | RegExp): Locator => chat.locator(".banner", { hasText: text });

  it("says that an export cannot write to a folder, and offers to export elsewhere", async () => {
    await runCommand(page, `Forge: ${EXPORT}`);
    await pick(page, EVERYTHING);
    await nameFile(page, EXPORT, path.join(CLOSED_FOLDER, "talk.forge.json"));
    const refused = banner(/talk\.forge\.json.*The conversation is safe where it is\./);
    assert.match(await refused.innerText(), /has no permission to write to|can only be read/);
    await picture(page, "files-export-refused");
    await press(chat, "Export elsewhere");
    await pick(page, EVERYTHING);
    await nameFile(page, EXPORT, at("talk.forge.json"));
    await banner(`Exported 2 messages to ${at("talk.forge.json")}`).waitFor();
    await refused.waitFor({ state: "detached" });
  });

  it("exports a request in the form of an API, with the words of both", async () => {
    await runCommand(page, `Forge: ${EXPORT}`);
    const form = "Messages in the form of Anthropic's API";
    await page.locator(".quick-input-list .monaco-list-row", { hasText: form }).waitFor();
    await picture(page, "files-export-forms");
    await pick(page, form);
    await nameFile(page, EXPORT, at("talk.anthropic.json"));
    await banner(`Exported 2 messages to ${at("talk.anthropic.json")}`).waitFor();
    const request = JSON.parse(readFileSync(at("talk.anthropic.json"), "utf8")) as {
      readonly messages: readonly object[];
    };
    assert.deepEqual(request.messages[0], { role: "user", content: [{ type: "text", text: "The tide is out" }] });
    assert.equal(request.messages.length, 3);
  });

  it("names a file that cannot be imported, and keeps the open conversation and the draft", async () => {
    const whole = readFileSync(at("talk.forge.json"), "utf8");
    const files: readonly (readonly [string, string | Buffer, string])[] = [
      ["picture.json", Buffer.from("89504e470d0a1a0a0000000d", "hex"), "picture.json is not JSON, or a part"],
      ["empty.json", "", "empty.json is empty."],
      ["cut.json", whole.slice(0, -20), "cut.json is not JSON, or a part of it is missing."],
      [
        "other.json",
        '{"hello":1}',
        "other.json is not a conversation of Forge, or of another tool that Forge can read.",
      ],
      ["pi.jsonl", '{"type":"session","id":"a","cwd":"/shop"}', "pi.jsonl is a pi session."],
    ];
    await composer(chat).fill("half a thought");
    for (const [name, content, words] of files) {
      writeFileSync(at(name), content);
      await importFile(name);
      await banner(words).getByText("Nothing was changed.").waitFor();
    }
    await picture(page, "files-import-refused");
    assert.equal(await composer(chat).inputValue(), "half a thought");
    assert.equal(await messages(chat).count(), 2);
    await press(chat, "Close this message");
    await banner("Nothing was changed.").waitFor({ state: "detached" });
    await composer(chat).fill("");
  });

  it("imports a damaged session with branches: the live one is shown, the other a click away, the damage told", async () => {
    const line = (uuid: number, parent: number, role: string, text: string): string =>
      JSON.stringify({
        type: role,
        uuid: String(uuid),
        parentUuid: parent === 0 ? null : String(parent),
        message: { role, ...(role === "user" ? {} : { id: `m${uuid}` }), content: [{ type: "text", text }] },
      });
    const lines = [
      line(1, 0, "user", "When is high water?"),
      line(2, 1, "assistant", "At noon."),
      line(3, 2, "user", "And low water, abandoned?"),
      line(4, 3, "assistant", "At six."),
      line(9, 4, "user", "lost").slice(0, -9),
      line(5, 2, "user", "And low water, really?"),
      line(6, 5, "assistant", "At seven."),
    ];
    writeFileSync(at("damaged.jsonl"), lines.join("\n"));
    await importFile("damaged.jsonl");
    await chat.getByText("1 damaged line of the imported file could not be read: line 5.").waitFor();
    assert.match((await messages(chat).allInnerTexts()).join("|"), /high water\?.*At noon\..*really\?.*At seven\./s);
    assert.equal(await messages(chat).count(), 4);
    await picture(page, "files-import-damaged");
    await press(chat, "Earlier version");
    await messages(chat).getByText("And low water, abandoned?").waitFor();
    await messages(chat).getByText("At six.").waitFor();
    assert.equal(await messages(chat).count(), 4);
  });

  it("offers to choose another file when one cannot be imported", async () => {
    await importFile("empty.json");
    await press(chat, "Choose another file");
    await pick(page, "Choose a file…");
    await nameFile(page, IMPORT, at("talk.forge.json"));
    await runCommand(page, "Forge: Open Conversation");
    await quickInput(page).getByText("The tide is out").nth(1).waitFor();
    await closePicker(page);
    await send(chat, "Go on");
    await answer(chat);
    assert.equal(await messages(chat).count(), 4);
  });
});
