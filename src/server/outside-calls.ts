import type { FastifyInstance } from 'fastify';
import { AppError } from '#usecases/app-error.ts';

/** Calls to external services that a user waits for. */
export interface OutsideCalls {
  /**
   * Runs a call with a time limit in milliseconds, one at a time for each service.
   * @throws AppError conflict while another one for it is under way
   */
  within<Answer>(
    service: string,
    limit: number,
    run: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>;
}

/** A stopping server aborts them instead of waiting for another service. */
export function outsideCalls(app: FastifyInstance): OutsideCalls {
  const underWay = new Map<string, AbortController>();
  app.addHook('preClose', async () => {
    for (const call of underWay.values()) call.abort();
  });
  return {
    within: async (service, limit, run) => {
      if (underWay.has(service)) {
        throw new AppError('conflict', `Another call to ${service} is under way. Wait until it ends.`);
      }
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(), limit);
      underWay.set(service, call);
      try {
        return await run(call.signal);
      } finally {
        clearTimeout(timer);
        underWay.delete(service);
      }
    },
  };
}
