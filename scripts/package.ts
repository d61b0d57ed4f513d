/** `npm run package [-- --pre-release]`: builds forge.vsix and prints its size and hash. */

import { parseArgs } from "node:util";
import { packageVsix } from "./packageVsix.ts";

const { values } = parseArgs({ options: { "pre-release": { type: "boolean", default: false } } });
const { sizeBytes, sha256 } = await packageVsix({ isPreRelease: values["pre-release"] });
console.log(`forge.vsix: ${(sizeBytes / 1024 / 1024).toFixed(2)} MB, sha256 ${sha256}`);
