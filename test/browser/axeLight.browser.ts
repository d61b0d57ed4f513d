import { describeEveryState } from "./support/axeChecks.ts";

describeEveryState(["light", "hcLight"]);
