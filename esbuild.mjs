/**
 * Builds what runs into dist/: the extension, its workers, the webview, and the files they load by path.
 *
 *   node esbuild.mjs [--production] [--watch] [host | worker | webview | assets | ranks]...
 *
 * Without names every part is built. Only what a part's entry imports statically is loaded with it: each dynamic
 * `import("./x.ts")` of the extension becomes a file of its own in dist/chunks/, loaded when that line runs. A module is
 * in one file only, however many others need it, so a class has one identity.
 */
import { context, transform } from "esbuild";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { markdownReader } from "./scripts/markdownReader.mjs";
import { thirdPartyNotices } from "./scripts/thirdPartyNotices.mjs";

const root = import.meta.dirname;
const outdir = path.join(root, "dist");
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const production = flags.includes("--production");

/** Optional parts of the OpenAI SDK for other clouds and proxies; Forge uses none of them. */
const unusedByForge = ["undici", "ws", "@smithy/*", "@aws-sdk/*", "google-auth-library"];

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : "inline",
  legalComments: "none",
  metafile: true, // read for the licences of what is contained
  logLevel: "warning",
};

const forNode = { ...common, platform: "node", target: "node22", external: ["vscode", ...unusedByForge] };

/** esbuild splits ES modules only, so the extension is built as such and each file is then turned into CommonJS. */
const commonJsFiles = {
  name: "commonJsFiles",
  setup(build) {
    build.onEnd(async ({ outputFiles, errors }) => {
      if (errors.length > 0) return;
      await rm(path.join(outdir, "chunks"), { recursive: true, force: true });
      await mkdir(path.join(outdir, "chunks"), { recursive: true });
      await Promise.all(outputFiles.map((file) => writeAsCommonJs(file)));
    });
  },
};

async function writeAsCommonJs({ path: file, text }) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node22",
    supported: { "dynamic-import": false },
    minify: production,
    sourcemap: common.sourcemap,
    sourcefile: path.basename(file),
    logLevel: "warning",
  });
  await writeFile(file, code);
}

const host = {
  ...forNode,
  entryPoints: { extension: "src/extension.ts" },
  format: "esm",
  splitting: true,
  outdir,
  outExtension: { ".js": ".cjs" },
  chunkNames: "chunks/[name]-[hash]",
  write: false,
  plugins: [commonJsFiles],
};

const worker = {
  ...forNode,
  entryPoints: {
    storageWorker: "src/host/opening/storageWorker.ts",
    fileWorker: "src/host/tools/files/fileWorker.ts",
    commandWorker: "src/host/checkpoints/commandWorker.ts",
    namesWorker: "src/host/mentions/names/namesWorker.ts",
    replicaWorker: "src/host/replica/thread/replicaWorker.ts",
    secretWorker: "src/host/replica/thread/secretWorker.ts",
  },
  format: "cjs",
  outdir,
  outExtension: { ".js": ".cjs" },
};

const forBrowser = {
  ...common,
  platform: "browser",
  target: "chrome138", // the browser of VS Code 1.106
  charset: "utf8",
  outdir,
};

const webview = {
  ...forBrowser,
  entryPoints: { webview: "src/webview/main.tsx" },
  plugins: [markdownReader],
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
};

const styles = { ...forBrowser, entryPoints: { webview: "src/webview/style/main.css" }, external: ["*.ttf"] };

/** Loaded by the webview with `import(address)` when the first code block closes. */
const highlight = {
  ...forBrowser,
  entryPoints: { highlight: "src/webview/answer/code/colourCode.ts" },
  format: "esm",
  loader: { ".css": "text" },
};

/** Loaded the same way when the first formula is shown. */
const math = {
  ...forBrowser,
  entryPoints: { math: "src/webview/answer/math/readFormula.ts" },
  format: "esm",
  loader: { ".css": "text" },
};

/** Files of packages that are loaded by path. */
const assets = [
  "node_modules/sql.js/dist/sql-wasm-debug.js",
  "node_modules/sql.js/dist/sql-wasm-debug.wasm",
  "node_modules/@vscode/codicons/dist/codicon.ttf",
];

/** The token ranks are made from this package's data. */
const ranksSource = "node_modules/js-tiktoken/package.json";
/** The windows and prices in src/core/models/snapshot are this package's data. */
const pricesSource = "node_modules/@pydantic/genai-prices/package.json";

async function copyAssets() {
  const copies = assets.map((asset) => copyFile(path.join(root, asset), path.join(outdir, path.basename(asset))));
  // sql.js is CommonJS that ends in `.js`; here, below a package of ES modules, that has to be said.
  const kind = writeFile(path.join(outdir, "package.json"), '{ "type": "commonjs" }\n');
  await Promise.all([...copies, kind]);
}

/** Builds once, or again at each change; returns esbuild's list of what it wrote and what went into it, by file. */
async function bundle(options) {
  const bundler = await context(options);
  if (flags.includes("--watch")) {
    await bundler.watch();
    return {};
  }
  try {
    const { metafile, warnings } = await bundler.rebuild();
    if (warnings.length > 0) throw new Error(`${warnings.length} warnings: see above`);
    return metafile.outputs;
  } finally {
    await bundler.dispose();
  }
}

/** Each returns esbuild's list of what it built, if esbuild built it. */
const parts = {
  host: () => bundle(host),
  worker: () => bundle(worker),
  webview: async () => {
    const { pageTables } = await import("./scripts/l10n/pageTables.mjs");
    const scripts = Object.entries(await pageTables(root));
    await Promise.all(scripts.map(([name, script]) => writeFile(path.join(outdir, name), script)));
    return Object.assign({}, ...(await Promise.all([webview, styles, highlight, math].map(bundle))));
  },
  assets: () => copyAssets(),
  ranks: async () => {
    const { buildRanks } = await import("./scripts/buildRanks.mjs");
    await buildRanks(path.join(outdir, "ranks"));
  },
};

const names = wanted.length > 0 ? wanted : Object.keys(parts);
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);

await mkdir(outdir, { recursive: true });
if (wanted.length === 0) {
  const old = await readdir(outdir);
  await Promise.all(old.map((name) => rm(path.join(outdir, name), { recursive: true })));
}
const outputs = Object.assign({}, ...(await Promise.all(names.map((name) => parts[name]()))));
if (wanted.length === 0) {
  const contained = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const notices = await thirdPartyNotices(root, [...contained, ...assets, ranksSource, pricesSource]);
  await writeFile(path.join(outdir, "THIRD_PARTY_NOTICES.txt"), notices);
}
if (flags.includes("--watch")) console.log("watching: each change is built into dist/");
