import type { OutputFormat } from '../../engine/worker/messages.js';

/** The schema and the settings that a user edits. The records depend only on them. */
export interface Draft {
  /** The schema as JSON text. */
  readonly schema: string;
  /** The text of each field, which may be invalid. */
  readonly seed: string;
  readonly count: string;
  /** Empty for the start of the current UTC day. */
  readonly now: string;
  readonly format: OutputFormat;
}

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const satisfies readonly OutputFormat[];

/** A link has at most this many characters, because browsers and chats cut longer ones. */
export const MAX_LINK = 60_000;

/**
 * Returns the fragment of a link that opens the playground with a draft. A browser does not send the fragment of an
 * address to a server. Returns undefined if the draft is too large for a link.
 */
export function toFragment({ schema, seed, count, now, format }: Draft): string | undefined {
  const parts = new URLSearchParams({ schema: toBase64Url(schema), seed, count, format });
  if (now !== '') parts.set('now', now);
  const fragment = `#${parts.toString()}`;
  return fragment.length > MAX_LINK ? undefined : fragment;
}

/** Reads a fragment. Parts that are missing or malformed come from `base`. Returns undefined if it has no schema. */
export function fromFragment(fragment: string, base: Draft): Draft | undefined {
  if (fragment.length > MAX_LINK) return undefined;
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const schema = fromBase64Url(parts.get('schema') ?? '');
  if (schema === undefined || schema === '') return undefined;
  const format = FORMATS.find((each) => each === parts.get('format'));
  return {
    schema,
    seed: short(parts.get('seed')) ?? base.seed,
    count: short(parts.get('count')) ?? base.count,
    now: short(parts.get('now')) ?? '',
    format: format ?? base.format,
  };
}

const short = (text: string | null): string | undefined =>
  text === null || text.length > 40 ? undefined : text;

function toBase64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // somebody has changed the link, or it was cut
  }
}
