/** Every word that a user reads can be translated, and is: in each language there are the same texts with the same places. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { projectDirectory } from "../scripts/command.ts";
import { localizedTexts } from "../scripts/l10n/localizedTexts.mjs";
import { pageTable } from "../scripts/l10n/pageTables.mjs";
import {
  languages,
  manifestFile,
  placesIn,
  readTable,
  type Table,
  tableFile,
  textsOfSources,
} from "../scripts/l10n/tables.ts";
import { localize, plural, useTranslations } from "../src/protocol/localize.ts";
import { unlocalizedTexts } from "./support/unlocalized.ts";

/** What is not for the user of Forge, by the beginning of its path. */
const NOT_FOR_USERS: Readonly<Record<string, string>> = {
  "src/host/diagnostics": "read by whoever mends a fault",
  "src/host/instructions.ts": "read by models",
  "src/host/learnedCounting.ts": "goes to the log",
  "src/host/spending.ts": "goes to the log",
  "src/host/tools/": "read by models",
  "src/host/webviewHtml.ts": "a policy for the browser",
  "src/protocol/parse.ts": "goes to the log",
};

/** Texts that are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(["Forge", "Anthropic", "OpenAI", "Ollama", "LM Studio"]);

/** Modules that are still to be gone through. */
const NOT_YET: readonly string[] = [
  "src/host/answerRows.ts",
  "src/host/app.ts",
  "src/host/chatView.ts",
  "src/host/connections.ts",
  "src/host/conversationPicker.ts",
  "src/host/foundServers.ts",
  "src/host/heldConversation.ts",
  "src/host/keyCommands.ts",
  "src/host/listedConversations.ts",
  "src/host/listingItem.ts",
  "src/host/log.ts",
  "src/host/modelPicker.ts",
  "src/host/providerCatalog.ts",
  "src/host/recoveryPicker.ts",
  "src/host/rowWords.ts",
  "src/host/rows.ts",
  "src/host/sessionStatus.ts",
  "src/host/statusBar.ts",
  "src/host/title.ts",
  "src/host/trashPicker.ts",
  "src/host/usageMenu.ts",
  "src/host/userCommands.ts",
  "src/webview/render/toolCalls.tsx",
  "src/webview/words.ts",
];

const read = (file: string): string => readFileSync(path.join(projectDirectory, file), "utf8");

describe("localization", () => {
  const { texts, unreadable } = textsOfSources();

  it("has a table of all texts, as `npm run l10n` writes it", () => {
    assert.deepEqual(unreadable, []);
    assert.deepEqual(Object.keys(readTable(tableFile())).toSorted(), [...texts.keys()].toSorted());
  });

  it("speaks German", () => {
    assert.ok(languages().includes("de"));
  });

  for (const language of languages()) {
    const complete = (title: string, own: Table, translated: Table): void => {
      it(`has ${title} in the language ${language}, whole and with nothing that nobody asks for`, () => {
        assert.deepEqual(Object.keys(translated).toSorted(), Object.keys(own).toSorted());
        const wrong = Object.entries(translated).filter(([key, text]) => !fits(own[key] ?? "", text));
        assert.deepEqual(wrong, []);
      });
    };
    complete("every text", readTable(tableFile()), readTable(tableFile(language)));
    complete("what the manifest says", readTable(manifestFile()), readTable(manifestFile(language)));
  }

  it("leaves no text that a user reads out of the tables", () => {
    const left = globSync("src/{host,webview,protocol}/**/*.{ts,tsx}", { cwd: projectDirectory })
      .filter((file) => !Object.keys(NOT_FOR_USERS).some((beginning) => file.startsWith(beginning)))
      .filter((file) => !NOT_YET.includes(file))
      .flatMap((file) => unlocalizedTexts(read(file), file).map((text) => ({ file, text })))
      .filter(({ text }) => !NAMES.has(text));
    assert.deepEqual(left, []);
  });
});

/** Whether a translation says something, fills the same places, and names the same commands, settings and code. */
function fits(own: string, text: string): boolean {
  const marks = (words: string): readonly string[] =>
    [...placesIn(words), ...(words.match(/\(command:[\w.]+\)|#forge[\w.]+#|\$\([\w~-]+\)/g) ?? [])].toSorted();
  return text.trim() !== "" && marks(own).join() === marks(text).join();
}

describe("localize", () => {
  afterEach(() => {
    useTranslations({});
  });

  it("fills the places of a text, whatever is put there", () => {
    assert.equal(localize("{1} of {0}", 7, "$& {0}"), "$& {0} of 7");
    assert.equal(localize("{0} and {1}", "one"), "one and {1}");
  });
  it("takes the translation where there is one, and its order of places", () => {
    useTranslations({ "{0} of {1}": "von {1} {0}" });
    assert.deepEqual([localize("{0} of {1}", 2, 3), localize("Stop")], ["von 3 2", "Stop"]);
    assert.equal(localize("constructor"), "constructor");
  });
  it("tells one from many", () => {
    const say = (count: number): string => plural(count, "1 file in {1}", "{0} files in {1}", "src");
    assert.deepEqual([say(0), say(1), say(2)], ["0 files in src", "1 file in src", "2 files in src"]);
  });
});

describe("finding what is translated", () => {
  it("reads the texts of both functions, and reports those that it can not read", () => {
    const source = 'localize("A {0}", x); plural(n, "one", `many`, localize("B")); localize(words[0]);';
    assert.deepEqual(localizedTexts(source), {
      texts: ["A {0}", "one", "many", "B"],
      unreadable: ["localize(words[0])"],
    });
  });

  const check = (title: string, source: string, expected: readonly string[]): void => {
    it(`finds ${title}`, () => {
      assert.deepEqual(unlocalizedTexts(source, "planted.tsx"), expected);
    });
  };
  check("a label, a sentence and a template", 'f("Send", "is it so", `${a} of ${b} facts`);', [
    "Send",
    "is it so",
    "{0} of {1} facts",
  ]);
  check("words in an element and in its attribute", '<p title="Go on">Not yet</p>;', ["Go on", "Not yet"]);
  check("words inside a template's place", "f(`${a ? `${b} days ago` : c}-${d}`);", ["{0} days ago"]);
  check("nothing in what is translated", 'localize("Send it"); plural(n, "1 file", "{0} files");', []);
  check(
    "nothing in names, ids, logs and comparisons",
    'if (a === "In use") log.info("went well"); f({ kind: "Send" });',
    [],
  );
});

describe("the page's table", () => {
  it("has the texts that the page uses, and no others", () => {
    const script = pageTable({ Send: "Senden", Log: "Protokoll" }, new Set(["Send", "Stop"]));
    assert.deepEqual(evaluated(script), { Send: "Senden" });
  });
  it("is a script that nothing in a text can end or change", () => {
    const hostile = {
      "</script>": '"; trap(); "',
      "\\": "`${trap()}`\u2028\n'",
      __proto__x: "</script><script>trap()//",
    };
    assert.deepEqual(evaluated(pageTable(hostile, new Set(Object.keys(hostile)))), hostile);
  });
});

function evaluated(script: string): unknown {
  const json: unknown = vm.runInNewContext(`${script};JSON.stringify(forgeTranslations)`);
  return JSON.parse(String(json));
}
