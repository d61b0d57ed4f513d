import * as vscode from "vscode";
import { redact } from "../../core/secrets/redact.ts";

/** The output channel "Forge". Everything written to it is redacted, so that no key is ever logged. */
export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;

  constructor() {
    this.#channel = vscode.window.createOutputChannel("Forge", { log: true });
  }

  info(text: string): void {
    this.#channel.info(redact(text).text);
  }

  /** For faults outside Forge. */
  warn(text: string): void {
    this.#channel.warn(redact(text).text);
  }

  error(text: string): void {
    this.#channel.error(redact(text).text);
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
