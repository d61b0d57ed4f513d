/**
 * `node scripts/run.mjs prepareRelease TAG`: makes a checkout ready to be packaged for the stores, or says why it is not.
 * Writes the links of the stores into package.json. The tag of a release is `v1.2.3`, that of a pre-release `pre-1.3.0`.
 */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "./command.ts";
import { manifestLinks, placeholdersIn, readAddresses } from "./publishing/addresses.ts";
import { releaseProblems } from "./publishing/releaseProblems.ts";

const [tag = ""] = process.argv.slice(2);
const file = path.join(projectDirectory, "package.json");
const manifest = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
const addresses = readAddresses();
const changelog = readFileSync(path.join(projectDirectory, "CHANGELOG.md"), "utf8");
const problems = releaseProblems({
  tag,
  version: manifest.version,
  changelog,
  placeholders: placeholdersIn(addresses),
});
if (problems.length > 0) throw new Error(`not ready to be published:\n${problems.join("\n")}`);
writeFileSync(file, `${JSON.stringify({ ...manifest, ...manifestLinks(addresses) }, undefined, 2)}\n`);
