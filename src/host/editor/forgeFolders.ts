export interface ForgeFolders {
  /** The extension's global storage, shared by all windows of the user. */
  readonly storage: string;
  /** Folder of the shipped files. */
  readonly dist: string;
}
