import { S3_FAULTS, servedPlace } from "../../support/replica/servedPlace.ts";
import { logReplicaContract } from "./logReplicaContract.ts";

logReplicaContract("S3", () => servedPlace(false), S3_FAULTS);
logReplicaContract("S3 that ignores the condition", () => servedPlace(true), S3_FAULTS);
