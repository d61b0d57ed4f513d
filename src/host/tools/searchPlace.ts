/** Searches the text of files below one place, on this disk or in a virtual file system. */

import type { CancelSignal } from "../../core/cancellation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import * as vscode from "vscode";
import { readOpenNotebook } from "../notebooks/openNotebooks.ts";
import type { FileHits, SearchAnswer, SearchRequest } from "./files/fileTask.ts";
import { runFileTask } from "./files/fileThread.ts";
import { searchVirtual } from "./files/searchVirtual.ts";
import { editorEncoding, threadOptions, type WalkChoice, walkRequest } from "./files/workspaceFiles.ts";
import type { SanitizeCounts } from "./resultText.ts";
import type { TextQuery } from "./search/matcher.ts";
import type { ToolFailure } from "./toolFailure.ts";
import { pathBelow, type Place, placeAt, placeOfUri } from "./workspaceRoots.ts";

export interface SearchChoice extends WalkChoice {
  readonly query: TextQuery;
}

export interface PlaceHits {
  readonly files: readonly FileHits[];
  readonly changes: SanitizeCounts;
  readonly skipped: SearchAnswer["skipped"];
  /** Why there may be more hits; undefined for a complete search. */
  readonly incompleteReason: string | undefined;
}

const MORE = "There is more: narrow the query, name a folder, or ask for more results.";

/** A timeout is a success with the hits so far. */
export async function searchPlace(
  dist: string,
  place: Place,
  choice: SearchChoice,
  cancel: CancelSignal,
): Promise<Result<PlaceHits, ToolFailure>> {
  const files: FileHits[] = [];
  const changes = { secretCount: 0, hiddenCount: 0 };
  const onHits = (hits: FileHits, made: SanitizeCounts): void => {
    files.push(hits);
    changes.secretCount += made.secretCount;
    changes.hiddenCount += made.hiddenCount;
  };
  const search: SearchRequest = {
    ...walkRequest(place, choice),
    query: choice.query,
    encoding: editorEncoding(place.root.uri).name,
    unsaved: unsavedTexts(place),
  };
  const options = threadOptions(dist);
  const answer =
    place.root.folderPath === undefined
      ? await searchVirtual({ options, place, search, onHits }, cancel)
      : await runFileTask<SearchAnswer>(
          options,
          { kind: "search", search },
          {
            cancel,
            pickResult: (message) => {
              if (message.kind === "hits") onHits(message.hits, message.changes);
              return message.kind === "search" ? message.result : undefined;
            },
          },
        );
  if (answer.ok) {
    const { skipped, isCut } = answer.value;
    return ok({ files, changes, skipped, incompleteReason: isCut ? MORE : undefined });
  }
  if (answer.error.code !== "TIMED_OUT") return err(answer.error);
  const skipped = { mayHoldSecrets: 0, tooLarge: 0 };
  return ok({ files, changes, skipped, incompleteReason: `${answer.error.text} What was found until then:` });
}

/** Unsaved texts and open notebooks of the place's workspace folder, by path. */
function unsavedTexts(place: Place): ReadonlyMap<string, string> {
  const folder = placeAt(place, "");
  const texts = new Map<string, string>();
  const note = (uri: vscode.Uri, text: () => string): void => {
    const open = placeOfUri(uri);
    const relative = open === undefined ? undefined : pathBelow(folder, open);
    if (relative !== undefined) texts.set(relative, text());
  };
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty) note(document.uri, () => document.getText());
  }
  for (const notebook of vscode.workspace.notebookDocuments) {
    note(notebook.uri, () => readOpenNotebook(notebook).text);
  }
  return texts;
}
