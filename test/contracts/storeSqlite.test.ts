import { openStore } from "../support/sqliteStore.ts";
import { temporaryFolder } from "../support/storeBuilders.ts";
import { storeContract } from "./storeContract.ts";

storeContract("sqlite", () => {
  const folder = temporaryFolder();
  return { open: () => openStore(folder.path), remove: folder.remove };
});
