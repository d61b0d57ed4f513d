/** The part of `vscode.Memento` that is used. Stored values may have any shape. */
export interface UserStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}
