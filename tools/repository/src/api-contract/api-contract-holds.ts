import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { type ApiContract, contractOf, type Terms } from './api-contract.js';
import { breakingChanges } from './breaking-changes.js';

const DOCUMENT = 'docs/reference/openapi.json';
/** The contract of the last release, which later versions of /v1 must not break. */
const BASELINE = 'apps/control-plane/api-baseline.json';

/**
 * Compares the current API with the recorded contract.
 * @returns the number of compared locations
 * @throws Error with one line for each breaking change
 */
export async function apiContractHolds(root: string): Promise<string> {
  const baseline = JSON.parse(readFileSync(join(root, BASELINE), 'utf8')) as Written;
  const old = { takes: readTerms(baseline.takes), answers: readTerms(baseline.answers) };
  const breaks = breakingChanges(old, described(root));
  if (breaks.length > 0) throw new Error(breaks.join('\n'));
  return `${Object.keys({ ...old.takes, ...old.answers }).length} locations`;
}

/** Records the contract of the current API. Later versions must not break it. */
export function recordApiContract(root: string): void {
  const { takes, answers } = described(root);
  const written: Written = { takes: writeTerms(takes), answers: writeTerms(answers) };
  writeFileSync(join(root, BASELINE), formatted(root, BASELINE, JSON.stringify(written)));
}

function described(root: string): ApiContract {
  return contractOf(JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as Record<string, unknown>);
}

/**
 * The recorded form of a contract. The text for a location contains its types, such as `string | null`. For a
 * required location, the text begins with the word "required".
 */
interface Written {
  readonly takes: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

const REQUIRED = 'required ';

function writeTerms(terms: Terms): Record<string, string> {
  const texts = Object.entries(terms).map(([location, { types, required }]) => [
    location,
    `${required ? REQUIRED : ''}${types.join(' | ')}`,
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

function readTerms(written: Readonly<Record<string, string>>): Terms {
  return Object.fromEntries(
    Object.entries(written).map(([location, text]) => {
      const required = text.startsWith(REQUIRED);
      return [location, { required, types: text.slice(required ? REQUIRED.length : 0).split(' | ') }];
    }),
  );
}
