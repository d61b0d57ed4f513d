/** Every text that a user reads is in the tables, and each language has the same texts with the same placeholders. */

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
import { localize, plural, setTranslations } from "../src/protocol/localize.ts";
import { filesLoadedWith, readsWordsAtLoad } from "./support/texts/loadedWords.ts";
import { hasLetters, isTitleOfCall, unlocalizedTexts } from "./support/texts/unlocalized.ts";

/** Path prefixes of sources whose texts users do not read, with the reason. */
const NOT_FOR_USERS: Readonly<Record<string, string>> = {
  "src/host/editorChat/questionText.ts": "read by models",
  "src/host/editorChat/recallForExtensions.ts": "read by models, but for its question",
  "src/host/commands/diagnostics": "read by whoever mends a fault",
  "src/host/connections/systemPrompt.ts": "read by models",
  "src/host/conversations/import/toolPlaces.ts":
    "names of tools and of folders; the list words those that are no names",
  "src/host/connections/calibrationFile.ts": "goes to the log",
  "src/host/notebooks/": "read by models",
  "src/host/session/summaries/compactionProgress.ts": "goes to the log",
  "src/host/ruleFiles/ruleText.ts": "read by models",
  "src/host/connections/spendingTracker.ts": "goes to the log",
  "src/host/replica/commands/bucketPolicy.ts": "read by object stores",
  "src/host/replica/containers/devcontainerMount.ts": "read by tools for containers",
  "src/host/tools/": "read by models",
  "src/host/view/webviewHtml.ts": "a policy for the browser",
  "src/protocol/parse.ts": "goes to the log",
  "src/webview/answer/math/": "the names of TeX and of MathML, the same in every language",
};

/** Strings that look like text but need no translation, with the reason. */
const NO_WORDS: Readonly<Record<string, string>> = {
  Forge: "a name",
  "Forge: {0}": "a name, and what is named",
  Anthropic: "a name",
  OpenAI: "a name",
  Ollama: "a name",
  "LM Studio": "a name",
  "{0} ms": "a unit",
  'src/host/code/shellText.ts: exec "$0"': "read by a shell",
  "src/host/conversations/import/importList.ts: keep {0}": "names a line of the list, and is not shown",
  "src/host/conversations/import/keeping.ts: kept {0} new, {1} grown, {2} in use, {3} failed": "goes to the log",
  "src/host/editorChat/editorChat.ts: , cell {0}": "read by models",
  "src/host/mentions/mentionContent.ts: Problems": "a stored label, which models read",
  "src/host/mentions/mentionContent.ts: Git diff": "a stored label, which models read",
  "src/host/mentions/terminalContent.ts: Terminal": "a stored label, which models read",
  "src/host/mentions/mentionContent.ts: Folder {0}": "a stored label, which models read",
  "src/host/mentions/mentionContent.ts: Selection {0}": "a stored label, which models read",
  "src/host/mentions/mentionContent.ts: Symbol {0}": "a stored label, which models read",
  'src/host/mentions/terminalContent.ts: What is selected in the terminal "{0}"': "read by models",
  'src/host/mentions/terminalContent.ts: What the terminal "{0}" shows': "read by models",
  "src/host/mentions/terminalContent.ts: {0} earlier lines are left out.": "read by models",
  "src/host/replica/replicaThread.ts: the thread ended with code {0}": "goes to the log",
  "src/host/checkpoints/commandThread.ts: the thread ended with code {0}": "goes to the log and to the model",
  "src/host/replica/replicaThread.ts: the thread that replicates ended": "goes to the log",
  "Earlier version.md": "the name of a file",
  "Summary request.md": "the name of a file",
  "button quiet": "classes of a button",
  "goes-on is-continued": "classes of a row",
  "diff-line added": "classes of a line",
  "diff-line removed": "classes of a line",
  "diff-line muted": "classes of a line",
};

const read = (file: string): string => readFileSync(path.join(projectDirectory, file), "utf8");

describe("localization", () => {
  const { texts, unreadable } = textsOfSources();

  it("has a table of all texts, as `npm run l10n` writes it", () => {
    assert.deepEqual(unreadable, []);
    assert.deepEqual(Object.keys(readTable(tableFile())).toSorted(), [...texts.keys()].toSorted());
  });

  it("includes German", () => {
    assert.ok(languages().includes("de"));
  });

  for (const language of languages()) {
    const complete = (title: string, own: Table, translated: Table): void => {
      it(`has ${title} in the language ${language}, complete and without unused entries`, () => {
        assert.deepEqual(Object.keys(translated).toSorted(), Object.keys(own).toSorted());
        const wrong = Object.entries(translated).filter(([key, text]) => !fits(own[key] ?? "", text));
        assert.deepEqual(wrong, []);
      });
    };
    complete("every text", readTable(tableFile()), readTable(tableFile(language)));
    complete("every manifest text", readTable(manifestFile()), readTable(manifestFile(language)));
  }

  it("has every text that a user reads in the tables", () => {
    const left = globSync("src/{host,webview,protocol}/**/*.{ts,tsx}", { cwd: projectDirectory })
      .filter((file) => !Object.keys(NOT_FOR_USERS).some((beginning) => file.startsWith(beginning)))
      .flatMap((file) => unlocalizedTexts(read(file), file).map((text) => ({ file, text })))
      .filter(({ file, text }) => !Object.hasOwn(NO_WORDS, text) && !Object.hasOwn(NO_WORDS, `${file}: ${text}`));
    assert.deepEqual(left, []);
  });

  it("has every word of the page in the tables, however short", () => {
    const files = globSync("src/webview/words/*{W,w}ords.ts", { cwd: projectDirectory });
    const left = files.flatMap((file) => unlocalizedTexts(read(file), file, { isText: hasLetters }));
    assert.deepEqual(left, []);
  });

  it("has every tool message for users in the tables", () => {
    const left = globSync("src/host/{tools/**/*,editorChat/recallForOthers}.ts", { cwd: projectDirectory }).flatMap(
      (file) => unlocalizedTexts(read(file), file, { within: isTitleOfCall }).map((text) => ({ file, text })),
    );
    assert.deepEqual(left, []);
  });

  it("is set before any module reads its words while it is loaded", () => {
    const atOnce = filesLoadedWith("src/extension.ts");
    assert.ok(atOnce.includes("src/host/compose.ts"));
    assert.deepEqual(
      atOnce.filter((file) => readsWordsAtLoad(read(file))),
      [],
    );
    assert.match(read("src/webview/main.tsx"), /^(?:\/\*\*.*\*\/\n)import ".\/words\/translations.ts";\n/);
  });
});

/** Whether a translation is not blank and has the same placeholders, commands, settings and icons as the original. */
function fits(own: string, text: string): boolean {
  const marks = (words: string): readonly string[] =>
    [...placesIn(words), ...(words.match(/\(command:[\w.]+\)|#forge[\w.]+#|\$\([\w~-]+\)/g) ?? [])].toSorted();
  return text.trim() !== "" && marks(own).join() === marks(text).join();
}

describe("localize", () => {
  afterEach(() => {
    setTranslations({});
  });

  it("fills the placeholders of a text literally, whatever the values contain", () => {
    assert.equal(localize("{1} of {0}", 7, "$& {0}"), "$& {0} of 7");
    assert.equal(localize("{0} and {1}", "one"), "one and {1}");
  });
  it("uses an available translation and its placeholder order", () => {
    setTranslations({ "{0} of {1}": "von {1} {0}" });
    assert.deepEqual([localize("{0} of {1}", 2, 3), localize("Stop")], ["von 3 2", "Stop"]);
    assert.equal(localize("constructor"), "constructor");
  });
  it("selects the singular or plural text", () => {
    const say = (count: number): string => plural(count, "1 file in {1}", "{0} files in {1}", "src");
    assert.deepEqual([say(0), say(1), say(2)], ["0 files in src", "1 file in src", "2 files in src"]);
  });
});

describe("search for localized and unlocalized texts", () => {
  it("extracts the texts of localize and plural, and reports unreadable calls", () => {
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
  check("words in an element and its attribute", '<p title="Go on">Not yet</p>;', ["Go on", "Not yet"]);
  check("words nested in a template placeholder", "f(`${a ? `${b} days ago` : c}-${d}`);", ["{0} days ago"]);
  check("nothing in localized texts", 'localize("Send it"); plural(n, "1 file", "{0} files");', []);
  check(
    "nothing in names, ids, logs and comparisons",
    'if (a === "In use") log.info("went well"); f({ kind: "Send" });',
    [],
  );
});

describe("search for texts read at module load", () => {
  const check = (title: string, source: string, expected: boolean): void => {
    it(title, () => {
      assert.equal(readsWordsAtLoad(source), expected);
    });
  };
  check("finds a constant", 'const STOP = { label: localize("Stop") };', true);
  check("finds a static field", 'class Words { static readonly stop = localize("Stop"); }', true);
  check("ignores functions and methods", 'const f = () => localize("Stop"); class W { g() { return f(); } }', false);
});

describe("translation table of the page", () => {
  it("has exactly the texts that the page uses", () => {
    const script = pageTable({ Send: "Senden", Log: "Protokoll" }, new Set(["Send", "Stop"]));
    assert.deepEqual(evaluated(script), { Send: "Senden" });
  });
  it("is a script that no text can end or alter", () => {
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
