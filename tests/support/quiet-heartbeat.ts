import type { EngineLoopDeps } from '#usecases/repricing/engine/engine-loop.ts';

/** For engines whose database nobody restores. */
export const QUIET_HEARTBEAT: EngineLoopDeps['heartbeat'] = {
  beat: async () => undefined,
  keep: async () => undefined,
};
