import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { type ApiContract, contractOf, type Terms } from './api-contract.js';
import { breakingChanges } from './breaking-changes.js';

const DOCUMENT = 'docs/openapi.json';
/** What clients of /v1 may rely on for good: recorded when a release is made. */
const BASELINE = 'apps/control-plane/api-baseline.json';

/** @throws Error when the API of today breaks clients of the recorded one */
export async function apiContractHolds(root: string): Promise<string> {
  const baseline = JSON.parse(readFileSync(join(root, BASELINE), 'utf8')) as Written;
  const old = { takes: readTerms(baseline.takes), answers: readTerms(baseline.answers) };
  const breaks = breakingChanges(old, described(root));
  if (breaks.length > 0) throw new Error(breaks.join('\n'));
  return `${Object.keys({ ...old.takes, ...old.answers }).length} places`;
}

export function recordApiContract(root: string): void {
  const { takes, answers } = described(root);
  const written: Written = { takes: writeTerms(takes), answers: writeTerms(answers) };
  writeFileSync(join(root, BASELINE), formatted(root, BASELINE, JSON.stringify(written)));
}

function described(root: string): ApiContract {
  return contractOf(JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')) as Record<string, unknown>);
}

/** Each place with its types, and "required" before them where it is. */
interface Written {
  readonly takes: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

const REQUIRED = 'required ';

function writeTerms(terms: Terms): Record<string, string> {
  const texts = Object.entries(terms).map(([place, { types, required }]) => [
    place,
    `${required ? REQUIRED : ''}${types.join(' | ')}`,
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

function readTerms(written: Readonly<Record<string, string>>): Terms {
  return Object.fromEntries(
    Object.entries(written).map(([place, text]) => {
      const required = text.startsWith(REQUIRED);
      return [place, { required, types: text.slice(required ? REQUIRED.length : 0).split(' | ') }];
    }),
  );
}
