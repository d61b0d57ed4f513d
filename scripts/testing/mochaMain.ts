/**
 * The process of one mocha run outside an editor; its argument is a {@link MochaRun} as JSON. Anything that a test leaves
 * running keeps this process alive, and its caller then takes the run for failed.
 */

import "./propertyLengths.ts";
import { type MochaRun, runMocha } from "./runMocha.ts";

const { failed } = await runMocha(JSON.parse(process.argv[2] ?? "") as MochaRun);
if (failed > 0) process.exitCode = 1;
