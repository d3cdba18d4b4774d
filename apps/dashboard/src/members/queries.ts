import { useInfiniteList } from '../api/use-infinite-list.js';

export const MEMBERS = ['members'] as const;

/** The members of the organisation, with the invited ones, the newest first. */
export function useMembers() {
  return useInfiniteList({
    queryKey: [...MEMBERS, 'list'],
    load: (api, page, options) => api.members.list(page, options),
    itemsOf: ({ members }) => members,
  });
}
