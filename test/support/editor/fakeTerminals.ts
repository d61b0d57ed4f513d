/**
 * Fakes of the editor's terminals. A shell finishes a command at once, unless the user runs a program in it, which then
 * receives the typed text.
 */

import { withEditorModule } from "./editorModule.ts";

type Listener = (event: unknown) => void;

class Emitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener): { dispose: () => void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  fire(event: unknown): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

const [closed, started, ended, integrated] = [new Emitter(), new Emitter(), new Emitter(), new Emitter()];

/** Behavior of the shells of new terminals. */
export interface ShellHabits {
  readonly hasIntegration: boolean;
  /** Output of a command; it may wait. */
  readonly output: () => AsyncIterable<string>;
  /** Whether Ctrl+C ends a running command. */
  readonly endsOnInterrupt: boolean;
}

const USUAL: ShellHabits = {
  hasIntegration: true,
  output: async function* () {
    await Promise.resolve();
    yield "out\n";
  },
  endsOnInterrupt: true,
};

let habits = USUAL;

export class FakeTerminal {
  readonly processId = Promise.resolve(1);
  readonly state = { isInteractedWith: false };
  exitStatus: object | undefined;
  /** Commands run by the shell, and texts received by the user's program. */
  readonly ran: string[] = [];
  readonly typedIntoUsers: string[] = [];
  isDisposed = false;
  shellIntegration: object | undefined;
  #ofUser: object | undefined;
  #running: object | undefined;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    if (habits.hasIntegration) this.integrate();
  }

  integrate(): void {
    const executeCommand = (command: string): object => this.#execute(command);
    this.shellIntegration = { cwd: { fsPath: this.#folder }, executeCommand };
    integrated.fire({ terminal: this, shellIntegration: this.shellIntegration });
  }

  show(): void {
    this.state.isInteractedWith = true;
  }

  sendText(text: string): void {
    if (this.#ofUser !== undefined) this.typedIntoUsers.push(text);
    else if (habits.endsOnInterrupt) this.#end(130);
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    closed.fire(this);
  }

  /** The user starts a program that does not end. `isTold`: the editor reports it. */
  runOfUser(command: string, isTold = true): void {
    this.state.isInteractedWith = true;
    this.#ofUser = { commandLine: { value: command }, read: () => USUAL.output() };
    if (isTold) started.fire({ terminal: this, execution: this.#ofUser });
  }

  get isAtPrompt(): boolean {
    return this.#ofUser === undefined && this.#running === undefined;
  }

  #execute(command: string): object {
    const { output } = habits;
    const execution = { commandLine: { value: command }, read: output };
    if (this.#ofUser === undefined) {
      this.ran.push(command);
      this.#running = execution;
      setImmediate(() => {
        started.fire({ terminal: this, execution });
        if (!command.startsWith("sleep")) this.#end(0);
      });
    } else this.typedIntoUsers.push(command);
    return execution;
  }

  #end(exitCode: number): void {
    const execution = this.#running;
    if (execution === undefined) return;
    this.#running = undefined;
    setImmediate(() => {
      ended.fire({ terminal: this, execution, exitCode });
    });
  }
}

/** Terminals created since `beginAnew`. */
export const terminals: FakeTerminal[] = [];

/** Clears the terminals of earlier tests, and sets the behavior of new ones. */
export function beginAnew(changes: Partial<ShellHabits> = {}): void {
  terminals.length = 0;
  habits = { ...USUAL, ...changes };
}

const editor = {
  window: {
    createTerminal: ({ cwd }: { readonly cwd: string }): FakeTerminal => {
      const terminal = new FakeTerminal(cwd);
      terminals.push(terminal);
      return terminal;
    },
    onDidCloseTerminal: closed.event,
    onDidStartTerminalShellExecution: started.event,
    onDidEndTerminalShellExecution: ended.event,
    onDidChangeTerminalShellIntegration: integrated.event,
  },
  TerminalExitReason: { Process: 2 },
};

/** Imports code with these fakes as the editor's module. */
export function withTerminals<Module>(load: () => Promise<Module>): Promise<Module> {
  return withEditorModule("terminals", editor, load);
}
