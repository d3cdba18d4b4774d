/**
 * Loads the document again if the server answers. Otherwise, the page stays as it is. After a failed `import`, this is
 * the only other attempt, because browsers keep the failure of a module as long as the document.
 */
export async function reloadDocument(): Promise<void> {
  const { href } = window.location;
  const answers = await fetch(href, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answers) window.location.reload();
}

/** The longest time for the answer of the server. */
const ANSWER_MS = 10_000;
