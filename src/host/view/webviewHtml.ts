/** HTML of the chat page: no inline code, no inline style, nothing from the network. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { translationLanguage } from "../editor/translationLanguage.ts";

/** `dist` is the only folder that the page may load from. */
export function webviewHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const source = webview.cspSource;
  const asset = (name: string): string =>
    escapeAttribute(webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString());
  const script = (name: string): string => `    <script nonce="${nonce}" src="${asset(name)}"></script>\n`;
  const language = translationLanguage();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="${escapeAttribute(language ?? "en")}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="forge-highlight" content="${asset("highlight.js")}">
    <meta name="forge-math" content="${asset("math.js")}">
    <link rel="stylesheet" href="${asset("webview.css")}">
    <title>Forge</title>
  </head>
  <body>
    <div id="forge"></div>
${language === undefined ? "" : script(`webview.${language}.js`)}${script("webview.js")}  </body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
