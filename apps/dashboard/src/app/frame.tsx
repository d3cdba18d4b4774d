import { Outlet } from '@tanstack/react-router';

/** The frame of all pages that need a session. */
export function Frame() {
  return (
    <main className="p-6">
      <Outlet />
    </main>
  );
}
