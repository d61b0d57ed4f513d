import path from "node:path";
import { testDirectory } from "./nodeRuntime.mjs";

/** The newest editor, or the lowest that `engines.vscode` allows. */
export type EditorName = "newest" | "floor";

/** A VS Code server with its web workbench, on disk. */
export interface Editor {
  readonly name: EditorName;
  readonly root: string;
  /** The Node of its server and its extension hosts. */
  readonly node: string;
}

/**
 * The npm package `code-server` contains a complete VS Code server: 4.139.1 is VS Code 1.139.1, 4.106.3 is 1.106.3.
 * `node` is the version in its `engines`.
 */
export const editorVersions = {
  newest: { codeServer: "4.139.1", node: "24.9.0" },
  floor: { codeServer: "4.106.3", node: "22.20.0" },
} as const satisfies Record<EditorName, unknown>;

export function editorDirectory(name: EditorName): string {
  return path.join(testDirectory, name);
}

/** Parses an editor's name. Throws with the choices if there is no such editor. */
export function parseEditorName(value: string): EditorName {
  if (value === "newest" || value === "floor") return value;
  throw new Error(`no editor "${value}": choose newest or floor`);
}
