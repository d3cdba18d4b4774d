import { lazyRouteComponent } from '@tanstack/react-router';
import { UnderstudyError } from '@understudy/client';

/** The server did not send a page: it cannot be reached, or a new version has other files. */
export class CodeNotLoadedError extends UnderstudyError {}

/**
 * Returns the component of a route. Its code is loaded when the route is first opened. The router would load the whole
 * document again after a failed import, and leave the application if the server cannot be reached. This function
 * throws `CodeNotLoadedError` instead, for which `FailedPage` offers another attempt.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw new CodeNotLoadedError('expected the code of a page', { cause: error });
    }
  }, name);
}
