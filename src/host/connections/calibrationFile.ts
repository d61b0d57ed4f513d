/**
 * Token counting calibrations learned from responses, in one small file shared by all windows. Optional: if the file
 * cannot be read or written, counting starts from the formulas, and only the log says so.
 */

import path from "node:path";
import {
  systemErrorCode,
  fileFailure,
  nodeFiles,
  replaceFile,
  unlinkIfThere,
  type Files,
} from "../../adapters/node/files.ts";
import { areOfNewerVersion, UsageCalibrations } from "../../core/context/usage/usageCalibrations.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { lazy } from "../background/lazy.ts";
import type { Log } from "../editor/log.ts";

export class CalibrationFile {
  readonly calibrations = new UsageCalibrations(() => {
    this.#save();
  });
  /** Reads what earlier windows have learned, once. */
  readonly load: () => Promise<void>;
  readonly #file: string;
  readonly #files: Files;
  readonly #log: Pick<Log, "info">;
  /** The file is a newer Forge's, and is left as it is. */
  #isNewer = false;
  #isWriteScheduled = false;
  #writing: Promise<void> = Promise.resolve();

  /** `storage`: folder shared by all windows of the user. */
  constructor(storage: string, log: Pick<Log, "info">, files: Files = nodeFiles) {
    this.#file = path.join(storage, FILE);
    this.#files = files;
    this.#log = log;
    this.load = lazy(() => this.#read());
  }

  /** Resolves when everything learned has been written, or could not be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Also deletes the file. */
  async forget(): Promise<Result<void, StorageFailed>> {
    await this.settled();
    this.calibrations.forget();
    try {
      await unlinkIfThere(this.#files, this.#file);
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  /** One write at a time; what is learned meanwhile is written by the next. */
  #save(): void {
    if (this.#isWriteScheduled) return;
    this.#isWriteScheduled = true;
    this.#writing = this.#writing
      .then(async () => {
        this.#isWriteScheduled = false;
        // Another window may have written since: for each model, the calibration with more responses wins.
        await this.#read();
        if (!this.#isNewer) await this.#write();
      })
      .catch((error: unknown) => {
        this.#log.info(`${FILE}: ${String(error)}`);
      });
  }

  async #read(): Promise<void> {
    this.#isNewer = false;
    try {
      const bytes = await this.#files.readStart(this.#file, MAX_BYTES);
      const saved: unknown = JSON.parse(new TextDecoder().decode(bytes));
      this.#isNewer = areOfNewerVersion(saved);
      const merged = this.calibrations.merge(saved);
      if (!merged.ok) this.#log.info(`${FILE}: ${merged.error.field}: expected ${merged.error.expected}`);
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return;
      if (systemErrorCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
      this.#log.info(`${FILE} could not be read: ${String(error)}`);
    }
  }

  async #write(): Promise<void> {
    try {
      await this.#files.makeFolder(path.dirname(this.#file));
      await replaceFile(this.#files, this.#file, JSON.stringify(this.calibrations.save()));
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      this.#log.info(`${FILE} could not be written: ${String(error)}`);
    }
  }
}

const FILE = "counting.json";
/** Many times the size for all models. */
const MAX_BYTES = 2_000_000;
