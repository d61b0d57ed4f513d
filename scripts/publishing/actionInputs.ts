/** Inputs of the actions that the workflows use, from each one's `action.yml` of that version. */
export const ACTION_INPUTS: Readonly<Record<string, readonly string[]>> = {
  "actions/checkout@v5": ["ref", "repository", "token", "path", "persist-credentials", "fetch-depth", "fetch-tags"],
  "actions/setup-node@v5": ["node-version", "node-version-file", "cache", "registry-url", "check-latest"],
  "actions/upload-artifact@v4": ["name", "path", "if-no-files-found", "retention-days", "overwrite"],
  "actions/download-artifact@v5": ["name", "path", "pattern", "merge-multiple"],
  "actions/attest-build-provenance@v3": ["subject-path", "subject-digest", "subject-name", "show-summary"],
  "actions/attest-sbom@v3": ["subject-path", "subject-digest", "subject-name", "sbom-path"],
};
