/** The addresses of the project, which stand in one file, and only there until they exist. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../command.ts";

export interface Addresses {
  /** Of the web page, without a slash at its end. */
  readonly repository: string;
  readonly securityContact: string;
  readonly conductContact: string;
  /** As in CODEOWNERS. */
  readonly owners: readonly string[];
}

export function readAddresses(): Addresses {
  return JSON.parse(readFileSync(path.join(projectDirectory, ".github", "addresses.json"), "utf8")) as Addresses;
}

/** Names of those that do not exist yet: a release must not have them. */
export function placeholdersIn(addresses: Addresses): readonly string[] {
  return Object.entries(addresses).flatMap(([name, value]: readonly [string, string | readonly string[]]) =>
    [value].flat().some((each) => each === "" || each.includes("placeholder")) || value.length === 0 ? [name] : [],
  );
}

/** Links of the stores. */
export function manifestLinks({ repository }: Addresses): Readonly<Record<string, unknown>> {
  return {
    repository: { type: "git", url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
    qna: `${repository}/issues`, // rather than the Marketplace's own page of questions, which nobody here reads
  };
}
