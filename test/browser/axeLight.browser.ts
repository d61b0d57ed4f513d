/** All states of the page in the light themes. */
import { describeEveryState } from "./support/axeChecks.ts";

describeEveryState(["light", "hcLight"]);
