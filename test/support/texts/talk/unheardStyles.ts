/** Styles written last, without knowledge of the directive recognition or its misses. */

import type { Style } from "./style.ts";
import { fikarum } from "./styles/fikarum.ts";
import { findings } from "./styles/findings.ts";
import { hurry } from "./styles/hurry.ts";
import { newcomer } from "./styles/newcomer.ts";
import { playtest } from "./styles/playtest.ts";
import { vanPhong } from "./styles/vanPhong.ts";

/**
 * Evaluated only in the end: half sentences of a lead in a hurry, a newcomer who only asks, an auditor, slang of a game
 * developer, Vietnamese and Swedish. Nobody reads their misses before the recognition is final.
 */
export const UNHEARD_STYLES: readonly Style[] = [hurry, newcomer, findings, playtest, vanPhong, fikarum];
