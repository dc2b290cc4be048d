import { z } from 'zod';

/**
 * GET /api/first-admin: how whoever asks can become the first administrator. By a `registration`, from the machine
 * itself; with the `setup_link` that start-up prints, from anywhere else; once there is one, the place is `taken`.
 */
export const FirstAdmin = z.object({ way: z.enum(['registration', 'setup_link', 'taken']) });
export type FirstAdmin = z.output<typeof FirstAdmin>;
