/** `CONNECTION_FAILED` → `connection_failed`; undefined for 0 (unspecified) and for numbers this side does not know. */
export function lowerCaseName(name: string | undefined): string | undefined {
  return name === undefined || name === 'UNSPECIFIED' ? undefined : name.toLowerCase();
}
