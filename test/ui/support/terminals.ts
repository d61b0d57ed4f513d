import { globSync } from "node:fs";
import path from "node:path";
import { parseEditorName } from "../../../scripts/vscode/editors.ts";
import { installEditor } from "../../../scripts/vscode/installEditor.ts";

/** Why the editor cannot open a terminal, if so. Old editors need a `pty.node` compiled by an install script. */
export function noTerminals(): string | undefined {
  const { name, root } = installEditor(parseEditorName(process.env["FORGE_TEST_EDITOR"] ?? "newest"));
  const compiled = "{build/Release,prebuilds/linux-*}/pty.node";
  if (globSync(path.join(root, "node_modules/node-pty", compiled)).length > 0) return undefined;
  return `the ${name} editor was installed without install scripts, and has no terminals then`;
}
