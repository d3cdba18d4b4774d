/** The value of an object's own data property; undefined where it has none. Getters are not run, prototypes not asked. */
export function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
