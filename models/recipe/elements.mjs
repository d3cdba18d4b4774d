/** Pairs of value and weight as elements of a list: plain values where all weigh the same. */
export function elements(entries) {
  const [[, first] = []] = entries;
  if (entries.every(([, weight]) => weight === first)) return entries.map(([value]) => value);
  return entries.map(([value, weight = 1]) => ({ value, weight }));
}
