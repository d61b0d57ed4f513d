import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { markAsNewer } from "../support/storage/newerFile.ts";
import { beginEmpty, composer, messages, newConversation, openExisting, press, seen } from "./support/chat.ts";
import { picture } from "./support/pictures.ts";
import { expectProblem } from "./support/problem.ts";
import { useModelSession } from "./support/modelSession.ts";
import { runCommand } from "./support/workbench.ts";

interface Damage {
  readonly title: string;
  readonly damage: (bytes: Buffer) => Buffer;
  readonly rescued: RegExp;
  /** Messages shown after the rescue, including placeholders of unreadable ones: all 8 or none. */
  readonly messages: 8 | 0;
}
const rescuedSome =
  /^\d messages were rescued\. \d messages? could not be read; (its place says|their places say) so\./;
const waysToDamage: readonly Damage[] = [
  {
    title: "its header is gone",
    damage: (bytes) => bytes.fill(0x5a, 0, 100),
    rescued: /^8 messages were rescued\. None is known to be missing\./,
    messages: 8,
  },
  {
    title: "its first pages are overwritten",
    damage: (bytes) => bytes.fill(0x5a, 100, 20_000),
    // The last answer's pieces may stand on a page that was not overwritten, as the order of the ids decides.
    rescued: /^None of 8 messages could be read\./,
    messages: 0,
  },
  {
    title: "its end is cut off",
    damage: (bytes) => bytes.subarray(0, bytes.length - 30_000),
    rescued: rescuedSome,
    messages: 8,
  },
  { title: "bits of it are flipped", damage: flipBits, rescued: rescuedSome, messages: 8 },
];

describe("a damaged conversation", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("damage", { "forge.provider": "openaiCompatible" });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  const root = (): string => path.join(session.server.globalStorage("forge-chat.forge"), "conversations");

  const talk = (text: string): Promise<void> => session.talk(chat, text);

  /** Writes a conversation of 8 messages, closes it for a new one, and returns its database file. */
  async function finished(title: string): Promise<string> {
    await beginEmpty(page, chat);
    await talk(title);
    for (const number of [1, 2, 3]) await talk(`${title} ${number}${" and so on".repeat(800)}`);
    await newConversation(page, chat);
    const hasTitle = (name: string): boolean => {
      const copy = path.join(root(), name, "meta.json");
      return existsSync(copy) && readFileSync(copy, "utf8").includes(JSON.stringify(title));
    };
    const folder = await until(() => {
      const [only, ...others] = readdirSync(root()).filter(hasTitle);
      return others.length === 0 ? only : undefined;
    });
    assert.ok(folder !== undefined, `one conversation called ${title} was expected`);
    return path.join(root(), folder, "conversation.sqlite");
  }

  for (const { title, damage, rescued, messages: found } of waysToDamage) {
    it(`is left unchanged until the user rescues its readable part: ${title}`, async () => {
      const name = `A talk: ${title}`;
      const kind = title.replaceAll(" ", "-");
      const file = await finished(name);
      const bytes = damage(readFileSync(file));
      writeFileSync(file, bytes);

      await openExisting(page, name);
      await expectProblem(chat, {
        text: "The file of this conversation is damaged. It was not touched. What can be read of it can be rescued into a new file; the damaged one is kept beside it.",
        buttons: ["Rescue what can be read", "Open another", "New conversation"],
      });
      await picture(page, `storage-damaged-${kind}`);
      assert.deepEqual(readFileSync(file), bytes);

      await press(chat, "Rescue what can be read");
      const notice = chat.locator(".row.notice", { hasText: "The damaged file is kept" });
      await notice.waitFor();
      await picture(page, `storage-rescued-${kind}`);
      const words = (await notice.innerText()).trim();
      const kept = path.join(path.dirname(file), "damaged-1.sqlite");
      assert.match(words, rescued);
      assert.ok(words.endsWith(`The damaged file is kept: ${kept}`), words);
      const besides = Number(/ (\d) answers? (?:was|were) found apart/.exec(words)?.[1] ?? 0);
      const isAllShown = await until(async () => (await messages(chat).count()) === found + besides || undefined);
      assert.equal(isAllShown, true, words);
      assert.deepEqual(readFileSync(kept), bytes);
      await talk(`It goes on: ${title}`);
      assert.deepEqual(readFileSync(kept), bytes);
    });
  }

  it("S2 says that messages are missing beside a log of an earlier moment, and rescues all of them", async () => {
    await beginEmpty(page, chat);
    await talk("A talk of two moments");
    const folder = readdirSync(root()).find((name) => {
      const copy = path.join(root(), name, "meta.json");
      return existsSync(copy) && readFileSync(copy, "utf8").includes("A talk of two moments");
    });
    const file = path.join(root(), folder ?? "", "conversation.sqlite");
    const earlierLog = readFileSync(`${file}-wal`);
    for (const number of [1, 2, 3]) await talk(`Later ${number}${" and so on".repeat(800)}`);
    await newConversation(page, chat);
    await until(() => (existsSync(`${file}-wal`) ? undefined : true));
    writeFileSync(`${file}-wal`, earlierLog);
    await openExisting(page, "A talk of two moments");
    await expectProblem(chat, {
      text: "The file of this conversation is damaged. It was not touched. What can be read of it can be rescued into a new file; the damaged one is kept beside it.",
      buttons: ["Rescue what can be read", "Open another", "New conversation"],
    });
    await picture(page, "storage-earlier-log");
    await press(chat, "Rescue what can be read");
    const notice = chat.locator(".row.notice", { hasText: "The damaged file is kept" });
    assert.match((await notice.innerText()).trim(), /^8 messages were rescued\. None is known to be missing\./);
    assert.equal(await messages(chat).count(), 8);
    await picture(page, "storage-earlier-log-rescued");
    await talk("It goes on with both");
  });

  it("is told apart from one of a newer Forge, which can be read but is never changed", async () => {
    const file = await finished("A talk of tomorrow");
    markAsNewer(file);
    const bytes = readFileSync(file);
    await openExisting(page, "A talk of tomorrow");
    await seen(chat, "by a newer Forge. You can read and search it here; update Forge to go on with it.").waitFor();
    assert.equal(await messages(chat).count(), 8);
    await composer(chat).click();
    await page.keyboard.type("Can it be written?");
    assert.equal(await composer(chat).inputValue(), "");
    await chat.getByRole("button", { name: "Send", exact: true, disabled: true }).waitFor();
    await picture(page, "storage-newer");
    await runCommand(page, "Forge: Erase Message for Good…");
    await runCommand(page, "Forge: Summarize Context");
    assert.equal(await messages(chat).count(), 8);
    await press(chat, "New conversation");
    await messages(chat).first().waitFor({ state: "detached" });
    assert.deepEqual(readFileSync(file), bytes);
    await talk("It goes on in another one");
  });
});

/** Flips one bit in every third page with text at that place; flips in free space would damage nothing. */
function flipBits(bytes: Buffer): Buffer {
  let pages = 0;
  for (let at = 5000; at < bytes.length; at += 4096) {
    const hasText = bytes.subarray(at - 16, at + 16).includes("so on");
    if (hasText && pages++ % 3 === 0) bytes[at] = (bytes[at] ?? 0) ^ 1;
  }
  return bytes;
}
