/** All states of the page in the dark themes. */
import { describeEveryState } from "./support/axeChecks.ts";

describeEveryState(["dark", "hcDark"]);
