declare module 'pgpass' {
  /** Looks in the password file of libpq (PGPASSFILE or ~/.pgpass). */
  export default function pgpass(
    connection: {
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string;
    },
    callback: (password: string | undefined) => void,
  ): void;
}
