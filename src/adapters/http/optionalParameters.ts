/** Which of a request's optional parameters a service has just refused. */

import type { ModelId } from "../../core/ids.ts";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { ReportedError } from "./httpFailure.ts";

/** The optional parameters of one request: those that may be sent, and those that are. */
export class OptionalParameters<Name extends string> {
  readonly #model: ModelId;
  readonly #refused: RefusedParameters;
  readonly #words: Readonly<Record<Name, RegExp>>;
  /** What was sent, with what a refusal of it is remembered as. */
  readonly #sent = new Map<Name, string>();

  /** `words` tell by the words of a refusal, its parameter's name among them, which one is meant. */
  constructor(model: ModelId, refused: RefusedParameters, words: Readonly<Record<Name, RegExp>>) {
    this.#model = model;
    this.#refused = refused;
    this.#words = words;
  }

  /** Whether `name` may be sent; asking for it says that it is. With a `value`, a refusal is of that value alone. */
  takes(name: Name, value?: string): boolean {
    const remembered = value === undefined ? name : `${name}=${value}`;
    if (this.#refused.has(this.#model, remembered)) return false;
    this.#sent.set(name, remembered);
    return true;
  }

  /** Remembers what `said` refuses of what was sent; answers whether there was anything. */
  learn({ status, message, parameter = "" }: ReportedError): boolean {
    if (status !== 400 && status !== 422) return false;
    const refused = [...this.#sent].filter(([name]) => this.#words[name].test(`${parameter} ${message}`));
    for (const [name, remembered] of refused) {
      this.#refused.add(this.#model, remembered);
      this.#sent.delete(name);
    }
    return refused.length > 0;
  }
}
