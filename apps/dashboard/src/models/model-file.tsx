import { useQuery } from '@tanstack/react-query';
import type { Model } from '@understudy/client';

import { client } from '../api/client.js';
import { SaveButton } from '../api/save-file.js';
import { MODELS } from './queries.js';
import { TEXTS } from './texts.js';

/** Loads the file of an uploaded model, once for each page. Another upload under the same id has another time. */
export function useModelFile({ id, type, updated_at }: Model) {
  return useQuery({
    queryKey: [...MODELS, 'file', id, updated_at],
    queryFn: async ({ signal }) => new Blob([await client.models.download(id, { signal })]),
    enabled: type === 'custom',
    staleTime: Infinity,
    gcTime: 0, // a file may have 32 MiB
  });
}

/** Saves the file of an uploaded model. The card with the next symbols shows why a file could not be loaded. */
export function DownloadButton({ model }: { readonly model: Model }) {
  const { data: file } = useModelFile(model);
  return <SaveButton label={TEXTS.download} file={file} name={`${model.id.replace('custom/', '')}.ngram`} />;
}
