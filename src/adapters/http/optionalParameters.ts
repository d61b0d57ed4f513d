import type { ModelId } from "../../core/ids.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { ReportedError } from "./httpFailure.ts";

/** Optional parameters of one request: which may be sent, and which a refusal is about. */
export class OptionalParameters<Name extends string> {
  readonly #model: ModelId;
  readonly #refused: RefusedParameters;
  readonly #refusalPatterns: Readonly<Record<Name, RegExp>>;
  /** Parameters sent, with the key under which a refusal is remembered. */
  readonly #sent = new Map<Name, string>();

  /** `words` match the parameter and message of a refusal, by the name of the parameter. */
  constructor(model: ModelId, refused: RefusedParameters, refusalPatterns: Readonly<Record<Name, RegExp>>) {
    this.#model = model;
    this.#refused = refused;
    this.#refusalPatterns = refusalPatterns;
  }

  /** Whether `name` may be sent; if so, it counts as sent. With a `value`, only that value is remembered as refused. */
  accepts(name: Name, value?: string): boolean {
    const refusalKey = value === undefined ? name : `${name}=${value}`;
    if (this.#refused.has(this.#model, refusalKey)) return false;
    this.#sent.set(name, refusalKey);
    return true;
  }

  /** Remembers which sent parameters an error refuses; true if there were any. */
  learn({ status, message, parameter = "" }: ReportedError): boolean {
    if (status !== 400 && status !== 422) return false;
    const refused = [...this.#sent].filter(([name]) => this.#refusalPatterns[name].test(`${parameter} ${message}`));
    for (const [name, refusalKey] of refused) {
      this.#refused.add(this.#model, refusalKey);
      this.#sent.delete(name);
    }
    return refused.length > 0;
  }
}
