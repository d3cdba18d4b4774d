import { basename } from 'node:path';

import type { DeclaredName } from './source-texts.js';
import { COINED, REPLACED, type AllowedName } from './terms.js';

/** A rule that a text or a name breaks. */
export interface ProseFault {
  readonly file: string;
  /** The line of the fault, from 1. */
  readonly line: number;
  readonly message: string;
}

/** Checks the names of files and the names that they declare against `COINED` and `REPLACED`. */
export class NameRule {
  private readonly unused: Set<string>;

  constructor(private readonly allowed: readonly AllowedName[]) {
    this.unused = new Set(allowed.map(({ name }) => name));
  }

  faults(file: string, declared: readonly DeclaredName[]): ProseFault[] {
    const ownName = { kind: 'type' as const, line: 1, name: basename(file).replace(/\..*$/, '') };
    return [ownName, ...declared].flatMap(({ kind, line, name }) => {
      const words = wordsOf(name);
      const instead = coined(words) ?? (kind === 'type' ? replaced(words) : undefined);
      if (!instead || this.isAllowed(name)) return [];
      return [{ file, line, message: `the name ${name}: write "${instead}"` }];
    });
  }

  /** Returns the allowed names that did not occur in the checked files. */
  unusedExceptions(): string[] {
    return [...this.unused];
  }

  private isAllowed(name: string): boolean {
    this.unused.delete(name);
    return this.allowed.some((entry) => entry.name === name);
  }
}

const COINED_NAMES = COINED.map(
  ([pattern, instead]) => [new RegExp(`(^| )${pattern}( |$)`, 'i'), instead] as const,
);

function coined(words: readonly string[]): string | undefined {
  const text = words.join(' ');
  return COINED_NAMES.find(([pattern]) => pattern.test(text))?.[1];
}

function replaced(words: readonly string[]): string | undefined {
  const word = words.find((each) => Object.hasOwn(REPLACED, each));
  return word && REPLACED[word];
}

/** Divides a name at capitals, hyphens, underscores and dots. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s\-_.]+/)
    .map((word) => word.toLowerCase());
}
