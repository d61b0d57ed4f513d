/** Files of others in a folder that is to hold a replica. */

import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { parseConversationId } from "../../../core/ids.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { fileFailure, type Files, nodeFiles, undefinedIfMissing } from "../files.ts";

/** Names that file managers and synchronizers put into each folder. */
const PUT_BY_SYSTEMS =
  /^(?:\.(?!\.?$).*|desktop\.ini|thumbs\.db|icon\r?|\$recycle\.bin|system volume information|lost\+found|@eadir|#recycle|~\$.*)$/i;
const FOLDERS = ["c", "root", "probe"];

/** Names in the folder, and in the one that holds conversations, that no replica has; none where the folder is missing. */
export async function foreignFiles(
  folder: string,
  files: Files = nodeFiles,
): Promise<Result<readonly string[], StorageFailed>> {
  const namesIn = async (path: string): Promise<readonly string[]> => {
    const names = (await undefinedIfMissing(files.list(path))) ?? [];
    return names.filter((name) => !PUT_BY_SYSTEMS.test(name)).sort();
  };
  try {
    const names = await namesIn(folder);
    const foreign = names.filter((name) => !FOLDERS.includes(name));
    const conversations = names.includes("c") ? await namesIn(join(folder, "c")) : [];
    const inside = conversations.filter((name) => parseConversationId(name) === undefined);
    return ok([...foreign, ...inside.map((name) => `c/${name}`)]);
  } catch (error) {
    return err(fileFailure(error));
  }
}
