import { readModel, type NgramModel } from '@understudy/ngram';

/** A worker's way to read a file without a promise. The compiler knows only the objects of a page. */
const { FileReaderSync } = self as unknown as {
  FileReaderSync: new () => { readAsArrayBuffer(file: Blob): ArrayBuffer };
};

let last: { readonly id: string; readonly model: NgramModel } | undefined;

/**
 * Returns the model in a file. The last model is kept, because a page asks again at each key press. For another file of
 * the same id, it starts another worker. A file of 26 MiB takes half a second.
 * @throws ModelFormatError if the file is not a model
 */
export function uploadedModel(id: string, file: Blob): NgramModel {
  if (last?.id !== id) {
    const bytes = new Uint8Array(new FileReaderSync().readAsArrayBuffer(file));
    last = { id, model: readModel(bytes) };
  }
  return last.model;
}
