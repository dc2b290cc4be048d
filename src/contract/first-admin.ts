import { z } from 'zod';

/**
 * GET /api/first-admin: how the caller can become the first administrator. By `registration` from the machine
 * itself; with the `setup_link` printed at start-up from anywhere else; `taken` once there is one.
 */
export const FirstAdmin = z.object({ way: z.enum(['registration', 'setup_link', 'taken']) });
export type FirstAdmin = z.output<typeof FirstAdmin>;
