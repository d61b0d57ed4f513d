/** Where Forge's own files lie. */
export interface ForgeFolders {
  /** The extension's own folder for data, which all windows of the user share. */
  readonly storage: string;
  /** Folder of the shipped files. */
  readonly dist: string;
}
