import { readFileSync } from 'node:fs';

/** A block of commands of a guide, or a file that the reader saves. */
export type GuideStep =
  | { readonly machine: 'server' | 'agent' | 'both'; readonly commands: string }
  | { readonly file: string; readonly content: string };

const GUIDES = new URL('../../../../docs/guides/', import.meta.url);
const FENCE = /^( *)```(sh|yaml) (\S+)\n([^]*?)^ *```$/gm;

/** Returns the steps of a guide in order. Its blocks name the machine: `sh server`, `sh agent` or `sh both`. */
export function guideSteps(name: string): readonly GuideStep[] {
  const page = readFileSync(new URL(name, GUIDES), 'utf8');
  return [...page.matchAll(FENCE)].map(([, indent = '', language, word = '', body = '']) => {
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (language === 'yaml') return { file: word, content: text };
    if (word !== 'server' && word !== 'agent' && word !== 'both')
      throw new Error(`expected server, agent or both after sh, but found "${word}"`);
    return { machine: word, commands: text };
  });
}
