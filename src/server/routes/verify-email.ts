import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERROR_STATUS } from '#contract/errors.ts';
import { EmailNotVerified, VerifiedEmail } from '#contract/session.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { callerOf } from '#server/caller-of.ts';
import { AppError } from '#usecases/app-error.ts';
import { verifyEmail } from '#usecases/identity/accounts/verify-email.ts';

const OneToken = z.strictObject({ token: z.string().max(100) });

/**
 * GET /api/verify-email/:token, the one read that changes something: the specification requires it. The page calls
 * it by script, so that a program which fetches the links of an email does not use them up; that would do no harm
 * either.
 */
export const verifyEmailRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/verify-email/:token',
    {
      config: { access: 'public' },
      schema: { params: OneToken, response: { 200: VerifiedEmail, 404: EmailNotVerified } },
    },
    async (request, reply) => {
      try {
        return { message: await verifyEmail(deps, request.params.token, callerOf(request)) };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        const { code, message } = error;
        const body = { error: message, message, code, requestId: request.id };
        return reply.code(ERROR_STATUS[code]).send(body);
      }
    },
  );
};
