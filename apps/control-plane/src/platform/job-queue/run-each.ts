/**
 * Runs `step` for each element of `things`, at most `atOnce` concurrently. A failed step does not stop the
 * others. There is no timeout, so each step must have its own.
 * @throws the first failure, after all steps have ended
 */
export async function runEach<T>(
  things: readonly T[],
  step: (thing: T) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const waiting = things.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const thing of waiting) {
      try {
        await step(thing);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

const AT_ONCE = 16;
