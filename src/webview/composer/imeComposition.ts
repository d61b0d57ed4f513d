/**
 * Whether an IME takes this key. Safari reports the key that ends a composition without `isComposing`; its only sign is
 * key code 229, which the types call deprecated.
 */
export function isImeComposition(event: KeyboardEvent): boolean {
  return event.isComposing || Reflect.get(event, "keyCode") === 229;
}
