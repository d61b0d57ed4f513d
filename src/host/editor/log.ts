/** The log channel. Everything written to it passes the redactor: no key ever lies in a log. */

import * as vscode from "vscode";
import { redact } from "../../core/redact.ts";

/** Writes redacted lines to the output channel "Forge". */
export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;

  constructor() {
    this.#channel = vscode.window.createOutputChannel("Forge", { log: true });
  }

  /** Notes what happened. */
  info(text: string): void {
    this.#channel.info(redact(text).text);
  }

  /** Notes what did not go as it should, outside Forge. */
  warn(text: string): void {
    this.#channel.warn(redact(text).text);
  }

  /** Notes what went wrong. */
  error(text: string): void {
    this.#channel.error(redact(text).text);
  }

  /** Shows the channel. */
  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
