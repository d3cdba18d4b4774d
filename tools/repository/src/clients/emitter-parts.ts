import type { Operation } from './api-model.js';

/** Groups operations by their resource: words with `_` between them, or '' for methods of the client itself. */
export function byResource(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const resource = operation.resource.join('_');
    groups.set(resource, [...(groups.get(resource) ?? []), operation]);
  }
  return groups;
}

/**
 * Returns the names of a resource and its method, such as `['jobs', 'list']`. A method of the client itself has no
 * resource.
 * @param nameOf writes words with `_` between them as a language writes names
 */
export function methodPath({ resource, method }: Operation, nameOf: (words: string) => string): string[] {
  return [resource, method].filter((words) => words.length > 0).map((words) => nameOf(words.join('_')));
}

/**
 * Breaks a text between words.
 * @param width the largest number of characters in a line, unless one word is longer
 * @param hanging the beginning of each line but the first
 */
export function wrapped(text: string, width: number, hanging = ''): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(hanging + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
