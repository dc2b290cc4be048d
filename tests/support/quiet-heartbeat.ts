import type { EngineLoopDeps } from '#usecases/repricing/engine/engine-loop.ts';

/** For engines whose database is never restored. */
export const QUIET_HEARTBEAT: EngineLoopDeps['heartbeat'] = {
  beat: async () => undefined,
  keep: async () => undefined,
};
