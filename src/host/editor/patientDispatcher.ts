/**
 * Node's fetch ends a request whose headers, or the next part of its body, take over 300 seconds. A slow machine needs
 * longer; how long is waited is the matter of `guardedProvider`.
 */

export type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/** The same dispatcher without these time limits. */
export function patientDispatcher(dispatcher: Dispatcher): Dispatcher {
  const dispatch: Dispatcher["dispatch"] = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  // Keeps all else: the editor recognizes a dispatcher by its other members.
  return Object.create(dispatcher, { dispatch: { value: dispatch } }) as Dispatcher;
}
