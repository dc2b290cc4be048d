import type { HttpClientOptions, SeenCall } from '#connectors/http/http-client.ts';
import type { Queue } from '#db/queue.ts';
import type { JobHandler, JobHandlers } from '#usecases/background/job-handler.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import type { SyncLoopDeps } from '#usecases/marketplaces/sync/sync-loop.ts';
import type { EngineLoopDeps } from '#usecases/repricing/engine/engine-loop.ts';
import type { Tracing } from './tracing.ts';

/** The options of a service's HTTP client that make a span of each call, with the status of its last attempt. */
export function tracedCalls(
  tracing: Tracing,
  service: string,
): Required<Pick<HttpClientOptions, 'around' | 'onCall'>> {
  return {
    around: ({ method, operation, host }, work) =>
      tracing.within(
        `${service} ${operation}`,
        {
          kind: 'client',
          attributes: {
            'pricewright.service': service,
            'pricewright.operation': operation,
            'http.request.method': method,
            'server.address': host,
          },
        },
        work,
      ),
    onCall: ({ status }: SeenCall) => tracing.countAttempt(status),
  };
}

/** A queue that runs each message within a span. */
export function tracedQueue(tracing: Tracing, queue: Queue): Queue {
  return {
    ...queue,
    work: (kind, handler) => {
      const attributes = { 'messaging.operation.type': 'process', 'messaging.destination.name': kind.name };
      const facts = { kind: 'consumer', attributes, hasTransactions: true } as const;
      return queue.work(kind, (data) => tracing.within(`process ${kind.name}`, facts, () => handler(data)));
    },
  };
}

/** The same handlers, each job within a span of its kind. */
export function tracedHandlers(tracing: Tracing, handlers: JobHandlers): JobHandlers {
  const traced = ([kind, handler]: [string, JobHandler]): [string, JobHandler] => [
    kind,
    (run) => {
      const attributes = { 'pricewright.job.id': run.id, 'pricewright.job.attempt': run.attempt };
      return tracing.within(`job ${kind}`, { attributes }, () => handler(run));
    },
  ];
  return Object.fromEntries(Object.entries(handlers).map(traced));
}

/** The same task, each turn that worked, failed or called a service within a span. */
export function tracedTask(tracing: Tracing, name: string, task: LoopTask): LoopTask {
  return {
    idleWait: task.idleWait,
    turn: (host) =>
      tracing.within(
        name,
        {},
        () => task.turn(host),
        (outcome) => outcome === 'worked',
      ),
    onError: (error) => task.onError(error),
    release: () => task.release(),
  };
}

/** Names the run that a turn of the engine is for. */
export function describesRun(tracing: Tracing): NonNullable<EngineLoopDeps['onRun']> {
  return ({ id, trigger }) =>
    tracing.describe({
      'pricewright.run.trigger': trigger,
      ...(id === null ? {} : { 'pricewright.run.id': id }),
    });
}

/** A span of each sync: they go on when the turn that started them is over. */
export function tracedSync(tracing: Tracing): NonNullable<SyncLoopDeps['around']> {
  return (marketplace, kind, work) => {
    const attributes = { 'pricewright.service': marketplace, 'pricewright.sync': kind };
    return tracing.within(`sync ${marketplace} ${kind}`, { attributes }, work);
  };
}
