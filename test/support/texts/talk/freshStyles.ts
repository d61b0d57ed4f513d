/** Ways of talking that were written by somebody who did not know the recognition of directives, so that its figures prove something. */

import type { Style } from "./style.ts";
import { chaiBreak } from "./styles/chaiBreak.ts";
import { corridor } from "./styles/corridor.ts";
import { gongbang } from "./styles/gongbang.ts";
import { patchSeries } from "./styles/patchSeries.ts";
import { roadmap } from "./styles/roadmap.ts";
import { warsztat } from "./styles/warsztat.ts";

/**
 * Those that nothing was improved on when they were written: thinking aloud, a product's owner, a mailing list, Polish,
 * Hindi mixed with English, and Korean. Whoever improves on their misses says so here and in the heading of the benchmark.
 */
export const FRESH_STYLES: readonly Style[] = [corridor, roadmap, patchSeries, warsztat, chaiBreak, gongbang];
