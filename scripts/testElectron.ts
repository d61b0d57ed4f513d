/**
 * `npm run test:electron`: runs the in-host tests in a downloaded desktop VS Code, which needs a screen and a network.
 * `-- --vscode floor` uses the lowest supported version.
 */

import { parseArgs } from "node:util";
import { runTests } from "@vscode/test-electron";
import manifest from "../package.json" with { type: "json" };
import { projectDirectory, runNode } from "./command.ts";
import { buildHostTests, hostTestsModule, toolExtension } from "./testing/hostTests.ts";
import { parseEditorName } from "./vscode/editors.ts";

const { values } = parseArgs({ options: { vscode: { type: "string", default: "newest" } } });
const isFloor = parseEditorName(values.vscode) === "floor";
const { failure } = await runNode("esbuild.mjs", ["--production"]);
if (failure !== "") throw new Error(`the build had ${failure}`);
await buildHostTests();
await runTests({
  version: isFloor ? manifest.engines.vscode.replace("^", "") : "stable",
  extensionDevelopmentPath: [projectDirectory, toolExtension],
  extensionTestsPath: hostTestsModule,
  extensionTestsEnv: { FORGE_LOCAL_PORTS: "" },
});
