/** `npm run check`: types, lint, format, dead code, architecture. */

import { runChecks } from "./testing/checks.ts";
import { formatCounts } from "./testing/counts.ts";
import { Turns } from "./testing/turns.ts";

const turns = new Turns();
const counts = await runChecks({
  take: (work) => turns.take(work),
  takeAlone: (work) => turns.takeAlone(work),
  print: console.log,
});
console.log(formatCounts(counts));
if (counts.failed > 0) process.exitCode = 1;
