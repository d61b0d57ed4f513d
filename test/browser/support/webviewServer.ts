/** Serves the webview as the host does: same page and content security policy, from one origin on 127.0.0.1. */
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import type { ServedFile } from "./builtWebview.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const nonce = "harness0harness0";

export interface WebviewServer {
  readonly origin: string;
  /** Requested addresses that are not part of the page. */
  readonly unexpected: readonly string[];
  close(): Promise<void>;
}

export interface WebviewServerOptions {
  /** False omits the policy, to show that safety does not depend on it. */
  readonly csp?: boolean;
  /** Language of the page; English by default. */
  readonly language?: "de";
}

export async function startWebviewServer(options: WebviewServerOptions = {}): Promise<WebviewServer> {
  const files = await servedFiles();
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

/** All files except the page itself, by path. */
async function servedFiles(): Promise<Map<string, ServedFile>> {
  const font = await readFile(path.join(root, "node_modules/@vscode/codicons/dist/codicon.ttf"));
  const editor = await readFile(path.join(import.meta.dirname, "../editor.css"));
  return new Map([
    ...(await filesOfPage()),
    ["/editor.css", { type: "text/css", content: editor }],
    ["/codicon.ttf", { type: "font/ttf", content: font }],
  ]);
}

/** From dist/ if a run of all page tests has built it: a build per test file takes 1.5 s. */
async function filesOfPage(): Promise<ReadonlyMap<string, ServedFile>> {
  if (process.env["FORGE_TEST_BUILT"] === undefined) return (await import("./builtWebview.ts")).buildWebview();
  const folder = path.join(root, "dist");
  const names = (await readdir(folder)).filter((name) => /^(?:webview|highlight|math)\b.*\.(?:js|css)$/.test(name));
  const entries = names.map(async (name) => {
    const type = name.endsWith(".css") ? "text/css" : "text/javascript";
    return [`/${name}`, { type, content: await readFile(path.join(folder, name)) }] as const;
  });
  return new Map(await Promise.all(entries));
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
