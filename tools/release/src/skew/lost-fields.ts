type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Lists what an answer of the API has lost. Added fields do not count, and neither do added items of a list whose items
 * have ids, paths or names. Other lists must have the same items in the same order.
 * @param ignored the names of fields that change without a request
 * @returns a line for each field that is missing or different, with its path
 */
export function lostFields(
  before: unknown,
  after: unknown,
  ignored: ReadonlySet<string> = new Set(),
  path = '',
): readonly string[] {
  if (isObject(before) && isObject(after))
    return Object.entries(before)
      .filter(([name]) => !ignored.has(name))
      .flatMap(([name, value]) =>
        Object.hasOwn(after, name)
          ? lostFields(value, after[name], ignored, `${path}/${name}`)
          : [`${path}/${name}: missing`],
      );
  if (!Array.isArray(before) || !Array.isArray(after))
    return Object.is(before, after) ? [] : [`${path}: expected ${text(before)}, got ${text(after)}`];
  if (hasKeys(before)) return lostFields(byKey(before), byKey(after), ignored, path);
  if (before.length !== after.length)
    return [`${path}: expected ${before.length} items, got ${after.length}`];
  return before.flatMap((item, index) => lostFields(item, after[index], ignored, `${path}/${index}`));
}

function hasKeys(items: readonly unknown[]): boolean {
  const keys = new Set(items.map(keyOf));
  return items.length > 0 && keys.size === items.length && !keys.has(undefined);
}

function byKey(items: readonly unknown[]): JsonObject {
  return Object.fromEntries(items.map((item) => [keyOf(item), item]));
}

/** Returns what identifies an item of a list, or undefined. A restore also has the id of its snapshot. */
export function keyOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const key = item['restore_id'] ?? item['id'] ?? item['path'] ?? item['name'];
  return typeof key === 'string' ? key : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200);
}
