import workerUrl from './worker/playground.worker.ts?worker&url';

/** A trusted type's policy, of which TypeScript has no types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** Accepts only the URL of the worker. The content security policy allows no other policy to create script URLs. */
const policy = trustedTypes?.createPolicy('worker-url', {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError('expected the URL of the playground worker');
    return url;
  },
});

/** Starts the worker that runs the engine. Browsers without trusted types accept the URL as it is. */
export function startWorker(): Worker {
  const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
  return new Worker(url, { type: 'module', name: 'playground' });
}
