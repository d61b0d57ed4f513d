/** Marks of a project: two folders are one project if these say so, wherever they are. */

export interface Project {
  /** As `normalizedRemote` writes them, sorted; empty without one that leads to another machine. */
  readonly remotes: readonly string[];
  /** The first commit, where there is no remote. */
  readonly rootCommit?: string;
  /** Address of the repository's folder, or of the open one, on this machine. Never leaves it. Absent: elsewhere. */
  readonly folder?: string;
}

/** A remote in common counts; the first commit only where neither has a remote, and the folder where one has neither. */
export function isSameProject(one: Project, other: Project): boolean {
  if (one.remotes.length > 0 && other.remotes.length > 0)
    return one.remotes.some((each) => other.remotes.includes(each));
  const hasNoRemote = one.remotes.length === 0 && other.remotes.length === 0;
  if (hasNoRemote && one.rootCommit !== undefined && other.rootCommit !== undefined)
    return one.rootCommit === other.rootCommit;
  return one.folder !== undefined && one.folder === other.folder;
}

export function haveProjectInCommon(some: readonly Project[], others: readonly Project[]): boolean {
  return some.some((one) => others.some((other) => isSameProject(one, other)));
}

/** True if both say the same: one of them is enough. */
export function isEqualProject(one: Project, other: Project): boolean {
  return (
    one.folder === other.folder &&
    one.rootCommit === other.rootCommit &&
    one.remotes.length === other.remotes.length &&
    one.remotes.every((remote, index) => remote === other.remotes[index])
  );
}

/** The project without what names a place on this machine; `undefined` if nothing else is known of it. */
export function portableProject({ remotes, rootCommit }: Project): Project | undefined {
  if (remotes.length === 0 && rootCommit === undefined) return undefined;
  return rootCommit === undefined ? { remotes } : { remotes, rootCommit };
}

const ROOT_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isRootCommit(value: string): boolean {
  return ROOT_COMMIT.test(value);
}
