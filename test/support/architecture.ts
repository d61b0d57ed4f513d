/** Checkable rules of ARCHITECTURE.md over source texts. Type imports count as imports; rules have no exceptions. */

import path from "node:path";
import ts from "typescript";

/** Source texts by path relative to the project's folder, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

interface Layer {
  /** Path prefix of the layer's files; the first matching layer counts. */
  readonly prefix: string;
  readonly mayImport: readonly string[];
  /** Exceptions from `mayImport`. */
  readonly mayNotImport?: readonly string[];
  /** Package names, or prefixes that end in `:` or `/`. */
  readonly packages: readonly string[];
}

const adapter = (name: string, ...packages: readonly string[]): Layer => ({
  prefix: `src/adapters/${name}/`,
  mayImport: ["src/core/", `src/adapters/${name}/`],
  packages: [...packages, "node:"],
});

/** An adapter for a service over HTTP: only these may use the shared transport. */
const provider = (name: string, ...packages: readonly string[]): Layer => {
  const layer = adapter(name, ...packages);
  return { ...layer, mayImport: [...layer.mayImport, TRANSPORT] };
};

const TRANSPORT = "src/adapters/http/";

const layers: readonly Layer[] = [
  { prefix: "src/core/", mayImport: ["src/core/"], packages: [] },
  { prefix: "src/protocol/", mayImport: ["src/protocol/"], packages: ["valibot"] },
  provider("anthropic", "@anthropic-ai/sdk"),
  adapter("argon2", "hash-wasm"),
  adapter("diff", "diff"),
  adapter("http"),
  provider("localServers"),
  adapter("node"),
  provider("ollama"),
  provider("openai", "openai"),
  provider("s3", "aws4fetch"),
  adapter("sqlite", "sql.js"),
  adapter("stemmers", "@orama/stemmers", "wink-porter2-stemmer"),
  adapter("tiktoken"),
  provider("vscodeLm", "vscode"),
  adapter("xterm", "@xterm/headless"),
  {
    prefix: "src/host/",
    mayImport: ["src/core/", "src/protocol/", "src/adapters/", "src/host/"],
    mayNotImport: [TRANSPORT],
    packages: ["vscode", "node:", "valibot", "@valibot/to-json-schema"],
  },
  {
    prefix: "src/webview/",
    mayImport: ["src/protocol/", "src/webview/", "src/core/cutText.ts"],
    packages: ["entities", "preact", "@preact/signals", "marked", "highlight.js", "temml"],
  },
  { prefix: "src/extension.ts", mayImport: ["src/host/"], packages: ["vscode"] },
];

/** Order of folders in two layers: a folder may import itself and those before and beside it. */
const orders: Readonly<Record<string, readonly (readonly string[])[]>> = {
  core: [
    [
      "ids.ts",
      "result.ts",
      "errors.ts",
      "cancellation.ts",
      "clock.ts",
      "json.ts",
      "message.ts",
      "omit.ts",
      "cutText.ts",
      "wellFormed.ts",
      "secrets",
      "repetition",
      "cooperativeTask.ts",
      "workQueue.ts",
    ],
    ["search"],
    ["models"],
    ["tokens"],
    ["history"],
    ["replica", "store", "checkpoints"],
    ["documents"],
    ["context"],
    ["conversation"],
    ["stream"],
    ["summary"],
    ["journal"],
    ["offline", "tools"],
    ["turn"],
  ],
  host: [
    ["background", "editor", "words", "notebooks", "checkpoints", "tools", "search"],
    ["connections", "ruleFiles"],
    ["opening", "transcript"],
    ["session"],
    ["view"],
    ["code", "conversations", "find", "fromEditor", "mentions"],
    ["replica"],
    ["pickers"],
    ["context"],
    ["commands"],
    ["chat"],
    ["editorChat"],
    ["app"],
    ["compose.ts"],
  ],
};

/** Descriptions of all rule violations in `files`, sorted. */
export function findBreaches(files: SourceFiles): readonly string[] {
  const breaches = [...files].flatMap(([file, text]) => [
    ...(file.startsWith("src/") ? [...importBreaches(file, text, files), ...exportBreaches(file, text)] : []),
    ...nameBreaches(file, text),
    ...(file.startsWith("src/host/") ? editorTextBreaches(file, text) : []),
  ]);
  return [...breaches, ...cycleBreaches(files)].toSorted();
}

/** Texts of others are drawn as text: lists show no icons of theirs, messages no links. */
function editorTextBreaches(file: string, text: string): readonly string[] {
  const isMessages = file === "src/host/editor/boxes/messages.ts";
  return [
    ...(!isMessages && /\.show(?:Information|Warning|Error)Message\(/.test(text)
      ? [`${file} shows a message not by boxes/messages.ts`]
      : []),
    ...(/\bshowQuickPick\(\s*(?!\s|inList[<(])/.test(text) || /\bpicker\.items =\s*(?!\s|inList[<(])/i.test(text)
      ? [`${file} fills a list not by inList`]
      : []),
  ];
}

function importBreaches(file: string, text: string, files: SourceFiles): readonly string[] {
  const layer = layers.find(({ prefix }) => file.startsWith(prefix));
  if (layer === undefined) return [`${file} belongs to no layer`];
  return importsOf(text).flatMap((specifier) => {
    if (!specifier.startsWith(".")) {
      return layer.packages.some((name) => isOfPackage(specifier, name)) ? [] : [`${file} imports ${specifier}`];
    }
    const target = resolve(file, specifier);
    if (!files.has(target)) return [`${file} imports ${specifier}, which is no source file`];
    const isIn = (prefix: string): boolean => target.startsWith(prefix);
    const isAllowed = layer.mayImport.some(isIn) && layer.mayNotImport?.some(isIn) !== true && isInOrder(file, target);
    return isAllowed ? [] : [`${file} imports ${target}`];
  });
}

function isOfPackage(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith(":") ? name : `${name}/`);
}

function isInOrder(file: string, target: string): boolean {
  const [from, to] = [placeInOrder(file), placeInOrder(target)];
  if (from === undefined || to === undefined) return true;
  return from.layer !== to.layer || to.rank <= from.rank;
}

/** A file's layer and its rank in that layer's order, if it has one. */
function placeInOrder(file: string): { readonly layer: string; readonly rank: number } | undefined {
  const [top, layer = "", name] = file.split("/");
  const order = top === "src" ? orders[layer] : undefined;
  if (order === undefined || name === undefined) return undefined;
  const rank = order.findIndex((names) => names.includes(name));
  if (rank < 0) throw new Error(`${name} has no place in the order of ${layer}`);
  return { layer, rank };
}

/** The only file that makes names of files and folders of the editor's, and takes them. */
const NAMES = "src/host/tools/workspaceRoots.ts";

function nameBreaches(file: string, text: string): readonly string[] {
  if (!file.startsWith("src/host/") || file === NAMES) return [];
  return ["asRelativePath", "getWorkspaceFolder"].flatMap((name) =>
    text.includes(`workspace.${name}(`) ? [`${file} calls ${name}, as only ${NAMES} does`] : [],
  );
}

/** Violations by default exports and re-exports. */
function exportBreaches(file: string, text: string): readonly string[] {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isDefault = modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault || ts.isExportAssignment(statement)) return [`${file} has a default export`];
    const passesOn = ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
    return passesOn ? [`${file} passes on what another file exports`] : [];
  });
}

/** One violation per import cycle, which starts at its alphabetically first file. */
function cycleBreaches(files: SourceFiles): readonly string[] {
  const breaches = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) breaches.add(describeCycle(trail.slice(start)));
    if (start >= 0 || done.has(file)) return;
    for (const target of localImports(file, files)) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return [...breaches];
}

function describeCycle(ring: readonly string[]): string {
  const first = ring.indexOf(ring.toSorted()[0] ?? "");
  const fromFirst = [...ring.slice(first), ...ring.slice(0, first)];
  return `cycle: ${[...fromFirst, ...fromFirst.slice(0, 1)].join(" > ")}`;
}

function localImports(file: string, files: SourceFiles): readonly string[] {
  return importsOf(files.get(file) ?? "")
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => resolve(file, specifier))
    .filter((target) => files.has(target));
}

function importsOf(text: string): readonly string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
}

function resolve(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}
