/**
 * Resolves file names to places in the workspace. A name is tried as a path first, then as one of a project that was
 * elsewhere; one without a folder must be the only file of that name. Nothing outside the open folders is found, not even through a link.
 */

import * as vscode from "vscode";
import { locateAll, spelledPlaces } from "../tools/files/workspaceFiles.ts";
import { composed } from "../tools/paths/spelling.ts";
import { lastNameOf, movedPlaces, type Place, resolvePlace, placeOfUri } from "../tools/workspaceRoots.ts";

export interface NamedPlace {
  readonly place: Place;
  readonly kind: "file" | "folder";
}

/** A name without glob characters. */
const plainName = /^[\p{L}\p{N}_@+~-][\p{L}\p{M}\p{N}_.@+~() -]{0,99}\.[A-Za-z]\w{0,11}$/u;
const excludedFolders = "**/{node_modules,.git}/**";
/** At this many results the search may be incomplete, so none of them counts. */
const mostFound = 400;
const searchLimitMs = 3_000;

export async function resolveFileNames(
  dist: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamedPlace>> {
  const written = names.flatMap((name) => {
    const place = resolvePlace(name);
    return place.ok && place.value.relative !== "" ? [{ name, place: place.value }] : [];
  });
  const places = await spelledPlaces(
    dist,
    written.map(({ place }) => place),
  );
  const here = await located(
    dist,
    written.map(({ name, place }, index) => ({ name, place: places[index] ?? place })),
  );
  const found = new Map([
    ...here,
    ...(await moved(
      dist,
      names.filter((name) => !here.has(name)),
    )),
  ]);
  const bare = names.filter((name) => !found.has(name) && plainName.test(name));
  if (bare.length === 0) return found;
  const named = await findPlacesByName(bare);
  const byName = await located(
    dist,
    [...named].flatMap(([name, [place, ...others]]) =>
      place === undefined || others.length > 0 ? [] : [{ name, place }],
    ),
  );
  return new Map([...found, ...byName]);
}

/** The places of names in a project that was elsewhere; none where several are equally likely. */
async function moved(dist: string, names: readonly string[]): Promise<Map<string, NamedPlace>> {
  const wanted = names.map((name) => ({ name, groups: movedPlaces(name) }));
  const all = wanted.flatMap(({ groups }) => groups.flat());
  if (all.length === 0) return new Map();
  const kinds = await locateAll(dist, all);
  const kindOf = new Map(all.map((place, index) => [place, kinds[index]]));
  return new Map(
    wanted.flatMap(({ name, groups }) => {
      const there = groups.map((group) =>
        group.flatMap((place): readonly NamedPlace[] => {
          const kind = kindOf.get(place);
          return kind === "file" || kind === "folder" ? [{ place, kind }] : [];
        }),
      );
      const [only, ...others] = there.find((group) => group.length > 0) ?? [];
      return only === undefined || others.length > 0 ? [] : [[name, only] as const];
    }),
  );
}

async function located(
  dist: string,
  wanted: readonly { readonly name: string; readonly place: Place }[],
): Promise<Map<string, NamedPlace>> {
  if (wanted.length === 0) return new Map();
  const kinds = await locateAll(
    dist,
    wanted.map(({ place }) => place),
  );
  return new Map(
    wanted.flatMap(({ name, place }, index) => {
      const kind = kinds[index];
      return kind === undefined || kind === "missing" ? [] : [[name, { place, kind }] as const];
    }),
  );
}

async function findPlacesByName(names: readonly string[]): Promise<ReadonlyMap<string, readonly Place[]>> {
  const stop = new vscode.CancellationTokenSource();
  const limit = setTimeout(() => {
    stop.cancel();
  }, searchLimitMs);
  try {
    const spellings = [...new Set(names.flatMap((name) => [name, name.normalize("NFC"), name.normalize("NFD")]))];
    const pattern = spellings.length === 1 ? `**/${spellings[0] ?? ""}` : `**/{${spellings.join(",")}}`;
    const uris = await vscode.workspace.findFiles(pattern, excludedFolders, mostFound, stop.token);
    const isCut = stop.token.isCancellationRequested || uris.length === mostFound;
    const places = new Map<string, Place[]>();
    for (const uri of isCut ? [] : uris) {
      const place = placeOfUri(uri);
      const found = composed(lastNameOf(uri));
      const name = names.find((wanted) => composed(wanted) === found);
      const others = places.get(name ?? "") ?? [];
      const isNew = others.every(({ shown }) => shown !== place?.shown); // the editor finds files of nested folders twice
      if (place !== undefined && name !== undefined && isNew) places.set(name, [...others, place]);
    }
    return places;
  } finally {
    clearTimeout(limit);
    stop.dispose();
  }
}
