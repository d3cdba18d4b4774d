const UNIQUE_VIOLATION = '23505';

/** For `.catch`: throws what `refusal` makes when a unique constraint was broken, and anything else as it is. */
export function onUniqueViolation(refusal: () => Error): (error: unknown) => never {
  return (error) => {
    const code = (error as { driverError?: { code?: string } }).driverError?.code;
    throw code === UNIQUE_VIOLATION ? refusal() : error;
  };
}
