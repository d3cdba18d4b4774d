import { oneOf, searchReader, textLike } from '../api/search.js';

const LOGIC = '@svc/core:logic.';
const CORE = '@svc/core:';

/** Returns the name of a built-in generator in the address of its page: `int_between`, or `list` for `@svc/core:list`. */
export function shortName(name: string): string {
  return name.startsWith(LOGIC) ? name.slice(LOGIC.length) : name.replace(CORE, '');
}

/** Returns a description of the engine's tables, which are Markdown, as plain text. */
export function plainText(markdown: string): string {
  return markdown.replaceAll('`', '');
}

/** Returns the first sentence of a description, with its full stop. */
export function firstSentence(markdown: string): string {
  return /^.*?\.(?= |$)/.exec(plainText(markdown))?.[0] ?? markdown;
}

/** The parts of a registered name, `@<namespace>/<name>`, in the address of its page. */
export interface RegisteredName {
  readonly namespace: string;
  readonly name: string;
}

export function splitName(registered: string): RegisteredName {
  const slash = registered.indexOf('/');
  return { namespace: registered.slice(1, slash), name: registered.slice(slash + 1) };
}

/** Returns the id for the API: `@<namespace>/<name>`, with `@<version>` if there is one. */
export function generatorId({ namespace, name }: RegisteredName, version?: string): string {
  return `@${namespace}/${name}${version === undefined ? '' : `@${version}`}`;
}

export const GENERATOR_TABS = ['registered', 'built-in'] as const;
export type GeneratorTab = (typeof GENERATOR_TABS)[number];

/** Reads the tab of the list from the address. What is not known is left out. */
export const readGeneratorSearch = searchReader({ tab: oneOf(GENERATOR_TABS) });

/** Reads the version of a registered generator from the address. */
export const readVersionSearch = searchReader({ version: textLike(/^[\w.+-]{1,100}$/) });

/** Reads the id from which a new registration starts. */
export const readFromSearch = searchReader({ from: textLike(/^@[^@/]{1,100}\/[^/]{1,200}$/) });

/** Returns a version with a higher last number: `1.0.1` for `1.0.0`. Other texts are returned unchanged. */
export function nextVersion(version: string): string {
  const [, start, patch] = /^(\d+\.\d+\.)(\d{1,9})$/.exec(version) ?? [];
  return start === undefined ? version : `${start}${Number(patch) + 1}`;
}
