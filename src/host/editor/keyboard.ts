/** Where the keyboard goes when a command has asked the user something; it depends on where the command was asked for. */
export interface Keyboard {
  /**
   * To be called as soon as the last question is answered or turned away: a picker leaves the keyboard with the editor. Not
   * between two questions, as the second would lose it, and not after work, when it may be elsewhere.
   */
  answered(): void;
  /** To be called after work, where the way on is a message. */
  leadToComposer(): void;
}
