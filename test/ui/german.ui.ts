/** Forge in a German workbench: no text with a translation stays English. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import words from "../../l10n/bundle.l10n.de.json" with { type: "json" };
import { answer, messages, openView, press, seen } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { closePicker, entries, pick, quickInput, runCommand } from "./support/workbench.ts";

const composer = 'textarea[aria-label="Nachricht an Forge"]';
const translated = new Map(Object.entries(words).filter(([english, german]) => english !== german));

describe("Forge in German", () => {
  let page: Page;
  let chat: Frame;

  const models = [{ id: "house-model", contextWindow: 32_000, maxOutput: 8_000 }];
  const session = useModelSession("german", { "forge.model": "house-model" }, { models, language: "de" });
  before(async () => {
    page = await session.openWindow();
    chat = await openView(page, composer);
    await chat.getByRole("button", { name: "Modell: house-model. Modell wechseln" }).waitFor();
  });

  /** Visible English texts in `place` that have a German translation. */
  const english = async (place: Frame | Page, selector: string): Promise<readonly string[]> => {
    const shown = await place
      .locator(selector)
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .flatMap((element) => [
            ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
            ...[...element.childNodes].flatMap((node) =>
              node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ""] : [],
            ),
          ]),
      );
    return shown.map((text) => text.trim()).filter((text) => translated.has(text));
  };
  const inPicker = (): Promise<readonly string[]> => english(page, ".quick-input-widget *");

  it("shows the empty chat in German", async () => {
    await seen(chat, "Die ganze Unterhaltung, bewahrt.").waitFor();
    assert.equal(await chat.locator("html").getAttribute("lang"), "de");
    assert.deepEqual(await english(chat, "body *"), []);
    await picture(page, "german-empty");
  });

  it("shows everything around an answer in German", async () => {
    session.models.script({ answer: { text: "Gern.", usage: { inputTokens: 2_000, outputTokens: 3 } } });
    await chat.locator(composer).fill("Wo waren wir?");
    await press(chat, "Senden");
    await messages(chat, "user").first().waitFor();
    assert.match(await answer(chat), /Gern\./);
    assert.deepEqual(await english(chat, "body *"), []);
    await picture(page, "german-answer");
  });

  it("shows a service's error in German", async () => {
    session.models.script({ match: "kaputt", fault: { kind: "status", status: 401 } });
    await chat.locator(composer).fill("Ist das kaputt?");
    await press(chat, "Senden");
    await chat.getByText("hat den Schlüssel abgelehnt. Es ging nichts verloren.").first().waitFor();
    await chat.getByRole("button", { name: "Schlüssel ersetzen" }).waitFor();
    assert.deepEqual(await english(chat, "body *"), []);
    await picture(page, "german-refused");
  });

  it("shows its menu and its pickers in German", async () => {
    await runCommand(page, "Forge: Kontext anzeigen");
    await chat.getByRole("button", { name: "Jetzt zusammenfassen" }).waitFor();
    assert.deepEqual(await english(chat, "body *"), []);
    await picture(page, "german-context");
    await press(chat, "Modell, Strategie, Tools…");
    await entries(page, "Strategie").first().waitFor();
    assert.deepEqual(await inPicker(), []);
    await picture(page, "german-menu");
    await pick(page, "Strategie");
    await entries(page, "Schwelle").waitFor();
    assert.deepEqual(await inPicker(), []);
    await closePicker(page);
    for (const [command, placeholder, name] of [
      ["Forge: Unterhaltung öffnen", "Titel und alles Gesagte durchsuchen", "german-conversations"],
      ["Forge: Modell wechseln", "Ein Modell für diese Unterhaltung", "german-models"],
      ["Forge: Tools auswählen", "Was nicht ausgewählt ist, wird dem Modell nicht angeboten", "german-tools"],
    ] as const) {
      await runCommand(page, command);
      await quickInput(page).getByPlaceholder(placeholder).waitFor();
      await entries(page, /./).nth(1).waitFor();
      assert.deepEqual(await inPicker(), []);
      await picture(page, name);
      await closePicker(page);
    }
  });

  it("shows its settings in German", async () => {
    await runCommand(page, "Preferences: Open Settings (UI)");
    await page.locator(".settings-editor .suggest-input-container").click();
    await page.keyboard.type("@ext:forge-chat.forge");
    await page.getByText("Woher Antworten kommen. Eine Änderung wirkt sofort.").first().waitFor();
    await picture(page, "german-settings");
  });
});
