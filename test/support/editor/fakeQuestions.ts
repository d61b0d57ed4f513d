/**
 * The part of the editor's API that asks the user, in the place of the `vscode` module: a question waits for what a test
 * answers. What asks is to be imported by `withQuestions`, as there is no such module outside of the editor.
 */

import assert from "node:assert/strict";
import { withEditorModule } from "./editorModule.ts";
import { whenTrue } from "../whenTrue.ts";

/** What happened, in order: "asked TITLE", "closed TITLE", and what a test notes beside. */
export const happened: string[] = [];

interface Item {
  readonly label: string;
  readonly detail?: string;
}
interface Open {
  readonly title: string;
  /** What the editor was given to ask it with. */
  readonly options?: unknown;
  /** What is listed now. */
  readonly items: () => readonly Item[];
  /** Writes into it. */
  readonly type?: (text: string) => void;
  /** Closes it, or has it tried: an entry, a text, a button, or nothing where it is turned away. */
  readonly give: (answer: unknown) => void;
}

let open: Open | undefined;

/** Forgets what a test before left behind. */
export function beginAnew(): void {
  happened.length = 0;
  open = undefined;
}

/** Waits for a question of this title, and takes the entry that holds `words`. */
export async function take(title: string, words: string): Promise<void> {
  const listed = (): Item | undefined =>
    open?.items().find(({ label, detail = "" }) => `${label}\n${detail}`.includes(words));
  await whenTrue(() => open?.title === title && listed() !== undefined);
  open?.give(listed());
}

/** Waits for a question of this title, and tells what the editor was given to ask it with. */
export async function optionsOf(title: string): Promise<unknown> {
  await whenTrue(() => open?.title === title);
  return open?.options;
}

/** Waits for a question of this title and writes into it. */
export async function type(title: string, text: string): Promise<void> {
  await whenTrue(() => open?.title === title);
  open?.type?.(text);
}

/** Waits for a question of this title and gives a text, a button or, to turn it away, nothing. */
export async function give(title: string, answer?: unknown): Promise<void> {
  await whenTrue(() => open?.title === title);
  open?.give(answer);
}

function begin(question: Open): void {
  assert.equal(open, undefined, "one question at a time");
  happened.push(`asked ${question.title}`);
  open = question;
}

function end(title: string): void {
  happened.push(`closed ${title}`);
  open = undefined;
}

function ask(title: string, items: readonly Item[] = [], options?: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    const answered = (answer: unknown): void => {
      end(title);
      resolve(answer);
    };
    begin({ title, options, items: () => items, give: answered });
  });
}

/** A picker or an input box that the extension fills and closes. */
class Box {
  title = "";
  value = "";
  validationMessage: string | undefined;
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  #isShown = false;
  readonly #listeners = {
    accept: [] as (() => unknown)[],
    hide: [] as (() => unknown)[],
    value: [] as (() => unknown)[],
  };
  readonly onDidAccept = (listener: () => unknown): number => this.#listeners.accept.push(listener);
  readonly onDidHide = (listener: () => unknown): number => this.#listeners.hide.push(listener);
  readonly onDidChangeValue = (listener: () => unknown): number => this.#listeners.value.push(listener);
  readonly onDidTriggerItemButton = (): void => undefined;

  show(): void {
    this.#isShown = true;
    begin({
      title: this.title,
      items: () => this.items,
      type: (text) => {
        this.value = text;
        for (const listener of this.#listeners.value) listener();
      },
      give: (answer) => {
        if (answer === undefined) {
          this.hide();
          return;
        }
        if (typeof answer === "string") this.value = answer;
        else this.selectedItems = this.items.filter((item) => item === answer);
        for (const listener of this.#listeners.accept) listener();
      },
    });
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    end(this.title);
    for (const listener of this.#listeners.hide) listener();
  }

  dispose(): void {
    this.hide();
  }
}

const titleOf = ({ title = "" }: { readonly title?: string } = {}): string => title;

class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

/** By the names of the editor's module. */
const editor = {
  window: {
    createQuickPick: () => new Box(),
    createInputBox: () => new Box(),
    showQuickPick: (items: readonly Item[], options?: object) => ask(titleOf(options), items),
    showInputBox: (options?: object) => ask(titleOf(options)),
    showSaveDialog: (options?: object) => ask(titleOf(options), [], options),
    showWarningMessage: (text: string) => ask(text),
  },
  commands: { executeCommand: () => Promise.resolve() },
  l10n: {},
  workspace: {
    isTrusted: true,
    workspaceFolders: [{ name: "shop", uri: { scheme: "file", fsPath: "/shop" } }],
    getConfiguration: () => ({ update: () => Promise.resolve() }),
    getWorkspaceFolder: () => undefined,
    textDocuments: [],
    fs: { stat: () => Promise.resolve({ type: 1, size: 6 }), readFile: () => Promise.resolve(Buffer.from("let a;")) },
  },
  FileType: { File: 1, Directory: 2 },
  Uri: {
    parse: (address: string) => ({ scheme: address.replace(/:.*/, ""), path: address.replace(/^[^:]+:(\/\/)?/, "") }),
    file: (fsPath: string) => ({ fsPath }),
    joinPath: ({ fsPath }: { readonly fsPath: string }, name: string) => ({ fsPath: `${fsPath}/${name}` }),
  },
  ThemeIcon,
  ConfigurationTarget: { Global: 1 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
};

/** Imports what asks the user, with this in the place of the editor's module. */
export function withQuestions<Module>(load: () => Promise<Module>): Promise<Module> {
  return withEditorModule("questions", editor, load);
}
