import assert from "node:assert/strict";
import type { StatusBar, StatusBarContent } from "../../../src/host/editor/statusBar.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

class Item {
  text = "";
  command = "";
  accessibilityInformation = { label: "" };
  tooltip = { lines: [] as string[] };
  show = (): void => undefined;
  hide = (): void => undefined;
  dispose = (): void => undefined;
}

class Lines {
  readonly lines: string[] = [];
  appendMarkdown(): this {
    return this;
  }
  appendText(text: string): this {
    this.lines.push(text);
    return this;
  }
}

describe("StatusBar", () => {
  let Bar: typeof StatusBar;
  let items: Item[] = [];
  before(async () => {
    const editor = {
      window: { createStatusBarItem: () => items[items.push(new Item()) - 1] },
      StatusBarAlignment: { Right: 2 },
      ThemeColor: Object,
      MarkdownString: Lines,
    };
    ({ StatusBar: Bar } = await withEditorModule(
      "statusBar",
      editor,
      () => import("../../../src/host/editor/statusBar.ts"),
    ));
  });

  const usage: StatusBarContent = { text: "2k / 10k (20%)", severity: 0, details: ["Messages 2k"] };
  const elsewhere = "“Tidy” is waiting for you in the window “shop”.";
  const cases = [
    {
      name: "nothing while nothing waits",
      content: usage,
      sentences: [],
      expected: ["$(color-mode) 2k / 10k (20%)", "forge.showContext", "Forge context 2k / 10k (20%)", ["Messages 2k"]],
    },
    {
      name: "a running summary",
      content: { ...usage, note: "Summarized: 5k → 2k", progress: { percent: 45, partsDone: 0, parts: 1 } },
      sentences: [],
      expected: [
        "$(sync~spin) 2k / 10k (20%) · Summarizing 45%",
        "forge.showContext",
        "Forge context 2k / 10k (20%)",
        ["Messages 2k"],
      ],
    },
    {
      name: "the parts of a running summary that are done",
      content: { ...usage, progress: { percent: 45, partsDone: 2, parts: 5 } },
      sentences: [],
      expected: [
        "$(sync~spin) 2k / 10k (20%) · Summarizing 45%, 2 of 5 parts",
        "forge.showContext",
        "Forge context 2k / 10k (20%)",
        ["Messages 2k"],
      ],
    },
    {
      name: "a question of this window first",
      content: { ...usage, waiting: 1, note: "Summarized: 5k → 2k" },
      sentences: [elsewhere],
      expected: [
        "$(question) 2k / 10k (20%) · Waiting for you",
        "forge.showQuestion",
        "Forge context 2k / 10k (20%), Waiting for you",
        ["A question is waiting for you. Click to show it.", elsewhere, "Messages 2k"],
      ],
    },
    {
      name: "a question of another window",
      content: usage,
      sentences: [elsewhere],
      expected: [
        "$(question) 2k / 10k (20%) · Waiting for you in another window",
        "forge.showQuestion",
        "Forge context 2k / 10k (20%), Waiting for you in another window",
        [elsewhere, "Messages 2k"],
      ],
    },
    {
      name: "a question of another window where no conversation is open",
      content: { text: undefined, severity: 0, details: [] },
      sentences: [elsewhere],
      expected: [
        "$(question) Forge · Waiting for you in another window",
        "forge.showQuestion",
        "Forge, Waiting for you in another window",
        [elsewhere],
      ],
    },
  ] as const;
  for (const { name, content, sentences, expected } of cases)
    it(`E:waiting tells ${name}`, () => {
      items = [];
      const bar = new Bar();
      const seen = (): unknown => {
        const [{ text, command, accessibilityInformation, tooltip } = new Item()] = items;
        return [text, command, accessibilityInformation.label, tooltip.lines];
      };
      bar.show(content);
      bar.showElsewhere(sentences);
      assert.deepEqual(seen(), expected);
      bar.show(content);
      assert.deepEqual(seen(), expected, "whichever comes last");
      bar.dispose();
    });
});
