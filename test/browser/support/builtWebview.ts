/** Builds the webview for a page test that runs by itself. A separate module, so that other runs need not load esbuild. */
import { build } from "esbuild";
import path from "node:path";
import { markdownReader } from "../../../scripts/markdownReader.mjs";
import { pageTables } from "../../../scripts/l10n/pageTables.mjs";

const root = path.resolve(import.meta.dirname, "../../..");

export interface ServedFile {
  readonly type: string;
  readonly content: Uint8Array;
}

/** Builds the webview from the sources in memory. Returns its files by path. */
export async function buildWebview(): Promise<ReadonlyMap<string, ServedFile>> {
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    target: "chrome138",
    charset: "utf8",
  } as const;
  const [script, style, highlight, math] = await Promise.all([
    build({
      ...common,
      entryPoints: ["src/webview/main.tsx"],
      format: "iife",
      jsx: "automatic",
      jsxImportSource: "preact",
      plugins: [markdownReader],
    }),
    build({ ...common, entryPoints: ["src/webview/style/main.css"], external: ["*.ttf"] }),
    build({
      ...common,
      entryPoints: ["src/webview/answer/code/colourCode.ts"],
      format: "esm",
      loader: { ".css": "text" },
    }),
    build({
      ...common,
      entryPoints: ["src/webview/answer/math/readFormula.ts"],
      format: "esm",
      loader: { ".css": "text" },
    }),
  ]);
  const content = (built: { readonly outputFiles: readonly { readonly contents: Uint8Array }[] }) =>
    built.outputFiles[0]?.contents ?? new Uint8Array();
  const tables = Object.entries(await pageTables(root)).map(([name, script]) => {
    return [`/${name}`, { type: "text/javascript", content: Buffer.from(script) }] as const;
  });
  return new Map([
    ...tables,
    ["/webview.js", { type: "text/javascript", content: content(script) }],
    ["/highlight.js", { type: "text/javascript", content: content(highlight) }],
    ["/math.js", { type: "text/javascript", content: content(math) }],
    ["/webview.css", { type: "text/css", content: content(style) }],
  ]);
}
