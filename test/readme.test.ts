import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { STRATEGY_PARAMETER_NAMES } from "../src/core/context/strategyParameters.ts";
import { packagedReadme } from "../scripts/packagedReadme.ts";
import words from "../package.nls.json" with { type: "json" };

const project = path.resolve(import.meta.dirname, "..");
const readme = readFileSync(path.join(project, "README.md"), "utf8");

/** The text below a level 2 heading, up to the next one. */
function section(heading: string, page = readme): string {
  const after = page.split(`\n## ${heading}\n`)[1];
  assert.ok(after !== undefined, `the page has no part "${heading}"`);
  return after.split("\n## ")[0] ?? "";
}

/** The cells of the table in `text`, without its header. */
function rows(text: string): readonly (readonly string[])[] {
  const tables = text.split(/\n(?!\|)/).map((lines) => lines.split("\n").filter((line) => line.startsWith("|")));
  return tables.flatMap((lines) =>
    lines.slice(2).map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  );
}

/** The addresses of all links and pictures. */
function addresses(): readonly string[] {
  const found = readme.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g);
  return Array.from(found, ([, link = "", picture = ""]) => link || picture);
}

describe("README", () => {
  it("lists every setting with its default, in the order of the settings", () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries<{ readonly default: unknown }>(properties),
    );
    const expected = settings.map(([name, { default: value }]) => [`\`${name}\``, `\`${JSON.stringify(value)}\``]);
    assert.deepEqual(
      rows(section("Settings")).map(([name, value]) => [name, value]),
      expected,
    );
  });

  it("names only existing commands", () => {
    const titles = new Set(
      Object.entries(words).flatMap(([key, title]) => (key.startsWith("command.") ? [title] : [])),
    );
    const named = rows(section("Use")).flatMap(([names = ""]) => names.replace("Forge: ", "").split(", "));
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => !titles.has(name)),
      [],
    );
  });

  it("links only to existing files and has no picture over 150 kB", () => {
    const files = addresses().filter((address) => !address.startsWith("https://"));
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(project, file))),
      [],
    );
    const pictures = files.filter((file) => file.endsWith(".png"));
    assert.equal(pictures.length, 5);
    assert.deepEqual(
      pictures.filter((file) => statSync(path.join(project, file)).size > 150_000),
      [],
    );
  });

  it("omits only the pictures in the package, where the editor would show them as broken", () => {
    const packaged = packagedReadme(readme);
    assert.doesNotMatch(packaged, /\.png|!\[|<img/);
    const plain = readme.replaceAll(/\[([^\]]+)\]\([\w/]+\.md\)/g, "$1");
    const gone = plain.split("\n").filter((line) => line !== "" && !packaged.includes(line));
    assert.equal(gone.length, 5);
    assert.ok(gone.every((line) => line.includes("media/pictures/")));
    assert.doesNotMatch(packaged, /\n\n\n/);
  });

  it("has no relative links in the package: files are named, only web addresses are links", () => {
    const packaged = packagedReadme(readme);
    const links = Array.from(packaged.matchAll(/\]\(([^)]*)\)/g), ([, address = ""]) => address);
    assert.deepEqual(links, []);
    assert.match(packaged, /^bench\/conformance\.md holds every strategy/m);
    assert.match(packaged, /^ARCHITECTURE\.md is one page\. CONTRIBUTING\.md says how/m);
  });

  it("says where each tool says what the comparison tells of it, and of when that is", () => {
    const part = section("Comparison");
    const sources = Array.from(part.matchAll(/^\[([\w-]+)\]: (\S+)$/gm), ([, name = "", address = ""]) => [
      name,
      address,
    ]);
    assert.deepEqual(
      sources.filter(([, address = ""]) => !address.startsWith("https://")),
      [],
    );
    const table = rows(part);
    const cited = table.flatMap((cells) => Array.from(cells.join(" ").matchAll(/\]\[([\w-]+)\]/g), ([, name]) => name));
    assert.deepEqual([...new Set(cited)].toSorted(), sources.map(([name]) => name).toSorted());
    const tools = [2, 3, 4, 5, 6, 7].map((at) => table.map((cells) => cells[at] ?? ""));
    assert.ok(tools.every(([dated = ""]) => /\b20\d\d\b/.test(dated)));
    const claims = tools.flatMap((cells) => cells.slice(1));
    assert.equal(claims.length, 6 * 11);
    assert.deepEqual(
      claims.filter((claim) => claim !== "–" && !/\]\[[\w-]+\]/.test(claim)),
      [],
    );
  });

  it("names an existing benchmark for each figure, here and on the page of all of them", () => {
    const figures = readFileSync(path.join(project, "docs/figures.md"), "utf8");
    const lines = [...rows(section("Figures")), ...rows(section("Scripted", figures))];
    const names = lines.map(([, , command = ""]) => /`(\w+)/.exec(command)?.[1] ?? "none");
    assert.ok(names.length > 30);
    const [here, there] = [section("Figures"), section("Scripted", figures)].map((part) =>
      rows(part).filter(([, , command = ""]) => !command.includes("--data")),
    );
    assert.deepEqual(
      here?.filter((line) => there?.some((other) => isDeepStrictEqual(line, other)) !== true),
      [],
      "a figure here is another one on the page of all",
    );
    assert.deepEqual(
      names.filter((name) => !existsSync(path.join(project, "bench", `${name}.ts`))),
      [],
    );
  });
});

describe("the page on summaries", () => {
  const page = readFileSync(path.join(project, "docs/summaries.md"), "utf8");
  const settings = new Map<string, { readonly default: unknown; readonly enum?: readonly string[] }>(
    manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
  );
  const labels: Readonly<Record<string, string>> = words;
  const table = rows(section("With which strategy", page));

  it("lists every strategy as the settings and the list name it, in their order", () => {
    const names = settings.get("forge.context.strategy")?.enum ?? [];
    assert.deepEqual(
      table.map(([name, label]) => [name, label]),
      names.map((name) => [`\`${name}\``, labels[`setting.context.strategy.${name}.label`]]),
    );
  });

  it("gives the numbers of each strategy with their defaults", () => {
    const given = table.flatMap(([, , , , numbers = ""]) =>
      Array.from(numbers.matchAll(/`([\w.]+)` \(([\d,]+)\)/g), ([, name = "", value = ""]) => [
        name,
        Number(value.replace(",", "")),
      ]),
    );
    assert.equal(given.length, 10);
    assert.deepEqual(
      given.map(([name]) => [name, settings.get(`forge.context.${String(name)}`)?.default]),
      given,
    );
    for (const name of STRATEGY_PARAMETER_NAMES)
      assert.ok(
        given.some(([each]) => each === name),
        name,
      );
  });

  it("says what the variable decides, and where the schema of an export is", () => {
    assert.match(section("Switched off", page), /`FORGE_CONTEXT_INFINITY`/);
    assert.match(section("The export", page), /\(conversation\.schema\.json\)/);
    assert.ok(existsSync(path.join(project, "docs/conversation.schema.json")));
  });
});
