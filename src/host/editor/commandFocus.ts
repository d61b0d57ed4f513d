/**
 * Restores the keyboard focus after a command has asked the user something; depends on where the command was started.
 */
export interface CommandFocus {
  /**
   * Call as soon as the last question is answered or dismissed, because a closed picker leaves the focus with the
   * editor. Not between two questions, where the second would lose it, and not after work, when the user may have moved
   * it.
   */
  afterPrompt(): void;
  /** Call after work whose natural next step is a message. */
  focusComposer(): void;
}
