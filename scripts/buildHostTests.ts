/** Builds Forge and its in-host tests for the debugger: `.vscode/launch.json` runs them. */

import { runNode } from "./command.ts";
import { buildHostTests } from "./testing/hostTests.ts";

const { failure } = await runNode("esbuild.mjs", []);
if (failure !== "") throw new Error(`the build had ${failure}`);
await buildHostTests();
