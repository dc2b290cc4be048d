/** The sample store is for one user at one machine: its password is the same for everyone, and public. */
export const DEMO_LOGIN = { email: 'demo@example.com', password: 'sample shop on maple street' } as const;
