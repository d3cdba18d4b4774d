import { AssetError } from './asset-reader.js';

let loaded: ((text: string) => string) | undefined;

/** Thrown if a text needs the tables of any-ascii, which are not loaded yet. */
class TransliterationNeeded extends Error {
  override readonly name = 'TransliterationNeeded';
}

/**
 * Replaces any-ascii in the built dashboard (vite.config.ts), because its tables are larger than the engine and most
 * schemas do not need them. Works only inside of `withTransliteration`.
 */
export default function anyAscii(text: string): string {
  if (loaded === undefined) throw new TransliterationNeeded();
  return loaded(text);
}

/**
 * Runs a step. If a text needs the tables of any-ascii, loads them and runs the step again.
 * @throws AssetError if the tables cannot be fetched
 */
export async function withTransliteration<T>(step: () => T): Promise<T> {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof TransliterationNeeded)) throw error;
  }
  try {
    ({ default: loaded } = await import('any-ascii'));
  } catch {
    throw new AssetError('any-ascii', 0);
  }
  return step();
}
