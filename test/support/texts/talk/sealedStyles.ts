/** Styles written without knowledge of the directive recognition, and unread for a time. */

import type { Style } from "./style.ts";
import { abroad } from "./styles/abroad.ts";
import { committee } from "./styles/committee.ts";
import { loft } from "./styles/loft.ts";
import { maisternia } from "./styles/maisternia.ts";
import { notebook } from "./styles/notebook.ts";
import { warung } from "./styles/warung.ts";

/**
 * Their kinds of misses have been read since: data in notebooks, British indirectness, English as a second language,
 * Ukrainian, Indonesian, and German mixed with English. For styles that are read only in the end see
 * `unheardStyles.ts`.
 */
export const SEALED_STYLES: readonly Style[] = [notebook, committee, abroad, maisternia, warung, loft];
