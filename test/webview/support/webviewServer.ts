/**
 * Serves the webview as the host does: the same page, the same content security policy, from one origin on 127.0.0.1.
 * Builds it first, into a folder of its own.
 */
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { pageTables } from "../../../scripts/l10n/pageTables.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const nonce = "harness0harness0";

/** A running server. */
export interface WebviewServer {
  readonly origin: string;
  /** Addresses that were asked for and are no part of the page: a page that fetches nothing leaves this empty. */
  readonly unexpected: readonly string[];
  close(): Promise<void>;
}

/** How the page is served. */
export interface WebviewServerOptions {
  /** False leaves the policy out, to show that safety does not hang on it. */
  readonly csp?: boolean;
  /** Of the page's words; English by default. */
  readonly language?: "de";
}

/** Builds the webview and serves it. */
export async function startWebviewServer(options: WebviewServerOptions = {}): Promise<WebviewServer> {
  const files = await buildFiles();
  const unexpected: string[] = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    const origin = originOf(server);
    if (name === "/") return void sendPage(response, origin, options);
    const file = files.get(name);
    if (file === undefined) {
      const askedByBrowser = name === "/favicon.ico";
      if (!askedByBrowser) unexpected.push(name);
      response.writeHead(askedByBrowser ? 204 : 404).end();
      return;
    }
    response.writeHead(200, { "content-type": file.type }).end(file.content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: originOf(server),
    unexpected,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

interface ServedFile {
  readonly type: string;
  readonly content: Uint8Array;
}

async function buildFiles(): Promise<Map<string, ServedFile>> {
  const common = { absWorkingDir: root, bundle: true, minify: true, write: false, target: "chrome138" } as const;
  const [script, style, highlight, math] = await Promise.all([
    build({
      ...common,
      entryPoints: ["src/webview/main.tsx"],
      format: "iife",
      jsx: "automatic",
      jsxImportSource: "preact",
    }),
    build({ ...common, entryPoints: ["src/webview/style/main.css"], external: ["*.ttf"] }),
    build({ ...common, entryPoints: ["src/webview/highlight.ts"], format: "esm" }),
    build({ ...common, entryPoints: ["src/webview/math/readTex.ts"], format: "esm" }),
  ]);
  const content = (built: { readonly outputFiles: readonly { readonly contents: Uint8Array }[] }) =>
    built.outputFiles[0]?.contents ?? new Uint8Array();
  const font = await readFile(path.join(root, "node_modules/@vscode/codicons/dist/codicon.ttf"));
  const editor = await readFile(path.join(import.meta.dirname, "../editor.css"));
  const tables = Object.entries(await pageTables(root)).map(([name, script]) => {
    return [`/${name}`, { type: "text/javascript", content: Buffer.from(script) }] as const;
  });
  return new Map([
    ...tables,
    ["/webview.js", { type: "text/javascript", content: content(script) }],
    ["/highlight.js", { type: "text/javascript", content: content(highlight) }],
    ["/math.js", { type: "text/javascript", content: content(math) }],
    ["/webview.css", { type: "text/css", content: content(style) }],
    ["/editor.css", { type: "text/css", content: editor }],
    ["/codicon.ttf", { type: "font/ttf", content: font }],
  ]);
}

async function sendPage(
  response: ServerResponse,
  origin: string,
  { csp = true, language }: WebviewServerOptions,
): Promise<void> {
  const scripts = [...(language === undefined ? [] : [`webview.${language}.js`]), "webview.js"];
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${origin}`,
    `style-src ${origin}`,
    `font-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
  ].join("; ");
  const template = await readFile(path.join(import.meta.dirname, "../harness.html"), "utf8");
  const page = template
    .replaceAll("{{origin}}", origin)
    .replace("{{language}}", language ?? "en")
    .replace(
      "{{scripts}}",
      scripts.map((name) => `<script nonce="${nonce}" src="${origin}/${name}"></script>`).join(""),
    )
    .replace("{{policy}}", csp ? policy : "");
  response.writeHead(200, { "content-type": "text/html" }).end(page);
}

function originOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${String(typeof address === "object" && address !== null ? address.port : 0)}`;
}
