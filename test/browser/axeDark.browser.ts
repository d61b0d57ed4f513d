import { describeEveryState } from "./support/axeChecks.ts";

describeEveryState(["dark", "hcDark"]);
