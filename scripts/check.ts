/** `npm run check`: types, lint, format, dead code, architecture. */

import { runChecks } from "./testing/checks.ts";
import { formatCounts } from "./testing/counts.ts";

const counts = await runChecks();
console.log(formatCounts(counts));
if (counts.failed > 0) process.exitCode = 1;
