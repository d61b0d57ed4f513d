import { FOLDER_FAULTS, folderPlace } from "../../support/replica/folderPlace.ts";
import { logReplicaContract } from "./logReplicaContract.ts";

logReplicaContract("a folder", folderPlace, FOLDER_FAULTS);
