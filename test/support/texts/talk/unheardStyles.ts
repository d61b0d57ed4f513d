/** Ways of talking that were written after all others, by somebody who knew neither the recognition of directives nor what it misses. */

import type { Style } from "./style.ts";
import { fikarum } from "./styles/fikarum.ts";
import { findings } from "./styles/findings.ts";
import { hurry } from "./styles/hurry.ts";
import { newcomer } from "./styles/newcomer.ts";
import { playtest } from "./styles/playtest.ts";
import { vanPhong } from "./styles/vanPhong.ts";

/**
 * Those that are only looked at in the end: half sentences of a lead in a hurry, a newcomer who only asks, an auditor,
 * slang of somebody who makes games, Vietnamese and Swedish. Nobody reads their misses before the recognition is left as it is.
 */
export const UNHEARD_STYLES: readonly Style[] = [hurry, newcomer, findings, playtest, vanPhong, fikarum];
