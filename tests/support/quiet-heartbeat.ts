import type { LoopDeps } from '#usecases/repricing/engine/engine-loop.ts';

/** For engines whose database nobody restores. */
export const QUIET_HEARTBEAT: LoopDeps['heartbeat'] = {
  beat: async () => undefined,
  keep: async () => undefined,
};
