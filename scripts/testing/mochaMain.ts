/**
 * Entry point of one mocha run outside an editor. The argument is a {@link MochaRun} as JSON. Anything that a test
 * leaves running keeps this process alive, which its caller counts as a failure.
 */

import "./propertyLengths.ts";
import { type MochaRun, runMocha } from "./runMocha.ts";

const { failed } = await runMocha(JSON.parse(process.argv[2] ?? "") as MochaRun);
if (failed > 0) process.exitCode = 1;
