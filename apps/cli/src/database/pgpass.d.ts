declare module 'pgpass' {
  /** Reads a password from the password file of libpq (PGPASSFILE or ~/.pgpass). */
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
