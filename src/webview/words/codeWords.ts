import { localize } from "../../protocol/localize.ts";

export const codeWords = {
  codeTools: localize("Code actions"),
  copyCode: localize("Copy code"),
  insertAtCursor: localize("Insert at cursor"),
  toNewFile: localize("New file"),
  applyToFile: localize("Apply to file"),
  applyTo: (path: string) => localize("Apply to {0}", path),
  runInTerminal: localize("Run in terminal"),
  showDiagram: localize("Show as diagram"),
  showAllLines: (count: number) => localize("Show all {0} lines", count),
  showFewerLines: localize("Show less"),
  openFile: (path: string) => localize("Open {0}", path),
  openFileAt: (path: string, line: number) => localize("Open {0}, line {1}", path, line),
} as const;
