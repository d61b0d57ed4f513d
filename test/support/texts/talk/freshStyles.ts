/** Styles written without knowledge of the directive recognition, so that its figures are unbiased. */

import type { Style } from "./style.ts";
import { chaiBreak } from "./styles/chaiBreak.ts";
import { corridor } from "./styles/corridor.ts";
import { gongbang } from "./styles/gongbang.ts";
import { patchSeries } from "./styles/patchSeries.ts";
import { roadmap } from "./styles/roadmap.ts";
import { warsztat } from "./styles/warsztat.ts";

/**
 * Not used for improvements when written: thinking aloud, a product owner, a mailing list, Polish, Hindi mixed with
 * English, and Korean. Whoever uses their misses for improvements notes it here and in the benchmark's heading.
 */
export const FRESH_STYLES: readonly Style[] = [corridor, roadmap, patchSeries, warsztat, chaiBreak, gongbang];
