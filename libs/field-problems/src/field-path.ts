/** Adds one step to a path as errors show it: `tables`, `tables[0]`, `tables[0].columns.email`, `columns["odd.name"]`. */
export function fieldPath(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`;
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(step))
    return `${parent}[${JSON.stringify(shorten(step))}]`;
  return parent === '' ? shorten(step) : `${parent}.${shorten(step)}`;
}

function shorten(step: string): string {
  return step.length > 100 ? `${step.slice(0, 100)}…` : step;
}
