/** An address like the editor's, for tests without one. */

import path from "node:path";

export class Uri {
  readonly scheme: string;
  readonly authority = "";
  readonly path: string;
  constructor(scheme: string, at: string) {
    this.scheme = scheme;
    this.path = at;
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}://${encodeURI(this.path).replaceAll("#", "%23")}`;
  }
  static file(at: string): Uri {
    return new Uri("file", at);
  }
  static parse(text: string): Uri {
    const [scheme = "", at = ""] = text.split("://");
    return new Uri(scheme, decodeURIComponent(at));
  }
  static joinPath({ scheme, path: at }: Uri, ...names: readonly string[]): Uri {
    return new Uri(scheme, path.posix.join(at, ...names));
  }
}
