import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeMemberRequest, InviteMemberRequest, Member } from '@understudy/client';

import { useInfiniteList } from '../api/use-infinite-list.js';
import { client } from '../api/client.js';
import { sessionCalls } from '../session/session-calls.js';

const KEYS = ['members'] as const;

/** The members of the organisation, with the invited ones, the newest first. */
export function useMembers() {
  return useInfiniteList({
    queryKey: [...KEYS, 'list'],
    load: (api, page, options) => api.members.list(page, options),
    itemsOf: ({ members }) => members,
  });
}

/** Changes of members. The list is loaded again after each of them, also after one that failed. */
export function useMemberChanges() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: KEYS });
  return {
    invite: useMutation({
      mutationFn: (body: InviteMemberRequest) => client.members.invite(body),
      onSettled,
    }),
    changeRole: useMutation({
      mutationFn: ({ id, role }: ChangeMemberRequest & Pick<Member, 'id'>) =>
        client.members.change(id, { role }),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (id: string) => client.members.remove(id), onSettled }),
    createLink: useMutation({ mutationFn: (id: string) => sessionCalls.createLink(id) }),
  };
}
