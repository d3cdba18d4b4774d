import type { AssetReader } from '@understudy/builtin-models';

/** A file of the built-in models could not be fetched. */
export class AssetError extends Error {
  override readonly name = 'AssetError';

  /** @param status the HTTP status, or 0 if there was no response */
  constructor(
    readonly path: string,
    readonly status: number,
  ) {
    super(`expected the file ${path} of the built-in models, received the HTTP status ${status}`);
  }
}

/**
 * Fetches the files of the built-in models when the engine needs them. The engine asks for a file in the middle of a
 * record and cannot wait for a promise, so the request is synchronous. Only a worker may do this. The browser keeps
 * the files of models, because they never change.
 * @param folder the absolute URL of the files, ending with a slash
 */
export function fetchedAssets(folder: string): AssetReader {
  return {
    read(path) {
      const request = new XMLHttpRequest();
      request.open('GET', new URL(path, folder), false);
      request.responseType = 'arraybuffer';
      try {
        request.send();
      } catch {
        throw new AssetError(path, 0); // the browser gives no reason why it could not connect
      }
      if (request.status !== 200) throw new AssetError(path, request.status);
      return new Uint8Array(request.response as ArrayBuffer);
    },
  };
}
