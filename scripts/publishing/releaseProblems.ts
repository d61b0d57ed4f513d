/** Reasons why a checkout must not be published, in plain words; none: it may be. */
export function releaseProblems({
  tag,
  version,
  changelog,
  placeholders,
}: {
  readonly tag: string;
  /** Of package.json. */
  readonly version: string;
  readonly changelog: string;
  /** Names of addresses that do not exist yet. */
  readonly placeholders: readonly string[];
}): readonly string[] {
  const problems = placeholders.map((name) => `.github/addresses.json: ${name} is still a placeholder`);
  if (tag !== `v${version}` && tag !== `pre-${version}`)
    problems.push(`the tag is ${tag || "missing"}, and package.json has the version ${version}`);
  if (!changelog.split("\n").includes(`## ${version}`)) problems.push(`CHANGELOG.md has no section ## ${version}`);
  return problems;
}
