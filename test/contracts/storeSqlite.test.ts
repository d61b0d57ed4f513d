import { openStore } from "../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../support/storage/storeBuilders.ts";
import { storeContract } from "./storeContract.ts";

storeContract("sqlite", () => {
  const folder = temporaryFolder();
  return { open: () => openStore(folder.path), remove: folder.remove };
});
