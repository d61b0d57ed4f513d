/**
 * Files found by a typed name, among 100,000 that others made: the paths of this project's dependencies, repeated with
 * other names where there are fewer, written as empty files and walked as the product does. Keys are typed into the real
 * page in a browser; what is between page and host in an editor is a call of the browser's debugger here.
 */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BenchReport } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import {
  type FoundNames,
  type FromNames,
  NAMES_MEMORY,
  type ToNames,
} from "../src/host/mentions/names/namesMessages.ts";
import type { MentionView } from "../src/protocol/attachmentView.ts";
import { withEditorModule } from "../test/support/editor/editorModule.ts";
import { temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { seededRandom } from "../test/support/texts/plantedSecrets.ts";
import { NO_PAST_CONVERSATIONS } from "../test/support/editor/noPastConversations.ts";

const FILES = 100_000;
const QUERIES = 600;
const SHOWN = 10;
/** Names that are typed into the page, and letters of each. */
const TYPED = 50;
const LETTERS = 8;

export async function run(): Promise<BenchReport> {
  const folder = temporaryFolder();
  const paths = somePaths();
  for (const each of paths) {
    mkdirSync(path.dirname(path.join(folder.path, each)), { recursive: true });
    writeFileSync(path.join(folder.path, each), "");
  }
  const random = seededRandom(28);
  const some = Array.from({ length: QUERIES }, () => paths[Math.floor(random() * paths.length)] ?? "");
  const rare = rareAmong(paths);
  const asked = (queryOf: (path: string) => string | undefined): readonly Asked[] =>
    some.flatMap((file) => {
      const query = queryOf(file);
      return query === undefined ? [] : [{ query, file }];
    });
  const wholes = [asked((each) => each), asked((each) => rare(nameOf, each))];
  const parts: Readonly<Record<string, readonly Asked[]>> = {
    initials: asked((each) => rare(initialsOf, each)),
    twoParts: asked((each) => rare(twoParts, each)?.replace(" ", "/")),
    mistyped: asked((each) => mistyped(rare(stemOf, each), random)),
    decomposed: asked((each) => rare(stemOf, each)?.normalize("NFD")),
  };
  const names = await startNames(path.join(folder.path, "namesWorker.cjs"));
  const before = process.memoryUsage().rss;
  const begunMs = performance.now();
  names.walk(folder.path);
  await names.find("a", SHOWN);
  const firstMs = performance.now() - begunMs;
  const walkMs = await names.walked;
  const walkedRss = process.memoryUsage().rss;
  const spentMs: number[] = [];
  const foundPercent = async (list: readonly Asked[]): Promise<number> => {
    let hits = 0;
    for (const { query, file } of list) {
      const startMs = performance.now();
      const answer = await names.find(query, SHOWN);
      spentMs.push(performance.now() - startMs);
      if (answer.paths.includes(file)) hits++;
    }
    return Math.round((1_000 * hits) / list.length) / 10;
  };
  const whole: number[] = [];
  for (const list of wholes) whole.push(await foundPercent(list));
  const values: number[] = [];
  for (const [kind, list] of Object.entries(parts)) {
    const percent = await foundPercent(list);
    values.push(percent);
    console.log(`${kind}: ${String(percent)} % of ${String(list.length)}`);
  }
  const rss = Math.max(walkedRss, process.memoryUsage().rss) - before;
  await names.end();
  const keys = await timesOfKeys(
    folder.path,
    some.slice(0, TYPED).map((each, at) => (at % 5 === 0 ? (twoParts(each)?.replace(" ", "/") ?? "") : stemOf(each))),
  );
  return {
    figures: {
      files: paths.length,
      keyMs: p95(keys.map(({ wholeMs }) => wholeMs)),
      keyHostMs: p95(keys.map(({ hostMs }) => hostMs)),
      keyPageMs: p95(keys.map(({ wholeMs, hostMs }) => wholeMs - hostMs)),
      findMs: p95(spentMs),
      firstMs: Math.round(firstMs),
      walkMs: Math.round(walkMs),
      foundPercent: Math.min(...whole),
      foundFuzzyPercent: Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10,
      rssMb: Math.round(rss / 1e6),
    },
  };
}

function p95(values: readonly number[]): number {
  return Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0);
}

/** Types the beginnings of `queries` into the page, with the product's own finder in the place of the host. */
async function timesOfKeys(folder: string, queries: readonly string[]): Promise<readonly KeyTimes[]> {
  const { MentionFinder } = await withEditorModule(
    "mentionsBench",
    editorWith(folder),
    () => import("../src/host/mentions/mentionFinder.ts"),
  );
  const finder = new MentionFinder(folder, NO_PAST_CONVERSATIONS);
  const never = new AbortController().signal;
  const ask: Ask = async (query) => {
    let views: readonly MentionView[] = [];
    await finder.find(query, never, ({ mentions }) => {
      views = mentions.map(({ kind, label, description }, at) => ({ mentionId: String(at), kind, label, description }));
    });
    return views;
  };
  try {
    const last = queries.at(-1) ?? "";
    while (!(await ask(last)).some(({ kind }) => kind === "file")); // until the walk came there
    const file = new URL("webview/menuTimes.ts", import.meta.url).href;
    const { menuTimes } = (await import(file)) as { readonly menuTimes: MenuTimes };
    return await menuTimes(
      ask,
      queries.map((query) => query.slice(0, LETTERS)),
    );
  } finally {
    finder.dispose();
  }
}

interface KeyTimes {
  readonly wholeMs: number;
  readonly hostMs: number;
}
type Ask = (query: string) => Promise<readonly MentionView[]>;
type MenuTimes = (ask: Ask, queries: readonly string[]) => Promise<readonly KeyTimes[]>;

/** An editor with one folder, in which nothing changes and no language has symbols. */
function editorWith(folder: string): object {
  const nothing = { dispose: () => undefined };
  const never = (): object => nothing;
  const uri = { scheme: "file", authority: "", path: folder, fsPath: folder };
  return {
    Disposable: { from: never },
    SymbolInformation: Object,
    Uri: {
      joinPath: (of: typeof uri, ...names: readonly string[]) => ({ ...of, path: [of.path, ...names].join("/") }),
    },
    commands: { executeCommand: () => Promise.resolve([]) },
    languages: { getDiagnostics: () => [] },
    window: { tabGroups: { all: [] } },
    workspace: {
      workspaceFolders: [{ name: "app", index: 0, uri }],
      getConfiguration: () => ({ get: () => undefined }),
      createFileSystemWatcher: () => ({ ...nothing, onDidCreate: never, onDidChange: never, onDidDelete: never }),
      onDidChangeWorkspaceFolders: never,
      onDidChangeConfiguration: never,
    },
  };
}

interface Asked {
  readonly query: string;
  /** What is to be found. */
  readonly file: string;
}

/** Paths of dependencies, and copies of them under other folders until there are enough. */
function somePaths(): readonly string[] {
  const root = path.join(projectDirectory, "node_modules");
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((each) => each.length < 150 && !/(?:^|\/)\.git/.test(each))
    .sort();
  const more = Math.ceil(FILES / paths.length);
  return Array.from({ length: more }, (_, copy) =>
    paths.map((each) => `${copy === 0 ? "deps" : `copy${copy}`}/${each}`),
  )
    .flat()
    .slice(0, FILES);
}

const nameOf = (each: string): string => each.slice(each.lastIndexOf("/") + 1);
const stemOf = (each: string): string => nameOf(each).replace(/\.[^.]*$/, "");

function initialsOf(each: string): string | undefined {
  const words = stemOf(each)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  return words.length < 4 ? undefined : words.map((word) => word.charAt(0)).join("");
}

function twoParts(each: string): string | undefined {
  const [folder, name] = each.split("/").slice(-2);
  return folder === undefined || name === undefined || name.length < 6
    ? undefined
    : `${folder.slice(0, 6)} ${name.slice(0, 8)}`;
}

/** One letter missing, too many, another one, or two exchanged. */
function mistyped(text: string | undefined, random: () => number): string | undefined {
  if (text === undefined || text.length < 8) return undefined;
  const at = 1 + Math.floor(random() * (text.length - 2));
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const wrong = [before + after, before + letter + text.slice(at), before + letter + after];
  return [...wrong, before + after.charAt(0) + text.charAt(at) + after.slice(1)][Math.floor(random() * 4)];
}

/** A query that fits more files than are shown says nothing about the order of what it finds. */
function rareAmong(
  paths: readonly string[],
): (queryOf: (path: string) => string | undefined, path: string) => string | undefined {
  const counts = new Map<typeof nameOf | typeof initialsOf, Map<string, number>>();
  return (queryOf, each) => {
    let count = counts.get(queryOf);
    if (count === undefined) {
      count = new Map();
      for (const other of paths) {
        const query = queryOf(other)?.toLowerCase() ?? "";
        count.set(query, (count.get(query) ?? 0) + 1);
      }
      counts.set(queryOf, count);
    }
    const query = queryOf(each);
    return query !== undefined && query.length >= 4 && (count.get(query.toLowerCase()) ?? 0) <= 5 ? query : undefined;
  };
}

interface Names {
  readonly walked: Promise<number>;
  walk(folder: string): void;
  find(query: string, most: number): Promise<FoundNames>;
  end(): Promise<unknown>;
}

async function startNames(outfile: string): Promise<Names> {
  const entry = fileURLToPath(new URL("../src/host/mentions/names/namesWorker.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "cjs", external: ["vscode"] });
  const worker = new Worker(outfile, { resourceLimits: NAMES_MEMORY });
  const asked = new Map<number, (found: FoundNames) => void>();
  let told: (ms: number) => void = () => undefined;
  const walked = new Promise<number>((resolve) => {
    told = resolve;
  });
  worker.on("message", (message: FromNames) => {
    if (message.kind === "walked") told(message.ms);
    else asked.get(message.id)?.(message);
  });
  const post = (message: ToNames): void => {
    worker.postMessage(message);
  };
  return {
    walked,
    walk: (folder) => {
      const walk = {
        rootIndex: 0,
        relative: "",
        shown: "",
        glob: undefined,
        excludes: [],
        useIgnoreFiles: true,
        most: FILES,
      };
      post({ kind: "walk", folders: [folder], walks: [{ walk, prefix: "" }], most: 2 * FILES });
    },
    find: (query, most) =>
      new Promise((resolve) => {
        const id = asked.size;
        asked.set(id, resolve);
        post({ kind: "find", id, query, most, place: undefined });
      }),
    end: () => worker.terminate(),
  };
}
