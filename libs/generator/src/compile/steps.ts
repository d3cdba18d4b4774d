import { deriveKey, type Key } from '@understudy/random';
import type { CompileContext } from './compile-context.js';
import type { Node } from '../values/node.js';
import type { Cell } from '../values/row.js';

/** A named generator of a schema or of one `let`, and the slot of its value. */
export interface Step {
  readonly name: string;
  readonly path: string;
  readonly slot: number;
  readonly node: Node;
}

/**
 * Returns the steps that the `needed` slots depend on, in order of dependency. Adds a problem for every cycle
 * among them.
 */
export function orderSteps(
  steps: readonly Step[],
  needed: Iterable<number>,
  context: CompileContext,
): Step[] {
  const bySlot = new Map(steps.map((step) => [step.slot, step]));
  const ordered: Step[] = [];
  const done = new Set<number>();
  const open: Step[] = [];

  const visit = (slot: number): void => {
    const step = bySlot.get(slot);
    if (step === undefined || done.has(slot)) return;
    const start = open.indexOf(step);
    if (start >= 0) {
      const names = [...open.slice(start), step].map((member) => shown(member.name));
      context.fail(step.path, `refers to itself: ${names.join(' → ')}`);
      return;
    }
    open.push(step);
    for (const read of step.node.reads) visit(read);
    open.pop();
    done.add(slot);
    ordered.push(step);
  };
  for (const slot of needed) visit(slot);
  return ordered;
}

/**
 * Returns a function that computes all steps in order and stores their values in the slots. The key of a step
 * is derived from its name.
 */
export function bindSteps(steps: readonly Step[], key: Key): (row: Parameters<Cell>[0]) => void {
  const bound = steps.map((step) => ({
    slot: step.slot,
    cell: step.node.bind(deriveKey(key, `step ${step.name}`)),
  }));
  return (row) => {
    for (const { slot, cell } of bound) row.slots[slot] = cell(row);
  };
}

function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
