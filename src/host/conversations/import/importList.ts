/** Lines of the list of conversations that can be imported, and what is said after an import. */

import path from "node:path";
import type { FoundFile } from "../../../adapters/sqlite/import/scanned.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { Banner } from "../../../protocol/toView.ts";
import { visibleTitle } from "../../transcript/title.ts";
import { explainImport } from "../../words/explainFiles.ts";
import { formatDate, formatSize } from "../../words/formatting.ts";
import { toolName } from "../../words/toolNames.ts";
import type { ImportSummary } from "./importing.ts";
import type { KnownImports } from "./knownImports.ts";
import type { KeptPlace } from "./keptPlaces.ts";
import { placeKey, type ToolPlace } from "./toolPlaces.ts";

/** The editor is given all lines at once, and takes half a second for so many. */
const MOST_LINES = 5_000;

export interface FileLine {
  readonly label: string;
  readonly description: string;
  readonly isPreselected: boolean;
  readonly file: string;
}

export interface ListGroup {
  readonly tool: string;
  /** Indices of the places in which the files lie. */
  readonly places: readonly number[];
  /** Newest first. */
  readonly lines: readonly FileLine[];
}

export type ImportLine =
  { readonly kind: "tool"; readonly label: string } | (FileLine & { readonly kind: "file" }) | KeepLine;

/** A place that is kept if this is chosen, and no longer if it is not. */
export interface KeepLine {
  readonly kind: "keep";
  readonly label: string;
  readonly description: string;
  /** It is kept now. */
  readonly isPreselected: boolean;
  readonly key: string;
  readonly place: ToolPlace;
}

/** A folder of the user's choice, then each tool with its places and files, then what is kept elsewhere. */
export function importLines(
  groups: readonly ListGroup[],
  places: readonly ToolPlace[],
  kept: readonly KeptPlace[],
): readonly ImportLine[] {
  const shown = new Set<string>();
  const keepLines = (some: readonly ToolPlace[]): readonly KeepLine[] =>
    some.flatMap((place) => {
      const key = placeKey(place);
      if (shown.has(key)) return [];
      shown.add(key);
      return [
        keepLine(
          place,
          kept.find((each) => placeKey(each) === key),
        ),
      ];
    });
  const chosen = keepLines(places.filter(({ tool }) => tool === ""));
  const lines = groups.flatMap(({ tool, places: indices, lines: own }): readonly ImportLine[] => [
    { kind: "tool", label: tool },
    ...keepLines(indices.flatMap((index) => places[index] ?? [])),
    ...own.map((line) => ({ kind: "file", ...line }) as const),
  ]);
  const titled = (label: string, own: readonly KeepLine[]): readonly ImportLine[] =>
    own.length === 0 ? [] : [{ kind: "tool", label }, ...own];
  return [...titled(localize("The chosen folder"), chosen), ...lines, ...titled(localize("Kept"), keepLines(kept))];
}

function keepLine(place: ToolPlace, kept: KeptPlace | undefined): KeepLine {
  const isKept = kept !== undefined;
  const label = isKept
    ? localize("Kept from here; clear this line to stop keeping")
    : localize("Keep what appears here");
  const key = `keep ${placeKey(place)}`;
  const description = isKept ? `${formatDate(kept.sinceMs)} · ${place.folder}` : place.folder;
  return { kind: "keep", label: `$(eye) ${label}`, description, isPreselected: isKept, key, place };
}

/** The banner with what is kept from now on, and what no more. */
export function withKept(banner: Banner, begun: readonly ToolPlace[], stopped: readonly ToolPlace[]): Banner {
  const said = [
    banner.text,
    begun.length === 0
      ? ""
      : plural(
          begun.length,
          "Forge keeps what appears in {1}.",
          "Forge keeps what appears in {0} folders.",
          begun[0]?.folder ?? "",
        ),
    stopped.length === 0
      ? ""
      : plural(
          stopped.length,
          "What appears in {1} is no longer kept; what was imported stays.",
          "What appears in {0} folders is no longer kept; what was imported stays.",
          stopped[0]?.folder ?? "",
        ),
  ];
  return { ...banner, text: said.filter((text) => text !== "").join(" ") };
}

/** By tool, that of the newest file first; at the end what is of none. */
export function listGroups(
  files: readonly FoundFile[],
  places: readonly Pick<ToolPlace, "tool">[],
  known: Pick<KnownImports, "wasDeleted">,
): readonly ListGroup[] {
  const groups = new Map<string, { readonly places: Set<number>; readonly lines: FileLine[] }>();
  const dated = files.map((file) => ({ file, atMs: atMsOf(file) })).sort((one, other) => other.atMs - one.atMs);
  for (const { file, atMs } of dated.slice(0, MOST_LINES)) {
    const own = places[file.place]?.tool ?? "";
    const isOfNoTool = own === "" && file.conversations.length === 0;
    if (isOfNoTool && !file.isUnsupported && !/\.jsonl$/i.test(file.file)) continue; // any file of a chosen folder
    const tool = toolName(own || (file.conversations[0]?.tool ?? "")) || NO_TOOL;
    const group = groups.get(tool) ?? { places: new Set(), lines: [] };
    groups.set(tool, group);
    group.places.add(file.place);
    group.lines.push(lineOf(file, atMs, known));
  }
  const all = [...groups].sort(([one], [other]) => Number(one === NO_TOOL) - Number(other === NO_TOOL));
  return all.map(([tool, { places: ofGroup, lines }]) => ({ tool, places: [...ofGroup], lines }));
}

const NO_TOOL = localize("Other files");

function atMsOf({ conversations, modifiedMs }: FoundFile): number {
  return Math.max(0, ...conversations.map(({ endMs }) => endMs)) || modifiedMs;
}

function lineOf(found: FoundFile, atMs: number, known: Pick<KnownImports, "wasDeleted">): FileLine {
  const { file, conversations, bytes } = found;
  const [first] = conversations;
  const name = path.basename(file);
  const title = conversations.length === 1 ? visibleTitle(first?.title ?? "") || name : name;
  const { text, isPreselected } = stateOf(found, known);
  const project = first?.project === undefined ? "" : path.posix.basename(first.project.replaceAll("\\", "/"));
  const several = conversations.length < 2 ? "" : plural(conversations.length, "1 conversation", "{0} conversations");
  const about = [text, several, project, formatDate(atMs), formatSize(bytes)];
  return { label: title, description: about.filter((each) => each !== "").join(" · "), isPreselected, file };
}

interface State {
  readonly text: string;
  readonly isPreselected: boolean;
}

function stateOf(found: FoundFile, known: Pick<KnownImports, "wasDeleted">): State {
  const { conversations, isUnsupported } = found;
  if (isUnsupported) return { text: localize("cannot be read yet"), isPreselected: false };
  if (conversations.length === 0) return { text: localize("damaged, or no conversation"), isPreselected: true };
  const added = conversations.reduce((sum, { newAnswers = 0 }) => sum + newAnswers, 0);
  const missing = conversations.filter(({ newAnswers }) => newAnswers === undefined);
  const fresh = missing.filter((each) => !known.wasDeleted(each));
  if (missing.length > 0 && fresh.length === 0) return { text: localize("deleted here"), isPreselected: false };
  if (missing.length === conversations.length) {
    if (conversations.every(({ isSubAgent }) => isSubAgent))
      return { text: localize("new, of a sub-agent"), isPreselected: false };
    return { text: localize("new"), isPreselected: true };
  }
  if (fresh.length > 0) return { text: plural(fresh.length, "1 new", "{0} new"), isPreselected: true };
  if (added === 0 && conversations.some(({ isRewritten }) => isRewritten))
    return { text: localize("already here, rewritten since"), isPreselected: true };
  if (added === 0) return { text: localize("already here"), isPreselected: false };
  const text = plural(added, "already here, 1 new message", "already here, {0} new messages");
  return { text, isPreselected: true };
}

/** True if it has conversations that are not here, or messages that these have not. */
export function isNews(found: FoundFile, known: Pick<KnownImports, "wasDeleted">): boolean {
  return found.conversations.length > 0 && stateOf(found, known).isPreselected;
}

/** Faults that are told one by one. */
const MOST_FAULTS = 3;

/** One sentence of numbers, then what could not be done, why, and that all else is safe. */
export function summaryBanner(summary: ImportSummary): Banner {
  const { created, updated, unchanged, busy, failed, left } = summary;
  const parts = [
    created.length === 0 ? "" : plural(created.length, "1 imported", "{0} imported"),
    updated.length === 0 ? "" : plural(updated.length, "1 brought up to date", "{0} brought up to date"),
    unchanged.length === 0 ? "" : plural(unchanged.length, "1 already here", "{0} already here"),
    failed.length === 0 ? "" : plural(failed.length, "1 could not be read", "{0} could not be read"),
    left === 0 ? "" : plural(left, "1 left out, as you stopped it", "{0} left out, as you stopped it"),
  ].filter((part) => part !== "");
  const sentences = [`${parts.length === 0 ? localize("Nothing was imported") : parts.join(", ")}.`];
  if (busy.length > 0)
    sentences.push(
      plural(
        busy.length,
        "1 is in use; import again later to add what is new.",
        "{0} are in use; import again later to add what is new.",
      ),
    );
  for (const { file, error } of failed.slice(0, MOST_FAULTS)) sentences.push(faultText(file, error));
  if (failed.length > MOST_FAULTS)
    sentences.push(plural(failed.length - MOST_FAULTS, "1 more is in the log.", "{0} more are in the log."));
  if (failed.length > 0)
    sentences.push(
      localize("All files are as they were, and what was imported is safe; import again when the rest can be read."),
    );
  const actions: Banner["actions"] = [
    ...(created.length === 0 && updated.length === 0
      ? []
      : [{ label: localize("Show conversations"), command: "openConversation" } as const]),
    ...(failed.length === 0 ? [] : [{ label: localize("Show log"), command: "showLog" } as const]),
    { label: localize("Close this message"), command: "closeBanner" },
  ];
  return { tone: failed.length > 0 ? "warning" : "info", text: sentences.join(" "), actions };
}

/** Without what is to be done: that is said once, for all. */
export function faultText(file: string, error: ImportSummary["failed"][number]["error"]): string {
  return explainImport(error, path.basename(file)).text.replace(` ${localize("Nothing was changed.")}`, "");
}
