/** Files that the user has the editor hold read-only, by its settings. */

import * as vscode from "vscode";
import { compileGlob } from "../search/glob.ts";
import type { Place } from "../workspaceRoots.ts";

/** By `files.readonlyInclude` and `files.readonlyExclude`, whose patterns are from the folder on, or absolute. */
export function isReadOnlyInEditor({ root, relative, uri }: Place): boolean {
  const files = vscode.workspace.getConfiguration("files", root.uri);
  const isIn = (setting: string): boolean =>
    enabledGlobs(files.get(setting)).some((glob) => {
      const pattern = glob.replaceAll("\\", "/");
      const isAbsolute = /^(?:\/|[a-z]:)/i.test(pattern);
      const compiled = compileGlob(isAbsolute ? pattern.replace(/^\//, "") : pattern, {
        braces: true,
        ignoreCase: false,
      });
      return compiled.ok && compiled.value.matches(isAbsolute ? uri.path.slice(1) : relative);
    });
  return isIn("readonlyInclude") && !isIn("readonlyExclude");
}

/** The enabled patterns of a setting such as `files.exclude`. */
export function enabledGlobs(setting: unknown): readonly string[] {
  if (typeof setting !== "object" || setting === null) return [];
  return Object.entries(setting).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
}
