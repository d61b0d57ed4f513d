/** The editor's storage for this user: the part of `vscode.Memento` that is used. What it gives back may have any shape. */
export interface UserStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}
