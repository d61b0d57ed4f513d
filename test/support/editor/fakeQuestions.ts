/**
 * Fakes of the editor's questions to the user, which wait for the test's answer. Import the code under test by
 * `withQuestions`.
 */

import assert from "node:assert/strict";
import { withEditorModule } from "./editorModule.ts";
import { whenTrue } from "../whenTrue.ts";

/** Events in order: "asked TITLE", "closed TITLE", and those that a test adds. */
export const happened: string[] = [];

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}
interface Open {
  readonly title: string;
  /** Options passed to the editor. */
  readonly options?: unknown;
  /** Items listed now. */
  readonly items: () => readonly Item[];
  /** Why the answer was refused. */
  readonly refusal?: () => string | undefined;
  /** Types into its field. */
  readonly type?: (text: string) => void;
  /** Answers with an item, a text or a button; `undefined` cancels. */
  readonly give: (answer: unknown) => void;
}

let open: Open | undefined;
let cancelProgress = (): void => undefined;

/** Presses Cancel of the progress shown last. */
export function cancel(): void {
  cancelProgress();
}

/** Clears the state of earlier tests. */
export function beginAnew(): void {
  happened.length = 0;
  open = undefined;
}

/** Waits for a question with this title, and chooses the item that contains `words`. */
export async function take(title: string, words: string): Promise<void> {
  const listed = (): Item | undefined =>
    open?.items().find(({ label, detail = "" }) => `${label}\n${detail}`.includes(words));
  await whenTrue(() => open?.title === title && listed() !== undefined);
  open?.give(listed());
}

/** Waits for a list with this title that is filled, and returns its items. */
export async function listed(title: string): Promise<readonly Item[]> {
  await whenTrue(() => open?.title === title && open.items().length > 0);
  return open?.items() ?? [];
}

/** Waits for a question with this title, and returns the options passed to the editor. */
export async function optionsOf(title: string): Promise<unknown> {
  await whenTrue(() => open?.title === title);
  return open?.options;
}

/** Waits for a question with this title, and types into its field. */
export async function type(title: string, text: string): Promise<void> {
  await whenTrue(() => open?.title === title);
  open?.type?.(text);
}

/** Waits until an answer to the question with this title is refused, and returns why. */
export async function refusalOf(title: string): Promise<string> {
  await whenTrue(() => open?.title === title && (open.refusal?.() ?? "") !== "");
  return open?.refusal?.() ?? "";
}

/** Waits for a question with this title, and answers with a text or a button; `undefined` cancels. */
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
    button: [] as (() => unknown)[],
  };
  readonly onDidAccept = (listener: () => unknown): number => this.#listeners.accept.push(listener);
  readonly onDidHide = (listener: () => unknown): number => this.#listeners.hide.push(listener);
  readonly onDidChangeValue = (listener: () => unknown): number => this.#listeners.value.push(listener);
  readonly onDidTriggerButton = (listener: () => unknown): number => this.#listeners.button.push(listener);
  readonly onDidTriggerItemButton = (): void => undefined;

  show(): void {
    this.#isShown = true;
    begin({
      title: this.title,
      items: () => this.items,
      refusal: () => this.validationMessage,
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

const editor = {
  window: {
    createStatusBarItem: (id: string) => ({
      show: () => void happened.push(`shown ${id}`),
      dispose: () => void happened.push(`gone ${id}`),
    }),
    createQuickPick: () => new Box(),
    createInputBox: () => new Box(),
    showQuickPick: (items: readonly Item[], options?: object) => ask(titleOf(options), items),
    showInputBox: (options?: object) => ask(titleOf(options)),
    showSaveDialog: (options?: object) => ask(titleOf(options), [], options),
    showOpenDialog: (options?: object) => ask(titleOf(options), [], options),
    showWarningMessage: (text: string, options?: unknown) => ask(text, [], options),
    showInformationMessage: (text: string, options?: unknown) => ask(text, [], options),
    withProgress: ({ title = "" }: { readonly title?: string }, work: (progress: object, token: object) => unknown) => {
      const report = ({ message = "" }): void => void happened.push(`${title}: ${message}`);
      const onCancellationRequested = (cancel: () => void): void => {
        cancelProgress = cancel;
      };
      return work({ report }, { onCancellationRequested });
    },
  },
  env: { clipboard: { writeText: (text: string) => Promise.resolve(void happened.push(`copied ${text}`)) } },
  commands: { executeCommand: () => Promise.resolve() },
  l10n: {},
  workspace: {
    isTrusted: true,
    workspaceFolders: [{ name: "shop", uri: { scheme: "file", authority: "", path: "/shop", fsPath: "/shop" } }],
    getConfiguration: () => ({ get: () => undefined, update: () => Promise.resolve() }),
    getWorkspaceFolder: () => undefined,
    findFiles: () => Promise.resolve([]),
    textDocuments: [],
    notebookDocuments: [],
    fs: {
      isWritableFileSystem: () => undefined,
      stat: () => Promise.resolve({ type: 1, size: 6 }),
      readFile: () => Promise.resolve(Buffer.from("let a;")),
    },
  },
  FileType: { File: 1, Directory: 2 },
  Uri: {
    parse: (address: string) => ({
      scheme: address.replace(/:.*/, ""),
      authority: "",
      path: address.replace(/^[^:]+:(\/\/)?/, ""),
    }),
    file: (fsPath: string) => ({ fsPath }),
    joinPath: ({ fsPath }: { readonly fsPath: string }, name: string) => ({ fsPath: `${fsPath}/${name}` }),
  },
  ThemeIcon,
  ProgressLocation: { Notification: 15, Window: 10 },
  ConfigurationTarget: { Global: 1 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
};

/** Fields that replace those which ask, each by its name. `name` identifies them. */
export interface OtherFields {
  readonly name: string;
  readonly fields: (usual: Readonly<Record<"env" | "window" | "workspace" | "Uri", object>>) => object;
}

/** Imports code with these fakes as the editor's module. */
export function withQuestions<Module>(load: () => Promise<Module>, others?: OtherFields): Promise<Module> {
  const fields = others === undefined ? editor : { ...editor, ...others.fields(editor) };
  return withEditorModule(others?.name ?? "questions", fields, load);
}
