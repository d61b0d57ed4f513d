import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import themes from "../../browser/themes.json" with { type: "json" };

const folder = path.resolve(import.meta.dirname, "../../../src/webview/style");
const sheets = [...readdirSync(folder), "../answer/code/look.css", "../answer/math/look.css"].map(
  (name): readonly [name: string, sheet: string] => [
    name,
    readFileSync(path.join(folder, name), "utf8").replace(/\/\*[^]*?\*\//g, ""),
  ],
);
const css = sheets.map(([, sheet]) => sheet).join("\n");

describe("style sheets", () => {
  it("contain no fixed colours", () => {
    const own = css.match(
      /#[0-9a-f]{3,8}\b(?![^{]*\{)|\b(?:rgba?|hsla?|oklch|lab)\([^)]*\)|:\s*(?:white|black|red|gr[ae]y)\b/gi,
    );
    assert.deepEqual(own ?? [], []);
  });
  it("set each property of a class in only one sheet", () => {
    const places = new Map<string, Set<string>>();
    for (const [name, sheet] of sheets) {
      for (const [, selectors = "", body = ""] of sheet.matchAll(/(?<=^|\})\s*([^{}@]+)\{([^{}]*)\}/g)) {
        for (const selector of selectors.split(",").map((each) => each.trim())) {
          if (!/^\.[\w-]+$/.test(selector)) continue;
          for (const [, property = ""] of body.matchAll(/([\w-]+)\s*:/g)) {
            const set = `${selector} ${property}`;
            places.set(set, (places.get(set) ?? new Set()).add(name));
          }
        }
      }
    }
    const shared = [...places].filter(([, names]) => names.size > 1).map(([set, names]) => [set, ...names]);
    assert.deepEqual(shared, []);
  });
  it("contain no animations or transitions", () => {
    assert.deepEqual(css.match(/\b(?:animation|transition|scroll-behavior|@keyframes)[\w-]*:?[^;{]*/g) ?? [], []);
  });
  it("load only the icon font", () => {
    assert.deepEqual(css.match(/url\([^)]*\)/g), ['url("./codicon.ttf")']);
  });
  for (const [name, { variables }] of Object.entries(themes)) {
    it(`use only variables that ${name} defines, or give a fallback`, () => {
      const needed = [...css.matchAll(/var\((--vscode-[\w-]+)\)/g)].map((match) => match[1] ?? "");
      const inHighContrastOnly = ["--vscode-contrastBorder", "--vscode-contrastActiveBorder"];
      const missing = needed.filter((variable) => !(variable in variables) && !inHighContrastOnly.includes(variable));
      assert.deepEqual([...new Set(missing)], []);
    });
  }
});
